//! Settings: each key is declared once, with its type, its default, its environment variable and a sentence of documentation.
//!
//! [`settings!`] declares a struct from a list of keys. The same list generates the parser, which refuses unknown keys and invalid
//! values, and the description of each key for the reference page. The formats of files are converted to a [`Value`].
//!
//! ```
//! use dz_settings::{Settings, Table, Value, kind};
//!
//! dz_settings::settings! {
//!     /// The settings of the shop.
//!     #[derive(Debug, PartialEq)]
//!     pub struct Shop {
//!         /// The largest number of lines in an order.
//!         lines: u32 as kind::whole(1..=500), default 100, variable "SHOP_LINES";
//!         /// The address for questions.
//!         contact: Option<String> as kind::optional(kind::text()), default None;
//!     }
//! }
//!
//! let none = |_: &str| None;
//! let read = |key: &str, value: Value| Shop::read(Table::new("shop", [(key.to_owned(), value)].into(), &none));
//! assert_eq!(read("lines", Value::Whole(7)), Ok(Shop { lines: 7, contact: None }));
//! assert_eq!(
//!     read("lines", Value::Text("many".to_owned())).unwrap_err().sentence(|_, _| None),
//!     "`shop.lines` is `\"many\"`; write a whole number from 1 to 500"
//! );
//! assert_eq!(read("line", Value::Whole(7)).unwrap_err().sentence(|_, _| Some("lines".to_owned())), "unknown key `shop.line`; did you mean `lines`?");
//! ```

mod key;
pub mod kind;
mod problem;
mod table;
mod value;

pub use key::Key;
pub use kind::Kind;
pub use problem::Problem;
pub use table::{Place, Table, Variables};
pub use value::Value;

/// A struct of settings, which [`settings!`] declares.
pub trait Settings: Sized {
    /// The names of the keys, in declared order.
    const NAMES: &'static [&'static str];

    /// The description of each key for the reference.
    fn keys() -> Vec<Key>;

    /// Reads a table.
    ///
    /// # Errors
    /// An unknown key, a wrong value, or a missing value of a key without a default.
    fn read(table: Table<'_>) -> Result<Self, Problem>;

    /// The defaults of all keys.
    ///
    /// # Panics
    /// If a key is required.
    fn defaults() -> Self {
        Self::read(Table::new("", Default::default(), &|_| None)).unwrap_or_else(|problem| panic!("{}", problem.sentence(|_, _| None)))
    }

    /// Replaces the value of one key.
    ///
    /// # Errors
    /// An unknown key or a wrong value.
    fn set(&mut self, place: &Place<'_>, name: &str, value: Value) -> Result<(), Problem>;
}

/// Declares a struct of settings, one key after another:
///
/// ```text
/// /// A sentence of documentation.
/// name: Type as kind, default value, shown "the default in words", variable "ENVIRONMENT_VARIABLE";
/// ```
///
/// A key without `default` is required. `shown` describes a default that depends on other things.
#[macro_export]
macro_rules! settings {
    ($(#[$meta:meta])* $vis:vis struct $struct:ident {
        $(
            $(#[doc = $doc:literal])+
            $key:ident: $ty:ty as $kind:expr $(, default $default:expr)? $(, shown $shown:literal)? $(, variable $variable:literal)?;
        )*
    }) => {
        $(#[$meta])*
        $vis struct $struct {
            $($(#[doc = $doc])+ pub $key: $ty,)*
        }

        impl $crate::Settings for $struct {
            const NAMES: &'static [&'static str] = &[$(stringify!($key)),*];

            fn keys() -> ::std::vec::Vec<$crate::Key> {
                vec![$($crate::Key::new::<$ty>(
                    stringify!($key),
                    &[$($doc),+],
                    &$kind,
                    $crate::settings!(@option $(|| $default)?),
                    $crate::settings!(@option $($shown)?),
                    $crate::settings!(@option $($variable)?),
                )),*]
            }

            fn read(mut table: $crate::Table<'_>) -> ::std::result::Result<Self, $crate::Problem> {
                table.check_keys(Self::NAMES)?;
                Ok($struct {
                    $($key: table.take::<$ty>(
                        stringify!($key),
                        &$kind,
                        $crate::settings!(@option $(|| $default)?),
                        $crate::settings!(@option $($variable)?),
                    )?,)*
                })
            }

            fn set(
                &mut self,
                place: &$crate::Place<'_>,
                name: &str,
                value: $crate::Value,
            ) -> ::std::result::Result<(), $crate::Problem> {
                match name {
                    $(stringify!($key) => self.$key = $crate::Kind::<$ty>::read(&$kind, value, &place.child(name))?,)*
                    _ => return Err(place.reject_key(name, Self::NAMES)),
                }
                Ok(())
            }
        }
    };
    (@option) => { None };
    (@option $some:expr) => { Some($some) };
}
