//! The dialect of the markup of pages.

/// The dialect of pages: `[default.dz] markup = "prefixed" | "plain"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Markup {
    /// `class="dz-pagination"`, `data-dz-pagination`.
    #[default]
    Prefixed,
    /// `class="pagination"`, `data-pagination`.
    Plain,
}
