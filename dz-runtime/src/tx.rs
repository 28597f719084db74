//! One unit of work: a connection and a caller. Modules above add the calls that need them.

mod records;

use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::Arc,
};

use chrono::{DateTime, Utc};

use crate::{
    Caller, Engine, Error, Result,
    access::{self, Action, Grant},
    audit::{Decision, Record},
    db::{Conn, graph_version},
    def::{AppDef, EntityDef},
    hooks::Hooks,
    output::log_event,
};

/// One unit of work on one connection, for one caller. It is not a diesel connection: everything it
/// offers applies the access rules.
pub struct Tx<'c> {
    pub(crate) conn: &'c mut Conn,
    pub(crate) app: &'static AppDef,
    pub(crate) caller: Caller,
    pub(crate) hooks: Arc<Hooks>,
    /// Audit records on a connection that only reads; they are written before the response is sent.
    pub(crate) records: Option<Vec<Record>>,
    /// The audit records of lists, which are written at the end of the unit of work, so that a request has one record for each
    /// entity; `None` without such an end.
    pub(crate) lists: Option<Vec<Record>>,
    /// Refusals that did not end the unit of work, such as rows of a bulk write. They are reported and recorded like single
    /// refusals.
    pub(crate) refusals: Vec<Error>,
    /// Old addresses of accounts, which get a mail after the commit.
    pub(crate) old_addresses: Vec<String>,
    /// Distinguishes units of work, so that a query runs only in the one whose caller its rules are written for. Savepoints share it.
    pub(crate) unit: Arc<()>,
}

impl<'c> Tx<'c> {
    /// A unit of work for a caller.
    pub(crate) fn new(conn: &'c mut Conn, app: &'static AppDef, hooks: Arc<Hooks>, caller: Caller) -> Tx<'c> {
        conn.set_caller(&caller);
        Tx { conn, app, caller, hooks, records: None, lists: None, refusals: Vec::new(), old_addresses: Vec::new(), unit: Arc::default() }
    }

    /// A unit of work of the system, without access rules.
    pub(crate) fn system(conn: &'c mut Conn, app: &'static AppDef, hooks: Arc<Hooks>, now: DateTime<Utc>) -> Tx<'c> {
        Tx::new(conn, app, hooks, Caller::system(app, now))
    }
}

impl Tx<'_> {
    /// The caller.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The current time by the clock of the application, constant for the whole unit of work.
    pub fn now(&self) -> DateTime<Utc> {
        self.caller.now
    }

    /// The application.
    pub fn app(&self) -> &'static AppDef {
        self.app
    }

    /// The value of this type that [`App::manage`](crate::App::manage) has added.
    ///
    /// # Errors
    /// 500 if the application manages none.
    pub fn state<T: Send + Sync + 'static>(&self) -> Result<Arc<T>> {
        self.hooks.state()
    }

    /// The engine.
    pub fn engine(&self) -> Engine {
        self.conn.engine()
    }

    /// Adds a refusal that does not end the unit of work.
    pub(crate) fn note_refusal(&mut self, error: &Error) {
        if error.denied.is_some() {
            self.refusals.push(error.clone());
        }
    }

    /// Requests an action, as [`access::ask`].
    ///
    /// # Errors
    /// 401 or 403 if the caller can never do the action.
    pub fn ask<A: Action>(&self, entity: &'static EntityDef) -> Result<Grant<A>> {
        access::ask(self.app, self.engine(), &self.caller, entity)
    }

    /// The key of the caller's current tenant, if any.
    pub fn tenant(&self) -> Option<&crate::Value> {
        self.caller.tenant()
    }

    /// Runs `work` for another caller, and restores the caller afterwards. A query of one of them does not run for the other one.
    pub(crate) fn for_caller<T>(&mut self, caller: Caller, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        let own = std::mem::replace(&mut self.caller, caller);
        let unit = std::mem::take(&mut self.unit);
        self.conn.set_caller(&self.caller);
        // After a panic that is caught outside, the connection must not have the settings of the other caller.
        let done = catch_unwind(AssertUnwindSafe(|| work(self)));
        (self.caller, self.unit) = (own, unit);
        self.conn.set_caller(&self.caller);
        done.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Runs `work` in a savepoint: an error rolls back its writes, and this unit of work continues.
    ///
    /// # Errors
    /// Those of `work`.
    pub fn savepoint<T>(&mut self, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        let (app, hooks, unit) = (self.app, self.hooks.clone(), self.unit.clone());
        let (mut caller, mut work) = (Some(self.caller.clone()), Some(work));
        let (holds_records, collects_lists) = (self.records.is_some(), self.lists.is_some());
        let mut results = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let done = self.conn.savepoint(&mut |conn| {
            let once = || Error::internal("a savepoint ran twice");
            let (work, caller) = (work.take().ok_or_else(once)?, caller.take().ok_or_else(once)?);
            let mut tx = Tx {
                records: holds_records.then(Vec::new),
                lists: collects_lists.then(Vec::new),
                unit: unit.clone(),
                ..Tx::new(conn, app, hooks.clone(), caller)
            };
            let done = work(&mut tx)?;
            let (records, lists) = (tx.records.take().unwrap_or_default(), tx.lists.take().unwrap_or_default());
            results = (records, std::mem::take(&mut tx.refusals), std::mem::take(&mut tx.old_addresses), lists);
            Ok(done)
        })?;
        let (mut records, mut refusals, mut old_addresses, lists) = results;
        lists.into_iter().try_for_each(|list| self.add_list(list))?;
        self.records.iter_mut().for_each(|all| all.append(&mut records));
        self.refusals.append(&mut refusals);
        self.old_addresses.append(&mut old_addresses);
        Ok(done)
    }

    /// Gives `work` the raw connection. Bypasses rules, hooks and events. The log and the audit log record the reason.
    ///
    /// # Errors
    /// Those of `work`.
    pub fn as_system<T>(&mut self, reason: &str, work: impl FnOnce(&mut Conn) -> Result<T>) -> Result<T> {
        let account = self.caller.account.as_ref().map(|account| account.email.as_str());
        log_event!(info, target: "dz::as_system", reason, account, request_id = self.caller.request_id, "rules are left aside");
        let record = Record::new(&self.caller, "", "as_system", Decision::Allowed);
        self.add_record(Record { rule: reason.to_owned(), ..record })?;
        let system = Caller::system(self.app, self.caller.now);
        self.for_caller(system, |tx| {
            tx.conn.apply_session_settings()?;
            let done = work(tx.conn).map_err(|error| tx.conn.at_columns(error))?;
            // The work can have written edges. A connection that only reads keeps its audit records.
            if tx.records.is_none() {
                tx.conn.note_withdrawal(|| true);
                tx.app
                    .entities
                    .iter()
                    .filter(|edges| edges.edge.is_some())
                    .try_for_each(|edges| graph_version::change(tx.conn, edges, None, None, tx.caller.now))?;
            }
            Ok(done)
        })
    }
}
