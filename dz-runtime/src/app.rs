//! The application that `app()` returns: its builder methods, its configuration and its start.

mod allocator;
mod background;
mod backup;
mod command;
#[cfg(debug_assertions)]
mod development;
mod extend;
mod file_relocation;
#[cfg(feature = "graph-algorithms")]
mod graphs;
mod instances;
mod metrics;
mod migrate;
mod personal_data;
mod relocation;
mod rocket;
mod serve;
mod statistics;

pub(crate) use rocket::figment;
pub use rocket::log_to_stderr;

use std::process::ExitCode;
use std::sync::Arc;

use ::rocket::{Build, Rocket, Route, fairing::Fairing};
use figment::Figment;

use crate::{
    Clock, Engine, LlmProvider, Result, SystemCx,
    def::AppDef,
    hooks::Hooks,
    mail::{Mail, Mailer},
    seed::DemoData,
    web::routes::collision::RANK_OFFSET,
};

type RocketStep = Box<dyn FnOnce(Rocket<Build>) -> Rocket<Build> + Send>;

/// An application: its declaration and its own Rust code.
///
/// Every method returns the application, so that one chain of calls ends with [`main`](App::main) or [`rocket`](App::rocket).
pub struct App {
    pub(crate) def: &'static AppDef,
    pub(crate) engine: Engine,
    pub(crate) url: Option<String>,
    pub(crate) figment: Option<Figment>,
    pub(crate) hooks: Hooks,
    pub(crate) clock: Clock,
    pub(crate) mailer: Option<Mailer>,
    pub(crate) llm_provider: Option<Arc<dyn LlmProvider>>,
    pub(crate) quiet: bool,
    pub(crate) demo: DemoData,
    steps: Vec<RocketStep>,
    commands: Vec<command::OwnCommand>,
    data_migrations: Vec<crate::db::migrate::DataMigration>,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "App({})", self.def.name)
    }
}

impl App {
    /// Creates an application from its description; generated code calls this.
    pub fn new(def: &'static AppDef) -> App {
        App {
            def,
            engine: def.engine,
            url: None,
            figment: None,
            hooks: Hooks::default(),
            mailer: None,
            llm_provider: None,
            quiet: false,
            demo: DemoData::default(),
            clock: Clock::default(),
            steps: Vec::new(),
            commands: Vec::new(),
            data_migrations: Vec::new(),
        }
    }

    /// Uses another engine than the one chosen at compile time; it must be compiled in.
    pub fn engine(mut self, engine: Engine) -> App {
        self.engine = engine;
        self
    }

    /// Uses this database instead of the configured one.
    pub fn database_url(mut self, url: impl Into<String>) -> App {
        self.url = Some(url.into());
        self
    }

    /// Uses this configuration in place of `Rocket.toml` and `ROCKET_*`.
    pub fn figment(mut self, figment: Figment) -> App {
        self.figment = Some(figment);
        self
    }

    /// Uses this clock in place of the machine's, so that tests can set the time.
    pub fn clock(mut self, clock: Clock) -> App {
        self.clock = clock;
        self
    }

    /// Sends the mails about accounts. Without a mailer, development writes them to the log, and a release sends none.
    pub fn mailer(mut self, send: impl Fn(&Mail) -> Result<()> + Send + Sync + 'static) -> App {
        self.mailer = Some(Arc::new(send));
        self
    }

    /// Uses this provider for every language model in place of the declared ones, for example in tests. Without a provider of its own the
    /// application starts only if the environment has the API keys.
    pub fn llm_provider(mut self, provider: impl LlmProvider) -> App {
        self.llm_provider = Some(Arc::new(provider));
        self
    }

    /// Mounts Rocket routes of the application. A more specific path takes precedence over a route of dz (`/api/tasks/report` over
    /// `/api/tasks/<id>`). The application does not start if a route has the same address as a route of dz.
    pub fn mount(mut self, path: impl Into<String>, routes: impl Into<Vec<Route>>) -> App {
        let (path, routes) = (path.into(), routes.into());
        self.steps.push(Box::new(move |rocket| rocket.mount(path, routes)));
        self
    }

    /// Mounts routes that replace the routes of dz at the same addresses, for example a sign-in page of the application's own. dz does
    /// not process such a request; the route can use the guards ([`Cx`](crate::Cx), [`Role`](crate::Role)).
    pub fn mount_instead(self, path: impl Into<String>, routes: impl Into<Vec<Route>>) -> App {
        let mut routes = routes.into();
        routes.iter_mut().for_each(|route| route.rank -= RANK_OFFSET);
        self.mount(path, routes)
    }

    /// Adds a Rocket fairing.
    pub fn attach(mut self, fairing: impl Fairing) -> App {
        self.steps.push(Box::new(move |rocket| rocket.attach(fairing)));
        self
    }

    /// Reports statements that read whole tables, as the command `plan` does. `assert!(plan.is_fine(), "{plan}")` in a test of the
    /// application fails for such a statement.
    ///
    /// # Errors
    /// One sentence that names the cause and the correction.
    pub fn plan(self) -> Result<crate::Plan> {
        let figment = self.figment.clone().unwrap_or_else(figment);
        crate::plan::plan(&serve::PreparedApp::open(self, &figment)?.state)
    }

    /// The Rocket instance, for your own launch or for tests. The database is open; the tables of an empty database are created.
    ///
    /// # Errors
    /// One sentence that names the cause and the correction.
    pub fn rocket(self) -> Result<Rocket<Build>> {
        let figment = self.figment.clone().unwrap_or_else(figment);
        serve::PreparedApp::open(self, &figment)?.rocket(figment)
    }

    /// Opens the database without serving, for programs and tests that work as the system. The worker does not run.
    ///
    /// # Errors
    /// One sentence that names the cause and the correction.
    pub fn system_cx(self) -> Result<SystemCx> {
        let figment = self.figment.clone().unwrap_or_else(figment);
        Ok(serve::PreparedApp::open(self, &figment)?.state.system_cx())
    }

    /// The Rocket instance, and the state that its requests share.
    #[cfg(feature = "testing")]
    pub(crate) fn rocket_with_state(mut self) -> Result<(Rocket<Build>, Arc<crate::state::State>)> {
        self.quiet = true;
        let figment = self.figment.clone().unwrap_or_else(figment);
        let prepared = serve::PreparedApp::open(self, &figment)?;
        let state = prepared.state.clone();
        Ok((prepared.rocket(figment)?, state))
    }

    /// Runs the application's command line; without a command it runs `serve`. A failure is one sentence on
    /// standard error and exit code 1; wrong use is exit code 2.
    pub fn main(self) -> ExitCode {
        self.run(std::env::args().skip(1))
    }

    /// As [`main`](App::main), with the given words instead of the arguments of the process: for programs with a command line of
    /// their own.
    pub fn run<W: Into<String>>(self, words: impl IntoIterator<Item = W>) -> ExitCode {
        let figment = self.figment.clone().unwrap_or_else(figment);
        rocket::install(&figment);
        command::run(self, words.into_iter().map(Into::into).collect())
    }

    fn take_steps(&mut self) -> Vec<RocketStep> {
        std::mem::take(&mut self.steps)
    }

    #[cfg_attr(not(feature = "graph-algorithms"), expect(unused_mut, reason = "only graphs are added"))]
    pub(crate) fn into_hooks(mut self) -> Arc<Hooks> {
        #[cfg(feature = "graph-algorithms")]
        crate::graph::algorithms::register(&mut self.hooks);
        Arc::new(self.hooks)
    }
}
