//! Modifiers that contradict each other, defaults of another type, two keys and none.

dz::dz! {
    entity Note "Note":
      id: uuid pk
      number: int pk
      title: str(80) required optional
      done: bool = 3
      state: enum[open, closed] = opne
      changed: bool auto_update
      permit:
        read: true

    entity Page "Page":
      title: str(80)
      permit:
        read: true
}

fn main() {
    let _ = app();
}
