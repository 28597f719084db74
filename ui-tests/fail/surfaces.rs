//! Pages of what is not there.

dz::dz! {
    persona desk "Desk"

    entity Note "Note":
      id: uuid pk
      title: str(80) required
      state: enum[open, done] = open
      permit:
        read: role(desk)

    surface note_list "Notes":
      uses entity Nots
      mode: list

    surface note_edit "Edit":
      uses entity Note
      mode: edit
      section main:
        field titel
        field state

    surface note_view "Note":
      uses entity Note
      section main:
        field title
}

fn main() {
    let _ = app();
}
