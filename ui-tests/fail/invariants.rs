//! Invariants that are not conditions, ask for today, or share a code.

dz::dz! {
    entity Note "Note":
      id: uuid pk
      title: str(80)
      due: date
      pages: int
      invariant: pages
      invariant: due > today
        message: "Not in the past"
        code: NOTE_DUE
      invariant: pages > 0
        message: "A note has a page"
        code: NOTE_DUE
      invariant: pages < 100
        code: "no code"
      permit:
        read: true
}

fn main() {
    let _ = app();
}
