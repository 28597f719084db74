//! Metrics of a running process: requests, statements and failed sign-ins, for Prometheus and the system page.

mod histogram;
mod slowest;
mod text;

use std::{
    collections::HashMap,
    sync::{
        Mutex, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime},
};

pub(crate) use histogram::{Histogram, Summary};
pub(crate) use slowest::SlowStatement;
use slowest::Slowest;
pub(crate) use text::{Kind, Text};

/// The most routes that are counted; addresses of further ones count together.
const MAX_ROUTES: usize = 2_000;
/// The name of the further routes.
const OTHER_ROUTES: &str = "other";

/// The metrics.
pub(crate) struct Metrics {
    /// The start of the process.
    pub(crate) started: (SystemTime, Instant),
    /// By the pattern of the route.
    requests: RwLock<HashMap<String, Vec<RouteFigures>>>,
    /// The duration of statements.
    pub(crate) statements: Histogram,
    /// Statements that failed.
    pub(crate) failed_statements: AtomicU64,
    slowest: Mutex<Slowest>,
    /// Failed sign-ins, including those with a wrong second factor.
    pub(crate) failed_sign_ins: AtomicU64,
}

/// The requests of a route with one method and one class of status.
struct RouteFigures {
    method: &'static str,
    /// 2 for the statuses 200 to 299.
    class: u16,
    durations: Histogram,
}

/// The requests of a route with one method and one class of status.
#[derive(Debug, Clone)]
pub(crate) struct RouteSummary {
    pub(crate) route: String,
    pub(crate) method: &'static str,
    pub(crate) class: u16,
    pub(crate) durations: Summary,
}

impl Default for Metrics {
    fn default() -> Metrics {
        Metrics {
            started: (SystemTime::now(), Instant::now()),
            requests: RwLock::default(),
            statements: Histogram::default(),
            failed_statements: AtomicU64::default(),
            slowest: Mutex::default(),
            failed_sign_ins: AtomicU64::default(),
        }
    }
}

impl Metrics {
    /// Counts a request.
    pub(crate) fn count_request(&self, method: &'static str, route: &str, status: u16, duration: Duration) {
        let class = status / 100;
        let known = |all: &HashMap<String, Vec<RouteFigures>>, route: &str| {
            let found = all.get(route)?.iter().find(|it| it.method == method && it.class == class)?;
            found.durations.add(duration);
            Some(())
        };
        if known(&self.requests.read().unwrap_or_else(PoisonError::into_inner), route).is_some() {
            return;
        }
        let mut all = self.requests.write().unwrap_or_else(PoisonError::into_inner);
        let route = if all.len() < MAX_ROUTES || all.contains_key(route) { route } else { OTHER_ROUTES };
        if known(&all, route).is_none() {
            let durations = Histogram::default();
            durations.add(duration);
            all.entry(route.to_owned()).or_default().push(RouteFigures { method, class, durations });
        }
    }

    /// Counts a statement; `text` writes its text without values.
    pub(crate) fn count_statement(&self, duration: Duration, failed: bool, text: impl FnOnce() -> String) {
        self.statements.add(duration);
        if failed {
            self.failed_statements.fetch_add(1, Ordering::Relaxed);
        }
        if duration >= slowest::SHORTEST {
            self.slowest.lock().unwrap_or_else(PoisonError::into_inner).add(text(), duration);
        }
    }

    /// Counts a failed sign-in.
    pub(crate) fn count_failed_sign_in(&self) {
        self.failed_sign_ins.fetch_add(1, Ordering::Relaxed);
    }

    /// The requests of every route, in the order of their names.
    pub(crate) fn routes(&self) -> Vec<RouteSummary> {
        let all = self.requests.read().unwrap_or_else(PoisonError::into_inner);
        let mut found: Vec<RouteSummary> = all
            .iter()
            .flat_map(|(route, figures)| figures.iter().map(move |it| (route, it)))
            .map(|(route, it)| RouteSummary { route: route.clone(), method: it.method, class: it.class, durations: it.durations.read() })
            .collect();
        found.sort_by(|one, other| (&one.route, one.method, one.class).cmp(&(&other.route, other.method, other.class)));
        found
    }

    /// The statements with the longest durations, the slowest first.
    pub(crate) fn slowest_statements(&self, most: usize) -> Vec<SlowStatement> {
        self.slowest.lock().unwrap_or_else(PoisonError::into_inner).list(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_route_method_and_class() {
        let metrics = Metrics::default();
        for status in [200, 201, 404] {
            metrics.count_request("GET", "/api/plots", status, Duration::from_millis(3));
        }
        metrics.count_request("POST", "/api/plots", 201, Duration::from_millis(30));
        let found: Vec<_> = metrics.routes().into_iter().map(|it| (it.route, it.method, it.class, it.durations.count)).collect();
        let route = || "/api/plots".to_owned();
        assert_eq!(found, [(route(), "GET", 2, 2), (route(), "GET", 4, 1), (route(), "POST", 2, 1)]);
    }

    #[test]
    fn the_number_of_routes_is_limited() {
        let metrics = Metrics::default();
        for n in 0..MAX_ROUTES + 50 {
            metrics.count_request("GET", &format!("/{n}"), 200, Duration::ZERO);
        }
        let routes = metrics.routes();
        assert_eq!(routes.len(), MAX_ROUTES + 1);
        assert!(routes.iter().any(|it| it.route == OTHER_ROUTES && it.durations.count == 50));
    }
}
