//! State machines: which changes of a state exist, and who may make them.

use chrono::{Months, TimeDelta};

use crate::{
    caller::{Caller, Role},
    problem::{Problem, Result},
    sql::Sql,
    types::Timestamp,
    values::Choice,
};

/// A change from one state to another.
pub struct Transition<S: 'static> {
    /// The state before.
    pub from: S,
    /// The state after.
    pub to: S,
    /// What users call it; `None` if the name of the state is its name.
    pub label: Option<&'static str>,
    /// The roles, of which one is needed; empty if no role is needed.
    pub roles: &'static [Role],
    /// The fields that must be set, with their titles.
    pub requires: &'static [(&'static str, &'static str)],
    /// The condition on the row.
    pub guard: Option<fn(&Caller, &str) -> Sql>,
    /// What a caller reads if the condition does not hold.
    pub message: &'static str,
}

impl<S> Transition<S> {
    /// Refuses a row in which a required field is not set.
    pub fn check_required(&self, is_set: impl Fn(&str) -> bool) -> Result<()> {
        let missing: Vec<_> = self.requires.iter().filter(|(name, _)| !is_set(name)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let titles: Vec<&str> = missing.iter().map(|(_, title)| *title).collect();
        let text = match titles.as_slice() {
            [first @ .., last] if !first.is_empty() => format!("Needs {} and {last}", first.join(", ")),
            titles => format!("Needs {}", titles.concat()),
        };
        let problem = Problem::new(422, "TRANSITION_REQUIRES", text);
        Err(missing.into_iter().fold(problem, |problem, (name, _)| problem.at(name, "must be set for this transition")))
    }
}

/// A change that happens by itself.
pub struct Timed<S: 'static> {
    /// The change.
    pub transition: Transition<S>,
    /// The time in the state before: calendar months, and seconds.
    pub after: (u32, i64),
}

impl<S> Timed<S> {
    /// When a row is due that is in the state before since a time.
    pub fn due_at(&self, since: Timestamp) -> Option<Timestamp> {
        let (months, seconds) = self.after;
        since.0.checked_add_months(Months::new(months))?.checked_add_signed(TimeDelta::try_seconds(seconds)?).map(Timestamp)
    }

    /// A time: rows that are in the state before only since a later one are not due. Months differ in length, so some of the others
    /// are not due either.
    pub fn horizon(&self, now: Timestamp) -> Option<Timestamp> {
        let (months, seconds) = self.after;
        let seconds = now.0.checked_sub_signed(TimeDelta::try_seconds(seconds)?)?;
        let at = match months {
            0 => seconds,
            months => seconds.checked_sub_months(Months::new(months))?.checked_add_signed(TimeDelta::days(3))?,
        };
        Some(Timestamp(at))
    }
}

/// The machine of an entity.
pub struct Machine<S: 'static> {
    /// The field with the state.
    pub field: &'static str,
    /// What users call a row.
    pub title: &'static str,
    /// The state of a new row, and its title.
    pub initial: (S, &'static str),
    /// The changes that callers can make.
    pub transitions: &'static [Transition<S>],
    /// The titles of the states.
    pub titles: &'static [&'static str],
}

impl<S: Choice + PartialEq> Machine<S> {
    /// Refuses a new row that is not in the initial state.
    pub fn check_initial(&self, state: S) -> Result<()> {
        let (initial, title) = self.initial;
        match state == initial {
            true => Ok(()),
            false => Err(self.refuse(409, "TRANSITION_NOT_ALLOWED", format!("A new {} begins as {title}", self.title))),
        }
    }

    /// The change from one state to another, if the caller may make it; `None` if the state stays.
    pub fn check(&self, from: S, to: S, caller: &Caller, is_set: impl Fn(&str) -> bool) -> Result<Option<&'static Transition<S>>> {
        if from == to {
            return Ok(None);
        }
        let Some(transition) = self.transitions.iter().find(|it| it.from == from && it.to == to) else {
            return Err(self.not_allowed(from, to));
        };
        if !transition.roles.is_empty() && !caller.has_role(transition.roles) {
            let text = match transition.label {
                Some(label) => format!("You do not have the role for \"{label}\""),
                None => format!("You may not change this {} to {}", self.title, self.title_of(to)),
            };
            return Err(self.refuse(403, "TRANSITION_FORBIDDEN", text));
        }
        transition.check_required(is_set).map(|()| Some(transition))
    }

    /// The state with this name, for an address that names it.
    pub fn state(&self, name: &str) -> Result<S> {
        S::parse(name).map_err(|_| {
            let names: Vec<&str> = S::ALL.iter().map(|(name, _)| *name).collect();
            let text = format!("`{}` is not a state; the states are {}", name.escape_default(), names.join(", "));
            Problem::new(422, "VALIDATION", text)
        })
    }

    fn not_allowed(&self, from: S, to: S) -> Problem {
        let next: Vec<&str> = self.transitions.iter().filter(|it| it.from == from).map(|it| it.to.as_str()).collect();
        let next = match next.is_empty() {
            true => "no transition leaves it".to_owned(),
            false => format!("allowed are {}", next.join(", ")),
        };
        let text = format!("{} cannot become {}; {next}", from.as_str(), to.as_str());
        self.refuse(409, "TRANSITION_NOT_ALLOWED", text)
    }

    fn title_of(&self, state: S) -> &'static str {
        let at = S::ALL.iter().position(|(_, known)| *known == state);
        at.and_then(|at| self.titles.get(at)).copied().unwrap_or_default()
    }

    fn refuse(&self, status: u16, code: &'static str, text: String) -> Problem {
        Problem::new(status, code, text.clone()).at(self.field, text)
    }
}
