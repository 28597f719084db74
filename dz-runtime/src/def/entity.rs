//! Entities, fields, enumerations, access rules, indexes.

use super::{AppDef, Auto, EntityIx, Expr, FieldAt, FieldIx, InvariantDef, OnDelete, Path, Stage, StatesDef, TenancyDef};

/// A declared data type.
#[derive(Debug)]
pub struct EntityDef {
    /// Its own position in `AppDef::entities`.
    pub ix: EntityIx,
    /// UpperCamelCase name.
    pub name: &'static str,
    /// Title for one row.
    pub title: &'static str,
    /// Title for many rows.
    pub title_plural: &'static str,
    /// The letters of its tile, which no other entity has.
    pub mark: &'static str,
    /// Table, and segment of the API path.
    pub table: &'static str,
    /// One sentence about it.
    pub intent: Option<&'static str>,
    /// Fields, stored and relational.
    pub fields: &'static [FieldDef],
    /// The primary key.
    pub pk: FieldIx,
    /// What a row is called.
    pub label: LabelDef,
    /// One entry per action that has a rule; an action without an entry is denied.
    pub rules: &'static [ActionRule],
    /// Declared indexes (those on refs are added by the schema).
    pub indexes: &'static [IndexDef],
    /// Fields for which the declaration refuses an index.
    pub no_index: &'static [FieldIx],
    /// Its state machine.
    pub states: Option<&'static StatesDef>,
    /// What is written down.
    pub audits: &'static [AuditDef],
    /// What holds for every row.
    pub invariants: &'static [InvariantDef],
    /// The fields that say from when to when a row is current.
    pub temporal: Option<TemporalDef>,
    /// A deleted row is marked and stays.
    pub soft_delete: bool,
    /// True for the account entity.
    pub account: bool,
    /// What it is to the application, and whose its rows are.
    pub tenancy: TenancyDef,
}

/// What a row is called.
#[derive(Debug, Clone, Copy)]
pub struct LabelDef {
    /// Refs to follow to the row that gives its name; none where the row names itself.
    references: &'static [FieldIx],
    /// The field that names it, stored or computed.
    field: FieldIx,
    /// The value alone is no name: the title of its entity stands before it, as in `Loan of 22 Nov 2026` and `Loan 12`.
    titled: bool,
}

impl LabelDef {
    /// A row named by the field at the end of refs; `titled` where the title of its entity comes first.
    pub const fn new(references: &'static [FieldIx], field: FieldIx, titled: bool) -> LabelDef {
        LabelDef { references, field, titled }
    }

    /// A row named by the value of its own field.
    pub const fn from_field(field: FieldIx) -> LabelDef {
        LabelDef::new(&[], field, false)
    }

    /// True where the title of the entity comes before the value.
    pub const fn is_titled(&self) -> bool {
        self.titled
    }

    /// The row's own field whose value alone is its name.
    pub fn own_field(&self) -> Option<FieldIx> {
        (!self.titled && self.references.is_empty()).then_some(self.field)
    }
}

/// A field.
#[derive(Debug)]
pub struct FieldDef {
    /// snake_case: column and JSON name.
    pub name: &'static str,
    /// Humanised name.
    pub title: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// True when null is not allowed.
    pub required: bool,
    /// True when unique where not null.
    pub unique: bool,
    /// Set by the system.
    pub auto: Auto,
    /// Default value.
    pub default: Option<Expr>,
    /// Neither filtered, sorted nor searched; null to callers who may not update the row.
    pub sensitive: bool,
    /// In no input and no output.
    pub secret: bool,
    /// Writable by a system-wide `admin` and the command line only.
    pub identity: bool,
    /// Declared `searchable`.
    pub searchable: bool,
    /// Declared `indexed`.
    pub indexed: bool,
    /// The currency of which a decimal is an amount, by its ISO 4217 code.
    pub currency: Option<&'static str>,
    /// The field that says, row by row, of which currency a decimal is an amount; the two are null together.
    pub currency_in: Option<FieldIx>,
    /// What it is computed from; such a field has no column and is never written.
    pub computed: Option<&'static Expr>,
    /// Of the field that holds the state of a row: how far along it is, for each value.
    pub stages: &'static [Stage],
    /// For refs: what happens to this row when the target is deleted.
    pub on_delete: OnDelete,
}

/// What a field holds.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// 128-bit identifier.
    Uuid,
    /// At most this many code points.
    Str(u32),
    /// Long text.
    Text,
    /// `i64`.
    Int,
    /// Finite `f64`.
    Float,
    /// Exact decimal.
    Decimal {
        /// Digits in all.
        precision: u8,
        /// Digits after the point.
        scale: u8,
    },
    /// Boolean.
    Bool,
    /// Day.
    Date,
    /// Moment, to the microsecond, UTC.
    DateTime,
    /// One of a list.
    Enum(&'static EnumDef),
    /// Any JSON.
    Json,
    /// Mail address.
    Email,
    /// http(s) address.
    Url,
    /// IANA zone name.
    Timezone,
    /// Code of a currency in ISO 4217.
    Currency {
        /// The field of the amount of which it is.
        amount: FieldIx,
    },
    /// `[a-z0-9-]+`
    Slug,
    /// A stored file.
    File {
        /// Bytes at most; `None` leaves it to the configuration.
        limit: Option<u64>,
    },
    /// Key of a row of another entity.
    Ref(EntityIx),
    /// Child rows; no column.
    HasMany {
        /// The ref of the child entity that points back.
        via: FieldAt,
    },
    /// One child row; no column.
    HasOne {
        /// The ref of the child entity that points back.
        via: FieldAt,
    },
    /// Rows that a third entity connects; no column.
    ManyToMany {
        /// The entity at the other end.
        entity: EntityIx,
        /// What connects the two.
        through: Junction,
    },
}

/// The entity that connects the two ends of a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Junction {
    entity: EntityIx,
    near: FieldIx,
    far: FieldIx,
}

impl Junction {
    /// The entity that connects, its ref to the row that the relation belongs to, and its ref to the row at the other end.
    pub const fn new(entity: EntityIx, near: FieldIx, far: FieldIx) -> Junction {
        Junction { entity, near, far }
    }

    /// The entity.
    pub fn entity(self, app: &'static AppDef) -> &'static EntityDef {
        app.entity(self.entity)
    }

    /// Its ref to the row that the relation belongs to.
    pub const fn near(self) -> FieldAt {
        FieldAt::new(self.entity, self.near)
    }

    /// Its ref to the row at the other end.
    pub const fn far(self) -> FieldAt {
        FieldAt::new(self.entity, self.far)
    }
}

/// An enumeration.
#[derive(Debug)]
pub struct EnumDef {
    /// Rust name, e.g. `TaskStatus`.
    pub name: &'static str,
    /// Values in declared order.
    pub values: &'static [EnumValueDef],
    /// Values compare by position.
    pub ordered: bool,
}

/// One value.
#[derive(Debug)]
pub struct EnumValueDef {
    /// Stored, and in JSON.
    pub name: &'static str,
    /// Shown to people.
    pub title: &'static str,
}

/// The rule of one action.
#[derive(Debug)]
pub struct ActionRule {
    /// `list`, `read`, `create`, `update`, `delete`, or a custom name.
    pub action: &'static str,
    /// True lets the caller in.
    pub permit: Option<Expr>,
    /// The rows to which that is narrowed.
    pub scope: Option<Expr>,
    /// True keeps the caller out.
    pub forbid: Option<Expr>,
}

impl ActionRule {
    /// A rule that lets nobody in.
    pub const fn new(action: &'static str) -> ActionRule {
        ActionRule { action, permit: None, scope: None, forbid: None }
    }
}

/// When a row is current: from its start until its end, or without an end when that is null.
#[derive(Debug, Clone, Copy)]
pub struct TemporalDef {
    /// A date or datetime.
    pub start: FieldIx,
    /// Of the same type.
    pub end: FieldIx,
}

/// What is written down of what callers do.
#[derive(Debug)]
pub struct AuditDef {
    /// The action; `None` is every one.
    pub action: Option<&'static str>,
    /// Whose doing it is about; `None` is everybody's.
    pub when: Option<Expr>,
}

/// A declared index.
#[derive(Debug)]
pub struct IndexDef {
    /// Columns in order.
    pub columns: &'static [IndexColumn],
    /// Unique.
    pub unique: bool,
    /// The rows that it is about; `None` is all.
    pub rows: Option<RowsDef>,
}

/// The rows that an index is about.
#[derive(Debug)]
pub struct RowsDef {
    /// Which rows, by their own stored fields.
    pub condition: Expr,
    /// The same for people, e.g. `Status is Lent or Requested`.
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
    /// An ordinary field: optional, set by people, without a default.
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
            computed: None,
            stages: &[],
            on_delete: OnDelete::Restrict,
        }
    }

    /// True when the field has a column in its entity's table.
    pub fn is_stored(&self) -> bool {
        self.computed.is_none() && self.kind.is_stored()
    }

    /// True when the field has a value of its own, stored or computed.
    pub fn has_value(&self) -> bool {
        self.kind.is_stored()
    }
}

impl EntityDef {
    /// The path of the value that names a row.
    pub const fn label_path(&self) -> Path {
        Path::new(self.ix, self.label.references, self.label.field)
    }

    /// An entity that is no more than its fields, which nobody may do anything with.
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
        }
    }

    /// The field at `ix`.
    pub fn field(&'static self, ix: FieldIx) -> &'static FieldDef {
        &self.fields[usize::from(ix)]
    }

    /// The field called `name`, with its position.
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

impl Kind {
    /// True for what a row holds itself, false for rows that refer to it.
    pub fn is_stored(self) -> bool {
        !matches!(self, Kind::HasMany { .. } | Kind::HasOne { .. } | Kind::ManyToMany { .. })
    }

    /// True for text-like kinds.
    pub fn is_text(self) -> bool {
        use Kind::*;
        matches!(self, Str(_) | Text | Email | Url | Timezone | Slug | Currency { .. })
    }
}
