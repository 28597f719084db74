//! A wrong word in a rule is an error at the word.

dz::dz! {
    persona desk "Desk"

    entity Note "Note":
      id: uuid pk
      title: str(80) required
      permit:
        read: role(desk) and titel != null
        create: role(dek)
}

fn main() {
    let _ = app();
}
