//! Refusals: the log explains them, and the audit log records them if the declaration requires it.

use super::State;
use crate::{
    Caller, Error, Result, Tx, Value,
    access::{Action as _, Restore},
    accounts::throttle::Attempt,
    audit::{self, Decision, Record, SIGN_IN},
    db::Conn,
    error::Denied,
    output::{log_event, one_line},
    rows,
    rows::explain,
    tenancy,
};

impl State {
    /// Explains a refusal in the log, and in development in the response; writes the audit record. Repeated refusals of one caller are
    /// counted and not explained each time.
    pub(super) fn report_refusal(&self, mut error: Error, caller: &Caller) -> Error {
        let Some(mut denied) = error.denied.take().filter(|denied| denied.why.is_none()) else { return error };
        let who = caller.account.as_ref().and_then(|account| account.id.to_key_text()).unwrap_or_default();
        let Some(times) = self.refusals.note(&who, denied.action, denied.entity, self.clock.instant()) else { return error };
        let entity = self.app.entity(denied.entity);
        let (rule, why) = match &denied.rule {
            Some(rule) => (rule.clone(), error.detail.clone()),
            None => {
                let found = self.db.read(&mut |conn| self.explain_refusal(conn, caller, &denied));
                found.unwrap_or_else(|error| (String::new(), error.detail))
            }
        };
        let row = denied.row.as_ref().and_then(Value::to_key_text);
        let about = row.as_deref().map_or_else(String::new, |row| format!(" {}", one_line(row)));
        if !self.quiet {
            let (status, action, id) = (error.status, denied.action, &caller.request_id);
            log_event!(info, target: "dz::access", "{status} {action} {}{about} request_id={id} refused: {why}", entity.name);
        }
        if self.config.development && error.status == 403 {
            denied.why = Some(why);
        }
        if rows::is_audited(entity, denied.action, caller) {
            let record = Record::new(caller, entity.name, denied.action, Decision::Denied);
            let tenant = tenancy::record_tenant(caller, entity, None);
            let record = Record { row, tenant, rule, times, ..record };
            if let Err(lost) = self.db.write(&mut |conn| audit::insert(conn, self.app, &record)) {
                report_lost(&lost);
            }
        }
        error.denied = denied.why.is_some().then_some(denied);
        error
    }

    /// Records a failed sign-in with the account, if there is one, and the method. Attempts are counted as they are throttled, which does
    /// not reveal whether there is an account.
    pub(crate) fn record_failed_sign_in(&self, request_id: &str, attempt: &Attempt, account: Option<&Value>, way: &str) {
        self.db.metrics().count_failed_sign_in();
        let entity = self.app.account();
        let meant = account.and_then(Value::to_key_text);
        let Some(times) = self.refusals.note(&attempt.key(), SIGN_IN, entity.ix, self.clock.instant()) else { return };
        let caller = Caller { request_id: request_id.to_owned(), ..Caller::anonymous(self.app, self.now(), "") };
        let record = Record { row: meant, rule: way.to_owned(), times, ..Record::new(&caller, entity.name, SIGN_IN, Decision::Denied) };
        if let Err(lost) = self.db.write(&mut |conn| audit::insert(conn, self.app, &record)) {
            report_lost(&lost);
        }
    }

    /// The rule that decided, and why, for the stored row.
    fn explain_refusal(&self, conn: &mut Conn, caller: &Caller, denied: &Denied) -> Result<(String, String)> {
        let entity = self.app.entity(denied.entity);
        let mut tx = Tx::new(conn, self.app, self.hooks.clone(), caller.clone());
        let row = match &denied.row {
            Some(id) => rows::load_values(&mut tx, entity, id)?,
            None => None,
        };
        let verdict = explain::verdict(&mut tx, entity, denied.action, row.as_deref())?;
        let why = match (&denied.row, &row, verdict.allowed) {
            (Some(_), None, _) => "this row does not exist".to_owned(),
            (.., Some(true)) if denied.action == Restore::NAME => "the row is not deleted".to_owned(),
            (.., Some(true)) => format!("{}, but not for the row as it would be stored", verdict.why),
            _ => verdict.why,
        };
        Ok((verdict.rule, why))
    }
}

/// Logs that the audit log lacks a refusal.
fn report_lost(error: &Error) {
    let why = error.internal.as_deref().unwrap_or(&error.detail);
    log_event!(error, target: "dz::audit", "a refusal was not written to the audit log: {why}");
}
