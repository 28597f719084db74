//! Changes to rows.

use crate::{
    Error, Result, Tx, Value,
    access::{Action as _, Grant, Restore, Transition, Update},
    db::{BindKind, DELETED_AT, STATE_SINCE, Statement, emit::Emit},
    def::{Auto, EntityDef, FieldIx, Kind},
    event::Event,
    files::{self, Held},
    outbox,
    record::Given,
    rows::{
        Row, account, audit, check,
        create::{readable_by_itself, stored, told},
        guard::{Asked, Gate},
        input::{Attempt, Sent, all_of},
        read::{complete, lock, shown},
        select::{Columns, View},
        transitions, unique,
    },
    tenancy,
};

/// Changes the given fields of a row. `version` is the `If-Match`: another one stored is 412 `STALE`. The
/// answer is `None` when the caller may not read the row as it is now.
///
/// At most three statements besides those of hooks: load, the update, which carries the rule, the invariants and the
/// references, and the answer, where the update does not tell whether it may be read. When nothing changes, nothing is
/// written. A refusal of the row as it would be takes one more, which says why.
///
/// # Errors
/// 404, 403 and 412 for the row as it is; 422 for values; 403, 422 `REFERENCE` and 409 `UNIQUE` for the row as
/// it would be stored.
pub fn update(tx: &mut Tx<'_>, grant: &Grant<Update>, id: &Value, sent: impl Into<Sent>, version: Option<i64>) -> Result<Option<Row>> {
    apply(tx, grant.entity, Update::NAME, id, sent.into(), version)?.shown(tx, grant.entity)
}

/// Moves a row to another state, with the fields that are given besides. The rule is that of `transition`, or where the
/// entity has none that of `update`; fields that this move does not require need the rule of `update` in any case.
///
/// # Errors
/// As [`update`]; 409 `TRANSITION_NOT_ALLOWED`, 403 `TRANSITION_FORBIDDEN`, 422 `TRANSITION_REQUIRES` and `TRANSITION_GUARD`.
pub fn transition(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    id: &Value,
    state: Value,
    sent: impl Into<Sent>,
    version: Option<i64>,
) -> Result<Option<Row>> {
    move_to(tx, entity, id, state, sent.into(), version)?.shown(tx, entity)
}

/// As [`transition`], for the application's own Rust: always gives the row as it is then.
pub(crate) fn moved(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    id: &Value,
    state: Value,
    sent: impl Into<Sent>,
    version: Option<i64>,
) -> Result<Row> {
    move_to(tx, entity, id, state, sent.into(), version).map(|written| written.row)
}

fn move_to(tx: &mut Tx<'_>, entity: &'static EntityDef, id: &Value, state: Value, mut sent: Sent, version: Option<i64>) -> Result<Written> {
    let (states, of) = transitions::machine(entity).ok_or_else(Error::not_found)?;
    let action = transitions::ask(tx, entity)?;
    if action == Transition::NAME && sent.given.fields().next().is_some() {
        // The rule of moves covers what this move requires, and nothing that another one does.
        let before = lock(tx, entity, action, id, version);
        let before = sent.refuse_unread(before)?;
        let (from, to) = (transitions::position(of, Some(before.value(states.field))), transitions::position(of, Some(&state)));
        let requires = from.zip(to).and_then(|(from, to)| states.find(from, to)).map_or(&[][..], |row| row.requires);
        // A currency is given with its amount.
        let named = |at: FieldIx| match entity.fields.get(usize::from(at)).map(|field| field.kind) {
            Some(Kind::Currency { amount }) => amount,
            _ => at,
        };
        if sent.given.fields().any(|field| !requires.contains(&named(field))) {
            let may = tx.ask::<Update>(entity).and_then(|_| lock(tx, entity, Update::NAME, id, None));
            sent.refuse_unread(may)?;
        }
    }
    sent.given.set(states.field, state);
    apply(tx, entity, action, id, sent, version)
}

/// As [`update`], but a field that is not given becomes null, or takes its default where it is required; a required one without
/// a default is missing. The state stays, and so do the key, the tenant and what the caller can neither see nor write.
///
/// # Errors
/// As [`update`].
pub fn replace(tx: &mut Tx<'_>, grant: &Grant<Update>, id: &Value, sent: impl Into<Sent>, version: Option<i64>) -> Result<Option<Row>> {
    let entity = grant.entity;
    let mut sent = sent.into();
    for at in stored(entity) {
        let field = entity.field(at);
        let is_state = entity.states.is_some_and(|states| states.field == at);
        let stays = at == entity.pk
            || entity.tenancy.tenant == Some(at)
            || is_state
            || field.sensitive
            || field.secret
            || field.auto != Auto::No
            || check::closed(entity, at, &tx.caller).is_some();
        if !stays && sent.given.get(at).is_none() {
            let value = if field.required { check::default_of(tx, entity, at) } else { Value::Null };
            sent.given.set(at, value);
        }
    }
    apply(tx, entity, Update::NAME, id, sent, version)?.shown(tx, entity)
}

/// As [`update`], for the application's own Rust: always gives the row as it is then.
pub(crate) fn changed(tx: &mut Tx<'_>, grant: &Grant<Update>, id: &Value, sent: impl Into<Sent>) -> Result<Row> {
    apply(tx, grant.entity, Update::NAME, id, sent.into(), None).map(|written| written.row)
}

fn apply(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    action: &'static str,
    id: &Value,
    sent: Sent,
    version: Option<i64>,
) -> Result<Written> {
    let before = lock(tx, entity, action, id, version);
    let before = sent.refuse_unread(before)?;
    let mut wrongs = check::Wrongs::of(sent.unread);
    let given = files::same(entity, &before, check::normal(entity, sent.given, &mut wrongs));
    let sent: Vec<_> = given.fields().collect();
    let mut changes = Given::default();
    for (at, value) in given.0 {
        let old = before.values.get(usize::from(at));
        match check::closed(entity, at, &tx.caller) {
            _ if at == entity.pk && old != Some(&value) => wrongs.add(entity.field(at).name, "cannot be changed"),
            Some(why) if old != Some(&value) || entity.field(at).secret => wrongs.add(entity.field(at).name, why),
            _ if !entity.field(at).is_stored() => {}
            _ => changes.set(at, value),
        }
    }
    wrongs.check(tx.app, entity, changes.0.iter().map(|(at, value)| (*at, value)));
    wrongs.amounts(entity, |at| changes.get(at).unwrap_or_else(|| before.value(at)));
    if let Some((error, is_complete)) = wrongs.found() {
        let values = changed_values(&before, &changes);
        let attempt = Attempt { entity, before: Some(&before), values: &values, set: &sent };
        return Err(attempt.complete(tx, error, |tx| if is_complete { run_hooks(tx, entity, &before, &mut changes) } else { Ok(()) }));
    }
    if entity.account {
        account::check_recent_sign_in(&tx.caller, entity, &before, &changes)?;
    }
    let moves = entity.states.is_some_and(|states| changes.get(states.field).is_some_and(|state| state != before.value(states.field)));
    if moves && action == Update::NAME && entity.rule(Transition::NAME).is_some() {
        // A change of the state is a move, whatever else may be changed.
        lock(tx, entity, Transition::NAME, id, None)?;
    }
    written(tx, entity, before, changes, Rule::Asked(action, &sent))
}

/// The values of a row with those that change.
fn changed_values(before: &Row, changes: &Given) -> Vec<Value> {
    let mut values = before.values.clone();
    for (at, value) in &changes.0 {
        if let Some(slot) = values.get_mut(usize::from(*at)) {
            *slot = value.clone();
        }
    }
    values
}

/// A row after a change, and whether the caller may read it, where the change itself tells that.
struct Written {
    row: Row,
    readable: Option<bool>,
}

impl Written {
    /// The row, if the caller may read it.
    fn shown(self, tx: &mut Tx<'_>, entity: &'static EntityDef) -> Result<Option<Row>> {
        match self.readable {
            Some(readable) => Ok(readable.then_some(self.row)),
            None => shown(tx, entity, self.row),
        }
    }
}

/// Whether a change asks the rule.
#[derive(Clone, Copy)]
pub(super) enum Rule<'s> {
    /// It does: that of this action, naming the fields that were sent.
    Asked(&'static str, &'s [FieldIx]),
    /// It does not: a declared consequence of something that was permitted.
    Implied,
    /// It does not, since it was asked of the row that was marked as deleted; the mark goes.
    Restored,
}

/// Runs hooks, asks the rule for the row as it will be, and writes what differs.
pub(super) fn write(tx: &mut Tx<'_>, entity: &'static EntityDef, before: Row, changes: Given, rule: Rule<'_>) -> Result<Row> {
    written(tx, entity, before, changes, rule).map(|written| written.row)
}

/// The action that the audit log names for a change. A change of the state is a transition there, where transitions are recorded.
fn recorded_action(tx: &Tx<'_>, entity: &'static EntityDef, rule: Rule<'_>, is_transition: bool) -> &'static str {
    match rule {
        Rule::Restored => Restore::NAME,
        _ if is_transition && audit::covers(entity, Transition::NAME, &tx.caller) => Transition::NAME,
        Rule::Asked(action, _) => action,
        Rule::Implied => Update::NAME,
    }
}

fn written(tx: &mut Tx<'_>, entity: &'static EntityDef, before: Row, mut changes: Given, rule: Rule<'_>) -> Result<Written> {
    let mut held = Held::default();
    files::settle(tx, entity, Some(&before), &mut changes, &mut held)?;
    let mut changes = hooked(tx, entity, &before, changes, rule)?;
    files::settle(tx, entity, Some(&before), &mut changes, &mut held)?;
    changes.0.retain(|(at, value)| entity.field(*at).secret || before.values.get(usize::from(*at)) != Some(value));
    let restored = matches!(rule, Rule::Restored);
    if changes.0.is_empty() && !restored {
        return Ok(Written { row: before, readable: None });
    }
    if entity.account {
        account::invalidate_links(entity, &before, &mut changes);
    }
    for at in stored(entity).filter(|at| entity.field(*at).auto == Auto::Update) {
        changes.set(at, check::default_of(tx, entity, at));
    }
    let values = changed_values(&before, &changes);
    files::release(tx, entity, Some(&before), Some(&values), &held)?;
    tenancy::keep(tx.app, entity, Some(&before.values), &values, &tx.caller)?;
    let taken = match transitions::taken(entity, &before, &values, &tx.caller) {
        Ok(taken) => taken,
        Err(error) if error.code == transitions::REQUIRES => return Err(refused(tx, entity, &before, &changes, rule, error)),
        Err(error) => return Err(error),
    };
    let mut ruled = values.clone();
    if let Some((state, _)) = taken
        && let Some(slot) = ruled.get_mut(usize::from(state))
    {
        *slot = before.value(state).clone();
    }
    let refers = |at: FieldIx, value: &Value| matches!(entity.field(at).kind, Kind::Ref(_)) && !value.is_null();
    let (action, sent, references) = match rule {
        Rule::Asked(action, sent) => {
            let refs = changes.0.iter().filter(|(at, value)| refers(*at, value)).map(|(at, _)| *at);
            (Some(action), sent, refs.collect())
        }
        Rule::Implied => (None, &[][..], Vec::new()),
        // Of what it refers to, something may have gone meanwhile.
        Rule::Restored => (None, &[][..], stored(entity).filter(|at| refers(*at, &values[usize::from(*at)])).collect()),
    };
    let moved = taken.map(|(_, row)| row);
    let asked = Asked { action, ruled: &ruled, stored: &values, references: &references, sent, moved };
    let gate = Gate::of(tx, entity, &asked)?;
    let besides = Besides { moves: moved.is_some(), restored, gate: gate.condition() };
    let Some((after, mut readable)) = store(tx, entity, &before, &changes, besides)? else {
        gate.refuse(tx, entity, &asked)?;
        return Err(Error::new(412, "STALE", "This row has changed since you loaded it"));
    };
    let after = complete(tx, entity, after)?;
    outbox::record(tx, entity, Event::Updated, Some(&before), &after)?;
    if moved.is_some() && entity.states.is_some_and(|states| states.is_timed()) {
        tx.conn.announce();
    }
    let recorded = recorded_action(tx, entity, rule, moved.is_some());
    audit::done(tx, entity, recorded, Some(&before), Some(&after))?;
    if entity.account {
        account::end_access_of_closed(tx.conn, tx.app, &after)?;
    }
    let hooks = tx.hooks.clone();
    for hook in hooks.of(entity.ix).into_iter().flat_map(|hooks| &hooks.after_update) {
        hook(tx, &before, &after)?;
        // The hook may have changed the row.
        readable = None;
    }
    if entity.account {
        tx.moved.extend(account::old_address(entity, &before, &after));
    }
    Ok(Written { row: after, readable })
}

/// A refusal of a change whose values are valid, with what else is wrong with the row as it would be.
fn refused(tx: &mut Tx<'_>, entity: &'static EntityDef, before: &Row, changes: &Given, rule: Rule<'_>, error: Error) -> Error {
    let values = changed_values(before, changes);
    let mut ruled = values.clone();
    if let Some(states) = entity.states
        && let Some(slot) = ruled.get_mut(usize::from(states.field))
    {
        *slot = before.value(states.field).clone();
    }
    let set: Vec<_> = changes.fields().collect();
    let action = if let Rule::Asked(action, _) = rule { Some(action) } else { None };
    Attempt { entity, before: Some(before), values: &values, set: &set }.complete_valid(tx, error, action, &ruled)
}

/// Runs the hooks on a change.
///
/// # Errors
/// What each of them refuses.
fn run_hooks(tx: &mut Tx<'_>, entity: &'static EntityDef, row: &Row, changes: &mut Given) -> Result<()> {
    let hooks = tx.hooks.clone();
    all_of(hooks.of(entity.ix).map_or(&[][..], |hooks| &hooks.before_update), |hook| hook(tx, row, changes))
}

/// Runs the hooks, and checks what they made of it.
fn hooked(tx: &mut Tx<'_>, entity: &'static EntityDef, row: &Row, mut changes: Given, rule: Rule<'_>) -> Result<Given> {
    if tx.hooks.of(entity.ix).is_none_or(|hooks| hooks.before_update.is_empty()) {
        return Ok(changes);
    }
    if let Err(error) = run_hooks(tx, entity, row, &mut changes) {
        return Err(refused(tx, entity, row, &changes, rule, error));
    }
    let mut wrongs = check::Wrongs::default();
    let changes = check::normal(entity, changes, &mut wrongs);
    wrongs.check(tx.app, entity, changes.0.iter().map(|(at, value)| (*at, value)));
    wrongs.amounts(entity, |at| changes.get(at).unwrap_or_else(|| row.value(at)));
    wrongs.done()?;
    Ok(changes)
}

/// What a change does to the hidden columns, and what it depends on.
struct Besides {
    /// The row enters another state.
    moves: bool,
    /// Its mark as deleted goes.
    restored: bool,
    /// Nothing is written where this does not hold.
    gate: Option<Statement>,
}

/// Stores what differs; nothing where the row is another one by now, or the condition does not hold.
fn store(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    before: &Row,
    changes: &Given,
    besides: Besides,
) -> Result<Option<(Row, Option<bool>)>> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let columns = Columns::of(&emit, entity, entity.table, View::Returned);
    let key = entity.key();
    let kind = BindKind::of(key.kind, tx.app).ok_or_else(|| Error::internal("a key without a column"))?;
    let mut update = Statement::new();
    update.push("UPDATE ").ident(entity.table).push(" SET ");
    // In the order of the declaration, so that the same fields are the same text.
    let mut changed: Vec<_> = changes.0.iter().collect();
    changed.sort_by_key(|(at, _)| *at);
    for (at, value) in changed {
        let field = entity.field(*at);
        if let Some(kind) = BindKind::of(field.kind, tx.app) {
            update.ident(field.name).push(" = ").bind(value.clone(), kind).push(", ");
        }
    }
    if besides.restored {
        update.ident(DELETED_AT).push(" = NULL, ");
    }
    if besides.moves {
        update.ident(STATE_SINCE).push(" = ").bind(Value::DateTime(tx.caller.now), BindKind::DateTime).push(", ");
    }
    update.push("dz_version = dz_version + 1 WHERE ").ident(key.name).push(" = ");
    update.bind(before.values.get(usize::from(entity.pk)).cloned().unwrap_or_default(), kind);
    update.push(" AND dz_version = ").bind(Value::Int(before.version), BindKind::Int);
    if let Some(own) = emit.of_tenant(entity, None) {
        update.push(" AND ").append(own);
    }
    if let Some(gate) = besides.gate {
        update.push(" AND ").append(gate);
    }
    update.push(" RETURNING ").append(columns.sql.clone());
    let mut kinds = columns.kinds.clone();
    if let Some(readable) = readable_by_itself(&emit, entity) {
        update.push(", ").append(readable.into_sql());
        kinds.push(BindKind::Bool);
    }
    // Which fields change is the client's choice: there are many sets of them, of which few are in use.
    update.one_of_few();
    let answer = tx.conn.rows(&update, &kinds).map_err(|error| unique::explain(entity, error))?.into_iter().next();
    Ok(answer.map(|answer| told(columns.row(answer))))
}
