//! State machines and invariants, as data.

use super::{EnumDef, Expr, FieldIx};

/// The state machine of an entity.
#[derive(Debug, Clone, Copy)]
pub struct StatesDef {
    /// The enum field of the state.
    pub field: FieldIx,
    /// The position of the initial state among the values.
    pub initial: u16,
    /// The definitions of the transitions.
    pub rows: &'static [TransitionDef],
    /// Every permitted transition: the positions of its old and new state, and of its definition in `rows`; each pair once.
    pub transitions: &'static [(u16, u16, u16)],
}

/// The definition of a transition.
#[derive(Debug, Clone)]
pub struct TransitionDef {
    /// The text of its button; without one, the title of the new state.
    pub label: Option<&'static str>,
    /// The mask of the permitted roles; zero permits all.
    pub roles: u64,
    /// The fields that must have a value.
    pub requires: &'static [FieldIx],
    /// A condition on the row as it will be stored, with its old state.
    pub guard: Option<Expr>,
    /// The delay of a timed transition, from the time at which the row entered the old state.
    pub after: Option<Delay>,
    /// False if users cannot make it: a timed transition without `manual`.
    pub manual: bool,
    /// The message for a guard that does not hold.
    pub message: Option<&'static str>,
}

impl TransitionDef {
    /// The text of its button and its name in messages, for the new state `to`.
    pub fn title(&self, of: &EnumDef, to: u16) -> &'static str {
        self.label.unwrap_or_else(|| of.values.get(usize::from(to)).map_or("", |value| value.title))
    }
}

/// A duration: months, and then seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delay {
    /// Calendar months.
    pub months: i64,
    /// Seconds.
    pub seconds: i64,
}

/// A condition on every stored row.
#[derive(Debug, Clone)]
pub struct InvariantDef {
    /// The condition.
    pub condition: Expr,
    /// The message for a violation.
    pub message: Option<&'static str>,
    /// The code of the error.
    pub code: Option<&'static str>,
}

impl StatesDef {
    /// The definition of the transition between two states; `None` if it is not permitted.
    pub fn find(&'static self, from: u16, to: u16) -> Option<&'static TransitionDef> {
        let (.., row) = self.transitions.iter().find(|(start, end, _)| (*start, *end) == (from, to))?;
        self.rows.get(usize::from(*row))
    }

    /// True if there is a timed transition.
    pub fn is_timed(&self) -> bool {
        self.rows.iter().any(|row| row.after.is_some())
    }

    /// The timed transitions as old state, new state and delay, the shortest delay first.
    pub fn timed_transitions(&'static self) -> Vec<(u16, u16, Delay)> {
        let delay = |row: u16| self.rows.get(usize::from(row)).and_then(|row| row.after);
        let mut timed: Vec<_> = self.transitions.iter().filter_map(|(from, to, row)| Some((*from, *to, delay(*row)?))).collect();
        timed.sort_by_key(|(.., delay)| (delay.months, delay.seconds));
        timed
    }

    /// True if the declaration permits this transition from only one state: a regular step, and not an exit that several states
    /// have.
    pub fn is_step(&self, from: u16, to: u16) -> bool {
        let row = self.transitions.iter().find(|(start, end, _)| (*start, *end) == (from, to)).map(|(.., row)| row);
        row.is_some_and(|row| self.transitions.iter().filter(|(.., other)| other == row).count() == 1)
    }

    /// The transitions from a state.
    pub fn transitions_from(&'static self, state: u16) -> impl Iterator<Item = (u16, &'static TransitionDef)> {
        let here = self.transitions.iter().filter(move |(start, ..)| *start == state);
        here.filter_map(|(_, end, row)| Some((*end, self.rows.get(usize::from(*row))?)))
    }
}
