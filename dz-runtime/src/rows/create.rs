//! New rows.

use crate::{
    Engine, Error, Result, Tx, Value,
    access::{self, Action as _, Create, Grant, Read},
    db::{
        BindKind, STATE_SINCE, Statement,
        emit::{Condition, Emit, constant, is_local},
    },
    def::{EntityDef, Expr, FieldIx, Kind},
    event::Event,
    files::{self, Held},
    outbox,
    record::Given,
    rows::{
        Row, audit, check,
        guard::{Asked, Gate},
        input::{Attempt, Sent, all_of},
        read::{complete, shown},
        select::{Columns, View},
        transitions, unique,
    },
    tenancy,
};

/// The hidden column that counts the changes of a row.
const VERSION: &str = "dz_version";

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
    let (row, readable) = make(tx, grant, sent.into(), true)?;
    let key = row.values.get(usize::from(grant.entity.pk)).cloned().unwrap_or_default();
    let shown = match readable {
        Some(readable) => readable.then_some(row),
        None => shown(tx, grant.entity, row)?,
    };
    Ok((key, shown))
}

/// As [`create`], for the application's own Rust: always gives the row that was made.
pub(crate) fn made(tx: &mut Tx<'_>, grant: &Grant<Create>, sent: impl Into<Sent>) -> Result<Row> {
    make(tx, grant, sent.into(), true).map(|(row, _)| row)
}

/// As [`made`], where nobody wants to see what was made.
pub(crate) fn added(tx: &mut Tx<'_>, grant: &Grant<Create>, sent: impl Into<Sent>) -> Result<()> {
    make(tx, grant, sent.into(), false).map(drop)
}

/// The row, and whether its maker may read it, where that is known; the row as far as it is known where nobody `looks`.
fn make(tx: &mut Tx<'_>, grant: &Grant<Create>, sent: Sent, looks: bool) -> Result<(Row, Option<bool>)> {
    let entity = grant.entity;
    let (row, sent, mut held) = drafted(tx, entity, sent)?;
    let mut row = before(tx, entity, row, &sent)?;
    files::settle(tx, entity, None, &mut row, &mut held)?;
    let values = values_of(entity, &row);
    let references: Vec<_> = stored(entity)
        .filter(|at| matches!(entity.field(*at).kind, Kind::Ref(_)) && values.get(usize::from(*at)).is_some_and(|value| !value.is_null()))
        .collect();
    files::release(tx, entity, None, Some(&values), &held)?;
    tenancy::keep(tx.app, entity, None, &values, &tx.caller)?;
    transitions::begins(entity, &values, &tx.caller)?;
    let asked = Asked { action: Some(Create::NAME), ruled: &values, stored: &values, references: &references, sent: &sent, moved: None };
    let gate = Gate::of(tx, entity, &asked)?;
    let looks = looks || is_looked_at(tx, entity, &values);
    let Some((row, mut readable)) = insert(tx, entity, &values, gate.condition(), looks)? else {
        gate.refuse(tx, entity, &asked)?;
        return Err(Error::internal("an insert gave no row back"));
    };
    if !looks {
        return Ok((row, readable));
    }
    let row = complete(tx, entity, row)?;
    outbox::record(tx, entity, Event::Created, None, &row)?;
    if entity.states.is_some_and(|states| states.is_timed()) {
        tx.conn.announce();
    }
    audit::done(tx, entity, Create::NAME, None, Some(&row))?;
    let hooks = tx.hooks.clone();
    for hook in hooks.of(entity.ix).into_iter().flat_map(|hooks| &hooks.after_create) {
        hook(tx, &row)?;
        // The hook may have changed the row.
        readable = None;
    }
    Ok((row, readable))
}

/// A row as it is stored: null where nothing was given.
fn values_of(entity: &'static EntityDef, row: &Given) -> Vec<Value> {
    let mut values = vec![Value::Null; entity.fields.len()];
    for (at, value) in &row.0 {
        if let Some(slot) = values.get_mut(usize::from(*at)) {
            *slot = value.clone();
        }
    }
    values
}

/// The fields of a new row, defaults filled in, with those that were sent and the files that it holds.
///
/// # Errors
/// 422 with everything that is wrong with it.
fn drafted(tx: &mut Tx<'_>, entity: &'static EntityDef, sent: Sent) -> Result<(Given, Vec<FieldIx>, Held)> {
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
        let values = values_of(entity, &row);
        let attempt = Attempt { entity, before: None, values: &values, set: &sent };
        return Err(attempt.complete(tx, error, |tx| if is_complete { run_hooks(tx, entity, &mut row) } else { Ok(()) }));
    }
    let mut held = Held::default();
    files::settle(tx, entity, None, &mut row, &mut held)?;
    Ok((row, sent, held))
}

/// Whether dz or the application looks at a new row, whoever makes it: to write it down, to tell of it, in a hook; or since
/// only the database knows its key.
fn is_looked_at(tx: &Tx<'_>, entity: &'static EntityDef, values: &[Value]) -> bool {
    let key_is_known = values.get(usize::from(entity.pk)).is_some_and(|key| !key.is_null());
    let is_told = tx.hooks.of(entity.ix).is_some() || tx.hooks.subscribers(entity.ix, Event::Created).next().is_some();
    !key_is_known || is_told || !entity.audits.is_empty() || entity.states.is_some_and(|states| states.is_timed())
}

/// Fields with a column.
pub(super) fn stored(entity: &'static EntityDef) -> impl Iterator<Item = FieldIx> {
    (0..).zip(entity.fields).filter(|(_, field)| field.is_stored()).map(|(at, _)| at)
}

/// Runs the hooks on a draft.
///
/// # Errors
/// What each of them refuses.
fn run_hooks(tx: &mut Tx<'_>, entity: &'static EntityDef, row: &mut Given) -> Result<()> {
    let hooks = tx.hooks.clone();
    let hooks = hooks.of(entity.ix).map_or(&[][..], |hooks| &hooks.before_create);
    all_of(hooks, |hook| {
        // A draft has no place for a null that means nothing was given.
        let mut given = Given(row.0.iter().filter(|(_, value)| !value.is_null()).cloned().collect());
        hook(tx, &mut given)?;
        for (at, value) in given.0 {
            row.set(at, value);
        }
        Ok(())
    })
}

/// Runs the hooks, and checks what they made of it.
fn before(tx: &mut Tx<'_>, entity: &'static EntityDef, mut row: Given, sent: &[FieldIx]) -> Result<Given> {
    if tx.hooks.of(entity.ix).is_none_or(|hooks| hooks.before_create.is_empty()) {
        return Ok(row);
    }
    if let Err(error) = run_hooks(tx, entity, &mut row) {
        let values = values_of(entity, &row);
        let attempt = Attempt { entity, before: None, values: &values, set: sent };
        return Err(attempt.complete_valid(tx, error, Some(Create::NAME), &values));
    }
    let mut wrongs = check::Wrongs::default();
    let row = check::normal(entity, row, &mut wrongs);
    wrongs.check(tx.app, entity, row.0.iter().map(|(at, value)| (*at, value)));
    wrongs.amounts(entity, |at| row.get(at).unwrap_or(&Value::Null));
    wrongs.done()?;
    Ok(row)
}

/// Stores the row if it fulfils the condition; gives it with whether it may be read, where the row alone tells that.
fn insert(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    values: &[Value],
    gate: Option<Statement>,
    looks: bool,
) -> Result<Option<(Row, Option<bool>)>> {
    let (mut names, mut binds) = (Statement::new(), Statement::new());
    let mut first = true;
    for at in stored(entity) {
        let (field, value) = (entity.field(at), values.get(usize::from(at)).cloned().unwrap_or_default());
        // The database counts.
        if at == entity.pk && value.is_null() {
            continue;
        }
        let Some(kind) = BindKind::of(field.kind, tx.app) else { continue };
        if !std::mem::take(&mut first) {
            names.push(", ");
            binds.push(", ");
        }
        names.ident(field.name);
        binds.bind(value, kind);
    }
    if entity.states.is_some() {
        let comma = if std::mem::take(&mut first) { "" } else { ", " };
        names.push(comma).ident(STATE_SINCE);
        binds.push(comma).bind(Value::DateTime(tx.caller.now), BindKind::DateTime);
    }
    let hidden = if first { "" } else { ", " };
    names.push(hidden).push(VERSION);
    binds.push(hidden);
    let mut insert = Statement::new();
    insert.push("INSERT INTO ").ident(entity.table).push(" (");
    gated(&mut insert, tx.engine(), (names, binds), gate);
    if !looks {
        let made = through(tx.conn.execute(&insert)).map_err(|error| unique::explain(entity, error))?;
        return Ok(made.filter(|made| *made > 0).map(|_| (Row { values: values.to_vec(), version: 1, extra: Vec::new() }, None)));
    }
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let columns = Columns::of(&emit, entity, entity.table, View::Returned);
    insert.push(" RETURNING ").append(columns.sql.clone());
    let mut kinds = columns.kinds.clone();
    if let Some(readable) = readable_by_itself(&emit, entity) {
        insert.push(", ").append(readable.into_sql());
        kinds.push(BindKind::Bool);
    }
    let answer = through(tx.conn.rows(&insert, &kinds)).map_err(|error| unique::explain(entity, error))?;
    Ok(answer.into_iter().flatten().next().map(|answer| told(columns.row(answer))))
}

/// What is stored, if the gate lets it through: names and values but the last one, which is the version.
///
/// PostgreSQL selects the row only then. SQLite would keep a selected row in a table of its own before it is stored, which costs a
/// twentieth of the request; there the version is null behind a closed gate, which its column does not take. That is looked
/// at before every other constraint but those of the same kind, so that still nothing is told of a row that is refused.
fn gated(insert: &mut Statement, engine: Engine, (names, values): (Statement, Statement), gate: Option<Statement>) {
    insert.append(names);
    match (engine, gate) {
        (Engine::Sqlite, Some(gate)) => insert.push(") VALUES (").append(values).push("CASE WHEN ").append(gate).push(" THEN 1 END)"),
        (Engine::Postgres, Some(gate)) => insert.push(") SELECT ").append(values).push("1 WHERE ").append(gate),
        (_, None) => insert.push(") VALUES (").append(values).push("1)"),
    };
}

/// What the statement did; `None` where the gate was closed.
fn through<T>(done: Result<T>) -> Result<Option<T>> {
    match done {
        Err(error) if error.field_errors.contains_key(VERSION) => Ok(None),
        done => done.map(Some),
    }
}

/// A row that has just been written, and whether it may be read, where its statement tells that.
pub(super) fn told(mut row: Row) -> (Row, Option<bool>) {
    let readable = std::mem::take(&mut row.extra).pop().map(|readable| readable == Value::Bool(true));
    (row, readable)
}

/// The rule for reading, where it asks nothing but the row's own columns and hides none of them: only then does it
/// hold for a row in the statement that writes it as it does afterwards.
pub(super) fn readable_by_itself(emit: &Emit<'_>, entity: &'static EntityDef) -> Option<Condition> {
    let own = |expr: &Expr| {
        let mut own = true;
        constant::visit(expr, &mut |part| match part {
            Expr::Aggregate { .. } => own = false,
            Expr::Path(path) => {
                let computed = |at: FieldIx| entity.field(at).computed;
                own &= path.own_field().is_some_and(|at| computed(at).is_none_or(|expr| is_local(expr, emit.app)));
            }
            _ => {}
        });
        own
    };
    let rule = entity.rule(Read::NAME)?;
    let alone = rule.permit.iter().chain(&rule.scope).chain(&rule.forbid).all(own) && !entity.fields.iter().any(|field| field.sensitive);
    alone.then(|| access::rows(emit, entity, Read::NAME, entity.table))
}
