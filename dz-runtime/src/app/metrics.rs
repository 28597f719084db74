//! The metrics of a serving application, on a port of their own (`dz.metrics`), in the text format of Prometheus.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError, atomic::Ordering},
    time::{Duration, Instant, UNIX_EPOCH},
};

use rocket::{
    Build, Data, Orbit, Request, Response, Rocket, Route,
    fairing::{Fairing, Info, Kind as FairingKind},
    http::Method,
    route::{Handler, Outcome},
};

#[cfg(feature = "graph-algorithms")]
use crate::graph::algorithms::Snapshots;
use crate::{
    Engine, Error, Result,
    blocking::Work,
    metrics::{Kind, Text},
    output::log_event,
    state::State,
    worker::{self, StoredWork},
};

/// The age up to which the numbers of stored work are used again, so that frequent requests do not count large tables.
const LIFETIME: Duration = Duration::from_secs(5);

/// Serves the metrics while the application runs.
pub(super) struct MetricsPort {
    address: SocketAddr,
    endpoint: Endpoint,
}

/// Answers `GET /metrics`.
#[derive(Clone)]
struct Endpoint {
    state: Arc<State>,
    stored: Arc<Mutex<Option<(Instant, StoredWork)>>>,
}

impl MetricsPort {
    /// # Errors
    /// The port is in use, or the address does not belong to this machine.
    pub(super) fn new(state: &Arc<State>, address: SocketAddr) -> Result<MetricsPort> {
        // Only checks the address: the server binds it when the application serves.
        if let Err(error) = std::net::TcpListener::bind(address) {
            let detail = format!("`dz.metrics` cannot listen on {address}: {error}; choose another address or port");
            return Err(Error::new(500, "CONFIGURATION", detail));
        }
        Ok(MetricsPort { address, endpoint: Endpoint { state: state.clone(), stored: Arc::default() } })
    }

    fn server(&self) -> Rocket<Build> {
        let config = rocket::Config {
            address: self.address.ip(),
            port: self.address.port(),
            log_level: rocket::config::LogLevel::Off,
            shutdown: rocket::config::Shutdown { ctrlc: false, signals: Default::default(), ..Default::default() },
            ..rocket::Config::default()
        };
        rocket::custom(config).mount("/", vec![Route::new(Method::Get, "/metrics", self.endpoint.clone())])
    }
}

#[rocket::async_trait]
impl Fairing for MetricsPort {
    fn info(&self) -> Info {
        Info { name: "dz metrics", kind: FairingKind::Liftoff }
    }

    async fn on_liftoff(&self, rocket: &Rocket<Orbit>) {
        let (address, ended) = (self.address, rocket.shutdown());
        let server = match self.server().ignite().await {
            Ok(server) => server,
            Err(error) => return log_event!(error, target: "dz", "the metrics cannot be served: {}", error.to_string()),
        };
        let end = server.shutdown();
        tokio::spawn(async move {
            ended.await;
            end.notify();
        });
        tokio::spawn(async move {
            match server.launch().await {
                Ok(_) => {}
                Err(error) => log_event!(error, target: "dz", "the metrics are not served at {address}: {}", error.to_string()),
            }
        });
        log_event!(info, target: "dz", "metrics are at http://{address}/metrics");
    }
}

#[rocket::async_trait]
impl Handler for Endpoint {
    async fn handle<'r>(&self, _: &'r Request<'_>, _: Data<'r>) -> Outcome<'r> {
        let text = self.report().await;
        let response = Response::build()
            .raw_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            .sized_body(text.len(), std::io::Cursor::new(text))
            .finalize();
        Outcome::Success(response)
    }
}

impl Endpoint {
    async fn report(&self) -> String {
        let stored = self.stored_work().await;
        let mut text = Text::default();
        write_process(&mut text, &self.state);
        write_requests(&mut text, &self.state);
        write_database(&mut text, &self.state);
        write_replicas(&mut text, &self.state);
        #[cfg(feature = "graph-algorithms")]
        write_graphs(&mut text, &self.state);
        write_work(&mut text, &self.state, stored.as_ref());
        write_services(&mut text, &self.state);
        text.finish()
    }

    /// The numbers of stored work; `None` if the database cannot count them.
    async fn stored_work(&self) -> Option<StoredWork> {
        let last = self.stored.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, work)) = last.filter(|(at, _)| at.elapsed() < LIFETIME) {
            return Some(work);
        }
        let state = self.state.clone();
        let counted = self.state.threads.run(Work::Read, move || state.db.read(&mut |conn| StoredWork::count(conn, state.app))).await;
        let work = counted.and_then(|counted| counted).ok()?;
        *self.stored.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), work.clone()));
        Some(work)
    }
}

fn write_process(text: &mut Text, state: &State) {
    let engine = match state.db.engine() {
        Engine::Sqlite => "sqlite",
        Engine::Postgres => "postgresql",
    };
    let labels = [("application", state.app.name), ("dz_version", env!("CARGO_PKG_VERSION")), ("db_system_name", engine)];
    let started = state.db.metrics().started.0.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
    let name = "dz_build_info";
    text.metric(name, Kind::Gauge, "The application, the version of dz and the engine; always 1.").value(name, &labels, 1);
    let name = "process_start_time_seconds";
    text.metric(name, Kind::Gauge, "The start of the process in seconds since 1970.").value(name, &[], started);
    let name = "dz_sign_in_failures_total";
    let failures = state.db.metrics().failed_sign_ins.load(Ordering::Relaxed);
    text.metric(name, Kind::Counter, "Failed sign-ins, including wrong codes of a second factor.").value(name, &[], failures);
}

fn write_requests(text: &mut Text, state: &State) {
    let name = "http_server_request_duration_seconds";
    text.metric(name, Kind::Histogram, "The time from a request to the first byte of its response, by route and class of status.");
    for route in state.db.metrics().routes() {
        let class = format!("{}xx", route.class);
        let labels = [("http_request_method", route.method), ("http_route", route.route.as_str()), ("status_class", class.as_str())];
        text.histogram(name, &labels, &route.durations);
    }
}

fn write_database(text: &mut Text, state: &State) {
    let metrics = state.db.metrics();
    let name = "db_client_operation_duration_seconds";
    text.metric(name, Kind::Histogram, "The duration of SQL statements.").histogram(name, &[], &metrics.statements.read());
    let name = "dz_statement_failures_total";
    let failures = metrics.failed_statements.load(Ordering::Relaxed);
    text.metric(name, Kind::Counter, "SQL statements that failed, including refused constraints.").value(name, &[], failures);
    let pools = state.db.pools();
    let name = "db_client_connection_count";
    text.metric(name, Kind::Gauge, "Open connections of each pool, used and idle.");
    for pool in &pools {
        for (state, count) in [("used", pool.used), ("idle", pool.idle)] {
            text.value(name, &[("db_client_connection_pool_name", pool.name.as_str()), ("db_client_connection_state", state)], count);
        }
    }
    let name = "db_client_connection_max";
    text.metric(name, Kind::Gauge, "The largest number of connections of each pool.");
    for pool in &pools {
        text.value(name, &[("db_client_connection_pool_name", pool.name.as_str())], pool.max);
    }
}

/// The replicas of the database. Without any, the metrics have no values.
fn write_replicas(text: &mut Text, state: &State) {
    let replicas = state.db.replicas();
    let name = "dz_replica_in_use";
    text.metric(name, Kind::Gauge, "1 if the replica serves reads, 0 if it is out of use.");
    for it in &replicas {
        text.value(name, &[("replica", it.name.as_str())], u8::from(it.in_use));
    }
    let name = "dz_replica_lag_seconds";
    text.metric(name, Kind::Gauge, "How far the replica is behind the primary; absent if it is not known.");
    for (it, lag) in replicas.iter().filter_map(|it| Some((it, it.lag?))) {
        text.value(name, &[("replica", it.name.as_str())], lag.as_secs_f64());
    }
    let name = "dz_replica_reads_total";
    text.metric(name, Kind::Counter, "Reads that the replica served.");
    for it in &replicas {
        text.value(name, &[("replica", it.name.as_str())], it.reads);
    }
    let name = "dz_replica_fallbacks_total";
    text.metric(name, Kind::Counter, "Reads that the primary served in place of a replica, by reason.");
    for (reason, count) in state.db.replica_fallbacks() {
        text.value(name, &[("reason", reason)], count);
    }
}

/// The graphs in memory.
#[cfg(feature = "graph-algorithms")]
fn write_graphs(text: &mut Text, state: &State) {
    let Ok(graphs) = state.hooks.state::<Snapshots>() else { return };
    let name = "dz_graph_edges";
    text.metric(name, Kind::Gauge, "Edges of graphs in memory.").value(name, &[], graphs.edge_count());
    let name = "dz_graph_loads_total";
    text.metric(name, Kind::Counter, "How often all edges of a graph were read, and how often only those that had changed.");
    for (read, count) in [("all", &graphs.loads), ("changed", &graphs.updates)] {
        text.value(name, &[("edges", read)], count.load(Ordering::Relaxed));
    }
}

fn write_work(text: &mut Text, state: &State, stored: Option<&StoredWork>) {
    let name = "dz_worker_loops";
    let (running, expected) = worker::loops(state);
    text.metric(name, Kind::Gauge, "Loops of the worker that must run, and that run.");
    text.value(name, &[("state", "expected")], expected).value(name, &[("state", "running")], running);
    let name = "dz_database_up";
    text.metric(name, Kind::Gauge, "1 if the database answered, 0 if not.").value(name, &[], u8::from(stored.is_some()));
    let events = [
        ("dz_events_pending", "Events that subscribers have not processed yet.", stored.map(|it| it.pending_events)),
        ("dz_events_dead", "Events that were rejected repeatedly and are not retried.", stored.map(|it| it.dead_events)),
    ];
    for (name, help, count) in events {
        text.metric(name, Kind::Gauge, help);
        count.into_iter().for_each(|count| {
            text.value(name, &[], count);
        });
    }
    let name = "dz_last_backup_timestamp_seconds";
    text.metric(name, Kind::Gauge, "The time of the last backup; absent before the first one.");
    stored.and_then(|it| it.last_backup).into_iter().for_each(|at| {
        text.value(name, &[], at.timestamp());
    });
    let name = "dz_backup_failed";
    text.metric(name, Kind::Gauge, "1 if the last attempt to make a backup failed, 0 if not.");
    stored.into_iter().for_each(|it| {
        text.value(name, &[], u8::from(it.failed_backup.is_some()));
    });
    let jobs = stored.map(|it| it.jobs.as_slice()).unwrap_or_default();
    text.metric("dz_jobs", Kind::Gauge, "Jobs that are queued, running or dead.");
    jobs.iter().for_each(|(job, count)| {
        text.value("dz_jobs", &[("state", job)], count);
    });
    let runs = stored.map(|it| it.runs.as_slice()).unwrap_or_default();
    text.metric("dz_runs", Kind::Gauge, "Runs of processes by status.");
    runs.iter().for_each(|(status, count)| {
        text.value("dz_runs", &[("status", status)], count);
    });
}

/// The worker processes of services in Python.
fn write_services(text: &mut Text, state: &State) {
    let workers = state.hooks.services.worker_figures();
    let name = "dz_service_workers";
    text.metric(name, Kind::Gauge, "Worker processes of services in Python, idle and busy.");
    text.value(name, &[("state", "idle")], workers.idle).value(name, &[("state", "busy")], workers.busy);
    let name = "dz_service_workers_ended_total";
    text.metric(name, Kind::Counter, "Worker processes of services in Python that ended and are replaced, by reason.");
    for (reason, count) in [("ended", workers.ended), ("timeout", workers.timed_out), ("unresponsive", workers.unresponsive)] {
        text.value(name, &[("reason", reason)], count);
    }
}
