//! Signals on the rows of a list.

use super::Icon;

/// The most urgent signal of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct AttentionMark {
    /// The level, as `data-level`.
    pub level: &'static str,
    /// The icon of the level.
    pub icon: Icon,
    /// The text of the signal.
    pub message: &'static str,
    /// The address that it opens.
    pub href: Option<String>,
}

/// The number of rows whose most urgent signal has a level.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelCount {
    /// The level, as `data-level`.
    pub level: &'static str,
    /// The icon of the level.
    pub icon: Icon,
    /// The number of rows.
    pub rows: u64,
    /// The address of the list of these rows; of all rows if it is the current one.
    pub href: String,
    /// True if the list contains only these rows.
    pub current: bool,
}
