//! The application as a whole.

use super::Currency;
use crate::Span;

/// The `app` construct, with defaults if there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct App {
    /// Identifier, e.g. `clinic`; `app` if none is declared.
    pub name: String,
    /// Title shown to people.
    pub title: String,
    /// One sentence about the application.
    pub description: Option<String>,
    /// IANA name of the time zone of `today` and of times in forms; default `UTC`.
    pub timezone: String,
    /// Language of the pages, e.g. `en`.
    pub locale: String,
    /// Hue of the accent colour, 0 to 359; from `theme:` (a number or a tone name), default 262.
    pub hue: u16,
    /// The currency of `money` fields that name none.
    pub currency: Option<Currency>,
    /// `multi_tenant:`
    pub multi_tenant: bool,
    /// `registration:` whether users can create their own accounts; `None` leaves it to the configuration.
    pub registration: Option<bool>,
    /// Other `key: literal` lines, kept for the knowledge graph.
    pub extra: Vec<(String, String)>,
    /// The name in the declaration, if there is one.
    pub span: Option<Span>,
}
