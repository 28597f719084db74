//! Human tasks of a process, and the effects of steps on rows.

use super::Target;
use crate::{
    Span,
    model::{Duration, EntityId, EnumId, Expr, FieldId, NameUse, Placed, RoleId, SurfaceId},
};

/// A human task.
#[derive(Debug, Clone, PartialEq)]
pub struct HumanTask {
    /// Its page.
    pub surface: Option<Placed<SurfaceId>>,
    /// The entity of its row.
    pub entity: Placed<EntityId>,
    /// Its row: the one that started the process, if it is of that entity.
    pub row: Option<Expr>,
    /// The role that can do it.
    pub assignee_role: Option<Placed<RoleId>>,
    /// A reference to the account that must do it.
    pub assignee: Option<Expr>,
    /// The timeout of the step.
    pub timeout: Option<Duration>,
    /// The outcomes, in order.
    pub outcomes: Vec<Outcome>,
    /// The enum of the outcomes' names.
    pub outcome_enum: EnumId,
    /// The keyword.
    pub span: Span,
}

/// An outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Identifier.
    pub name: String,
    /// The label of the button.
    pub title: String,
    /// The next step.
    pub goto: Target,
    /// The fields of the task's row that it sets.
    pub sets: Vec<(Placed<FieldId>, Expr)>,
    /// A question for confirmation.
    pub confirm: Option<String>,
    /// The name in the declaration.
    pub span: Span,
}

/// An effect of a step on rows.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// A new row.
    Create {
        /// The entity.
        entity: Placed<EntityId>,
        /// Its fields.
        values: Vec<(Placed<FieldId>, Expr)>,
    },
    /// Changed rows.
    Update {
        /// The rows.
        rows: Rows,
        /// The new values.
        values: Vec<(Placed<FieldId>, Expr)>,
    },
    /// Deleted rows.
    Delete {
        /// The rows.
        rows: Rows,
    },
    /// A signal.
    Emit(NameUse),
}

/// The rows of an effect.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    /// The entity.
    pub entity: Placed<EntityId>,
    /// The selection.
    pub which: WhichRows,
}

/// The selection of rows.
#[derive(Debug, Clone, PartialEq)]
pub enum WhichRows {
    /// The row that this value references.
    Row(Expr),
    /// The rows that meet this condition on their fields.
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
