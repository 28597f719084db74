//! The start of an application: opens the database, creates or compares the schema, and launches Rocket.

use std::sync::Arc;

use figment::Figment;
use rocket::{Build, Rocket, fairing::AdHoc, shield::Shield};

#[cfg(feature = "graph-algorithms")]
use super::graphs::KeepGraphs;
use super::statistics::KeepStatistics;
use super::{App, RocketStep, backup, instances::RecordInstance, metrics::MetricsPort, rocket::take_over_rocket_log};
#[cfg(feature = "adapters")]
use crate::otlp;
use crate::{
    CallIntent, Clock, Engine, Error, Result,
    accounts::{self, additional_fields::AdditionalFields, throttle::Throttle},
    blocking::{Threads, Work},
    config::Config,
    db::{Database, DatabaseConfig, migrate, row_security, schema, shared_limits::SharedLimits, slow_statement::SlowStatements},
    def::AppDef,
    files::Storage,
    job::queue,
    languages::Languages,
    llm,
    mail::MailQueue,
    outbox,
    output::{log_event, print_line, show_step},
    process,
    seed::{self, DemoData, SignIn},
    service::PythonSettings,
    state::{State, instances::Instance},
    trace::Tracer,
    web::routes::collision,
    web::{
        request::handler,
        response::{catcher, fairing::ResponseFairing},
        server::Server,
    },
    worker::{Worker, partitions},
};

/// An application with an open database that has its schema.
pub(super) struct PreparedApp {
    pub state: Arc<State>,
    steps: Vec<RocketStep>,
    /// Demo accounts, if they were created by this start.
    seeded: Option<Vec<SignIn>>,
    /// True if this start created the tables.
    pub(super) created: bool,
}

/// Opens the database with the role of the server.
pub(super) fn open(config: &Config, engine: Engine, app: &'static AppDef) -> Result<Database> {
    let row_security = app.tenant().is_some();
    Database::open(
        engine,
        &DatabaseConfig {
            url: config.database_url.clone(),
            size: config.settings.pool_size,
            row_security,
            idle: config.settings.pool_idle,
        },
    )
}

/// Runs `work` with the role that owns the tables, and grants the role of the server access to the created objects.
///
/// # Errors
/// The errors of the connection and of `work`.
pub(super) fn as_owner<T>(
    config: &Config,
    engine: Engine,
    app: &'static AppDef,
    db: &Database,
    work: impl FnOnce(&Database) -> Result<T>,
) -> Result<T> {
    let Some(url) = config.settings.migrations_url.clone().filter(|_| engine == Engine::Postgres) else { return work(db) };
    let owner = Database::open(engine, &DatabaseConfig { url, size: 1, row_security: app.tenant().is_some(), idle: DatabaseConfig::IDLE })?;
    let done = work(&owner)?;
    let role = db.read(&mut row_security::role)?;
    owner.write(&mut |conn| row_security::grant_tables(conn, &role))?;
    Ok(done)
}

/// Refuses a role that bypasses the policies; development prints a warning.
fn check_role(config: &Config, db: &Database, app: &'static AppDef) -> Result<()> {
    match db.read(&mut |conn| row_security::check(conn, app)) {
        Err(error) if config.development && error.code == "DATABASE" => {
            log_event!(warn, target: "dz", "{}; outside development the application does not start", error.detail);
            Ok(())
        }
        checked => checked,
    }
}

/// Sets the address at which the instance receives the notifications of others, and reports a pooler behind which it receives none.
fn hear_instances_at(config: &Config, engine: Engine, db: &Database) -> Result<()> {
    let Some(address) = Some(config.settings.notices_url.as_deref()).filter(|_| engine == Engine::Postgres) else { return Ok(()) };
    #[cfg(feature = "postgres")]
    if let Some(url) = address {
        db.hear_at(url)?;
    }
    if db.is_pooled() {
        log_event!(info, target: "dz", "a pooler in transaction mode is between the application and PostgreSQL: statements are not kept prepared");
    }
    if db.is_pooled() && address.is_none() {
        log_event!(
            warn, target: "dz",
            "behind the pooler this instance receives no notices of others, and finds their work within 30 seconds: set `dz.notices_url` to the \
             address of the server itself"
        );
    }
    Ok(())
}

/// The clock of the application, corrected by that of the database.
fn corrected_clock(db: &Database, clock: &Clock) -> Result<Clock> {
    let clock = clock.clone().correctable();
    db.correct_clock(&clock).map(|()| clock)
}

/// Logs statements that take longer than the configured time.
fn log_slow_statements(config: &Config, db: &Database, app: &'static AppDef) {
    if let Some(from) = config.settings.slow_statement {
        db.log_slow_statements(SlowStatements { from, roles: app.roles.iter().map(|role| role.name).collect() });
    }
}

fn python_settings(config: &Config) -> PythonSettings {
    let settings = &config.settings;
    PythonSettings { interpreter: settings.python.clone(), folder: settings.services.clone(), workers: settings.python_workers }
}

/// The tracer, which sends spans to a collector if one is configured.
#[cfg(feature = "adapters")]
fn open_tracer(config: &Config, app: &'static AppDef) -> Result<Tracer> {
    let Some(traces) = &config.settings.traces else { return Ok(Tracer::default()) };
    let collector = otlp::Collector::start(traces.endpoint.as_str(), traces.sample, app.name).map_err(Error::internal)?;
    Ok(Tracer::new(Arc::new(collector)))
}

#[cfg(not(feature = "adapters"))]
fn open_tracer(config: &Config, _app: &'static AppDef) -> Result<Tracer> {
    match &config.settings.traces {
        Some(_) => Err(Error::new(500, "CONFIGURATION", "`dz.traces` needs the feature `adapters` of dz: turn it on, or remove the table")),
        None => Ok(Tracer::default()),
    }
}

/// Gives the hooks the language models, the services, the limits of lists and the refresh of regions.
fn connect_services(app: &mut App, config: &Config) -> Result<()> {
    let intents = llm::connect(app.def, app.llm_provider.take(), config)?;
    app.hooks.intents = intents.map(|it| Box::new(it) as Box<dyn CallIntent>);
    app.hooks.lists = config.settings.list.unwrap_or_default();
    app.hooks.region_refresh = config.settings.regions.map_or(0, |regions| regions.refresh);
    app.hooks.services.prepare(app.def, config.settings.service_timeout, &python_settings(config))
}

impl PreparedApp {
    /// Opens the database, and creates or compares the schema. In development an empty database also gets the demo data of the
    /// declaration.
    pub fn open(mut app: App, figment: &Figment) -> Result<PreparedApp> {
        let config = Config::read(figment, app.def, app.engine, app.url.take())?;
        let def = app.def;
        let db = open(&config, app.engine, def)?;
        db.set_secrets(config.settings.secrets.clone());
        let engine = app.engine;
        hear_instances_at(&config, engine, &db)?;
        db.follow_replicas(&config.settings.replicas, config.settings.replica_lag)?;
        let steps = app.take_steps();
        let (clock, demo) = (corrected_clock(&db, &app.clock)?, app.demo);
        check_registration(&config, def)?;
        process::register(&mut app.hooks, def, clock.now())?;
        backup::scheduled::register(&mut app.hooks, def, engine, &config)?;
        app.check_extensions()?;
        connect_services(&mut app, &config)?;
        let post = Arc::new(MailQueue::new(app.mailer.take()));
        show_step!("preparing the database");
        let (quiet, data) = (app.quiet, std::mem::take(&mut app.data_migrations));
        let hooks = app.into_hooks();
        check_role(&config, &db, def)?;
        let (migrated, own) = as_owner(&config, engine, def, &db, |owner| {
            let migrated = config.development && migrate::run_if_empty(owner, def, &data)?;
            // The role that owns the tables creates them first; the role of the server then finds them.
            let apart = engine == Engine::Postgres && config.settings.migrations_url.is_some();
            let found = if apart { Some(owner.write(&mut |conn| schema::prepare(conn, def))?) } else { None };
            Ok((migrated, found))
        })?;
        // One transaction, so that an interrupted start leaves no schema without its demo data.
        let (created, seeded) = db.write(&mut |conn| {
            let found = schema::prepare(conn, def)?;
            let created = migrated || own.unwrap_or(found) == schema::State::Created;
            outbox::rename_subscribers(conn, def, &hooks)?;
            accounts::mfa::encrypt_all(conn, def)?;
            if !created || !config.development || def.demo.is_empty() || demo == DemoData::None {
                return Ok((created, None));
            }
            seed::run(conn, def, &hooks, clock.now(), demo).map(|made| (created, Some(made.sign_ins)))
        })?;
        log_slow_statements(&config, &db, def);
        let shared_limits = SharedLimits::open(&db, &clock)?.map(Arc::new);
        let throttle = Throttle::new(config.settings.rate_limits.is_some(), shared_limits.clone());
        let threads = Threads::new(engine, config.settings.pool_size, db.count_replicas());
        let tracer = open_tracer(&config, def)?;
        let storage = Storage::open(&config, def)?;
        let state = State {
            app: def,
            languages: Languages::new(def, config.settings.locale.as_deref()),
            instance: Instance::new(def, engine, clock.now()),
            storage,
            files_swept: Default::default(),
            db,
            hooks,
            config,
            clock,
            throttle,
            shared_limits,
            threads,
            cleaned: Default::default(),
            leases_checked: Default::default(),
            leases: Default::default(),
            loops: Default::default(),
            mail_queue: post,
            refusals: Default::default(),
            tracer,
            quiet,
        };
        partitions::prepare(&state);
        let state = Arc::new(state);
        Ok(PreparedApp { state, steps, seeded, created: created && !migrated })
    }

    /// Builds the Rocket.
    ///
    /// # Errors
    /// The application has a route at an address of dz.
    pub fn rocket(self, figment: Figment) -> Result<Rocket<Build>> {
        let PreparedApp { state, steps, .. } = self;
        if !state.config.settings.secrets.can_encrypt() {
            log_event!(warn, target: "dz", "`dz.secrets` names no key, so secrets of second factors are stored unencrypted; see docs/accounts.md");
        }
        take_over_rocket_log(&figment);
        process::log_earlier_runs(&state)?;
        let works = state.config.settings.worker;
        // Without another process on the file, the holders of leases have ended.
        let release = || {
            let now = state.db.lease_time()?;
            state.db.write(&mut |conn| queue::release_leases(conn, now)).map(drop)
        };
        let lock = if works && state.db.engine() == Engine::Sqlite { Some(state.db.enter(release)?) } else { None };
        let server = Arc::new(Server::new(state.clone()));
        let rocket = rocket::custom(figment)
            .manage(state.clone())
            .manage(server.clone())
            .attach(Shield::new())
            .attach(ResponseFairing(state.clone()))
            .attach(RecordInstance(state.clone()));
        let rocket = match state.config.settings.metrics {
            Some(address) => rocket.attach(MetricsPort::new(&state, address)?),
            None => rocket,
        };
        #[cfg(feature = "graph-algorithms")]
        let rocket = rocket.attach(KeepGraphs(state.clone()));
        let rocket = rocket.attach(KeepStatistics(state.clone()));
        let rocket = if works { rocket.attach(Worker::new(state.clone(), lock)) } else { rocket };
        let rocket = rocket.mount("/", handler::routes(&server)).register("/", vec![catcher::catcher(&state)]);
        let rocket = steps.into_iter().fold(rocket, |rocket, step| step(rocket));
        collision::check(&rocket)?;
        Ok(rocket)
    }

    /// Launches the Rocket and prints its address. Returns after a shutdown, when every request is answered.
    pub fn launch(mut self, figment: Figment) -> Result<()> {
        let config = rocket::Config::try_from(&figment)
            .map_err(|error| Error::new(500, "CONFIGURATION", format!("Rocket's configuration is not valid: {error}")))?;
        let (state, seeded, made) = (self.state.clone(), self.seeded.take(), self.created);
        #[cfg(debug_assertions)]
        super::development::follow_edits(&state);
        let announce = AdHoc::on_liftoff("where it is", move |rocket| {
            let (address, port) = (rocket.config().address, rocket.config().port);
            Box::pin(async move {
                print_line(&format!("{} is at http://{address}:{port}", state.app.title));
                if made {
                    print_line(CREATED_WITHOUT_MIGRATIONS);
                }
                // Verification of passwords is slow by design, so the start does not wait for it.
                let shared = state.clone();
                tokio::spawn(async move { state.threads.run(Work::Hash, move || print_accounts(&shared, seeded)).await });
            })
        });
        let rocket = self.rocket(figment)?.attach(announce);
        match rocket::execute(rocket.launch()) {
            Ok(_) => Ok(()),
            Err(error) => Err(launch_error(&error, &config)),
        }
    }
}

/// The recommendation after an empty database got its tables from the declaration.
pub(super) const CREATED_WITHOUT_MIGRATIONS: &str =
    "The tables were created without migrations; to keep the data after later changes, write migrations with `dz migrate diff`";

/// A new user must be able to enter all required fields of accounts.
fn check_registration(config: &Config, app: &'static AppDef) -> Result<()> {
    match AdditionalFields::for_account(app).unsupported_field(true) {
        Some((field, why)) if config.registration => {
            let fix = "make it optional, give it a default, or turn `registration` off";
            let detail = format!("`registration` is on, and accounts need `{}`, which {why}; {fix}", field.name);
            Err(Error::new(500, "CONFIGURATION", detail))
        }
        _ => Ok(()),
    }
}

/// Prints a line. The server continues if the line cannot be printed.
fn print_line(line: &str) {
    let _ = print_line!("{line}");
}

/// Prints each demo account that can sign in, in development only.
fn print_accounts(state: &State, seeded: Option<Vec<SignIn>>) {
    if !state.config.development {
        return;
    }
    if let Some(sign_ins) = seeded {
        for it in sign_ins {
            print_line(&format!("Sign in: {} / {}  ({})", it.email, it.password, it.roles.join(", ")));
        }
        return;
    }
    let account = state.app.account();
    let rows: Vec<&crate::def::DemoRow> = state.app.demo.iter().collect();
    for (at, row) in state.app.demo.iter().enumerate().filter(|(_, row)| row.entity == account.ix) {
        let Some(password) = row.account.as_ref().and_then(|it| it.password) else { continue };
        let email = row.values.iter().find_map(|(ix, value)| match value {
            crate::def::DemoValue::Literal(crate::def::Expr::Text(text)) if account.field(*ix).name == "email" => Some(*text),
            crate::def::DemoValue::Literal(_) | crate::def::DemoValue::Row(_) => None,
        });
        let Some(email) = email else { continue };
        let fits = state.db.read(&mut |conn| accounts::verify(conn, state.app, email, password));
        if matches!(fits, Ok(Some(_))) {
            print_line(&format!("Sign in: {email} / {password}  ({})", seed::role_titles(state.app, &rows, at).join(", ")));
        }
    }
}

fn launch_error(error: &rocket::Error, config: &rocket::Config) -> Error {
    use rocket::error::ErrorKind;
    let place = format!("{}:{}", config.address, config.port);
    let sentence = match error.kind() {
        ErrorKind::Bind(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            format!("{place} is in use by another process; stop it, or choose another port with `ROCKET_PORT`")
        }
        ErrorKind::Bind(error) => {
            format!("cannot listen on {place}: {error}; choose another address or port with `ROCKET_ADDRESS` and `ROCKET_PORT`")
        }
        ErrorKind::Collisions(found) => {
            let pairs =
                found.routes.iter().map(|(one, other)| format!("`{}` and `{}`", collision::describe(one), collision::describe(other)));
            let pairs: Vec<String> = pairs.collect();
            format!("these routes answer the same addresses: {}; give one of each pair another path or rank", pairs.join(", "))
        }
        other => format!("the application could not start: {other}"),
    };
    Error::new(500, "START", sentence)
}
