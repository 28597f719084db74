//! Regions without a source, with a display that is none, and figures of nothing.

dz::dz! {
    persona desk "Desk"

    entity Note "Note":
      id: uuid pk
      title: str(80) required
      pages: int
      permit:
        read: role(desk)

    workspace board "Board":
      open:
        source: Nots
        display: kanbn
      shut:
        display: list
      figures:
        source: Note
        aggregate:
          total: sum(titel)
}

fn main() {
    let _ = app();
}
