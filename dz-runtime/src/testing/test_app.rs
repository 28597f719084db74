//! The application of a test, with a database, a clock, mails and events of its own.

use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};
use rocket::local::blocking::Client;

use super::{database::TestDatabase, fake, test_user::TestUser};
use crate::{
    App, Clock, Engine, Entity, Error, Happened, IntoValue, Mail, Plan, Result, Tx, Value, accounts,
    db::{Conn, Statement},
    def::EntityIx,
    event::{Occurrence, to_typed},
    mail::Mailer,
    record::NewRow,
    role::DeclaredRole,
    seed::DemoData,
    state::State,
    typed_rows, worker,
};

/// The longest time to wait for mails that are being sent.
const MAIL_TIMEOUT: Duration = Duration::from_secs(10);

type CaughtEvents = Arc<Mutex<Vec<(EntityIx, Occurrence)>>>;
type CaughtMails = Arc<Mutex<Vec<Mail>>>;

/// The application of a test: it answers requests without a socket, over an empty database of its own.
///
/// The clock is stopped, and no background work runs by itself: [`advance`](TestApp::advance) changes the time, and
/// [`run_due`](TestApp::run_due) does the work that is due. Mails and events are caught.
///
/// The functions panic with the reason if a request of the test itself fails, so that a test needs no error handling.
pub struct TestApp {
    // The client is dropped before the database.
    pub(super) client: Client,
    pub(super) state: Arc<State>,
    mails: CaughtMails,
    events: CaughtEvents,
    files: PathBuf,
    _database: TestDatabase,
}

impl std::fmt::Debug for TestApp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TestApp({})", self.state.app.name)
    }
}

/// The options of a [`TestApp`].
#[derive(Debug)]
pub struct TestAppBuilder {
    app: App,
    server: Option<String>,
    demo: DemoData,
    now: DateTime<Utc>,
}

impl TestAppBuilder {
    /// Creates a database on this server of PostgreSQL, for example `postgres://postgres@127.0.0.1/postgres`, and deletes it at the end.
    #[must_use]
    pub fn postgres(self, address: impl Into<String>) -> TestAppBuilder {
        TestAppBuilder { server: Some(address.into()), ..self }
    }

    /// Starts with an empty database.
    #[must_use]
    pub fn without_demo_data(self) -> TestAppBuilder {
        TestAppBuilder { demo: DemoData::None, ..self }
    }

    /// Gives the accounts of the demo data their passwords, for tests of the sign-in itself. The computation of each hash takes tens of
    /// milliseconds.
    #[must_use]
    pub fn with_passwords(self) -> TestAppBuilder {
        TestAppBuilder { demo: DemoData::Rows, ..self }
    }

    /// Stops the clock at this time.
    ///
    /// # Panics
    /// If the text is not a timestamp such as `2026-03-01T08:00:00Z`.
    #[must_use]
    #[track_caller]
    pub fn at(self, time: &str) -> TestAppBuilder {
        TestAppBuilder { now: parse_time(time), ..self }
    }

    /// Starts the application.
    ///
    /// # Panics
    /// If it cannot start.
    #[track_caller]
    pub fn start(self) -> TestApp {
        self.try_start().unwrap_or_else(|error| panic!("the application does not start: {}", describe(&error)))
    }

    fn try_start(self) -> Result<TestApp> {
        let TestAppBuilder { app, server, demo, now } = self;
        let (engine, database) = match server {
            Some(server) => (Engine::Postgres, TestDatabase::on_server(&server)?),
            None => TestDatabase::usual()?,
        };
        let files = files_folder();
        let (mails, events) = (CaughtMails::default(), CaughtEvents::default());
        let (caught, heard) = (mails.clone(), events.clone());
        let figment = app.figment.clone().unwrap_or_else(crate::app::figment).select(rocket::Config::DEBUG_PROFILE);
        let figment =
            figment.merge(("log_level", "off")).merge(("cli_colors", false)).merge(("dz.worker", false)).merge(("dz.files", &files));
        let mut app = app.engine(engine).database_url(database.url()).figment(figment).clock(Clock::stopped(now));
        let mailer: Mailer = Arc::new(move |mail: &Mail| {
            lock(&caught).push(mail.clone());
            Ok(())
        });
        (app.mailer, app.demo) = (Some(mailer), demo);
        app.hooks.on_any(app.def, move |entity, occurrence| lock(&heard).push((entity, occurrence.clone())));
        let (rocket, state) = app.rocket_with_state()?;
        // Those of the demo data.
        state.db.write(&mut |conn| conn.execute(Statement::new().push("DELETE FROM dz_outbox")))?;
        let client = Client::untracked(rocket).map_err(Error::internal)?;
        Ok(TestApp { client, state, mails, events, files, _database: database })
    }
}

impl TestApp {
    /// Starts the application over a database in memory with the demo data of the declaration.
    ///
    /// # Panics
    /// If it cannot start.
    #[track_caller]
    pub fn new(app: App) -> TestApp {
        TestApp::builder(app).start()
    }

    /// Options before the start.
    pub fn builder(app: App) -> TestAppBuilder {
        TestAppBuilder { app, server: None, demo: DemoData::RowsWithoutPasswords, now: Utc::now() }
    }

    /// A caller without an account.
    pub fn anonymous(&self) -> TestUser<'_> {
        TestUser::new(self, None)
    }

    /// Starts a session for the account with this address. The test needs no password; a second factor that a role requires is
    /// registered.
    ///
    /// # Panics
    /// If no account has the address.
    #[track_caller]
    pub fn sign_in(&self, email: &str) -> TestUser<'_> {
        let account = self.write(|conn| accounts::find(conn, self.state.app, email));
        let Some(account) = account else { panic!("no account has the address `{email}`") };
        self.start_session(&account, None)
    }

    /// Creates an account with this role, and starts a session for it.
    #[track_caller]
    pub fn as_role(&self, role: impl DeclaredRole) -> TestUser<'_> {
        let account = self.create_account();
        self.write(|conn| accounts::grant_mask(conn, self.state.app, &account, role.mask()));
        self.start_session(&account, None)
    }

    /// Creates an account with a membership in a tenant as this role, and starts a session in the tenant.
    #[track_caller]
    pub fn as_role_in(&self, role: impl DeclaredRole, tenant: impl IntoValue) -> TestUser<'_> {
        let (account, tenant) = (self.create_account(), tenant.into_value());
        self.write_as_system(Some(&tenant), |tx| {
            let further = tx.app.members().map(|members| fake::values(tx.app, members.entity)).unwrap_or_default();
            accounts::add_persona(tx, &account, Some(role.name()), further)
        });
        self.start_session(&account, Some(&tenant))
    }

    /// Creates an account without roles, and starts a session for it.
    #[track_caller]
    pub fn as_user(&self) -> TestUser<'_> {
        let account = self.create_account();
        self.start_session(&account, None)
    }

    #[track_caller]
    fn create_account(&self) -> Value {
        self.write_as_system(None, |tx| fake::create(tx, tx.app.account(), fake::values(tx.app, tx.app.account())))
    }

    #[track_caller]
    fn start_session(&self, account: &Value, tenant: Option<&Value>) -> TestUser<'_> {
        let (app, now) = (self.state.app, self.state.now());
        let token = self.write(|conn| {
            let token = accounts::start(conn, app, account, None, "dz test", now)?;
            if let Some(tenant) = tenant {
                accounts::switch_tenant(conn, app, &token, tenant)?;
            }
            let caller = accounts::find_session(conn, app, &token, now)?.map(|session| session.caller);
            if caller.is_some_and(|caller| caller.roles & self.state.config.second_factor != 0) {
                accounts::mfa::register_device(conn, app, account, &token, now)?;
            }
            Ok(token)
        });
        TestUser::new(self, Some(token))
    }

    /// Creates a row as the system, with hooks and without access rules. References of a [`fake`](super::fake) row to rows that do not
    /// exist yet are created first.
    ///
    /// # Panics
    /// If the row is invalid.
    #[track_caller]
    pub fn create<N: NewRow + Clone>(&self, new: N) -> N::Row {
        self.create_row(None, new)
    }

    /// As [`create`](TestApp::create), in a tenant.
    #[track_caller]
    pub fn create_in<N: NewRow + Clone>(&self, tenant: impl IntoValue, new: N) -> N::Row {
        self.create_row(Some(tenant.into_value()), new)
    }

    #[track_caller]
    fn create_row<N: NewRow + Clone>(&self, tenant: Option<Value>, new: N) -> N::Row {
        self.write_as_system(tenant.as_ref(), |tx| {
            let key = fake::create(tx, <N::Row as Entity>::DEF, new.clone().into_values())?;
            typed_rows::find(tx, key)
        })
    }

    /// Runs `work` in a transaction of a caller, under the access rules.
    ///
    /// # Errors
    /// Those of `work`.
    pub fn tx_as<T>(&self, user: &TestUser<'_>, work: impl FnMut(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        user.tx(work)
    }

    /// Runs `work` in a transaction of the system, without access rules.
    ///
    /// # Errors
    /// Those of `work`.
    pub fn tx_as_system<T>(&self, mut work: impl FnMut(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        self.state.db.write(&mut |conn| work(&mut self.state.system_tx(conn, "", None)))
    }

    #[track_caller]
    fn write_as_system<T>(&self, tenant: Option<&Value>, mut work: impl FnMut(&mut Tx<'_>) -> Result<T>) -> T {
        self.write(|conn| work(&mut self.state.system_tx(conn, "", tenant)))
    }

    #[track_caller]
    fn write<T>(&self, mut work: impl FnMut(&mut Conn) -> Result<T>) -> T {
        self.state.db.write(&mut work).unwrap_or_else(|error| panic!("{}", describe(&error)))
    }

    /// Reports statements that read whole tables, as [`App::plan`].
    ///
    /// # Panics
    /// If the database fails.
    #[track_caller]
    pub fn plan(&self) -> Plan {
        crate::plan::plan(&self.state).unwrap_or_else(|error| panic!("{}", describe(&error)))
    }

    /// The clock of the application.
    pub fn clock(&self) -> &Clock {
        &self.state.clock
    }

    /// Advances the clock, and does the work that is due then.
    ///
    /// # Panics
    /// If the work fails.
    #[track_caller]
    pub fn advance(&self, by: TimeDelta) {
        self.state.clock.advance(by);
        self.run_due();
    }

    /// Sets the clock, and does the work that is due then.
    ///
    /// # Panics
    /// If the text is not a timestamp such as `2026-03-01T08:00:00Z`, or the work fails.
    #[track_caller]
    pub fn set_time(&self, time: &str) {
        self.state.clock.set(parse_time(time));
        self.run_due();
    }

    /// Does the background work that is due: timed transitions, deliveries of events, clean-up.
    ///
    /// # Panics
    /// If the database fails. A subscriber that fails is retried at a later time, as in a running application.
    #[track_caller]
    pub fn run_due(&self) {
        worker::run_due(&self.state).map(drop).unwrap_or_else(|error| panic!("{}", describe(&error)));
    }

    /// The mails that the application has sent, the earliest first.
    ///
    /// # Panics
    /// If mails are still being sent after ten seconds.
    #[track_caller]
    pub fn mails(&self) -> Vec<Mail> {
        let start = Instant::now();
        while !self.state.mail_queue.is_idle() {
            assert!(start.elapsed() < MAIL_TIMEOUT, "mails are still being sent after {} seconds", MAIL_TIMEOUT.as_secs());
            thread::sleep(Duration::from_millis(1));
        }
        lock(&self.mails).clone()
    }

    /// Delivers the pending events, and returns those of an entity, the earliest first.
    ///
    /// # Panics
    /// If the database fails.
    #[track_caller]
    pub fn events<E: Entity>(&self) -> Vec<Happened<E>> {
        self.run_due();
        let caught = lock(&self.events);
        let own = caught.iter().filter(|(entity, _)| *entity == E::DEF.ix);
        own.map(|(_, occurrence)| to_typed(occurrence)).collect::<Result<_>>().unwrap_or_else(|error| panic!("{}", describe(&error)))
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        // Most tests store no files, so the folder does not exist.
        let _ = std::fs::remove_dir_all(&self.files);
    }
}

/// A folder for the files of one application, which exists once a file is stored.
fn files_folder() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("dz-test-files-{}-{number}", std::process::id()))
}

#[track_caller]
fn parse_time(time: &str) -> DateTime<Utc> {
    time.parse().unwrap_or_else(|_| panic!("`{time}` is not a timestamp: write for example `2026-03-01T08:00:00Z`"))
}

/// The error with everything that helps the author of a test.
pub(super) fn describe(error: &Error) -> String {
    let fields = error.field_errors.iter().map(|(field, messages)| format!("; {field}: {}", messages.join(", ")));
    let internal = error.internal.iter().map(|text| format!(" ({text})"));
    format!("{error}{}", fields.chain(internal).collect::<String>())
}

fn lock<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
