//! The closed sets of values that the language and the runtime share, declared once.
//!
//! The language resolves a declaration to these values, the macros write them into the expansion by their Rust names, and the runtime acts
//! on them. A match on them is exhaustive, so that a new value fails to compile in each place that must decide about it.

mod archetype;
mod column;
mod entity;
mod experience;
mod expr;
pub mod graphql;
mod llm;
pub mod migration;
mod retry;
mod run;
mod service;
mod states;
mod surface;
pub mod text_key;
mod timezone;
mod workspace;

pub use archetype::Archetype;
pub use column::{column_of_field, field_of_column};
pub use entity::{Auto, OnDelete};
pub use experience::StepEvent;
pub use expr::{Aggregate, Arithmetic, Comparison, DIVISION_PLACES, Function};
pub use llm::{PiiAction, Provider};
pub use retry::Backoff;
pub use run::RUN_STATUSES;
pub use service::AuthKind;
pub use states::Stage;
pub use surface::{Format, Level, Mode, Priority, RelatedDisplay, Widget};
pub use timezone::timezones;
pub use workspace::{Bucket, Display};

/// A closed set of values, each with its name in Rust.
pub trait Vocabulary: Copy + Eq + 'static {
    /// The name of the type.
    const TYPE: &'static str;

    /// Every value, in declared order.
    const ALL: &'static [Self];

    /// The name of the value in Rust.
    ///
    /// ```
    /// use dz_vocabulary::{Comparison, Vocabulary};
    /// assert_eq!((Comparison::TYPE, Comparison::Lt.variant()), ("Comparison", "Lt"));
    /// ```
    fn variant(self) -> &'static str;
}

/// An enum that is a [`Vocabulary`]; with words, also with the word of the language for each value.
macro_rules! vocabulary {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $crate::vocabulary! { $(#[$meta])* $name { $($(#[$doc])* $variant),* } }

        impl $name {
            /// The word of the language.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word),*
                }
            }

            /// The value with this word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                <Self as $crate::Vocabulary>::ALL.iter().copied().find(|value| value.word() == word)
            }
        }
    };
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$doc])* $variant),*
        }

        impl $crate::Vocabulary for $name {
            const TYPE: &'static str = stringify!($name);

            const ALL: &'static [Self] = &[$($name::$variant),*];

            fn variant(self) -> &'static str {
                match self {
                    $($name::$variant => stringify!($variant)),*
                }
            }
        }
    };
}

pub(crate) use vocabulary;
