//! Entities with their fields, enumerations, access rules and indexes.

use super::{Archetype, Auto, EntityId, Expr, FieldId, FieldType, GraphEdge, GraphNode, Invariant, OnDelete, Path, RoleId, StateMachine};
use crate::Span;

/// A declared data type, or the account entity that dz supplies.
#[derive(Debug, Clone, PartialEq)]
pub struct Entity {
    /// UpperCamelCase name as declared.
    pub name: String,
    /// Title for one row, e.g. `Line item`.
    pub title: String,
    /// Title for many rows, e.g. `Line items`.
    pub title_plural: String,
    /// Rust module, e.g. `line_item` (not yet escaped for Rust keywords).
    pub module: String,
    /// Table and API path segment, e.g. `line_items`.
    pub table: String,
    /// `was:` the former name of the entity, so that a migration keeps its rows.
    pub was: Option<String>,
    /// `intent:`
    pub intent: Option<String>,
    /// `domain:`
    pub domain: Option<String>,
    /// `patterns:`
    pub patterns: Vec<String>,
    /// Fields: those of `extends` first, then the declared, then the injected.
    pub fields: Vec<Field>,
    /// The primary key.
    pub pk: FieldId,
    /// The label of a row.
    pub label: Label,
    /// Access rules; an action without permission is denied.
    pub access: Access,
    /// Declared `index` and `unique` lines (not the indexes inferred from refs).
    pub indexes: Vec<Index>,
    /// `no_index`: fields for which no index is inferred.
    pub no_index: Vec<FieldId>,
    /// Its state machine.
    pub states: Option<StateMachine>,
    /// Conditions on every row: those of `extends` first.
    pub invariants: Vec<Invariant>,
    /// Example rows, as documentation.
    pub examples: Vec<Example>,
    /// `archetype:`
    pub kind: Option<Archetype>,
    /// The ref to the tenant of a row.
    pub tenant: Option<FieldId>,
    /// `graph_edge:`
    pub edge: Option<GraphEdge>,
    /// `graph_node:`
    pub node: Option<GraphNode>,
    /// `temporal:`
    pub temporal: Option<Temporal>,
    /// `soft_delete`: deleted rows are kept and hidden.
    pub soft_delete: bool,
    /// True for the account entity.
    pub account: bool,
    /// False for the account entity that dz supplies itself.
    pub declared: bool,
    /// The name in the declaration.
    pub span: Span,
}

impl Entity {
    /// True for a field of the declaration. A field that an archetype of dz adds has the place of the entity's name.
    pub fn has_written(&self, field: &Field) -> bool {
        field.span != self.span
    }

    /// True if roles of a membership do not count here: the rows belong to no tenant, or they are memberships and the application has
    /// no rule of its own for them.
    pub fn asks_system_roles(&self) -> bool {
        let own = || self.access.permissions.iter().flat_map(|it| &it.lines).any(|line| line.span != self.span);
        self.tenant.is_none() || (self.kind == Some(Archetype::UserMembership) && !own())
    }

    /// The currency field of an amount with a currency for each row.
    pub fn currency_of(&self, amount: FieldId) -> Option<FieldId> {
        self.fields.iter().position(|field| field.ty == FieldType::Currency { amount }).map(FieldId)
    }
}

/// The label of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// The field with the label: its own, stored or computed, or that of a referenced row.
    pub path: Path,
    /// True if the title of the entity precedes the value, as in `Loan of 22 Nov 2026` and `Loan 12`.
    pub titled: bool,
}

impl Label {
    /// A label from the row's own field.
    pub fn own(entity: EntityId, field: FieldId, titled: bool) -> Label {
        Label { path: Path { from: entity, hops: Vec::new(), field }, titled }
    }

    /// The row's own field that is its label without a title.
    pub fn field(&self) -> Option<FieldId> {
        (!self.titled && self.path.hops.is_empty()).then_some(self.path.field)
    }
}

/// A field.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// snake_case name as declared: column and JSON name.
    pub name: String,
    /// Humanised name, e.g. `Assigned to`.
    pub title: String,
    /// Its type.
    pub ty: FieldType,
    /// True when null is not allowed.
    pub required: bool,
    /// `unique` or `unique?`
    pub unique: Unique,
    /// `auto_add`, `auto_update`
    pub auto: Auto,
    /// Default: a literal, `today`, `now`, sums with durations, `current_user…`; enum words resolved.
    pub default: Option<Expr>,
    /// `sensitive`
    pub sensitive: bool,
    /// Credential field that dz injected: it is in no input, no output and no filter.
    pub secret: bool,
    /// Confers identity or roles: only a system-wide administrator and the command line can write it.
    pub identity: bool,
    /// `searchable`
    pub searchable: bool,
    /// `indexed`
    pub indexed: bool,
    /// `was:` the former name.
    pub was: Option<String>,
    /// The expression of a computed field; such a field has no column and is never written.
    pub computed: Option<Expr>,
    /// For refs: what happens to this row when the referenced row is deleted.
    pub on_delete: OnDelete,
    /// The name in the declaration.
    pub span: Span,
    /// The place after its declaration, where a modifier can be added; for an injected field its `span`.
    pub end: Span,
}

impl Field {
    /// True if the field has a column in the entity's own table.
    pub fn is_stored(&self) -> bool {
        self.computed.is_none() && self.ty.is_stored()
    }

    /// True if the field has a value of its own, stored or computed.
    pub fn has_value(&self) -> bool {
        self.ty.is_stored()
    }
}

/// Uniqueness of a field. Both forms allow several nulls, as SQL does; the difference is documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unique {
    /// Not unique.
    No,
    /// `unique`
    Yes,
    /// `unique?`: unique where not null.
    WhereSet,
}

/// An enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumType {
    /// Name when declared by `enum`, else `<Entity><Field>`, e.g. `TaskStatus`: the Rust name.
    pub name: String,
    /// Title of a named enum.
    pub title: Option<String>,
    /// Values in declared order; at least one.
    pub values: Vec<EnumValue>,
    /// `ordered`: values compare by position.
    pub ordered: bool,
    /// The entity and field of an anonymous one; `None` for a named enum.
    pub owner: Option<(EntityId, FieldId)>,
    /// The declaration.
    pub span: Span,
}

/// One value of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumValue {
    /// As declared: stored and in JSON.
    pub name: String,
    /// Label shown to people.
    pub title: String,
    /// Rust variant, e.g. `InProgress`, `V2fa`.
    pub variant: String,
    /// Its place.
    pub span: Span,
}

/// The access rules of an entity.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Access {
    /// One entry for each action with a rule, in the order of [`Action`].
    pub permissions: Vec<Permission>,
    /// Row filters, which apply in addition to the permissions.
    pub scopes: Vec<Scope>,
    /// The actions that the audit log records.
    pub audits: Vec<Audit>,
}

/// A line of `scope:`.
#[derive(Debug, Clone, PartialEq)]
pub struct Scope {
    /// The action.
    pub action: Action,
    /// The condition; `None` is all rows.
    pub rows: Option<Expr>,
    /// Its personas; `None` is every caller.
    pub personas: Option<Vec<RoleId>>,
    /// The line.
    pub span: Span,
}

/// A line of `audit:`.
#[derive(Debug, Clone, PartialEq)]
pub struct Audit {
    /// The action; `None` is every one.
    pub action: Option<Action>,
    /// The personas whose actions it records; `None` is every caller.
    pub when: Option<Expr>,
    /// The place.
    pub span: Span,
}

/// A row of `examples:`.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// Fields and their values.
    pub values: Vec<(FieldId, Expr)>,
    /// The row.
    pub span: Span,
}

/// The period in which a row is current.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Temporal {
    /// The field with the start,
    pub start: FieldId,
    /// and the field with the end; null means no end.
    pub end: FieldId,
}

/// The rules of one action: several permits joined with `or`, several forbids joined with `or`.
#[derive(Debug, Clone, PartialEq)]
pub struct Permission {
    /// The action.
    pub action: Action,
    /// The callers who are permitted; `None` denies everyone.
    pub permit: Option<Expr>,
    /// The callers who are excluded; this overrides `permit`.
    pub forbid: Option<Expr>,
    /// The lines of the rules.
    pub lines: Vec<RuleLine>,
}

/// The place of a rule.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleLine {
    /// True for a line of `forbid:`.
    pub forbids: bool,
    /// The condition of this line alone.
    pub condition: Expr,
    /// The action's word.
    pub span: Span,
    /// The condition as written.
    pub condition_span: Span,
}

/// An action of a caller.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// See rows in a collection.
    List,
    /// See one row.
    Read,
    /// Make a row.
    Create,
    /// Change a row.
    Update,
    /// Remove a row.
    Delete,
    /// Any other action; `transition` and `restore` are among them.
    Custom(String),
}

impl Action {
    /// The name of the action in rules and messages.
    pub fn name(&self) -> &str {
        match self {
            Action::List => "list",
            Action::Read => "read",
            Action::Create => "create",
            Action::Update => "update",
            Action::Delete => "delete",
            Action::Custom(name) => name,
        }
    }
}

/// An `index` or `unique` line.
#[derive(Debug, Clone, PartialEq)]
pub struct Index {
    /// Columns in order.
    pub columns: Vec<IndexColumn>,
    /// True for `unique`.
    pub unique: bool,
    /// `where`: the condition on the row's own stored fields; `None` is all rows.
    pub rows: Option<Expr>,
    /// The line.
    pub span: Span,
}

/// A column of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexColumn {
    /// The field.
    pub field: FieldId,
    /// `desc`
    pub descending: bool,
}
