//! `/app/-/system`: the state of the application for administrators of the system.

use std::cmp::Ordering;

use askama::Template;
use serde_json::{Map, Value as Json, json};

use crate::{
    Engine, Result, Tx, Value, access,
    db::{BindKind, Conn, PoolUse, ReplicaState, Statement},
    field::datetime_text,
    metrics::{RouteSummary, SlowStatement},
    state::{
        State,
        instances::{self, Instance},
    },
    web::{
        Call, Reply,
        page::{Icon, admin, identity::account::format_timestamp},
    },
    worker::StoredWork,
};

/// The address of the page.
pub(crate) const ADDRESS: &str = "/app/-/system";
/// Slow routes and statements on the page.
const SLOWEST: usize = 10;

/// What the page shows.
struct Report {
    instances: Vec<(Instance, bool)>,
    pools: Vec<PoolUse>,
    replicas: Vec<ReplicaState>,
    work: StoredWork,
    routes: Vec<RouteSummary>,
    statements: Vec<SlowStatement>,
    database_bytes: i64,
    files: (i64, i64),
}

impl Report {
    fn read(state: &State, tx: &mut Tx<'_>) -> Result<Report> {
        let mut found: Vec<(Instance, bool)> = instances::list(tx.conn, tx.caller.now)?
            .into_iter()
            .map(|it| (it.id == state.instance.id, it))
            .map(|(own, it)| (it, own))
            .collect();
        if !found.iter().any(|(_, own)| *own) {
            found.push((Instance { seen_at: tx.caller.now, ..state.instance.clone() }, true));
        }
        let mut routes = state.db.metrics().routes();
        let slower = |one: &RouteSummary, other: &RouteSummary| {
            let (one, other) = (one.durations.quantile(0.95), other.durations.quantile(0.95));
            other.partial_cmp(&one).unwrap_or(Ordering::Equal)
        };
        routes.sort_by(slower);
        routes.truncate(SLOWEST);
        let files = numbers(tx.conn, "SELECT count(*), CAST(COALESCE(sum(size), 0) AS BIGINT) FROM dz_files")?;
        let size = match tx.engine() {
            Engine::Sqlite => "SELECT page_count * page_size, 0 FROM pragma_page_count(), pragma_page_size()",
            Engine::Postgres => "SELECT pg_database_size(current_database()), 0::bigint",
        };
        Ok(Report {
            instances: found,
            pools: state.db.pools(),
            replicas: state.db.replicas(),
            work: StoredWork::count(tx.conn, tx.app)?,
            routes,
            statements: state.db.metrics().slowest_statements(SLOWEST),
            database_bytes: numbers(tx.conn, size)?.0,
            files,
        })
    }

    fn to_json(&self) -> Json {
        let counts = |counts: &[(String, i64)]| counts.iter().map(|(name, count)| (name.clone(), json!(count))).collect::<Map<_, _>>();
        let instance = |(it, own): &(Instance, bool)| {
            json!({
                "id": it.id, "host": it.host, "process": it.process, "version": it.version, "schema": it.schema,
                "started_at": datetime_text(&it.started_at), "seen_at": datetime_text(&it.seen_at), "current": own,
            })
        };
        let route = |it: &RouteSummary| {
            json!({
                "route": it.route, "method": it.method, "status": format!("{}xx", it.class), "requests": it.durations.count,
                "mean_ms": millis(it.durations.mean()), "p95_ms": millis(it.durations.quantile(0.95)), "longest_ms": millis(it.durations.longest),
            })
        };
        let statement = |it: &SlowStatement| json!({ "text": it.text, "count": it.count, "longest_ms": millis(it.longest.as_secs_f64()) });
        let replica = |it: &ReplicaState| {
            let lag = it.lag.map(|lag| millis(lag.as_secs_f64()));
            json!({ "name": it.name, "in_use": it.in_use, "lag_ms": lag, "reads": it.reads, "reason": it.refusal })
        };
        let pool = |it: &PoolUse| json!({ "name": it.name, "used": it.used, "idle": it.idle, "max": it.max });
        json!({
            "instances": self.instances.iter().map(instance).collect::<Vec<_>>(),
            "pools": self.pools.iter().map(pool).collect::<Vec<_>>(),
            "replicas": self.replicas.iter().map(replica).collect::<Vec<_>>(),
            "events": { "pending": self.work.pending_events, "dead": self.work.dead_events },
            "jobs": counts(&self.work.jobs),
            "runs": counts(&self.work.runs),
            "routes": self.routes.iter().map(route).collect::<Vec<_>>(),
            "statements": self.statements.iter().map(statement).collect::<Vec<_>>(),
            "storage": { "database_bytes": self.database_bytes, "files": self.files.0, "files_bytes": self.files.1 },
            "last_backup": self.work.last_backup.as_ref().map(datetime_text),
            "failed_backup": self.work.failed_backup.as_ref().map(|(at, reason)| json!({ "at": datetime_text(at), "reason": reason })),
        })
    }
}

/// A duration in milliseconds with one decimal.
fn millis(seconds: f64) -> f64 {
    (seconds * 10_000.0).round() / 10.0
}

/// The two numbers of a statement.
fn numbers(conn: &mut Conn, sql: &str) -> Result<(i64, i64)> {
    let mut select = Statement::new();
    select.push(sql);
    match conn.rows(&select, &[BindKind::Int; 2])?.into_iter().next().as_deref() {
        Some([Value::Int(one), Value::Int(other)]) => Ok((*one, *other)),
        _ => Ok((0, 0)),
    }
}

#[derive(Template)]
#[template(path = "system.html")]
struct SystemHtml {
    figures: Vec<(&'static str, String)>,
    instances: Vec<InstanceLine>,
    pools: Vec<PoolUse>,
    replicas: Vec<ReplicaLine>,
    routes: Vec<RouteLine>,
    statements: Vec<StatementLine>,
    warning: Option<String>,
}

struct InstanceLine {
    host: String,
    process: i64,
    version: String,
    schema: String,
    started: String,
    seen: String,
    own: bool,
}

struct ReplicaLine {
    name: String,
    in_use: bool,
    state: String,
    lag: String,
    reads: u64,
}

struct RouteLine {
    name: String,
    status: String,
    requests: u64,
    mean: String,
    most: String,
    longest: String,
}

struct StatementLine {
    text: String,
    count: u64,
    longest: String,
}

/// `GET /app/-/system`
pub(crate) fn show(state: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    access::require_system_admin(&tx.caller)?;
    let report = Report::read(state, tx)?;
    if call.wants_json {
        return Ok(admin::json_data(&report.to_json()));
    }
    admin::answer(tx, call, say!("dz-system", "System"), &page(tx, report))
}

fn page(tx: &Tx<'_>, report: Report) -> SystemHtml {
    let app = tx.app;
    let job = |state: &str| report.work.jobs.iter().find(|(name, _)| name == state).map_or(0, |(_, count)| *count);
    let run = |status: &str| report.work.runs.iter().find(|(name, _)| name == status).map_or(0, |(_, count)| *count);
    let backup = report.work.last_backup.map_or_else(|| say!("dz-never", "Never").to_owned(), |at| format_timestamp(app, at));
    let mut figures = vec![
        (say!("dz-pending-events", "Pending events"), report.work.pending_events.to_string()),
        (say!("dz-dead-letters", "Dead letters"), report.work.dead_events.to_string()),
        (say!("dz-queued-jobs", "Queued jobs"), job("queued").to_string()),
        (say!("dz-dead-jobs", "Dead jobs"), job("dead").to_string()),
    ];
    if !report.work.runs.is_empty() {
        figures.push((
            say!("dz-open-runs", "Open runs"),
            ["queued", "running", "waiting", "compensating"].map(run).iter().sum::<i64>().to_string(),
        ));
        figures.push((say!("dz-failed-runs", "Failed runs"), run("failed").to_string()));
    }
    figures.push((say!("dz-database", "Database"), bytes(report.database_bytes)));
    figures.push((say!("dz-stored-files", "Stored files"), format!("{} ({})", report.files.0, bytes(report.files.1))));
    figures.push((say!("dz-last-backup", "Last backup"), backup));
    if let Some((at, reason)) = &report.work.failed_backup {
        figures.push((say!("dz-failed-backup", "Failed backup"), format!("{}: {reason}", format_timestamp(app, *at))));
    }
    let dead = report.work.dead_events + job("dead");
    let warning = (dead > 0).then(|| {
        say!(
            "dz-events-or-jobs-failed",
            count = dead;
            "{count} event or job failed repeatedly. Correct its cause, then retry it.",
            "{count} events or jobs failed repeatedly. Correct their cause, then retry them."
        )
    });
    SystemHtml {
        figures,
        instances: report.instances.into_iter().map(|(it, own)| instance_line(tx, it, own)).collect(),
        pools: report.pools,
        replicas: report.replicas.into_iter().map(replica_line).collect(),
        routes: report.routes.into_iter().map(route_line).collect(),
        statements: report.statements.into_iter().map(statement_line).collect(),
        warning,
    }
}

fn instance_line(tx: &Tx<'_>, it: Instance, own: bool) -> InstanceLine {
    let (started, seen) = (format_timestamp(tx.app, it.started_at), format_timestamp(tx.app, it.seen_at));
    InstanceLine { host: it.host, process: it.process, version: it.version, schema: it.schema, started, seen, own }
}

fn replica_line(it: ReplicaState) -> ReplicaLine {
    let lag = it.lag.map_or_else(|| "—".to_owned(), |lag| show_millis(lag.as_secs_f64()));
    let state = it.refusal.unwrap_or_else(|| say!("dz-replica-in-use", "In use").to_owned());
    ReplicaLine { name: it.name, in_use: it.in_use, state, lag, reads: it.reads }
}

fn route_line(it: RouteSummary) -> RouteLine {
    let summary = &it.durations;
    RouteLine {
        name: format!("{} {}", it.method, it.route),
        status: format!("{}xx", it.class),
        requests: summary.count,
        mean: show_millis(summary.mean()),
        most: show_millis(summary.quantile(0.95)),
        longest: show_millis(summary.longest),
    }
}

fn statement_line(it: SlowStatement) -> StatementLine {
    StatementLine { text: it.text, count: it.count, longest: show_millis(it.longest.as_secs_f64()) }
}

fn show_millis(seconds: f64) -> String {
    format!("{} ms", millis(seconds))
}

/// A size in the largest unit of which there is at least one.
fn bytes(size: i64) -> String {
    let units = [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)];
    match units.iter().find(|(_, bytes)| size >= *bytes) {
        Some((unit, bytes)) => format!("{:.1} {unit}", size as f64 / *bytes as f64),
        None => format!("{size} B"),
    }
}

/// The page with sample data.
#[cfg(test)]
pub(crate) fn sample(text: &str) -> String {
    let own = || text.to_owned();
    let instance =
        |current| InstanceLine { host: own(), process: 17, version: own(), schema: own(), started: own(), seen: own(), own: current };
    let page = SystemHtml {
        figures: vec![("Pending events", own()), ("Last backup", own())],
        instances: vec![instance(true), instance(false)],
        pools: vec![PoolUse { name: "main".to_owned(), used: 1, idle: 2, max: 8 }],
        replicas: vec![ReplicaLine { name: own(), in_use: false, state: own(), lag: own(), reads: 4 }],
        routes: vec![RouteLine { name: own(), status: own(), requests: 3, mean: own(), most: own(), longest: own() }],
        statements: vec![StatementLine { text: own(), count: 2, longest: own() }],
        warning: Some(own()),
    };
    page.render().expect("a page")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!([0, 999, 1_000, 1_500_000, 2_000_000_000].map(bytes), ["0 B", "999 B", "1.0 kB", "1.5 MB", "2.0 GB"]);
    }
}
