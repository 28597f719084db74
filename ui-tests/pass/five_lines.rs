//! The smallest application.

dz::dz! {
    entity Note "Note":
      id: uuid pk
      title: str(80) required
      permit:
        read: true
}

fn main() {
    let _ = app();
    let _: fn() -> note::NewNote = || note::NewNote::new("title");
}
