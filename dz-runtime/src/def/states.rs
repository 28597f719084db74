//! State machines and invariants, as data.

use super::{EnumDef, Expr, FieldIx};

/// The state machine of an entity.
#[derive(Debug)]
pub struct StatesDef {
    /// The enum field that holds the state.
    pub field: FieldIx,
    /// The state of a new row, by its position among the values.
    pub initial: u16,
    /// What the moves need.
    pub rows: &'static [TransitionDef],
    /// Every permitted move: from, to, and its place in `rows`; each pair once.
    pub transitions: &'static [(u16, u16, u16)],
}

/// What a move needs.
#[derive(Debug)]
pub struct TransitionDef {
    /// What its button says; without it, the title of the state to which it leads.
    pub label: Option<&'static str>,
    /// One of these roles, as a mask; zero asks for none.
    pub roles: u64,
    /// Fields that must be set.
    pub requires: &'static [FieldIx],
    /// A condition on the row as it will be stored, but for its state.
    pub guard: Option<Expr>,
    /// Taken by the system itself after this time in the state that it starts from.
    pub after: Option<Delay>,
    /// False when people may not take it: a timed row without `manual`.
    pub manual: bool,
    /// What to say when the guard does not hold.
    pub message: Option<&'static str>,
}

impl TransitionDef {
    /// What its button says, and what messages call the move: it leads to this one of the states.
    pub fn title(&self, of: &EnumDef, to: u16) -> &'static str {
        self.label.unwrap_or_else(|| of.values.get(usize::from(to)).map_or("", |value| value.title))
    }
}

/// A length of time: both parts one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delay {
    /// Calendar months.
    pub months: i64,
    /// Seconds.
    pub seconds: i64,
}

/// What holds for every stored row.
#[derive(Debug)]
pub struct InvariantDef {
    /// The condition.
    pub condition: Expr,
    /// What to say when it does not hold.
    pub message: Option<&'static str>,
    /// Its code.
    pub code: Option<&'static str>,
}

impl StatesDef {
    /// What the move from one state to another needs; `None` when there is no such move.
    pub fn find(&'static self, from: u16, to: u16) -> Option<&'static TransitionDef> {
        let (.., row) = self.transitions.iter().find(|(start, end, _)| (*start, *end) == (from, to))?;
        self.rows.get(usize::from(*row))
    }

    /// True when the system takes one of the moves by itself.
    pub fn is_timed(&self) -> bool {
        self.rows.iter().any(|row| row.after.is_some())
    }

    /// The moves that the system takes by itself, with how long a row stays before: from, to, and their wait, the
    /// shortest first.
    pub fn timed_transitions(&'static self) -> Vec<(u16, u16, Delay)> {
        let delay = |row: u16| self.rows.get(usize::from(row)).and_then(|row| row.after);
        let mut timed: Vec<_> = self.transitions.iter().filter_map(|(from, to, row)| Some((*from, *to, delay(*row)?))).collect();
        timed.sort_by_key(|(.., delay)| (delay.months, delay.seconds));
        timed
    }

    /// True when the row of the declaration that allows this move allows it from no other state: it is a step of the way,
    /// and not an exit that is open everywhere.
    pub fn is_step(&self, from: u16, to: u16) -> bool {
        let row = self.transitions.iter().find(|(start, end, _)| (*start, *end) == (from, to)).map(|(.., row)| row);
        row.is_some_and(|row| self.transitions.iter().filter(|(.., other)| other == row).count() == 1)
    }

    /// The moves that start in a state.
    pub fn transitions_from(&'static self, state: u16) -> impl Iterator<Item = (u16, &'static TransitionDef)> {
        let here = self.transitions.iter().filter(move |(start, ..)| *start == state);
        here.filter_map(|(_, end, row)| Some((*end, self.rows.get(usize::from(*row))?)))
    }
}
