//! Which dialect the markup of pages has.

/// Which dialect pages speak: `[default.dz] markup = "prefixed" | "plain"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Markup {
    /// `class="dz-pagination"`, `data-dz-pagination`.
    #[default]
    Prefixed,
    /// `class="pagination"`, `data-pagination`.
    Plain,
}

impl Markup {
    /// The dialect called `name` in the configuration.
    pub fn named(name: &str) -> Option<Markup> {
        match name {
            "prefixed" => Some(Markup::Prefixed),
            "plain" => Some(Markup::Plain),
            _ => None,
        }
    }
}
