//! The framework's own texts, in the language of the request.
//!
//! The English text is beside its id in the code: `say!("dz-search", "Search")`. A catalogue of another language is chosen once for each
//! request; a text that it lacks, or that it cannot format, is the English one. `tests` collects all texts of the code and compares them
//! with the catalogues in `dz-vocabulary/locales`.

use std::{
    borrow::Cow,
    cell::Cell,
    collections::{HashMap, HashSet},
};

use fluent_bundle::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle};
use fluent_syntax::ast;

thread_local! {
    static CURRENT: Cell<Option<&'static Texts>> = const { Cell::new(None) };
}

/// A text of the framework: its id, the English text, and its arguments by name. With two English texts, the first is for a `count` of one.
///
/// Without arguments the result is a `&'static str`, otherwise a `String`.
macro_rules! say {
    ($id:literal, $text:literal) => {
        $crate::texts::plain($id, $text)
    };
    ($id:literal, $text:literal, $($name:ident = $value:expr),+ $(,)?) => {{
        match ($(&$value,)+) {
            ($($name,)+) => match $crate::texts::current() {
                None => format!($text, $($name = $name),+),
                Some(texts) => texts
                    .fill($id, &[$((stringify!($name), $crate::texts::Argument::value($name))),+])
                    .unwrap_or_else(|| format!($text, $($name = $name),+)),
            },
        }
    }};
    ($id:literal, count = $count:expr; $one:literal, $other:literal $(, $name:ident = $value:expr)* $(,)?) => {{
        match (&$count, $(&$value,)*) {
            (count, $($name,)*) => {
                let english = || if $crate::texts::Argument::is_one(count) { format!($one, count = count $(, $name = $name)*) } else { format!($other, count = count $(, $name = $name)*) };
                match $crate::texts::current() {
                    None => english(),
                    Some(texts) => texts
                        .fill($id, &[("count", $crate::texts::Argument::value(count)) $(, (stringify!($name), $crate::texts::Argument::value($name)))*])
                        .unwrap_or_else(english),
                }
            }
        }
    }};
}

/// The texts of one language.
pub(crate) struct Texts {
    /// The language, as in `lang` of HTML.
    pub tag: &'static str,
    /// The texts without arguments.
    plain: HashMap<&'static str, &'static str>,
    bundle: FluentBundle<FluentResource>,
}

impl std::fmt::Debug for Texts {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Texts").field("tag", &self.tag).finish_non_exhaustive()
    }
}

impl Texts {
    /// The texts of a language from its catalogues in Fluent's format; a later one replaces texts of an earlier one. Lines that cannot be
    /// read are skipped, so that their texts are English.
    pub fn new(tag: &'static str, catalogues: &[&str]) -> Texts {
        let language = tag.parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![language]);
        bundle.set_use_isolating(is_right_to_left(tag));
        let mut ids = HashSet::new();
        for text in catalogues {
            let resource = FluentResource::try_new((*text).to_owned()).unwrap_or_else(|(resource, _)| resource);
            ids.extend(
                resource
                    .entries()
                    .filter_map(|entry| if let ast::Entry::Message(message) = entry { Some(message.id.name.to_owned()) } else { None }),
            );
            bundle.add_resource_overriding(resource);
        }
        let mut texts = Texts { tag, plain: HashMap::new(), bundle };
        let plain = ids.into_iter().filter_map(|id| Some((&*id.clone().leak(), &*texts.fill(&id, &[])?.leak())));
        texts.plain = plain.collect();
        texts
    }

    /// A text with its arguments; `None` if the language lacks it, or if it names another argument.
    pub fn fill(&self, id: &str, arguments: &[(&'static str, FluentValue<'_>)]) -> Option<String> {
        let pattern = self.bundle.get_message(id)?.value()?;
        let args: FluentArgs<'_> = arguments.iter().map(|(name, value)| (*name, value.clone())).collect();
        let mut problems = Vec::new();
        let text = self.bundle.format_pattern(pattern, Some(&args), &mut problems).into_owned();
        problems.is_empty().then_some(text)
    }

    /// A text without arguments.
    pub fn find(&self, id: &str) -> Option<&'static str> {
        self.plain.get(id).copied()
    }
}

/// A value in a text.
pub(crate) trait Argument {
    /// The value for Fluent, which chooses the plural by numbers.
    fn value(&self) -> FluentValue<'_>;

    /// True for the number one, which has the singular in English.
    fn is_one(&self) -> bool {
        false
    }
}

macro_rules! text_arguments {
    ($($ty:ty),+) => { $(impl Argument for $ty {
        fn value(&self) -> FluentValue<'_> {
            FluentValue::String(Cow::Borrowed(self.as_ref()))
        }
    })+ };
}

macro_rules! number_arguments {
    ($($ty:ty),+) => { $(impl Argument for $ty {
        fn value(&self) -> FluentValue<'_> {
            FluentValue::from(*self)
        }

        fn is_one(&self) -> bool {
            *self == 1
        }
    })+ };
}

text_arguments!(str, String, Cow<'_, str>);
number_arguments!(u8, u16, u32, u64, usize, i32, i64);

impl<T: Argument + ?Sized> Argument for &T {
    fn value(&self) -> FluentValue<'_> {
        (**self).value()
    }

    fn is_one(&self) -> bool {
        (**self).is_one()
    }
}

/// The texts of the language of the request; `None` for English.
pub(crate) fn current() -> Option<&'static Texts> {
    CURRENT.get()
}

/// A text without arguments.
pub(crate) fn plain(id: &str, english: &'static str) -> &'static str {
    match current() {
        None => english,
        Some(texts) => texts.find(id).unwrap_or(english),
    }
}

/// A text that is stored and not part of the description, in the language of the request if it has one.
pub(crate) fn declared(key: &str, text: &str) -> String {
    current().and_then(|texts| texts.find(key)).unwrap_or(text).to_owned()
}

/// Runs `work` with the texts of a language.
pub(crate) fn with<T>(texts: Option<&'static Texts>, work: impl FnOnce() -> T) -> T {
    struct Restore(Option<&'static Texts>);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let _restore = Restore(CURRENT.replace(texts));
    work()
}

/// True for a language that is written from right to left.
pub(crate) fn is_right_to_left(tag: &str) -> bool {
    let mut parts = tag.split(['-', '_']);
    let language = parts.next().unwrap_or_default();
    match parts.find(|part| part.len() == 4) {
        Some(script) => ["Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg"].iter().any(|it| it.eq_ignore_ascii_case(script)),
        None => ["ar", "ckb", "dv", "fa", "he", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"].contains(&language),
    }
}

/// True if titles keep their capitals inside of a sentence, as nouns do in German; Turkish has other small letters than English.
pub(crate) fn keeps_capitals() -> bool {
    current().is_some_and(|texts| matches!(texts.tag.split(['-', '_']).next(), Some("de" | "lb" | "tr" | "az")))
}

/// A title in small letters, inside of a sentence.
pub(crate) fn lower(title: &str) -> String {
    if keeps_capitals() { title.to_owned() } else { title.to_lowercase() }
}

/// A number of rows.
pub(crate) fn count_rows(rows: usize) -> String {
    say!("dz-count-rows", count = rows; "{count} row", "{count} rows")
}

/// A number of connections of a graph.
pub(crate) fn count_connections(connections: usize) -> String {
    say!("dz-count-connections", count = connections; "{count} connection", "{count} connections")
}

/// The title of a level of attention.
pub(crate) fn level(name: &str) -> String {
    match name {
        "critical" => say!("dz-level-critical", "critical").to_owned(),
        "warning" => say!("dz-level-warning", "warning").to_owned(),
        "notice" => say!("dz-level-notice", "notice").to_owned(),
        "info" => say!("dz-level-info", "info").to_owned(),
        other => other.to_owned(),
    }
}

/// The names of a month, in full and short; January is 0.
pub(crate) fn month(at: u32) -> (&'static str, &'static str) {
    match at {
        0 => (say!("dz-january", "January"), say!("dz-jan", "Jan")),
        1 => (say!("dz-february", "February"), say!("dz-feb", "Feb")),
        2 => (say!("dz-march", "March"), say!("dz-mar", "Mar")),
        3 => (say!("dz-april", "April"), say!("dz-apr", "Apr")),
        4 => (say!("dz-may-in-full", "May"), say!("dz-may", "May")),
        5 => (say!("dz-june", "June"), say!("dz-jun", "Jun")),
        6 => (say!("dz-july", "July"), say!("dz-jul", "Jul")),
        7 => (say!("dz-august", "August"), say!("dz-aug", "Aug")),
        8 => (say!("dz-september", "September"), say!("dz-sep", "Sep")),
        9 => (say!("dz-october", "October"), say!("dz-oct", "Oct")),
        10 => (say!("dz-november", "November"), say!("dz-nov", "Nov")),
        _ => (say!("dz-december", "December"), say!("dz-dec", "Dec")),
    }
}

/// The names of a day of the week, in full and short; Monday is 0.
pub(crate) fn weekday(at: u32) -> (&'static str, &'static str) {
    match at {
        0 => (say!("dz-monday", "Monday"), say!("dz-mon", "Mon")),
        1 => (say!("dz-tuesday", "Tuesday"), say!("dz-tue", "Tue")),
        2 => (say!("dz-wednesday", "Wednesday"), say!("dz-wed", "Wed")),
        3 => (say!("dz-thursday", "Thursday"), say!("dz-thu", "Thu")),
        4 => (say!("dz-friday", "Friday"), say!("dz-fri", "Fri")),
        5 => (say!("dz-saturday", "Saturday"), say!("dz-sat", "Sat")),
        _ => (say!("dz-sunday", "Sunday"), say!("dz-sun", "Sun")),
    }
}

#[cfg(test)]
mod tests;
