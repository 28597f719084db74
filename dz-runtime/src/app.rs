//! The application: what `app()` returns, extended, configured and started.

mod background;
mod command;
mod migrate;
mod rocket;
mod serve;

pub(crate) use rocket::figment;
pub use rocket::log_to_stderr;

use std::process::ExitCode;
use std::sync::Arc;

use ::rocket::{Build, Rocket, Route, fairing::Fairing};
use figment::Figment;

use crate::{
    Clock, Engine, Entity, Event, Happened, Result, SystemCx, Tx,
    def::AppDef,
    hooks::Hooks,
    mail::{Mail, Mailer},
    web::routes::collision::INSTEAD,
};

type Step = Box<dyn FnOnce(Rocket<Build>) -> Rocket<Build> + Send>;

/// An application, from its declaration and from the Rust beside it.
///
/// Every method takes it and gives it back, so that extensions are one chain before [`main`](App::main) or
/// [`rocket`](App::rocket).
pub struct App {
    pub(crate) def: &'static AppDef,
    pub(crate) engine: Engine,
    pub(crate) url: Option<String>,
    pub(crate) figment: Option<Figment>,
    pub(crate) hooks: Hooks,
    pub(crate) clock: Clock,
    pub(crate) mailer: Option<Mailer>,
    pub(crate) quiet: bool,
    steps: Vec<Step>,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "App({})", self.def.name)
    }
}

impl App {
    /// From a description; called by generated code.
    pub fn new(def: &'static AppDef) -> App {
        App {
            def,
            engine: def.engine,
            url: None,
            figment: None,
            hooks: Hooks::default(),
            mailer: None,
            quiet: false,
            clock: Clock::default(),
            steps: Vec::new(),
        }
    }

    /// Uses another engine than the one chosen at compile time; it must be compiled in.
    pub fn engine(mut self, engine: Engine) -> App {
        self.engine = engine;
        self
    }

    /// Uses this database, whatever the configuration says.
    pub fn database_url(mut self, url: impl Into<String>) -> App {
        self.url = Some(url.into());
        self
    }

    /// Uses this configuration in place of `Rocket.toml` and `ROCKET_*`.
    pub fn figment(mut self, figment: Figment) -> App {
        self.figment = Some(figment);
        self
    }

    /// Goes by this clock in place of the machine's, so that tests move time.
    pub fn clock(mut self, clock: Clock) -> App {
        self.clock = clock;
        self
    }

    /// Sends the mails about accounts: links to confirm an address and to set a new password. Without it development
    /// writes them to the log, and nothing else sends them.
    pub fn mailer(mut self, send: impl Fn(&Mail) -> Result<()> + Send + Sync + 'static) -> App {
        self.mailer = Some(Arc::new(send));
        self
    }

    /// Before a row is made: may change what is made, or refuse with field errors.
    pub fn before_create<E: Entity>(mut self, hook: impl Fn(&mut Tx<'_>, &mut E::New) -> Result<()> + Send + Sync + 'static) -> App {
        self.hooks.before_create::<E>(hook);
        self
    }

    /// After a row is made, in the same transaction.
    pub fn after_create<E: Entity>(mut self, hook: impl Fn(&mut Tx<'_>, &E) -> Result<()> + Send + Sync + 'static) -> App {
        self.hooks.after_create::<E>(hook);
        self
    }

    /// Before a row is changed: sees it as it is, may change the changes, or refuse.
    pub fn before_update<E: Entity>(
        mut self,
        hook: impl Fn(&mut Tx<'_>, &E, &mut E::Changes) -> Result<()> + Send + Sync + 'static,
    ) -> App {
        self.hooks.before_update::<E>(hook);
        self
    }

    /// After a row is changed: sees it as it was and as it is, in the same transaction.
    pub fn after_update<E: Entity>(mut self, hook: impl Fn(&mut Tx<'_>, &E, &E) -> Result<()> + Send + Sync + 'static) -> App {
        self.hooks.after_update::<E>(hook);
        self
    }

    /// Before a row is removed: may refuse.
    pub fn before_delete<E: Entity>(mut self, hook: impl Fn(&mut Tx<'_>, &E) -> Result<()> + Send + Sync + 'static) -> App {
        self.hooks.before_delete::<E>(hook);
        self
    }

    /// After a row is removed, in the same transaction.
    pub fn after_delete<E: Entity>(mut self, hook: impl Fn(&mut Tx<'_>, &E) -> Result<()> + Send + Sync + 'static) -> App {
        self.hooks.after_delete::<E>(hook);
        self
    }

    /// Is told of an event once the write is there: it waits in the database, written in the same transaction, and is
    /// delivered at least once, also after a crash, and in the order of the writes for each row. A subscriber that fails is
    /// told again, later each time, and others do not wait for it; after sixteen attempts, which take some seven hours, the
    /// event is a dead letter: `events list` shows it and `events retry` delivers it again. Without a subscriber an event
    /// is not written at all.
    ///
    /// One function that hears several events of an entity hears them in their order, too. The subscriber runs as the system and holds no connection, so that it may take its time. What it does twice
    /// can be told by [`Happened::id`]. It is known by the name of its function: an event that waits for a function
    /// which the application does not have any more becomes a dead letter.
    pub fn on<E: Entity>(mut self, event: Event, f: impl Fn(&SystemCx, &Happened<E>) -> Result<()> + Send + Sync + 'static) -> App {
        self.hooks.on::<E>(event, f);
        self
    }

    /// What an action of your own does: a name that `permit:` gives, taken by `POST /api/{table}/{id}/actions/{name}`. It
    /// gets the row, which the caller may read and act on, and what was sent; it runs in the transaction of the request.
    /// What it gives is the answer, `null` the row as it is then. View pages have a button for it, while the caller may take it.
    ///
    /// ```text
    /// permit:
    ///   approve: role(manager)
    /// ```
    /// ```ignore
    /// app().action::<task::Task>("approve", |tx, task, _| {
    ///     task.update(tx, task::TaskChanges { approved: Some(true), ..Default::default() })?;
    ///     Ok(Json::Null)
    /// })
    /// ```
    pub fn action<E: Entity>(
        mut self,
        name: &str,
        act: impl Fn(&mut Tx<'_>, E, serde_json::Value) -> Result<serde_json::Value> + Send + Sync + 'static,
    ) -> App {
        self.hooks.action::<E>(name, act);
        self
    }

    /// Mounts Rocket routes of the application. A more exact path than one of dz's comes before it (`/api/tasks/report` before
    /// `/api/tasks/<id>`); the same address as one of dz's is refused at start.
    pub fn mount(mut self, path: impl Into<String>, routes: impl Into<Vec<Route>>) -> App {
        let (path, routes) = (path.into(), routes.into());
        self.steps.push(Box::new(move |rocket| rocket.mount(path, routes)));
        self
    }

    /// Mounts routes that answer in place of dz's at the same addresses, for example a sign-in page of the application's own. dz does
    /// nothing for such a request: its guards ([`Cx`](crate::Cx), [`Role`](crate::Role)) are the route's to use.
    pub fn mount_instead(self, path: impl Into<String>, routes: impl Into<Vec<Route>>) -> App {
        let mut routes = routes.into();
        routes.iter_mut().for_each(|route| route.rank -= INSTEAD);
        self.mount(path, routes)
    }

    /// Adds a Rocket fairing.
    pub fn attach(mut self, fairing: impl Fairing) -> App {
        self.steps.push(Box::new(move |rocket| rocket.attach(fairing)));
        self
    }

    /// How the database goes about what the application asks: which statements read whole tables. It is what the command
    /// `plan` prints, and `assert!(plan.is_fine(), "{plan}")` in a test of yours keeps it so.
    ///
    /// # Errors
    /// One sentence that names the culprit and the way out.
    pub fn plan(self) -> Result<crate::Plan> {
        let figment = self.figment.clone().unwrap_or_else(figment);
        crate::plan::plan(&serve::Prepared::open(self, &figment)?.state)
    }

    /// The Rocket to launch yourself, or to test: database open, schema made in an empty one.
    ///
    /// # Errors
    /// One sentence that names the culprit and the way out.
    pub fn rocket(self) -> Result<Rocket<Build>> {
        let figment = self.figment.clone().unwrap_or_else(figment);
        serve::Prepared::open(self, &figment)?.rocket(figment)
    }

    /// The Rocket with what its requests share.
    #[cfg(feature = "testing")]
    pub(crate) fn for_tests(mut self) -> Result<(Rocket<Build>, Arc<crate::state::State>)> {
        self.quiet = true;
        let figment = self.figment.clone().unwrap_or_else(figment);
        let prepared = serve::Prepared::open(self, &figment)?;
        let state = prepared.state.clone();
        Ok((prepared.rocket(figment)?, state))
    }

    /// Runs the application's command line: `serve` unless told otherwise. Every failure is one sentence on
    /// standard error and exit code 1; wrong use is exit code 2.
    pub fn main(self) -> ExitCode {
        self.command(std::env::args().skip(1))
    }

    /// As [`main`](App::main), with other words than those that the process was started with: for programs that have a
    /// command line of their own.
    pub fn command<W: Into<String>>(self, words: impl IntoIterator<Item = W>) -> ExitCode {
        let figment = self.figment.clone().unwrap_or_else(figment);
        rocket::install(&figment);
        command::run(self, words.into_iter().map(Into::into).collect())
    }

    fn steps(&mut self) -> Vec<Step> {
        std::mem::take(&mut self.steps)
    }

    pub(crate) fn into_hooks(self) -> Arc<Hooks> {
        Arc::new(self.hooks)
    }
}
