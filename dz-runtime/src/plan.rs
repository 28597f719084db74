//! Query plans of an application: statements that read a whole table, or many rows for each returned row, although an index could
//! find the rows; and the purpose of each index.
//!
//! Every declared query is executed once as each role, in a transaction that is rolled back: lists with their order, each filter,
//! pages, single rows, pickers, related rows, timed transitions, and the queries of the framework itself.

mod callers;
mod explain;
mod index_use;
mod requests;

use std::{collections::BTreeSet, fmt, sync::Arc};

use crate::{
    Caller, Engine, Error, Result, Value, accounts,
    db::statement_log::record,
    files::cleanup,
    outbox, rows,
    state::{Job, State},
    tenancy::{self, TenantChoice},
    web::routes::Routes,
};
#[cfg(feature = "graph-algorithms")]
pub(crate) use callers::list_callers;
use requests::Request;

/// A statement that reads a whole table.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The role and its request.
    pub request: String,
    /// The step of the query plan.
    pub step: String,
    /// The statement, with `?` for its parameters.
    pub statement: String,
    /// Why this is expected; `None` for a finding.
    pub reason: Option<&'static str>,
    /// True for a whole table; false where many rows are read for each that is returned.
    pub whole: bool,
}

/// The query plans of an application.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The engine.
    pub engine: Engine,
    /// The number of different statements.
    pub statements: usize,
    /// The statements that read many more rows than they return, each once.
    pub readings: Vec<Reading>,
    /// The purposes of each index, one line for each: its name, a tab, and its purposes.
    pub indexes: &'static str,
}

impl Plan {
    /// True if there is no finding.
    pub fn is_fine(&self) -> bool {
        self.findings().next().is_none()
    }

    /// The findings.
    pub fn findings(&self) -> impl Iterator<Item = &Reading> {
        self.readings.iter().filter(|reading| reading.reason.is_none())
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.indexes.lines() {
            match line.split('\t').collect::<Vec<_>>().as_slice() {
                [index, why] => writeln!(f, "index {index}\n  {}", why.replace("; ", "\n  "))?,
                _ => writeln!(f, "{line}")?,
            }
        }
        for found in self.findings() {
            let what = if found.whole { "reads a whole table" } else { "reads many rows for each that it returns" };
            writeln!(f, "{}\n  {what}: {}\n  {}", found.request, found.step, found.statement)?;
        }
        let excuses: BTreeSet<&str> = self.readings.iter().filter_map(|reading| reading.reason).collect();
        for excuse in excuses {
            let count = self.readings.iter().filter(|reading| reading.reason == Some(excuse)).count();
            writeln!(f, "{count} as expected: {excuse}")?;
        }
        let (statements, found) = (self.statements, self.findings().count());
        match found {
            0 => write!(f, "{statements} statements; none reads more rows than it needs"),
            1 => write!(f, "{statements} statements; one reads more rows than it needs: declare an `index` in its entity"),
            _ => write!(f, "{statements} statements; {found} read more rows than they need: declare an `index` in their entities"),
        }
    }
}

/// Reads the query plans of an application on a database that has its schema.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn plan(state: &Arc<State>) -> Result<Plan> {
    let routes = Routes::for_app(state.app);
    let mut seen = BTreeSet::new();
    let mut readings = Vec::new();
    let mut look = |asked: &Request, statements| explain::explain_statements(state, asked, statements, &mut seen, &mut readings);
    for (who, caller) in callers::list_callers(state.app, state.now()) {
        for mut request in requests::list_requests(state.app) {
            let undone = || Error::internal("the request of a plan is rolled back");
            // After an error no record of the audit log remains either.
            let (_, statements) = record(|| {
                state.run_job_as(if request.writes { Job::Write } else { Job::Read }, &caller, None, &mut |tx| {
                    let _ = requests::answer(tx, &routes, &request);
                    Err::<(), _>(undone())
                })
            });
            request.rare = caller.system_admin && request.members;
            request.name = format!("{} as {who}", request.name);
            look(&request, statements)?;
        }
    }
    let caller =
        callers::list_callers(state.app, state.now()).into_iter().map(|(_, caller)| caller).find(|caller| caller.account.is_some());
    let (_, statements) = record(|| run_framework_statements(state, caller));
    look(&Request::for_framework(), statements)?;
    let engine = state.db.engine();
    Ok(Plan { engine, statements: seen.len(), readings, indexes: state.app.schema.for_engine(engine).indexes })
}

/// Runs the queries that the framework makes before each request and without one.
fn run_framework_statements(state: &State, caller: Option<Caller>) -> Result<()> {
    let now = state.now();
    let _ = state.db.read(&mut |conn| accounts::find_session(conn, state.app, "none", now));
    let _ = state.db.read(&mut |conn| accounts::find_token_holder(conn, state.app, "none", now));
    if let Some(mut caller) = caller {
        let _ = state.db.read(&mut |conn| tenancy::load_memberships(conn, state.app, &mut caller, &TenantChoice::Default));
    }
    state.db.write(&mut |conn| {
        outbox::next(conn, now)?;
        outbox::due(conn)?;
        cleanup::due(conn, now)?;
        for entity in state.app.entities {
            for timed in rows::timed_transitions::find_timed(entity) {
                let tx = &mut state.system_tx(conn, "", None::<&Value>);
                timed.due(tx, 100)?;
                timed.next(tx)?;
            }
        }
        Ok(())
    })
}
