//! An error inside a macro of the application is reported at its token.

macro_rules! declared {
    ($($text:tt)*) => {
        dz::dz! { $($text)* }
    };
}

declared! {
    entity Note "Note":
      id: uuid pk
      title: string(80)
      permit:
        read: titel = "x"
}

fn main() {}
