//! Every field type, modifier and default.

#![deny(warnings)]

dz::dz! {
    enum Level ordered "Level":
      low "Low"
      high "High"

    archetype Dated:
      created_at: datetime auto_add
      changed_on: date auto_update

    entity Kind "Kind":
      extends: Dated
      id: uuid pk
      a: str(10) unique
      b: text searchable
      c: int = 3
      d: int(64) indexed
      e: float = 1.5
      f: decimal(8,2) = 2.50
      g: decimal
      h: bool
      i: date = today + 14d
      j: datetime = now
      k: enum[x, y] = y
      l: Level = low
      m: json = {}
      n: email unique?
      o: url = "https://example.com"
      p: timezone = "Europe/Lisbon"
      q: slug
      table: int
      dsl: bool
      r: ref Kind nullify
      s: belongs_to User = current_user
      t: has_many Kind via r
      u: decimal(28,10) sensitive
      permit:
        list: f * 2 > 3 and days_since(created_at) < 10 and l >= low
        read: contains(lower(b), "x") or count(t where this.c > c) > 0
        create: authenticated
        update: current_user.name = a
      index c, d desc
      unique a, c
}

fn main() {
    use kind::{KindChanges, NewKind};
    let new = NewKind { a: Some("a".to_owned()), ..NewKind::new() };
    let changes = KindChanges { a: dz::Change::Clear, c: Some(4), ..KindChanges::default() };
    assert_ne!(new.a, changes.a.over(new.a.clone()));
    let _ = app();
}
