//! What people are asked to do in a process, and what steps do to rows.

use super::Target;
use crate::{
    Span,
    model::{Duration, EntityId, EnumId, Expr, FieldId, NameUse, Placed, RoleId, SurfaceId},
};

/// What a person is asked to do.
#[derive(Debug, Clone, PartialEq)]
pub struct HumanTask {
    /// The page that is shown.
    pub surface: Option<Placed<SurfaceId>>,
    /// The entity of the row it is about.
    pub entity: Placed<EntityId>,
    /// The row it is about: the one that started the process, when it is of that entity.
    pub row: Option<Expr>,
    /// Who may take it.
    pub assignee_role: Option<Placed<RoleId>>,
    /// Whose it is: a reference to an account.
    pub assignee: Option<Expr>,
    /// After how long the step fails.
    pub timeout: Option<Duration>,
    /// What the person can decide, in order.
    pub outcomes: Vec<Outcome>,
    /// The enumeration of the outcomes' names.
    pub outcome_enum: EnumId,
    /// The keyword.
    pub span: Span,
}

/// What a person can decide.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Identifier.
    pub name: String,
    /// What the button says.
    pub title: String,
    /// Where the process goes on.
    pub goto: Target,
    /// Fields of the task's row that it sets.
    pub sets: Vec<(Placed<FieldId>, Expr)>,
    /// A question to be answered first.
    pub confirm: Option<String>,
    /// The name in the declaration.
    pub span: Span,
}

/// What a step does to rows.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// A new row.
    Create {
        /// Of which entity.
        entity: Placed<EntityId>,
        /// Its fields.
        values: Vec<(Placed<FieldId>, Expr)>,
    },
    /// Changed rows.
    Update {
        /// Which.
        rows: Rows,
        /// What they become.
        values: Vec<(Placed<FieldId>, Expr)>,
    },
    /// Deleted rows.
    Delete {
        /// Which.
        rows: Rows,
    },
    /// A signal.
    Emit(NameUse),
}

/// The rows of an effect.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    /// Of which entity.
    pub entity: Placed<EntityId>,
    /// Which.
    pub which: WhichRows,
}

/// The rows of an effect.
#[derive(Debug, Clone, PartialEq)]
pub enum WhichRows {
    /// The one that this value refers to.
    Row(Expr),
    /// Those for which this holds; its fields are the scope.
    Where(Placed<Expr>),
}

impl Effect {
    /// The values and conditions that it uses.
    pub fn values(&self) -> impl Iterator<Item = &Expr> {
        let (rows, values): (Option<&Rows>, &[(Placed<FieldId>, Expr)]) = match self {
            Effect::Create { values, .. } => (None, values),
            Effect::Update { rows, values } => (Some(rows), values),
            Effect::Delete { rows } => (Some(rows), &[]),
            Effect::Emit(_) => (None, &[]),
        };
        let which = rows.map(|rows| match &rows.which {
            WhichRows::Row(value) => value,
            WhichRows::Where(filter) => &filter.it,
        });
        which.into_iter().chain(values.iter().map(|(_, value)| value))
    }
}
