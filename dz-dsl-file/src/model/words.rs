//! Closed sets of words of the language.

/// A value that is one word of the language.
pub trait Word: Copy + 'static {
    /// Every value, in the order in which messages list them.
    const ALL: &'static [Self];

    /// The word.
    fn word(self) -> &'static str;
}

/// Declares an enum with the word for each of its values.
///
/// `for` gives the words of an enumeration that the runtime shares; without words, it has them itself.
macro_rules! words {
    (for $name:ident) => {
        impl $crate::model::Word for $name {
            const ALL: &'static [Self] = <$name as ::dz_vocabulary::Vocabulary>::ALL;

            fn word(self) -> &'static str {
                $name::word(self)
            }
        }
    };
    (for $name:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        impl $crate::model::Word for $name {
            const ALL: &'static [Self] = <$name as ::dz_vocabulary::Vocabulary>::ALL;

            fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word),*
                }
            }
        }
    };
    ($(#[$meta:meta])* $name:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $(#[doc = concat!("`", $word, "`")] $variant),*
        }

        impl $crate::model::Word for $name {
            const ALL: &'static [Self] = &[$($name::$variant),*];

            fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word),*
                }
            }
        }
    };
}

pub(crate) use words;
