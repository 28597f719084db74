//! Transitions between unknown states, for unknown roles, and duplicates.

dz::dz! {
    persona desk "Desk"

    entity Note "Note":
      id: uuid pk
      title: str(80)
      state: enum[open, doing, done] = open
      transitions:
        open -> doing
        open -> doing
        doing -> finished: role(desk)
        doing -> done: requires titel
        done -> open: role(dek)
        doing -> open: auto after 3 lightyears
      permit:
        read: true
}

fn main() {
    let _ = app();
}
