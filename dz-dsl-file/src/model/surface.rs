//! Surfaces: the declared screens.

use super::{Audience, EntityId, Expr, FieldId, Junction, Opening, Path, Placed, RoleId, SortKey, WorkspaceId, words::words};
use crate::Span;
use dz_vocabulary::{Mode, RelatedDisplay};

/// A screen: declared, or brought by an archetype ([`super::Archetype`] says which).
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
    /// What it does.
    pub mode: Mode,
    /// The address of its page when it is another than `/app/<name>`: that of an archetype's page. It names no row: the page of
    /// mode `edit` at such an address shows the one row of its entity, or that of the active tenant.
    pub route: Option<String>,
    /// Who may open it; `None` is every caller with the right that the mode needs.
    pub access: Option<Audience>,
    /// Its priority in the navigation.
    pub priority: Priority,
    /// Sections; at least one (without a declared one: `main` with every field the mode can show or write).
    pub sections: Vec<Section>,
    /// Buttons, and what follows a submitted form.
    pub actions: Vec<SurfaceAction>,
    /// Rows of other entities that refer to this one; on surfaces of mode `view` only.
    pub related: Vec<Related>,
    /// `ux: purpose`
    pub purpose: Option<String>,
    /// The list's behaviour (all modes carry it; only lists use it).
    pub ux: ListUx,
    /// Marks on rows, as declared; of several that hold, the worst is shown.
    pub attention: Vec<Attention>,
    /// What differs for some personas; each persona has at most one.
    pub variants: Vec<Variant>,
    /// False for one that an archetype brings.
    pub declared: bool,
    /// The name in the declaration; the kind's word after `archetype:` for one that is not declared.
    pub span: Span,
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
    /// How important a surface is; `medium` unless said.
    Priority {
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
    /// Title, if said.
    pub title: Option<String>,
    /// A sentence under the title.
    pub note: Option<String>,
    /// What it shows.
    pub body: SectionBody,
    /// The name in the declaration; the surface's for one that is not declared.
    pub span: Span,
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
    /// `widget=NAME`; one that fits the field's type.
    pub widget: Option<Widget>,
    /// `format: NAME`; one that fits the field's type.
    pub format: Option<Format>,
    /// `when:` condition on the row under which the field is there at all.
    pub when: Option<Placed<Expr>>,
    /// The path in the text; the surface's name for a field that is not listed.
    pub span: Span,
}

words! {
    /// A form control other than the one that follows from the field's type.
    Widget {
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
    /// How a value is shown.
    Format {
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
    /// Further condition in the child's scope, besides `via = this`.
    pub filter: Option<Expr>,
    /// The columns shown.
    pub columns: Vec<Column>,
    /// The child's name after `uses entity`.
    pub entity_span: Span,
}

/// How the rows of a list belong to the row of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// They refer to it.
    Ref(FieldId),
    /// Rows of a third entity connect them with it.
    Junction(Junction),
}

/// `action NAME: on EVENT -> surface NAME`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurfaceAction {
    /// Identifier.
    pub name: String,
    /// Label of the button.
    pub title: String,
    /// When it happens.
    pub event: Event,
    /// What opens.
    pub opens: Opening,
    /// The name in the declaration.
    pub span: Span,
}

words! {
    /// What sets off an action of a surface.
    Event {
        Submit = "submit",
        Click = "click",
    }
}

/// `related NAME:` rows that refer to the row shown, one list per entity.
#[derive(Debug, Clone, PartialEq)]
pub struct Related {
    /// Identifier.
    pub name: String,
    /// Title.
    pub title: String,
    /// The lists, at least one, each read under its entity's own rules.
    pub lists: Vec<NestedList>,
    /// How they are shown.
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
    /// Order of the rows; the key is always the last one.
    pub sort: Vec<SortKey>,
    /// Filter controls.
    pub filter: Vec<Placed<Path>>,
    /// Text fields that `search=` looks into.
    pub search: Vec<Placed<Path>>,
    /// Words for an empty list.
    pub empty: Option<String>,
}

/// `attention LEVEL:` a mark on rows that need a user to act.
#[derive(Debug, Clone, PartialEq)]
pub struct Attention {
    /// How urgent they are.
    pub level: Level,
    /// Which rows.
    pub when: Placed<Expr>,
    /// What the mark tells.
    pub message: String,
    /// What opens from it.
    pub action: Option<Opening>,
    /// The level in the text.
    pub span: Span,
}

words! {
    /// The urgency of a row, the highest first.
    Level {
        Critical = "critical",
        Warning = "warning",
        Notice = "notice",
        Info = "info",
    }
}

/// `for PERSONA:` what differs on this surface for accounts that have one of the personas. It is no access rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// Whom it is for; at least one.
    pub personas: Vec<Placed<RoleId>>,
    /// Which rows the surface shows them; `None` is all.
    pub scope: Option<Placed<Expr>>,
    /// `purpose:`
    pub purpose: Option<String>,
    /// Columns shown instead of the surface's; empty for all of these.
    pub show: Vec<Placed<Path>>,
    /// Columns left out.
    pub hide: Vec<Placed<Path>>,
    /// Figures above the list.
    pub aggregates: Vec<ShownAggregate>,
    /// The primary button.
    pub action_primary: Option<Opening>,
    /// True when nothing can be changed from here.
    pub read_only: bool,
    /// Values that a form starts with.
    pub defaults: Vec<(Placed<FieldId>, Expr)>,
    /// Positions of the sections that come first, in this order.
    pub focus: Vec<Placed<usize>>,
    /// Words for an empty list.
    pub empty: Option<String>,
    /// The word `for`.
    pub span: Span,
}

/// A figure above a list, over the rows that the list shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownAggregate {
    /// What is counted or added up.
    pub of: AggregateOf,
    /// Label.
    pub title: String,
    /// The name where it is used.
    pub span: Span,
}

/// What a shown figure is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AggregateOf {
    /// A metric of a workspace: workspace, position of the region, position of the metric.
    Metric(WorkspaceId, usize, usize),
    /// The sum of a number field.
    Sum(FieldId),
    /// The number of rows for which a yes-or-no field holds.
    Count(FieldId),
}
