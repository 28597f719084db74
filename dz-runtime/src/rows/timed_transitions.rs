//! Timed transitions: finding the rows that are due, and executing the transition of one of them.

use chrono::{DateTime, Months, TimeDelta, Utc};

use crate::{
    Engine, Error, Result, Tx, Value,
    db::{BindKind, STATE_SINCE, Statement, emit::Emit},
    def::{Delay, EntityDef, EnumDef, StatesDef},
    record::FieldValues,
    rows::{
        Row,
        list::from_clause,
        read,
        select::{Columns, ROW, View, column},
        transitions,
        update::write_consequence,
    },
};

/// Seconds until the next attempt after the first refusal; the delay doubles with each further one,
const FIRST_DELAY: i64 = 60;
/// up to this maximum.
const MAX_DELAY: i64 = 3_600;

/// A timed transition.
#[derive(Clone, Copy)]
pub(crate) struct TimedTransition {
    pub(crate) entity: &'static EntityDef,
    states: &'static StatesDef,
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    delay: Delay,
}

/// A row whose timed transition is due.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DueRow {
    pub(crate) key: Value,
    pub(crate) since: DateTime<Utc>,
    /// The tenant of the row.
    pub(crate) tenant: Option<Value>,
}

/// The result of an attempt.
pub(crate) enum Outcome {
    /// The transition was executed.
    Done,
    /// Another process executed it, or the row changed its state.
    Skipped,
    /// The transition was refused and is tried again later; the number counts the refusals.
    Postponed(Error, i64),
}

/// The timed transitions of an entity, the shortest delay first.
pub(crate) fn find_timed(entity: &'static EntityDef) -> Vec<TimedTransition> {
    let Some((states, of)) = transitions::machine(entity) else { return Vec::new() };
    let name = |of: &'static EnumDef, at: u16| of.values.get(usize::from(at)).map_or("", |value| value.name);
    let timed = states.timed_transitions().into_iter();
    timed.map(|(from, to, delay)| TimedTransition { entity, states, from: name(of, from), to: name(of, to), delay }).collect()
}

impl TimedTransition {
    /// The time at which a row is due that entered the state at `since`.
    fn due_at(&self, since: DateTime<Utc>) -> Option<DateTime<Utc>> {
        since
            .checked_add_months(Months::new(u32::try_from(self.delay.months).ok()?))?
            .checked_add_signed(TimeDelta::try_seconds(self.delay.seconds)?)
    }

    /// The latest time of entering the state at which a row can be due. A month is not always equally long in both directions, so
    /// some rows before this time are not due yet.
    fn horizon(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let seconds = now.checked_sub_signed(TimeDelta::try_seconds(self.delay.seconds)?)?;
        match u32::try_from(self.delay.months).ok()? {
            0 => Some(seconds),
            months => seconds.checked_sub_months(Months::new(months))?.checked_add_signed(TimeDelta::days(3)),
        }
    }

    /// At most `limit` rows that are due, the longest due first; without postponed rows.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(crate) fn due(&self, tx: &mut Tx<'_>, limit: u32) -> Result<Vec<DueRow>> {
        let (entity, now) = (self.entity, tx.now());
        let Some(horizon) = self.horizon(now) else { return Ok(Vec::new()) };
        let Some(kind) = BindKind::from_kind(entity.key().kind, tx.app) else { return Ok(Vec::new()) };
        let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
        let mut select = Statement::new();
        let mut kinds = vec![kind, BindKind::DateTime];
        select.push("SELECT ").push(&column(ROW, entity.key().name)).push(", ").push(&column(ROW, STATE_SINCE));
        if let Some((field, kind)) =
            entity.tenancy.tenant.and_then(|at| Some((entity.field(at), BindKind::from_kind(entity.field(at).kind, tx.app)?)))
        {
            select.push(", ").push(&column(ROW, field.name));
            kinds.push(kind);
        }
        select.append(from_clause(&emit, entity));
        select.append(self.in_state(horizon)).push(" AND NOT EXISTS (SELECT 1 FROM dz_held AS h WHERE h.entity = ");
        select.bind(Value::Text(entity.name.to_owned()), BindKind::Text).push(" AND h.row_id = ").push(&key_sql(tx.engine(), entity));
        select.push(" AND h.state = ").bind(Value::Text(self.to.to_owned()), BindKind::Text);
        select.push(" AND h.since = ").push(&column(ROW, STATE_SINCE));
        select.push(" AND h.retry_at > ").bind(Value::DateTime(now), BindKind::DateTime).push(")");
        select.push(" ORDER BY ").push(&column(ROW, STATE_SINCE)).push(&format!(" LIMIT {limit}"));
        let rows = tx.conn.rows(&select, &kinds)?.into_iter().filter_map(|row| {
            let mut row = row.into_iter();
            let (Some(key), Some(Value::DateTime(since))) = (row.next(), row.next()) else { return None };
            self.due_at(since).is_some_and(|at| at <= now).then(|| DueRow { key, since, tenant: row.next() })
        });
        Ok(rows.collect())
    }

    /// The time at which the next row is due.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(crate) fn next(&self, tx: &mut Tx<'_>) -> Result<Option<DateTime<Utc>>> {
        let Some(horizon) = self.horizon(tx.now()) else { return Ok(None) };
        let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
        let mut select = Statement::new();
        select.push("SELECT min(").push(&column(ROW, STATE_SINCE)).push(")").append(from_clause(&emit, self.entity)).append(self.state());
        select.push(" AND ").push(&column(ROW, STATE_SINCE)).push(" > ").bind(Value::DateTime(horizon), BindKind::DateTime);
        match tx.conn.rows(&select, &[BindKind::DateTime])?.into_iter().flatten().next() {
            Some(Value::DateTime(since)) => Ok(self.due_at(since)),
            _ => Ok(None),
        }
    }

    /// The state is a literal in the text of the statement, so that the partial index for it is used.
    fn state(&self) -> Statement {
        let mut state = Statement::new();
        state.push(" WHERE ").push(&column(ROW, self.entity.field(self.states.field).name));
        state.push(&format!(" = '{}'", self.from.replace('\'', "''")));
        state
    }

    fn in_state(&self, until: DateTime<Utc>) -> Statement {
        let mut state = self.state();
        state.push(" AND ").push(&column(ROW, STATE_SINCE)).push(" <= ").bind(Value::DateTime(until), BindKind::DateTime);
        state
    }

    /// Executes the transition of a due row, with hooks, guard, invariants and events. A refusal rolls it back, and the row is
    /// tried again later. A row that another process has locked is skipped.
    ///
    /// # Errors
    /// 503 if the database is unavailable or transactions collide.
    pub(crate) fn execute(&self, tx: &mut Tx<'_>, due: &DueRow) -> Result<Outcome> {
        let Some(row) = self.claim(tx, due)? else { return Ok(Outcome::Skipped) };
        if self.read_postponement(tx, due)?.is_some_and(|(_, retry_at)| retry_at > tx.now()) {
            return Ok(Outcome::Skipped);
        }
        let mut changes = FieldValues::default();
        changes.set(self.states.field, self.to.to_owned());
        match tx.savepoint(|tx| write_consequence(tx, self.entity, row, changes)) {
            Ok(_) => Ok(Outcome::Done),
            Err(error) if error.status == 503 => Err(error),
            Err(error) => Ok(Outcome::Postponed(error, self.postpone(tx, due)?)),
        }
    }

    /// Loads and locks the complete row, if it is still in its state since then.
    fn claim(&self, tx: &mut Tx<'_>, due: &DueRow) -> Result<Option<Row>> {
        let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
        let columns = Columns::all(&emit, self.entity, ROW, View::Whole);
        let mut select = Statement::new();
        select.push("SELECT ").append(columns.sql.clone()).append(from_clause(&emit, self.entity)).append(self.in_state(due.since));
        select.push(" AND ").append(read::key_condition(&emit, self.entity, &due.key)?);
        if emit.engine == Engine::Postgres {
            select.push(" FOR UPDATE OF ").ident(ROW).push(" SKIP LOCKED");
        }
        Ok(tx.conn.rows(&select, &columns.kinds)?.into_iter().next().map(|answer| columns.row(answer)))
    }

    /// The number of refusals of the row, and the time of the next attempt.
    fn read_postponement(&self, tx: &mut Tx<'_>, due: &DueRow) -> Result<Option<(i64, DateTime<Utc>)>> {
        let mut select = Statement::new();
        select.push("SELECT attempts, retry_at FROM dz_held WHERE entity = ").append(self.push_identity(
            due,
            " AND row_id = ",
            " AND state = ",
        ));
        select.push(" AND since = ").bind(Value::DateTime(due.since), BindKind::DateTime);
        let row = tx.conn.rows(&select, &[BindKind::Int, BindKind::DateTime])?.into_iter().next().unwrap_or_default();
        match row.as_slice() {
            [Value::Int(times), Value::DateTime(retry_at)] => Ok(Some((*times, *retry_at))),
            _ => Ok(None),
        }
    }

    /// Records a refusal and returns the number of refusals.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(crate) fn postpone(&self, tx: &mut Tx<'_>, due: &DueRow) -> Result<i64> {
        let times = self.read_postponement(tx, due)?.map_or(0, |(times, _)| times) + 1;
        let doubled = FIRST_DELAY << u32::try_from(times - 1).unwrap_or_default().min(16);
        let retry_at = tx.now() + TimeDelta::seconds(doubled.min(MAX_DELAY));
        let mut insert = Statement::new();
        insert.push("INSERT INTO dz_held (entity, row_id, state, since, attempts, retry_at) VALUES (");
        insert.append(self.push_identity(due, ", ", ", ")).push(", ").bind(Value::DateTime(due.since), BindKind::DateTime);
        insert.push(", ").bind(Value::Int(times), BindKind::Int).push(", ").bind(Value::DateTime(retry_at), BindKind::DateTime);
        insert.push(") ON CONFLICT (entity, row_id, state) DO UPDATE SET since = excluded.since, ");
        insert.push("attempts = excluded.attempts, retry_at = excluded.retry_at");
        tx.conn.execute(&insert).map(|_| times)
    }

    fn push_identity(&self, due: &DueRow, before_key: &str, before_state: &str) -> Statement {
        let mut named = Statement::new();
        let text = |text: &str| Value::Text(text.to_owned());
        named.bind(text(self.entity.name), BindKind::Text).push(before_key).bind(text(&due.key.to_stored_key()), BindKind::Text);
        named.push(before_state).bind(text(self.to), BindKind::Text);
        named
    }
}

/// The SQL of the key of a row, in its form in the tables of the framework.
fn key_sql(engine: Engine, entity: &'static EntityDef) -> String {
    let key = column(ROW, entity.key().name);
    match engine {
        Engine::Sqlite if entity.key().kind.is_uuid() => format!("lower(hex({key}))"),
        Engine::Postgres if entity.key().kind.is_uuid() => format!("replace(CAST({key} AS text), '-', '')"),
        Engine::Sqlite | Engine::Postgres if entity.key().kind.is_int() => format!("CAST({key} AS text)"),
        Engine::Sqlite | Engine::Postgres => key,
    }
}
