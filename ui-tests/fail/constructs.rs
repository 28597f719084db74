//! Words that begin nothing, and words that a block does not know.

dz::dz! {
    persona desk "Desk":
      golas: "Answer within a day"

    entty Note "Note":
      id: uuid pk

    surface note_list "Notes":
      mode: lst
}

fn main() {
    let _ = app();
}
