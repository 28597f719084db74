//! New rows.

use crate::{
    Result, Tx, Value,
    access::{Create, Grant},
    def::{EntityDef, FieldIx},
    record::Given,
    rows::{
        Row, check,
        input::{Attempt, Sent},
        select::stored,
        write::{Write, Written, new_values, run_before_create},
    },
};

/// Makes a row from the given fields; defaults, `auto_add` and the key are filled in. Hooks run. The
/// answer is `None` when the caller may not read what it made (then only the key may be told).
///
/// At most two statements besides those of hooks: the insert, which carries the rule, the invariants and the references,
/// and the answer. The insert tells itself whether its maker may read the row, where that depends on the row alone. A
/// refusal takes one more, which says why.
///
/// # Errors
/// 422 `VALIDATION` and `REFERENCE`, 403 when the rule does not cover the row, 409 `UNIQUE`.
pub fn create(tx: &mut Tx<'_>, grant: &Grant<Create>, sent: impl Into<Sent>) -> Result<(Value, Option<Row>)> {
    let written = make(tx, grant, sent.into(), true)?;
    let key = written.row.value(grant.entity.pk).clone();
    Ok((key, written.shown(tx, grant.entity)?))
}

/// As [`create`], for the application's own Rust: always gives the row that was made.
pub(crate) fn made(tx: &mut Tx<'_>, grant: &Grant<Create>, sent: impl Into<Sent>) -> Result<Row> {
    make(tx, grant, sent.into(), true).map(|written| written.row)
}

/// As [`made`], where nobody wants to see what was made.
pub(crate) fn added(tx: &mut Tx<'_>, grant: &Grant<Create>, sent: impl Into<Sent>) -> Result<()> {
    make(tx, grant, sent.into(), false).map(drop)
}

/// Makes a row, which is read again for the answer where it is shown.
fn make(tx: &mut Tx<'_>, grant: &Grant<Create>, sent: Sent, is_shown: bool) -> Result<Written> {
    let (draft, sent) = drafted(tx, grant.entity, sent)?;
    Write { is_shown, ..Write::create(grant.entity, draft, sent) }.run(tx)
}

/// The fields of a new row, defaults filled in, and those that were sent.
///
/// # Errors
/// 422 with everything that is wrong with it.
fn drafted(tx: &mut Tx<'_>, entity: &'static EntityDef, sent: Sent) -> Result<(Given, Vec<FieldIx>)> {
    let mut wrongs = check::Wrongs::of(sent.unread);
    let given = check::normal(entity, sent.given, &mut wrongs);
    let sent: Vec<_> = given.fields().collect();
    let mut row = Given::default();
    for (at, _) in given.0.iter().filter(|(at, value)| !entity.field(*at).is_stored() && !value.is_null()) {
        wrongs.add(entity.field(*at).name, check::closed(entity, *at, &tx.caller).unwrap_or("cannot be written here"));
    }
    for at in stored(entity) {
        let default = check::default_of(tx, entity, at);
        match given.get(at) {
            Some(value) => {
                let closed = check::closed(entity, at, &tx.caller);
                match closed {
                    // What nobody gave is filled in by the system; saying the same is no offence.
                    Some(_) if value.is_null() || *value == default => row.set(at, default),
                    Some(why) => wrongs.add(entity.field(at).name, why),
                    None => row.set(at, value.clone()),
                }
            }
            None => row.set(at, default),
        }
    }
    wrongs.check(tx.app, entity, row.0.iter().map(|(at, value)| (*at, value)));
    wrongs.amounts(entity, |at| row.get(at).unwrap_or(&Value::Null));
    if let Some((error, is_complete)) = wrongs.found() {
        let values = new_values(entity, &row);
        let attempt = Attempt { entity, before: None, values: &values, set: &sent };
        return Err(attempt.complete(tx, error, |tx| if is_complete { run_before_create(tx, entity, &mut row) } else { Ok(()) }));
    }
    Ok((row, sent))
}
