//! The Rust code of the application: hooks, subscribers, actions, jobs, schedules, commands, and the values that they share.

use std::sync::Arc;

use chrono_tz::Tz;

use super::{App, command};
use crate::{
    DeclaredRole, Entity, Error, Event, Happened, Job, JobCx, Result, RunEvent, RunHappened, Service, ServiceCx, SystemCx, Tx,
    db::{Conn, migrate::DataMigration},
    def::AppDef,
    field,
    hooks::{ActionInput, OwnPage},
    job::schedule::Schedule,
    suggest::did_you_mean,
};

impl App {
    /// Adds a hook before a row is created. It can change the draft, or refuse the write with field errors.
    pub fn before_create<E: Entity>(mut self, hook: impl Fn(&mut Tx<'_>, &mut E::New) -> Result<()> + Send + Sync + 'static) -> App {
        self.hooks.before_create::<E>(hook);
        self
    }

    /// Adds a hook after a row is created, in the same transaction.
    pub fn after_create<E: Entity>(mut self, hook: impl Fn(&mut Tx<'_>, &E) -> Result<()> + Send + Sync + 'static) -> App {
        self.hooks.after_create::<E>(hook);
        self
    }

    /// Adds a hook before a row is updated. It gets the stored row, and can edit the changes or refuse the write.
    pub fn before_update<E: Entity>(
        mut self,
        hook: impl Fn(&mut Tx<'_>, &E, &mut E::Changes) -> Result<()> + Send + Sync + 'static,
    ) -> App {
        self.hooks.before_update::<E>(hook);
        self
    }

    /// Adds a hook after a row is updated, in the same transaction. It gets the old and the new row.
    pub fn after_update<E: Entity>(mut self, hook: impl Fn(&mut Tx<'_>, &E, &E) -> Result<()> + Send + Sync + 'static) -> App {
        self.hooks.after_update::<E>(hook);
        self
    }

    /// Adds a hook before a row is deleted. It can refuse the write.
    pub fn before_delete<E: Entity>(mut self, hook: impl Fn(&mut Tx<'_>, &E) -> Result<()> + Send + Sync + 'static) -> App {
        self.hooks.before_delete::<E>(hook);
        self
    }

    /// Adds a hook after a row is deleted, in the same transaction.
    pub fn after_delete<E: Entity>(mut self, hook: impl Fn(&mut Tx<'_>, &E) -> Result<()> + Send + Sync + 'static) -> App {
        self.hooks.after_delete::<E>(hook);
        self
    }

    /// Adds a subscriber of an event.
    ///
    /// The event is stored in the transaction of the write, and delivered after the commit: at least once, also after a crash, and in
    /// the order of the writes for each row. Without a subscriber no event is stored. Use [`Happened::id`] to
    /// detect a second delivery.
    ///
    /// If the subscriber returns an error, the delivery is retried with increasing delays, and other subscribers are not affected.
    /// After sixteen attempts in about seven hours the event is a dead letter: `events list` shows it and `events retry` delivers it
    /// again.
    ///
    /// The subscriber runs as the system and holds no connection. Give it a name with [`named`](App::named): pending events find their
    /// subscriber by its name, and those for an unknown name become dead letters. Without one, its name is that of the entity
    /// (`Task 1`), which no change of the code changes; the application does not start if two subscribers of one event have no name.
    /// Subscribers of an entity with one name, and all those without one, get the events of a row in their order.
    pub fn on<E: Entity>(mut self, event: Event, f: impl Fn(&SystemCx, &Happened<E>) -> Result<()> + Send + Sync + 'static) -> App {
        self.hooks.on::<E>(event, f);
        self
    }

    /// Adds a subscriber of an event of the runs of a process.
    ///
    /// The event is stored in the transaction that starts or ends the run, and is delivered as the events of rows ([`on`](App::on)): at
    /// least once, after the commit, and in order for each run. The subscriber works as the system on the rows of the run's tenant. The
    /// application does not start if it has no process of this name.
    ///
    /// ```ignore
    /// app().on_process("finishing", RunEvent::Failed, |cx, run| report(cx, run.run, run.error.as_ref())).named("report failures")
    /// ```
    pub fn on_process(
        mut self,
        process: &str,
        event: RunEvent,
        f: impl Fn(&SystemCx, &RunHappened) -> Result<()> + Send + Sync + 'static,
    ) -> App {
        self.hooks.on_run(process, event, f);
        self
    }

    /// Adds a custom action, which `permit:` names and `POST /api/{table}/{id}/actions/{name}` calls.
    ///
    /// The function gets the row, which the caller may read and act on, and the body of the request; it runs in the transaction of
    /// the request. `sensitive` fields of the row are null if the caller may not update it. The returned JSON is the response body;
    /// return `null` to respond with the current row. View pages show a button for the action to callers who may use it.
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

    /// Adds a custom action with typed input and output, as [`action`](App::action). A wrong input is 422 with the errors of its fields.
    /// The OpenAPI document of the application contains the input, and a view page shows it as a form.
    ///
    /// ```ignore
    /// dz::action_input! {
    ///     pub struct Approve {
    ///         comment: String = "Comment",
    ///         amount: Option<Decimal> = "Amount",
    ///     }
    /// }
    ///
    /// app().typed_action::<task::Task, Approve, ()>("approve", |tx, task, input| approve(tx, &task, &input.comment))
    /// ```
    pub fn typed_action<E: Entity, I: ActionInput, O: serde::Serialize>(
        mut self,
        name: &str,
        act: impl Fn(&mut Tx<'_>, E, I) -> Result<O> + Send + Sync + 'static,
    ) -> App {
        self.hooks.typed_action::<E, I, O>(name, act);
        self
    }

    /// As [`on`](App::on), for an asynchronous function, which runs on a thread of the worker.
    ///
    /// ```ignore
    /// app().on_async::<task::Task, _>(Event::Created, |cx, happened| async move {
    ///     cx.state::<Mailer>()?.send(&happened.row.title).await
    /// })
    /// ```
    pub fn on_async<E: Entity, F: Future<Output = Result<()>>>(
        mut self,
        event: Event,
        f: impl Fn(SystemCx, Happened<E>) -> F + Send + Sync + 'static,
    ) -> App {
        self.hooks.on_async::<E, F>(event, f);
        self
    }

    /// Names the hook or subscriber before it. Log lines contain the name of a hook; pending events find their subscriber by its name,
    /// so that functions can be renamed. Subscribers of one entity to different events can share a name.
    pub fn named(mut self, name: &str) -> App {
        self.hooks.name_last(name);
        self
    }

    /// A former name of the subscriber before it, whose pending events it gets.
    pub fn was(mut self, name: &str) -> App {
        self.hooks.add_former_name(name);
        self
    }

    /// Adds the implementation of a service; generated code calls this.
    #[doc(hidden)]
    pub fn implement<S: Service + ?Sized>(
        mut self,
        call: impl Fn(&ServiceCx, S::Input) -> Result<S::Output> + Send + Sync + 'static,
    ) -> App {
        self.hooks.services.add::<S>(call);
        self
    }

    /// Checks a guarantee of a service after each call. `number` is the position of the sentence under `guarantees:`, from 1. If the
    /// function returns false, the attempt has failed with the code `GUARANTEE` and the sentence.
    ///
    /// ```ignore
    /// app().service(Prices).guarantee::<dyn services::Quote>(1, |_, output| output.fee >= Decimal::ZERO)
    /// ```
    pub fn guarantee<S: Service + ?Sized>(
        mut self,
        number: usize,
        holds: impl Fn(&S::Input, &S::Output) -> bool + Send + Sync + 'static,
    ) -> App {
        self.hooks.services.add_guarantee::<S>(number, holds);
        self
    }

    /// Adds a value that hooks, subscribers, jobs and routes share, such as a mail client: `tx.state::<T>()`, `cx.state::<T>()`, and
    /// Rocket's guard `&State<Arc<T>>`.
    pub fn manage<T: Send + Sync + 'static>(mut self, value: T) -> App {
        let value = Arc::new(value);
        if self.hooks.manage(value.clone()) {
            self.steps.push(Box::new(move |rocket| rocket.manage(value)));
        }
        self
    }

    /// Adds the handler of a job, which [`Tx::spawn_job`] stores in its transaction.
    ///
    /// The worker runs a job at least once, on one instance at a time. A job that fails or panics is repeated after
    /// [`Job::retry_delay`]; after [`Job::MAX_ATTEMPTS`] it is a dead letter, as is a job whose payload cannot be read. `/app/-/jobs` and
    /// the command `jobs list` show all jobs.
    ///
    /// ```ignore
    /// #[derive(Serialize, Deserialize)]
    /// struct SendInvoice { order: Uuid }
    ///
    /// impl Job for SendInvoice {
    ///     const NAME: &'static str = "send invoice";
    /// }
    ///
    /// app().job(|cx, invoice: SendInvoice| cx.run(|tx| send(tx, invoice.order)))
    /// ```
    pub fn job<J: Job>(mut self, run: impl Fn(&JobCx, J) -> Result<()> + Send + Sync + 'static) -> App {
        self.hooks.jobs.add(run);
        self
    }

    /// Runs a job at the times of a cron expression (minute, hour, day of the month, month, weekday), in the time zone of the
    /// application.
    ///
    /// Of all instances, one runs it. Times that pass while no instance runs are one run at the next start; a new schedule starts with
    /// its first start. A time that daylight saving skips runs when the clock continues, and a time that it repeats runs once. While a run
    /// is queued, running or being repeated, the next one is left out.
    ///
    /// ```ignore
    /// app().every("0 6 * * Mon-Fri", "nightly report", |cx| cx.run(write_report))
    /// ```
    pub fn every(self, cron: &str, name: &str, run: impl Fn(&JobCx) -> Result<()> + Send + Sync + 'static) -> App {
        let zone = field::app_zone(self.def);
        self.add_schedule(cron, zone, name, run)
    }

    /// As [`every`](App::every), in another time zone, such as `Europe/Berlin`.
    pub fn every_in(mut self, zone: &str, cron: &str, name: &str, run: impl Fn(&JobCx) -> Result<()> + Send + Sync + 'static) -> App {
        match zone.parse::<Tz>() {
            Ok(zone) => self.add_schedule(cron, zone, name, run),
            Err(_) => {
                let near = did_you_mean(zone, chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name()).collect());
                self.hooks.add_problem(format!("the schedule `{name}`: `{zone}` is not a time zone{near}"));
                self
            }
        }
    }

    fn add_schedule(mut self, cron: &str, zone: Tz, name: &str, run: impl Fn(&JobCx) -> Result<()> + Send + Sync + 'static) -> App {
        match Schedule::new(cron, zone, name) {
            Ok(schedule) => self.hooks.jobs.add_schedule(schedule, run),
            Err(wrong) => self.hooks.add_problem(format!("the schedule `{name}`: {wrong}")),
        }
        self
    }

    /// Adds a subcommand to the command line of the application; `about` is its line in the help. The function gets the words after the
    /// name, and works as the system. An error is printed as one sentence, and the exit code is then 1.
    ///
    /// ```ignore
    /// app().command("import-legacy", "imports the rows of the old database", |cx, words| import(cx, words))
    /// ```
    pub fn command(mut self, name: &str, about: &str, run: impl Fn(&SystemCx, &[String]) -> Result<()> + Send + Sync + 'static) -> App {
        self.commands.push(command::OwnCommand { name: name.to_owned(), about: about.to_owned(), run: Box::new(run) });
        self
    }

    /// Adds a link to a page of the application to the navigation, for callers with one of the roles (`Role::ALL` for all). The route
    /// itself is mounted with [`mount`](App::mount). A guard of dz in the route (`Cx`, `Role`, `SignedIn`) refuses other callers at
    /// exactly this path; a route without such a guard is open to everybody.
    ///
    /// ```ignore
    /// app().page("Board", "/board", [Role::Manager]).mount("/", rocket::routes![board])
    /// ```
    pub fn page<R: DeclaredRole>(mut self, title: &'static str, path: &str, roles: impl AsRef<[R]>) -> App {
        let roles = roles.as_ref().iter().fold(0, |mask, role| mask | role.mask());
        if !path.starts_with('/') {
            self.hooks.add_problem(format!("the page `{title}`: the address `{path}` must begin with `/`"));
        }
        self.hooks.pages.push(OwnPage { title, path: path.to_owned(), roles });
        self
    }

    /// Adds the part of a migration that SQL cannot express. `name` is the folder of the migration (`dz migrate diff NAME` writes it);
    /// the function runs after its `up.sql`, in the same transaction, so that migrations keep their order and an error rolls both back.
    ///
    /// The function gets the connection without rules, hooks and events. The tables are those after this migration, and later
    /// migrations can change them, so write statements of diesel with only the columns that they need.
    ///
    /// ```ignore
    /// app().migration("2026-11-20-081500_split_names", |conn| split_names(conn))
    /// ```
    pub fn migration(mut self, name: &str, run: impl Fn(&mut Conn) -> Result<()> + Send + Sync + 'static) -> App {
        self.data_migrations.push(DataMigration { name: name.to_owned(), run: Box::new(run) });
        self
    }

    /// Refuses a data migration without a migration of its name.
    pub(super) fn check_data_migrations(&self) -> Result<()> {
        let known: Vec<&str> = self.def.schema.migrations_for(self.engine).iter().map(|migration| migration.name).collect();
        let wrong = self.data_migrations.iter().enumerate().find_map(|(at, it)| {
            if !known.contains(&it.name.as_str()) {
                let near = did_you_mean(&it.name, known.clone());
                return Some(format!("no folder of migrations is named `{}`, which `.migration(…)` names{near}", it.name));
            }
            let twice = self.data_migrations[..at].iter().any(|other| other.name == it.name);
            twice.then(|| format!("`.migration(\"{}\", …)` is registered twice", it.name))
        });
        wrong.map_or(Ok(()), |problem| Err(Error::new(500, "CONFIGURATION", problem)))
    }

    /// Refuses wrong registrations at the start.
    pub(super) fn check_extensions(&self) -> Result<()> {
        self.check_data_migrations()?;
        let action = |(entity, action): (&crate::def::EntityDef, &str)| {
            format!("the action `{action}` of {} has a handler and no rule: add `{action}:` under its `permit:`", entity.name)
        };
        let def: &'static AppDef = self.def;
        let problem = self.hooks.find_action_without_rule(def).map(action);
        match problem.or_else(|| self.hooks.find_problem(def)).or_else(|| command::find_problem(&self.commands)) {
            Some(problem) => Err(Error::new(500, "CONFIGURATION", problem)),
            None => Ok(()),
        }
    }
}
