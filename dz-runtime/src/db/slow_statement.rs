//! The log of slow statements, with the route and the roles of the caller.

use std::{cell::RefCell, time::Duration};

use super::Statement;
use crate::{
    Caller,
    output::{log_event, one_line},
};

/// The maximum length of a statement in the log.
const LONGEST_TEXT: usize = 4_000;

thread_local! {
    static ROUTE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work` on this thread for a route or a kind of background work.
pub(crate) fn with_route<T>(route: &str, work: impl FnOnce() -> T) -> T {
    let before = ROUTE.replace(Some(route.to_owned()));
    let done = work();
    ROUTE.set(before);
    done
}

/// The duration from which statements are logged, and the names of the roles.
pub(crate) struct SlowStatements {
    /// The duration.
    pub(crate) from: Duration,
    /// The names of the roles, in the order of their bits.
    pub(crate) roles: Vec<&'static str>,
}

/// The caller of a statement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum StatementCaller {
    /// No caller was loaded yet.
    #[default]
    Unknown,
    System,
    Anonymous,
    /// The mask of the roles of an account.
    Roles(u64),
}

impl From<&Caller> for StatementCaller {
    fn from(caller: &Caller) -> StatementCaller {
        match &caller.account {
            _ if caller.system => StatementCaller::System,
            None => StatementCaller::Anonymous,
            Some(_) => StatementCaller::Roles(caller.roles),
        }
    }
}

impl SlowStatements {
    /// Logs a statement that took long. Its text contains no values.
    pub(super) fn log(&self, statement: &Statement, duration: Duration, caller: StatementCaller) {
        if duration < self.from {
            return;
        }
        let roles = self.name_roles(caller);
        let text: String = one_line(&statement.text()).chars().take(LONGEST_TEXT).collect();
        let duration_ms = (duration.as_secs_f64() * 10_000.0).round() / 10.0;
        ROUTE.with_borrow(|route| {
            let route = route.as_deref().unwrap_or("-");
            log_event!(warn, target: "dz::slow", duration_ms, route, roles, statement = text, "slow statement");
        });
    }

    fn name_roles(&self, caller: StatementCaller) -> String {
        match caller {
            StatementCaller::Unknown => "-".to_owned(),
            StatementCaller::System => "system".to_owned(),
            StatementCaller::Anonymous => "anonymous".to_owned(),
            StatementCaller::Roles(mask) => {
                let held: Vec<&str> =
                    self.roles.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1).map(|(_, role)| *role).collect();
                if held.is_empty() { "no role".to_owned() } else { held.join(",") }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_have_their_names() {
        let slow = SlowStatements { from: Duration::ZERO, roles: vec!["admin", "grower"] };
        let names = [StatementCaller::Roles(0b11), StatementCaller::Roles(0), StatementCaller::System, StatementCaller::Unknown];
        assert_eq!(names.map(|caller| slow.name_roles(caller)), ["admin,grower", "no role", "system", "-"]);
    }

    #[test]
    fn a_route_applies_to_its_work() {
        let route = || ROUTE.with_borrow(Clone::clone);
        let inner = with_route("/one", || (route(), with_route("/two", route), route()));
        assert_eq!(inner, (Some("/one".to_owned()), Some("/two".to_owned()), Some("/one".to_owned())));
        assert_eq!(route(), None);
    }
}
