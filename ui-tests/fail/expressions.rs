//! Conditions that compare what cannot be compared, or are none.

dz::dz! {
    persona desk "Desk"

    entity Note "Note":
      id: uuid pk
      title: str(80) required
      pages: int
      written: date
      writer: ref Person
      permit:
        list: title > 3
        read: pages + 1
        update: writer.nmae = "Ann"
        delete: 1 < pages < 9
        create: lenght(title) > 3

    entity Person "Person":
      id: uuid pk
      name: str(80)
      permit:
        read: role(desk)
}

fn main() {
    let _ = app();
}
