//! Entities, fields, enumerations, access rules, indexes.

use super::{Auto, EdgeDef, EntityIx, Expr, FieldIx, InvariantDef, Kind, NodeDef, OnDelete, Path, Reads, Stage, StatesDef, TenancyDef};

/// A declared data type.
#[derive(Debug, Clone)]
pub struct EntityDef {
    /// Its own position in `AppDef::entities`.
    pub ix: EntityIx,
    /// UpperCamelCase name.
    pub name: &'static str,
    /// Title for one row.
    pub title: &'static str,
    /// Title for many rows.
    pub title_plural: &'static str,
    /// The letters of its tile, which are unique among the entities.
    pub mark: &'static str,
    /// Table, and segment of the API path.
    pub table: &'static str,
    /// One sentence about it.
    pub intent: Option<&'static str>,
    /// Fields, stored and relational.
    pub fields: &'static [FieldDef],
    /// The primary key.
    pub pk: FieldIx,
    /// The label of a row.
    pub label: LabelDef,
    /// One entry per action that has a rule; an action without an entry is denied.
    pub rules: &'static [ActionRule],
    /// Declared indexes (those on refs are added by the schema).
    pub indexes: &'static [IndexDef],
    /// Fields for which the declaration refuses an index.
    pub no_index: &'static [FieldIx],
    /// Its state machine.
    pub states: Option<&'static StatesDef>,
    /// The audit rules.
    pub audits: &'static [AuditDef],
    /// The invariants of every row.
    pub invariants: &'static [InvariantDef],
    /// The fields of the validity period of a row.
    pub temporal: Option<TemporalDef>,
    /// True for soft deletion.
    pub soft_delete: bool,
    /// True for the account entity.
    pub account: bool,
    /// The kind of the entity, and the tenant of its rows.
    pub tenancy: TenancyDef,
    /// Its rows are the edges of a graph.
    pub edge: Option<EdgeDef>,
    /// Its rows are nodes of a graph that has addresses.
    pub node: Option<NodeDef>,
}

/// The label of a row.
#[derive(Debug, Clone, Copy)]
pub struct LabelDef {
    /// The references to the row that contains the label; empty if the row has its own label.
    references: &'static [FieldIx],
    /// The field of the label, stored or computed.
    field: FieldIx,
    /// True if the title of the entity precedes the value, as in `Loan of 22 Nov 2026` and `Loan 12`.
    titled: bool,
}

impl LabelDef {
    /// A label from the field at the end of references; `titled` if the title of the entity precedes it.
    pub const fn new(references: &'static [FieldIx], field: FieldIx, titled: bool) -> LabelDef {
        LabelDef { references, field, titled }
    }

    /// A label from a field of the row itself.
    pub const fn from_field(field: FieldIx) -> LabelDef {
        LabelDef::new(&[], field, false)
    }

    /// True if the title of the entity precedes the value.
    pub const fn is_titled(&self) -> bool {
        self.titled
    }

    /// The field of the row itself whose value is the label.
    pub fn own_field(&self) -> Option<FieldIx> {
        (!self.titled && self.references.is_empty()).then_some(self.field)
    }
}

/// A field.
#[derive(Debug, Clone)]
pub struct FieldDef {
    /// snake_case: column and JSON name.
    pub name: &'static str,
    /// Humanised name.
    pub title: &'static str,
    /// The type of its values.
    pub kind: Kind,
    /// True if null is not allowed.
    pub required: bool,
    /// True if non-null values are unique.
    pub unique: bool,
    /// Whether the system sets the value.
    pub auto: Auto,
    /// Default value.
    pub default: Option<Expr>,
    /// Cannot be filtered, sorted or searched; null for callers who may not update the row.
    pub sensitive: bool,
    /// Excluded from all input and output.
    pub secret: bool,
    /// Writable by a system-wide `admin` and the command line only.
    pub identity: bool,
    /// Declared `searchable`.
    pub searchable: bool,
    /// Declared `indexed`.
    pub indexed: bool,
    /// The currency of which a decimal is an amount, by its ISO 4217 code.
    pub currency: Option<&'static str>,
    /// The field with the currency of an amount in each row; both fields are null or neither is.
    pub currency_in: Option<FieldIx>,
    /// True for a whole number that can exceed 32 bits (`int(64)`), which has another type in GraphQL.
    pub wide: bool,
    /// The expression of a computed field, which has no column and cannot be written.
    pub computed: Option<&'static Expr>,
    /// For the state field: the stage of each state.
    pub stages: &'static [Stage],
    /// For references: the action on this row if the target is deleted.
    pub on_delete: OnDelete,
}

/// An enumeration.
#[derive(Debug, Clone, Copy)]
pub struct EnumDef {
    /// Rust name, e.g. `TaskStatus`.
    pub name: &'static str,
    /// Values in declared order.
    pub values: &'static [EnumValueDef],
    /// Values compare by position.
    pub ordered: bool,
}

/// One value.
#[derive(Debug, Clone, Copy)]
pub struct EnumValueDef {
    /// The name in the database and in JSON.
    pub name: &'static str,
    /// The title for users.
    pub title: &'static str,
}

/// The rule of one action.
#[derive(Debug, Clone)]
pub struct ActionRule {
    /// `list`, `read`, `create`, `update`, `delete`, or a custom name.
    pub action: &'static str,
    /// If true, the action is permitted.
    pub permit: Option<Expr>,
    /// The rows to which the permission is restricted.
    pub scope: Option<Expr>,
    /// If true, the action is forbidden.
    pub forbid: Option<Expr>,
}

impl ActionRule {
    /// A rule that permits nothing.
    pub const fn new(action: &'static str) -> ActionRule {
        ActionRule { action, permit: None, scope: None, forbid: None }
    }

    /// True if the rule reads values of a row to which one of these references of the row leads.
    pub(crate) fn reads_behind(&self, entity: &'static EntityDef, references: &[FieldIx]) -> bool {
        [&self.permit, &self.scope, &self.forbid].into_iter().flatten().any(|expr| reads_behind(entity, expr, references))
    }
}

/// The maximum depth of computed fields that use computed fields.
const MAX_DEPTH: usize = 16;

/// True if an expression reads values of a row to which one of these references of its row leads.
pub(crate) fn reads_behind(entity: &'static EntityDef, expr: &Expr, references: &[FieldIx]) -> bool {
    reads_behind_at(entity, expr, references, 0)
}

fn reads_behind_at(entity: &'static EntityDef, expr: &Expr, references: &[FieldIx], depth: usize) -> bool {
    depth > MAX_DEPTH
        || expr.any(|part| {
            let (Reads::Row(path) | Reads::Outer(Some(path))) = part.reads() else { return false };
            let Some(first) = path.first().position_in(entity) else { return false };
            match entity.field(first).computed {
                Some(computed) => reads_behind_at(entity, computed, references, depth + 1),
                None => !path.is_own_field() && references.contains(&first),
            }
        })
}

/// The validity period of a row: from its start to its end; a null end has no limit.
#[derive(Debug, Clone, Copy)]
pub struct TemporalDef {
    /// A date or datetime.
    pub start: FieldIx,
    /// Of the same type.
    pub end: FieldIx,
}

/// A rule of the audit log.
#[derive(Debug)]
pub struct AuditDef {
    /// The action; `None` means all actions.
    pub action: Option<&'static str>,
    /// The condition on the caller and the row; `None` records always.
    pub when: Option<Expr>,
}

/// A declared index.
#[derive(Debug)]
pub struct IndexDef {
    /// Columns in order.
    pub columns: &'static [IndexColumn],
    /// Unique.
    pub unique: bool,
    /// The rows of a partial index; `None` means all rows.
    pub rows: Option<RowsDef>,
}

/// The rows of a partial index.
#[derive(Debug)]
pub struct RowsDef {
    /// The condition on stored fields of the row.
    pub condition: Expr,
    /// The condition as text for users, e.g. `Status is Lent or Requested`.
    pub phrase: &'static str,
}

/// A column of an index.
#[derive(Debug)]
pub struct IndexColumn {
    /// The field.
    pub field: FieldIx,
    /// Descending.
    pub descending: bool,
}

impl FieldDef {
    /// An optional field without a default, which users can write.
    pub const fn new(name: &'static str, title: &'static str, kind: Kind) -> FieldDef {
        FieldDef {
            name,
            title,
            kind,
            required: false,
            unique: false,
            auto: Auto::No,
            default: None,
            sensitive: false,
            secret: false,
            identity: false,
            searchable: false,
            indexed: false,
            currency: None,
            currency_in: None,
            wide: false,
            computed: None,
            stages: &[],
            on_delete: OnDelete::Restrict,
        }
    }

    /// True if the field has a column.
    pub fn is_stored(&self) -> bool {
        self.computed.is_none() && self.kind.is_stored()
    }

    /// True if the field has a value, stored or computed.
    pub fn has_value(&self) -> bool {
        self.kind.is_stored()
    }
}

impl EntityDef {
    /// The path of the label.
    pub const fn label_path(&self) -> Path {
        Path::new(self.ix, self.label.references, self.label.field)
    }

    /// An entity without fields and rules: every action is denied.
    pub const fn new(
        ix: EntityIx,
        name: &'static str,
        title: &'static str,
        title_plural: &'static str,
        table: &'static str,
        pk: FieldIx,
    ) -> EntityDef {
        EntityDef {
            ix,
            name,
            title,
            title_plural,
            mark: "",
            table,
            intent: None,
            fields: &[],
            pk,
            label: LabelDef::new(&[], pk, true),
            rules: &[],
            indexes: &[],
            no_index: &[],
            states: None,
            audits: &[],
            invariants: &[],
            temporal: None,
            soft_delete: false,
            account: false,
            tenancy: TenancyDef::NONE,
            edge: None,
            node: None,
        }
    }

    /// The field at `ix`.
    pub fn field(&'static self, ix: FieldIx) -> &'static FieldDef {
        &self.fields[usize::from(ix)]
    }

    /// The field with this name, and its position.
    pub fn find(&'static self, name: &str) -> Option<(FieldIx, &'static FieldDef)> {
        let at = self.fields.iter().position(|field| field.name == name)?;
        Some((at as FieldIx, &self.fields[at]))
    }

    /// The primary key.
    pub fn key(&'static self) -> &'static FieldDef {
        self.field(self.pk)
    }

    /// The rule of `action`.
    pub fn rule(&'static self, action: &str) -> Option<&'static ActionRule> {
        self.rules.iter().find(|rule| rule.action == action)
    }
}
