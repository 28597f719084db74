//! Open runs that keep an earlier description of their process, which the log of a start lists.

use super::{
    definition::{self, Processes},
    store,
};
use crate::{
    Result, Value,
    db::{BindKind, Conn, Statement},
    def::AppDef,
    output::log_event,
    state::State,
};

/// The statuses of runs that have not ended.
const OPEN: [&str; 4] = ["queued", "running", "waiting", "compensating"];

/// Open runs of one description of a process.
struct EarlierRuns {
    /// The name of the process.
    process: String,
    /// The version of their description.
    version: String,
    /// The version of new runs; `None` if the application no longer has the process.
    current: Option<String>,
    /// The number of runs.
    count: i64,
}

/// Logs a line for each description of open runs that differs from that of the application.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn log_earlier_runs(state: &State) -> Result<()> {
    if state.app.processes.is_empty() {
        return Ok(());
    }
    let processes = state.hooks.state::<Processes>()?;
    for runs in state.db.read(&mut |conn| find_earlier_runs(conn, state.app, &processes))? {
        let EarlierRuns { process, version, current, count } = runs;
        log_event!(
            info, target: "dz::process", process, version, current, runs = count,
            "open runs of an earlier version continue with the description that is stored with them"
        );
    }
    Ok(())
}

/// The open runs whose description differs from that with which a run of the process would start now, by process and version.
fn find_earlier_runs(conn: &mut Conn, app: &'static AppDef, processes: &Processes) -> Result<Vec<EarlierRuns>> {
    let mut select = Statement::new();
    select.push("SELECT r.process, r.version, count(*) FROM dz_runs AS r WHERE r.status");
    select.in_list(conn.engine(), OPEN.map(store::text), BindKind::Text);
    select.push(" GROUP BY r.process, r.version ORDER BY r.process, r.version");
    let mut found = Vec::new();
    for row in conn.rows(&select, &[BindKind::Text, BindKind::Text, BindKind::Int])? {
        let Ok([Value::Text(process), Value::Text(version), Value::Int(count)]) = <[Value; 3]>::try_from(row) else { continue };
        let current = processes.find(&process).map(|current| current.version.clone());
        // A schedule starts its process with options of its own, so that its runs have another version.
        let is_scheduled = app.schedules.iter().any(|schedule| definition::version(schedule.flow) == version);
        if current.as_ref() == Some(&version) || is_scheduled {
            continue;
        }
        let current = current.or_else(|| app.schedules.iter().find(|it| it.name == process).map(|it| definition::version(it.flow)));
        found.push(EarlierRuns { process, version, current, count });
    }
    Ok(found)
}
