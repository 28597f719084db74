//! The state of a running application: its description, database, hooks and configuration, and the jobs that run on them.

use std::{
    cell::Cell,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use chrono::{DateTime, TimeDelta, Utc};

pub(crate) mod instances;
mod refusals;
mod replica_reads;

use instances::Instance;

use crate::{
    Caller, Clock, Error, Result, TokenScope, Tx, Value, access, accounts,
    accounts::throttle::Throttle,
    audit::{self, Record, Refusals},
    blocking::{Threads, Work},
    config::Config,
    db::{Conn, Database, shared_limits::SharedLimits},
    def::{AppDef, EntityIx},
    error::Unresolved,
    event::SystemCx,
    files::Storage,
    hooks::Hooks,
    job::leases::HeldLeases,
    languages::Languages,
    mail::{Mail, MailKind, MailQueue, report_unsent},
    rows, texts,
    trace::Tracer,
};

/// The state that requests and background work share.
pub(crate) struct State {
    pub app: &'static AppDef,
    /// The languages of pages.
    pub languages: Languages,
    pub db: Database,
    pub hooks: Arc<Hooks>,
    pub config: Config,
    pub clock: Clock,
    pub throttle: Throttle,
    /// Limits that instances share, if the engine has them.
    pub shared_limits: Option<Arc<SharedLimits>>,
    /// Slots for work that takes a blocking thread.
    pub threads: Threads,
    /// The latest clean-up of expired rows.
    pub cleaned: LastRun,
    /// The latest search for jobs whose lease has expired.
    pub leases_checked: LastRun,
    /// The leases of the jobs that this instance runs.
    pub leases: HeldLeases,
    /// The running loops of the worker.
    pub loops: Loops,
    pub mail_queue: Arc<MailQueue>,
    /// The storage of files.
    pub storage: Storage,
    /// The latest sweep of the folder of files.
    pub files_swept: LastRun,
    pub refusals: Refusals,
    /// Begins the traces of requests and background work.
    pub tracer: Tracer,
    /// This process.
    pub instance: Instance,
    /// Refusals are not logged, because the property test causes thousands of them.
    pub quiet: bool,
}

/// The access of a unit of work to the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Job {
    /// On a connection for reading, to the primary.
    Read,
    /// As `Read`, on a replica if one has everything that the caller must see.
    ReadAnywhere,
    /// In one write transaction.
    Write,
}

impl From<Job> for Work {
    fn from(job: Job) -> Work {
        match job {
            Job::Read | Job::ReadAnywhere => Work::Read,
            Job::Write => Work::Write,
        }
    }
}

/// The sender of a request: the token of a session or an API token, from which the unit of work loads the caller on its own connection.
pub(crate) struct Requester<'c> {
    pub session: Option<&'c str>,
    pub bearer: Option<&'c str>,
    pub request_id: &'c str,
    /// True for addresses that are open to a user who must set up a second factor first.
    pub without_factor: bool,
    /// The key of the account, recorded for the log when it is known.
    pub account: &'c OnceLock<String>,
    /// True once the lifetime of the session was extended.
    pub renewed: Cell<bool>,
}

/// The number of running loops of the worker, for the readiness check.
#[derive(Default)]
pub(crate) struct Loops(AtomicUsize);

impl Loops {
    /// The number of running loops.
    pub fn running(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Counts a loop until the result is dropped.
    pub fn enter(&self) -> RunningLoop<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        RunningLoop(self)
    }
}

/// A running loop.
pub(crate) struct RunningLoop<'l>(&'l Loops);

impl Drop for RunningLoop<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The time of the latest periodic clean-up.
#[derive(Default)]
pub(crate) struct LastRun(Mutex<Option<DateTime<Utc>>>);

impl LastRun {
    /// True if the latest run is at least `every` ago.
    pub fn is_due(&self, now: DateTime<Utc>, every: TimeDelta) -> bool {
        let last = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.is_none_or(|last| last + every <= now)
    }

    /// Records a run.
    pub fn note(&self, now: DateTime<Utc>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
    }
}

impl State {
    /// The current time.
    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Loads the caller; the flag is true if the use of the session or token must be recorded.
    fn load_caller(&self, conn: &mut Conn, requester: &Requester<'_>) -> Result<(Caller, bool)> {
        let anonymous = Caller::anonymous(self.app, self.now(), requester.request_id);
        let found = match (requester.bearer, requester.session) {
            // A request with a token never falls back to an anonymous caller.
            (Some(token), _) => {
                let unknown = || Error::new(401, "AUTHENTICATION_REQUIRED", "This API token is unknown, has expired or was revoked");
                Some(accounts::find_token_holder(conn, self.app, token, anonymous.now)?.ok_or_else(unknown)?)
            }
            (None, Some(token)) => accounts::find_session(conn, self.app, token, anonymous.now)?,
            (None, None) => None,
        };
        let Some(session) = found else { return Ok((anonymous, false)) };
        let caller = Caller { request_id: requester.request_id.to_owned(), ..session.caller };
        if let Some(account) = &caller.account {
            requester.account.get_or_init(|| account.id.to_key_text().unwrap_or_default());
        }
        if requester.bearer.is_none() && !requester.without_factor && caller.roles & self.config.second_factor != 0 {
            let account = caller.account.as_ref().map(|account| account.id.clone()).unwrap_or_default();
            if !accounts::mfa::has_device(conn, self.app, &account)? {
                return Err(accounts::mfa::setup_required());
            }
        }
        Ok((caller, session.due))
    }

    /// Runs `work` for the caller with this session or token, on one connection.
    pub fn run_job<T>(&self, job: Job, requester: &Requester<'_>, work: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        let (mut due, mut left) = (false, PendingRecords::default());
        let served = match job {
            Job::ReadAnywhere => self.read_replica(requester, &mut due, &mut left, work)?,
            Job::Read | Job::Write => None,
        };
        let result = match served {
            Some(done) => Ok(done),
            None => self.with_singletons(job, &mut left, &mut |conn, left| {
                let (caller, is_due) = self.load_caller(conn, requester)?;
                due = is_due;
                check_scope(job, &caller)?;
                self.run_unit(job, conn, caller, left, work)
            }),
        };
        if job == Job::Write && result.is_ok() {
            self.note_position(requester.bearer.or(requester.session));
        }
        let result = self.write_pending_records(result, left);
        if due {
            // If this fails, the session loses at most an hour of its lifetime; the response is not affected.
            let noted = self.db.write(&mut |conn| match (requester.bearer, requester.session) {
                (Some(token), _) => accounts::mark_seen(conn, token, self.now()),
                (None, Some(token)) => accounts::renew(conn, token, self.now()),
                (None, None) => Ok(()),
            });
            requester.renewed.set(noted.is_ok() && requester.bearer.is_none());
        }
        result
    }

    /// Runs `work` for a caller who is already loaded, with the session or the token of the request.
    pub fn run_job_as<T>(
        &self,
        job: Job,
        caller: &Caller,
        token: Option<&str>,
        work: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>,
    ) -> Result<T> {
        check_scope(job, caller)?;
        let mut left = PendingRecords::default();
        let result = self.with_singletons(job, &mut left, &mut |conn, left| self.run_unit(job, conn, caller.clone(), left, work));
        if job == Job::Write && result.is_ok() {
            self.note_position(token);
        }
        self.write_pending_records(result, left)
    }

    /// Runs one unit of work. Audit records of a read-only connection and refusals are collected in `left`, and written afterwards.
    fn run_unit<T>(
        &self,
        job: Job,
        conn: &mut Conn,
        caller: Caller,
        left: &mut PendingRecords,
        work: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut tx = Tx::new(conn, self.app, self.hooks.clone(), caller);
        tx.records = (job != Job::Write).then(Vec::new);
        tx.lists = Some(Vec::new());
        let done = work(&mut tx).and_then(|done| tx.write_lists().map(|()| done));
        let waiting = tx.records.take().unwrap_or_default();
        // A retry of the transaction starts without records of the attempt before.
        let (items, moved) = (std::mem::take(&mut tx.refusals), std::mem::take(&mut tx.old_addresses));
        let missing = done.as_ref().err().and_then(|error| match error.unresolved.as_deref() {
            Some(Unresolved::MissingSingleton(entity)) => Some(*entity),
            Some(Unresolved::Constraint(_)) | None => None,
        });
        let missing = missing.map(|entity| (entity, tx.caller.tenant().cloned(), tx.caller.request_id.clone()));
        *left = PendingRecords { records: waiting, items, moved, missing, caller: None };
        if !left.items.is_empty() || done.as_ref().is_err_and(|error| error.denied.is_some()) {
            left.caller = Some(tx.caller);
        }
        done
    }

    /// Runs `work`. If a singleton row is missing that a read-only connection cannot create, the system creates it, and `work` runs
    /// again.
    fn with_singletons<T>(
        &self,
        job: Job,
        left: &mut PendingRecords,
        work: &mut dyn FnMut(&mut Conn, &mut PendingRecords) -> Result<T>,
    ) -> Result<T> {
        // The loop ends: an application has a limited number of singletons.
        for _ in 0..self.app.entities.len() {
            let result = self.run_on(job, &mut |conn| work(conn, left));
            let Some((entity, tenant, request_id)) = left.missing.take() else { return result };
            let entity = self.app.entity(entity);
            self.db.write(&mut |conn| {
                rows::singleton::find_or_create(&mut self.system_tx(conn, &request_id, tenant.as_ref()), entity).map(drop)
            })?;
        }
        self.run_on(job, &mut |conn| work(conn, left))
    }

    /// Writes the collected records before the response is sent, and the refusals after the transaction was rolled back.
    fn write_pending_records<T>(&self, result: Result<T>, left: PendingRecords) -> Result<T> {
        let PendingRecords { records: waiting, items, moved, caller, .. } = left;
        if result.is_ok() {
            moved.into_iter().for_each(|old| self.mail_address_change(old));
        }
        if result.is_ok() && !waiting.is_empty() {
            self.db.write(&mut |conn| waiting.iter().try_for_each(|record| audit::insert(conn, self.app, record)))?;
        }
        for item in items {
            caller.iter().for_each(|caller| drop(self.report_refusal(item.clone(), caller)));
        }
        match (result, caller) {
            (Err(error), Some(caller)) => Err(self.report_refusal(error, &caller)),
            (result, _) => result,
        }
    }

    /// The context of subscribers.
    pub fn system_cx(&self) -> SystemCx {
        SystemCx::new(self.app, self.db.clone(), self.hooks.clone(), self.clock.clone())
    }

    /// Notifies the old address of an account of the new one.
    fn mail_address_change(&self, old: String) {
        if !self.mail_queue.can_deliver(self.config.development) {
            return;
        }
        let mail = Mail::new(MailKind::AddressChanged, self.app.title, &self.config, old, String::new());
        if let Err(error) = self.mail_queue.send_later(mail.kind, self.config.development, move || Ok(Some(mail))) {
            report_unsent(&error);
        }
    }

    /// Writes a mail in the language that the owner of its address has chosen, or else in that of the thread; `detail` is the sentence
    /// before its text.
    pub fn write_mail(&self, kind: MailKind, to: String, token: String, detail: impl FnOnce() -> Option<String>) -> Mail {
        // A mail is sent also if its language cannot be read.
        let chosen = self.db.read(&mut |conn| accounts::preferences::find_by_address(conn, self.app, &to)).unwrap_or_default();
        let language = chosen.language.as_deref().and_then(|tag| self.languages.find(tag));
        let texts = language.map_or_else(texts::current, |language| language.texts);
        texts::with(texts, || Mail::new(kind, self.app.title, &self.config, to, token).introduced(detail()))
    }

    /// Runs `work` in the default language: for mails that no request causes.
    pub fn in_default_language<T>(&self, work: impl FnOnce() -> T) -> T {
        texts::with(self.languages.choose(None).and_then(|language| language.texts), work)
    }

    /// A unit of work of the system on the rows of one tenant, or of all tenants.
    pub fn system_tx<'c>(&self, conn: &'c mut Conn, request_id: &str, tenant: Option<&Value>) -> Tx<'c> {
        let caller = Caller { request_id: request_id.to_owned(), ..Caller::system(self.app, self.clock.now()) };
        Tx::new(conn, self.app, self.hooks.clone(), caller.for_tenant(tenant.cloned()))
    }

    fn run_on<T>(&self, job: Job, work: &mut dyn FnMut(&mut Conn) -> Result<T>) -> Result<T> {
        match job {
            Job::Read | Job::ReadAnywhere => self.db.read(work),
            Job::Write => self.db.write(work),
        }
    }
}

/// The records that are written after a unit of work has ended.
#[derive(Default)]
struct PendingRecords {
    /// Audit records that a read-only connection could not write.
    records: Vec<Record>,
    /// Refusals of single rows.
    items: Vec<Error>,
    /// Former addresses of accounts.
    moved: Vec<String>,
    /// The singleton that does not exist, its tenant, and the id of the request.
    missing: Option<(EntityIx, Option<Value>, String)>,
    /// The caller who was refused.
    caller: Option<Caller>,
}

/// Refuses a write by a token with read scope.
fn check_scope(job: Job, caller: &Caller) -> Result<()> {
    if job == Job::Write && caller.token == Some(TokenScope::Read) { Err(access::read_only_error()) } else { Ok(()) }
}
