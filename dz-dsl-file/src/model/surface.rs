//! Surfaces: the declared screens.

use super::{EntityId, Expr, FieldId, Path};
use crate::Span;

/// A declared screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// Identifier: `/app/<name>`.
    pub name: String,
    /// Title of the page.
    pub title: String,
    /// The entity shown.
    pub entity: EntityId,
    /// What it does.
    pub mode: Mode,
    /// Sections; at least one (without a declared one: `main` with every field the mode can show or write).
    pub sections: Vec<Section>,
    /// `ux: purpose`
    pub purpose: Option<String>,
    /// The list's behaviour (all modes carry it; only lists use it).
    pub ux: ListUx,
    /// The name in the declaration.
    pub span: Span,
}

/// What a surface does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Many rows.
    List,
    /// One row.
    View,
    /// A form for a new row.
    Create,
    /// A form for a row that exists.
    Edit,
}

/// A part of a surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Identifier.
    pub name: String,
    /// Title, if said.
    pub title: Option<String>,
    /// A sentence under the title.
    pub note: Option<String>,
    /// What it shows.
    pub body: SectionBody,
}

/// What a section shows.
#[derive(Debug, Clone, PartialEq)]
pub enum SectionBody {
    /// Fields of the row.
    Fields(Vec<Column>),
    /// Rows of a child entity.
    Nested(NestedList),
}

/// A `field` line.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The field, possibly over refs (then it is shown, never written).
    pub path: Path,
    /// Its label.
    pub label: String,
    /// `help:`
    pub help: Option<String>,
    /// `read_only`
    pub read_only: bool,
    /// `widget=NAME`
    pub widget: Option<String>,
}

/// The child rows of this row.
#[derive(Debug, Clone, PartialEq)]
pub struct NestedList {
    /// The child entity.
    pub entity: EntityId,
    /// The child's ref to this row.
    pub via: FieldId,
    /// Further condition in the child's scope, besides `via = this`.
    pub filter: Option<Expr>,
    /// The columns shown.
    pub columns: Vec<Column>,
}

/// `ux:` of a list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ListUx {
    /// Order of the rows; the key is always the last one.
    pub sort: Vec<SortKey>,
    /// Filter controls.
    pub filter: Vec<Path>,
    /// Text fields that `search=` looks into.
    pub search: Vec<Path>,
    /// Words for an empty list.
    pub empty: Option<String>,
}

/// One key of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortKey {
    /// The field.
    pub path: Path,
    /// `desc`
    pub descending: bool,
}
