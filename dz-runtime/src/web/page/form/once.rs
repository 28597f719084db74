//! A form for a new row that is submitted twice, for example by a double click, saves one row.
//!
//! The form contains a key of its own. The claim is a row of `dz_idempotency` in the transaction of the write, so a refused form can be
//! submitted again. A submission with the same key and other values creates another row, because the user returned to the form with the
//! back button.

use chrono::TimeDelta;
use uuid::Uuid;

use crate::{
    Result, Tx, Value,
    db::{BindKind, Statement},
    web::{
        Call,
        api::idempotency,
        request::{csrf, form_parameters},
    },
};

/// The form parameter; the dot keeps it apart from fields.
pub(super) const PARAMETER: &str = "dz.once";
/// The parameters that do not belong to the values of the row.
const IGNORED: [&str; 3] = ["csrf", csrf::PREFIXED_TOKEN, form_parameters::THEN];
/// The lifetime of a claim.
const LIFETIME: TimeDelta = TimeDelta::hours(24);

/// The key of a new form, which differs from that of every other form.
pub(super) fn new_key() -> String {
    Uuid::now_v7().simple().to_string()
}

/// The right of a request to save its form.
pub(super) enum Claim {
    /// The form has no key, or the caller is anonymous.
    None,
    /// The first submission, with its scope.
    First(String),
    /// The form was saved: the key of its row, as in addresses.
    Repeated(Option<String>),
}

impl Claim {
    /// Claims the form of a request.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub fn new(tx: &mut Tx<'_>, call: &Call) -> Result<Claim> {
        let Some(scope) = scope(tx, call) else { return Ok(Claim::None) };
        idempotency::delete_expired(tx)?;
        let text = |text: &str| Value::Text(text.to_owned());
        let mut insert = Statement::new();
        insert.push("INSERT INTO dz_idempotency (scope, body, status, row_key, answer, expires_at) VALUES (");
        insert.bind(text(&scope), BindKind::Text).push(", '', 0, '', '', ");
        insert.bind(Value::DateTime(tx.caller.now + LIFETIME), BindKind::DateTime);
        // A submission that runs at the same time is waited for, and its claim is visible afterwards.
        insert.push(") ON CONFLICT (scope) DO NOTHING RETURNING status");
        if !tx.conn.rows(&insert, &[BindKind::Int])?.is_empty() {
            return Ok(Claim::First(scope));
        }
        let mut select = Statement::new();
        select.push("SELECT row_key FROM dz_idempotency WHERE scope = ").bind(text(&scope), BindKind::Text);
        let saved = tx.conn.rows(&select, &[BindKind::Text])?.into_iter().flatten().next();
        Ok(Claim::Repeated(saved.and_then(|saved| saved.to_key_text()).filter(|saved| !saved.is_empty())))
    }

    /// Records the saved row.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub fn record(self, tx: &mut Tx<'_>, key: &Value) -> Result<()> {
        let Claim::First(scope) = self else { return Ok(()) };
        let mut update = Statement::new();
        update.push("UPDATE dz_idempotency SET status = 303, row_key = ");
        update.bind(Value::Text(key.to_key_text().unwrap_or_default()), BindKind::Text);
        update.push(" WHERE scope = ").bind(Value::Text(scope), BindKind::Text);
        tx.conn.execute(&update).map(drop)
    }
}

/// A digest of the account, the address, the key of the form and its values.
fn scope(tx: &Tx<'_>, call: &Call) -> Option<String> {
    let account = format!("{:?}", tx.caller.account.as_ref()?.id);
    let tenant = tx.caller.tenant().map(|tenant| format!("{tenant:?}")).unwrap_or_default();
    call.form.iter().find(|(name, value)| name == PARAMETER && !value.is_empty())?;
    let path = call.path.join("\0");
    let mut parts: Vec<&[u8]> = vec![b"form".as_slice(), account.as_bytes(), tenant.as_bytes(), path.as_bytes()];
    let values = call.form.iter().filter(|(name, _)| !IGNORED.contains(&name.as_str()));
    parts.extend(values.flat_map(|(name, value)| [name.as_bytes(), value.as_bytes()]));
    // Each upload has an id of its own, so a repeated upload is recognised by the name and the size of its file.
    let files: Vec<String> = call.uploads.iter().map(|it| format!("{} {} {}", it.part, it.facts.name, it.facts.size)).collect();
    parts.extend(files.iter().map(String::as_bytes));
    Some(idempotency::digest(&parts))
}
