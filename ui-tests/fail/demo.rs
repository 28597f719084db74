//! Demo rows that the entity cannot hold.

dz::dz! {
    entity Note "Note":
      id: uuid pk
      title: str(8) required
      pages: int
      state: enum[open, done] = open
      permit:
        read: true

    demo:
      Note:
        - title: "First", pages: many
        - title: "Far too long for it", state: dnoe
        - pages: 3
        - titel: "Third"
      Nots:
        - title: "Fourth"
}

fn main() {
    let _ = app();
}
