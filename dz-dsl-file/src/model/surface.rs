//! Surfaces: the declared screens.

use super::{Audience, EntityId, Expr, FieldId, Junction, Opening, Path, Placed, RoleId, SortKey, WorkspaceId, words::words};
use crate::Span;
use dz_vocabulary::{Format, Level, Mode, Priority, RelatedDisplay, Widget};

/// A screen: declared, or of an archetype ([`super::Archetype`] lists them).
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// Identifier: `/app/<name>`.
    pub name: String,
    /// Title of the page.
    pub title: String,
    /// The entity shown.
    pub entity: EntityId,
    /// The entity's name after `uses entity`.
    pub entity_span: Span,
    /// Its mode.
    pub mode: Mode,
    /// The address of its page, if it is not `/app/<name>`: that of an archetype's page. It contains no key: the page of mode `edit`
    /// at such an address shows the single row of its entity, or that of the active tenant.
    pub route: Option<String>,
    /// Who can open it; `None` is every caller with the permission that the mode needs.
    pub access: Option<Audience>,
    /// Its priority in the navigation.
    pub priority: Priority,
    /// Sections; at least one (if none is declared: `main` with every field that the mode can show or write).
    pub sections: Vec<Section>,
    /// Buttons, and the surface after a submitted form.
    pub actions: Vec<SurfaceAction>,
    /// Rows of other entities that reference this one; only on surfaces of mode `view`.
    pub related: Vec<Related>,
    /// `ux: purpose`
    pub purpose: Option<String>,
    /// The behaviour of the list. Surfaces of every mode have it; only lists use it.
    pub ux: ListUx,
    /// Attention messages of rows, as declared; if several apply, the most urgent is shown.
    pub attention: Vec<Attention>,
    /// Differences for some personas; each persona has at most one.
    pub variants: Vec<Variant>,
    /// False for a surface of an archetype.
    pub declared: bool,
    /// The name in the declaration; the word after `archetype:` for a surface of an archetype.
    pub span: Span,
}

impl Surface {
    /// True if the declaration names its fields, in a section or in `ux: show`.
    pub fn names_columns(&self) -> bool {
        let is_written = |section: &Section| matches!(section.body, SectionBody::Fields(_)) && section.span != self.span;
        self.sections.iter().any(is_written) || !self.ux.show.is_empty()
    }
}

words! {
    for Mode {
        List = "list",
        View = "view",
        Create = "create",
        Edit = "edit",
    }
}

words! {
    for Priority {
        Critical = "critical",
        High = "high",
        Medium = "medium",
        Low = "low",
    }
}

/// A part of a surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Identifier.
    pub name: String,
    /// Title, if declared.
    pub title: Option<String>,
    /// A sentence under the title.
    pub note: Option<String>,
    /// Its content.
    pub body: SectionBody,
    /// The name in the declaration; the surface's for one that is not declared.
    pub span: Span,
}

/// The content of a section.
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
    /// The field, possibly through refs (then it is shown, never written).
    pub path: Path,
    /// Its label.
    pub label: String,
    /// `help:`
    pub help: Option<String>,
    /// `read_only`
    pub read_only: bool,
    /// `widget=NAME`; one that fits the field's type.
    pub widget: Option<Widget>,
    /// `format: NAME`; one that fits the field's type.
    pub format: Option<Format>,
    /// `when:` the condition on the row under which the field exists on the page.
    pub when: Option<Placed<Expr>>,
    /// The path in the text; the surface's name for a field that is not listed.
    pub span: Span,
}

words! {
    for Widget {
        Text = "text",
        Textarea = "textarea",
        Markdown = "markdown",
        Phone = "phone",
        Color = "color",
        Number = "number",
        Range = "range",
        Checkbox = "checkbox",
        Switch = "switch",
        Select = "select",
        Radio = "radio",
        Picker = "picker",
        Date = "date",
        Datetime = "datetime",
    }
}

words! {
    for Format {
        Short = "short",
        Long = "long",
        Relative = "relative",
        Date = "date",
        Time = "time",
        Month = "month",
        Year = "year",
        Integer = "integer",
        Percent = "percent",
        Compact = "compact",
        YesNo = "yes_no",
        Badge = "badge",
        Link = "link",
        Code = "code",
        Upper = "upper",
        Lower = "lower",
    }
}

/// The child rows of this row.
#[derive(Debug, Clone, PartialEq)]
pub struct NestedList {
    /// The child entity.
    pub entity: EntityId,
    /// How it belongs to this row.
    pub via: Via,
    /// A condition on the child, in addition to `via = this`.
    pub filter: Option<Expr>,
    /// The columns shown.
    pub columns: Vec<Column>,
    /// The child's name after `uses entity`.
    pub entity_span: Span,
}

/// How the rows of a list belong to the row of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// They reference it.
    Ref(FieldId),
    /// Rows of a junction entity connect them with it.
    Junction(Junction),
}

/// `action NAME: on EVENT -> surface NAME`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurfaceAction {
    /// Identifier.
    pub name: String,
    /// Label of the button.
    pub title: String,
    /// The event.
    pub event: Event,
    /// The surface that opens.
    pub opens: Opening,
    /// The name in the declaration.
    pub span: Span,
}

words! {
    /// The events of a surface's actions.
    Event {
        Submit = "submit",
        Click = "click",
    }
}

/// `related NAME:` rows that reference the shown row, one list for each entity.
#[derive(Debug, Clone, PartialEq)]
pub struct Related {
    /// Identifier.
    pub name: String,
    /// Title.
    pub title: String,
    /// The lists, at least one, each with the access rules of its entity.
    pub lists: Vec<NestedList>,
    /// Their display.
    pub display: RelatedDisplay,
    /// Rows shown of each list, 1 to 100.
    pub limit: Option<u32>,
    /// The name in the declaration.
    pub span: Span,
}

words! {
    for RelatedDisplay {
        List = "list",
        Table = "table",
        Grid = "grid",
    }
}

/// `ux:` of a list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ListUx {
    /// Columns shown instead of those of the sections; empty for all of these.
    pub show: Vec<Placed<Path>>,
    /// The order of the rows; the key is always the last sort key.
    pub sort: Vec<SortKey>,
    /// Filter controls.
    pub filter: Vec<Placed<Path>>,
    /// Text fields that `search=` searches.
    pub search: Vec<Placed<Path>>,
    /// The text for an empty list.
    pub empty: Option<String>,
}

/// `attention LEVEL:` a message on rows that require action.
#[derive(Debug, Clone, PartialEq)]
pub struct Attention {
    /// The urgency.
    pub level: Level,
    /// The condition on rows.
    pub when: Placed<Expr>,
    /// The text on the row.
    pub message: String,
    /// The surface that it opens.
    pub action: Option<Opening>,
    /// The level in the text.
    pub span: Span,
}

words! {
    for Level {
        Critical = "critical",
        Warning = "warning",
        Notice = "notice",
        Info = "info",
    }
}

/// `for PERSONA:` the differences of this surface for accounts with one of the personas. It is not an access rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// The personas; at least one.
    pub personas: Vec<Placed<RoleId>>,
    /// The rows that the surface shows them; `None` is all.
    pub scope: Option<Placed<Expr>>,
    /// `purpose:`
    pub purpose: Option<String>,
    /// Columns that replace those of the surface; empty to keep them.
    pub show: Vec<Placed<Path>>,
    /// Hidden columns.
    pub hide: Vec<Placed<Path>>,
    /// Figures above the list.
    pub aggregates: Vec<ShownAggregate>,
    /// The primary button.
    pub action_primary: Option<Opening>,
    /// True if nothing can be changed on this page.
    pub read_only: bool,
    /// Initial values of a form.
    pub defaults: Vec<(Placed<FieldId>, Expr)>,
    /// Positions of the sections that come first, in this order.
    pub focus: Vec<Placed<usize>>,
    /// The text for an empty list.
    pub empty: Option<String>,
    /// The word `for`.
    pub span: Span,
}

/// A figure above a list, over the rows that the list shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownAggregate {
    /// The counted or added values.
    pub of: AggregateOf,
    /// Label.
    pub title: String,
    /// The name where it is used.
    pub span: Span,
}

/// The source of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AggregateOf {
    /// A metric of a workspace: workspace, position of the region, position of the metric.
    Metric(WorkspaceId, usize, usize),
    /// The sum of a number field.
    Sum(FieldId),
    /// The number of rows in which a flag is true.
    Count(FieldId),
}
