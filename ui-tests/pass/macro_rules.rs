//! A declaration that comes through a macro of the application's own.

#![deny(warnings)]

macro_rules! declared {
    ($module:ident: $($text:tt)*) => {
        mod $module {
            dz::dz! { $($text)* }
        }
    };
}

declared! { notes:
    persona writer "Writer"

    entity Note "Note":
      id: uuid pk
      title: str(80) required
      state: enum[open, "put away"] = open
      permit:
        read: role(writer) or
          state = open
        create: role(writer)
}

fn main() {
    use notes::note::{NewNote, NoteState};
    let new = NewNote { state: Some(NoteState::PutAway), ..NewNote::new("title") };
    assert_eq!(new.state.map(|state| state.as_str()), Some("put away"));
    let _ = notes::app();
}
