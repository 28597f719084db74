//! Stories and experiences that go where nothing is.

dz::dz! {
    persona desk "Desk":
      goals: "Answer"

    entity Note "Note":
      id: uuid pk
      title: str(80) required
      permit:
        read: role(desk)

    story ST-001 "Write a note":
      actor: dek
      trigger: form_submitted
      scope: [Note, Page]
}

fn main() {
    let _ = app();
}
