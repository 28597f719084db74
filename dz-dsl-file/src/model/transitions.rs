//! State machines: which moves exist, and what each needs.

use super::{Duration, Expr, FieldId, RoleId};
use crate::Span;

/// The state machine of an entity.
#[derive(Debug, Clone, PartialEq)]
pub struct StateMachine {
    /// The enum field whose values are the states.
    pub field: FieldId,
    /// The state of a new row, by its position among the values.
    pub initial: usize,
    /// The rows as declared.
    pub rows: Vec<Transition>,
    /// Every permitted move, each pair once: of two rows that fit, the more specific one.
    pub moves: Vec<Move>,
}

/// A row of `transitions:`.
#[derive(Debug, Clone, PartialEq)]
pub struct Transition {
    /// The states it starts from, by position; `None` is `*`, every other state.
    pub from: Option<Vec<usize>>,
    /// Where it ends.
    pub to: usize,
    /// Any of these roles may take it; none means that no role is asked for.
    pub roles: Vec<RoleId>,
    /// Fields that must be set, each with its place.
    pub requires: Vec<(FieldId, Span)>,
    /// A condition that must hold.
    pub guard: Option<Expr>,
    /// Taken by itself after this time in the state.
    pub after: Option<Duration>,
    /// May people take it? False for a timed row without `manual`.
    pub manual: bool,
    /// What to say when a condition is not met.
    pub message: Option<String>,
    /// The row.
    pub span: Span,
}

/// A permitted move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// From this state,
    pub from: usize,
    /// to that one,
    pub to: usize,
    /// by this one of [`StateMachine::rows`].
    pub row: usize,
}

impl StateMachine {
    /// The moves in the order in which their rows stand, which is that of the buttons.
    pub fn in_order(&self) -> Vec<&Move> {
        let mut moves: Vec<_> = self.moves.iter().collect();
        moves.sort_by_key(|it| (it.from, it.row));
        moves
    }

    /// The moves that start in a state.
    pub fn from(&self, state: usize) -> impl Iterator<Item = &Move> {
        self.moves.iter().filter(move |it| it.from == state)
    }
}
