//! Numbers and values that nothing can hold.

dz::dz! {
    entity Note "Note":
      id: uuid pk
      title: str(0)
      price: decimal(2, 4)
      count: int = 99999999999999999999
      state: enum[] = open
      due: date = "2026-02-30"
      permit:
        read: true
}

fn main() {
    let _ = app();
}
