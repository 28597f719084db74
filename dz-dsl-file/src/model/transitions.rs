//! State machines: the transitions, and the conditions of each.

use super::{Duration, Expr, FieldId, RoleId, Stage};
use crate::Span;

/// The state machine of an entity.
#[derive(Debug, Clone, PartialEq)]
pub struct StateMachine {
    /// The enum field whose values are the states.
    pub field: FieldId,
    /// The state of a new row, by its position among the values.
    pub initial: usize,
    /// The rows as declared.
    pub rows: Vec<TransitionRow>,
    /// Every allowed transition, one for each pair of states: of two rows that apply, the more specific one.
    pub transitions: Vec<Transition>,
    /// `final:` and `failed:`; `None` without either.
    pub ends: Option<Ends>,
}

/// The final states, by position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ends {
    /// `final:` a row finished successfully.
    pub finals: Vec<usize>,
    /// `failed:` a row ended unsuccessfully.
    pub failures: Vec<usize>,
}

/// A row of `transitions:`.
#[derive(Debug, Clone, PartialEq)]
pub struct TransitionRow {
    /// The states before, by position; `None` is `*`, every other state.
    pub from: Option<Vec<usize>>,
    /// The state after.
    pub to: usize,
    /// The label of its button; without it, the title of the state after.
    pub label: Option<String>,
    /// The roles, of which one is required; empty if no role is required.
    pub roles: Vec<RoleId>,
    /// Fields that must be set, each with its place.
    pub requires: Vec<(FieldId, Span)>,
    /// A condition on the row.
    pub guard: Option<Expr>,
    /// For a timed transition: the time in the state.
    pub after: Option<Duration>,
    /// True if users can make the transition. False for a timed row without `manual`.
    pub manual: bool,
    /// The message if a condition is not met.
    pub message: Option<String>,
    /// The row.
    pub span: Span,
}

/// An allowed transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    /// The state before.
    pub from: usize,
    /// The state after.
    pub to: usize,
    /// The index of its row in [`StateMachine::rows`].
    pub row: usize,
}

impl StateMachine {
    /// The transitions in the order of their rows, which is that of the buttons.
    pub fn in_order(&self) -> Vec<&Transition> {
        let mut transitions: Vec<_> = self.transitions.iter().collect();
        transitions.sort_by_key(|it| (it.from, it.row));
        transitions
    }

    /// True for a final state: one of `final:` or `failed:`, or, without these lines, a state without an outgoing transition.
    pub fn is_end(&self, state: usize) -> bool {
        match &self.ends {
            Some(ends) => ends.finals.contains(&state) || ends.failures.contains(&state),
            None => self.from(state).next().is_none(),
        }
    }

    /// The progress of a row in each of the states. Without declared final states, a single end is the successful one; if there are
    /// several, their meaning is unknown.
    pub fn stages(&self, states: usize) -> Vec<Stage> {
        let ends: Vec<usize> = (0..states).filter(|state| self.is_end(*state)).collect();
        let end = |state: usize| match &self.ends {
            Some(marked) if marked.failures.contains(&state) => Stage::Failed,
            None if ends.len() > 1 => Stage::Ended,
            _ => Stage::Succeeded,
        };
        let goals: Vec<usize> = ends.iter().copied().filter(|state| end(*state) != Stage::Failed).collect();
        let behind = self.distances(&[self.initial], states, |it| (it.from, it.to));
        let ahead = self.distances(if goals.is_empty() { &ends } else { &goals }, states, |it| (it.to, it.from));
        let stage = |state: usize| match (behind[state], ahead[state]) {
            _ if ends.contains(&state) => end(state),
            (Some(0), _) => Stage::Start,
            (Some(behind), Some(ahead)) if behind < ahead => Stage::Quarter,
            (Some(behind), Some(ahead)) if behind > ahead => Stage::ThreeQuarters,
            _ => Stage::Half,
        };
        (0..states).map(stage).collect()
    }

    /// The number of transitions from each state to the nearest of some; `None` if there is no path.
    fn distances(&self, from: &[usize], states: usize, step: fn(&Transition) -> (usize, usize)) -> Vec<Option<usize>> {
        let mut distances = vec![None; states];
        let mut reached = from.to_vec();
        let mut distance = 0;
        while !reached.is_empty() {
            reached.retain(|state| distances.get_mut(*state).is_some_and(|it| it.is_none() && it.replace(distance).is_none()));
            let next = self.transitions.iter().map(step).filter(|(near, _)| reached.contains(near));
            reached = next.map(|(_, far)| far).collect();
            distance += 1;
        }
        distances
    }

    /// The transitions that start in a state.
    pub fn from(&self, state: usize) -> impl Iterator<Item = &Transition> {
        self.transitions.iter().filter(move |it| it.from == state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine with these transitions.
    fn machine(transitions: &[(usize, usize)], ends: Option<(&[usize], &[usize])>) -> StateMachine {
        let transitions = transitions.iter().map(|(from, to)| Transition { from: *from, to: *to, row: 0 }).collect();
        let ends = ends.map(|(finals, failures)| Ends { finals: finals.to_vec(), failures: failures.to_vec() });
        StateMachine { field: FieldId(0), initial: 0, rows: Vec::new(), transitions, ends }
    }

    #[test]
    fn declared_final_states_decide_the_progress() {
        use Stage::*;
        // 0 is the initial state, 1 and 2 are on the path to 3; 4 is a failure with a transition back.
        let transitions = [(0, 1), (1, 2), (2, 3), (0, 4), (1, 4), (4, 0)];
        assert_eq!(machine(&transitions, Some((&[3], &[4]))).stages(6), [Start, Quarter, ThreeQuarters, Succeeded, Failed, Half]);
        assert_eq!(machine(&transitions, Some((&[4], &[3]))).stages(6), [Start, Half, Half, Failed, Succeeded, Half]);
        assert_eq!(machine(&transitions, Some((&[], &[4]))).stages(6), [Start, Half, Half, Half, Failed, Half]);
        // Without declared final states: states without an outgoing transition.
        assert_eq!(machine(&[(0, 1), (1, 2)], None).stages(3), [Start, Half, Succeeded]);
        assert_eq!(machine(&[(0, 1), (0, 2)], None).stages(3), [Start, Ended, Ended]);
        assert_eq!(machine(&[(0, 1), (1, 0)], None).stages(2), [Start, Half]);
    }
}
