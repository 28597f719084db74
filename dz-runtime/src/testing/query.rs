//! Queries of the application's own Rust as a channel: their generation, and their expected results.

use std::{
    cmp::Ordering,
    sync::{Arc, Mutex, PoisonError},
};

use rocket::{Route, State, routes};
use serde_json::Value as Json;

use super::{
    check_reads::{Verdict, check_status, closed_statuses},
    evaluate::compare,
    operation::Operation,
    oracle::Oracle,
    plan::Planner,
    random::Random,
    server::Answer,
    typed::{self, ColumnTest, OtherTable, TypedQuery, UseOfRows, format_value},
    world::Stored,
};
use crate::{
    Cx, Engine, Error, Result, Value,
    def::{EntityDef, FieldIx},
    scoped::single_reference,
};

type Entity = &'static EntityDef;

/// The route of the property test.
pub(super) const PATH: &str = "/dz-proof/typed";

/// The next query of this route.
#[derive(Debug, Clone, Default)]
pub(super) struct NextQuery(Arc<Mutex<Option<(Entity, TypedQuery)>>>);

impl NextQuery {
    pub fn set(&self, entity: Entity, query: &TypedQuery) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((entity, query.clone()));
    }
}

pub(super) fn route() -> Vec<Route> {
    routes![ask]
}

/// Runs the query for its caller, like a custom route.
#[rocket::get("/dz-proof/typed")]
async fn ask(cx: Cx, next: &State<NextQuery>) -> Result<String> {
    let asked = next.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    cx.read(move |tx| {
        let (entity, query) = asked.clone().ok_or_else(Error::not_found)?;
        typed::run_query(tx, entity, &query).map(|answer| answer.to_string())
    })
    .await
}

/// A column that a query can use: no relation and no computed field.
fn is_column(entity: Entity, at: FieldIx) -> bool {
    let field = entity.field(at);
    let known = field.kind.digits().is_none_or(|(precision, scale)| typed::knows_decimal(precision, scale));
    known && field.is_stored() && !field.secret
}

/// A column whose values can be compared.
fn compares(entity: Entity, at: FieldIx) -> bool {
    is_column(entity, at) && entity.field(at).kind.is_comparable() && !entity.field(at).kind.is_float()
}

impl Planner<'_> {
    /// Generates a query over the rows of an entity.
    pub(super) fn plan_typed(&self, random: &mut Random, entity: Entity) -> Option<Operation> {
        // The key is the last criterion of every order.
        if !self.orders(entity, entity.pk) {
            return None;
        }
        let mut tests = Vec::new();
        for _ in 0..random.below(3) {
            tests.push(self.test(random, entity)?);
        }
        let action = *random.pick(&["list", "list", "read", "read", "update"])?;
        let order = match random.once_in(2) {
            true => {
                self.pick_column(random, entity, |at| compares(entity, at) && self.orders(entity, at)).map(|at| (at, random.once_in(2)))
            }
            false => None,
        };
        let shows = match random.below(4) {
            0 => None,
            1 => Some(entity.pk),
            _ => Some(self.pick_column(random, entity, |at| compares(entity, at))?),
        };
        let some = |random: &mut Random| random.once_in(3).then(|| random.below(4) as i64);
        let (limit, offset) = (some(random), some(random));
        let other = if random.once_in(2) { self.other_table(random, entity) } else { None };
        Some(Operation::Typed(entity, self.engine, TypedQuery { action, tests, order, limit, offset, shows, other }))
    }

    /// Selects a second table that a single reference connects with the first one.
    fn other_table(&self, random: &mut Random, entity: Entity) -> Option<OtherTable> {
        let is_connected = |other: &Entity| single_reference(entity, other).is_some() && self.orders(other, other.pk);
        let mut connected: Vec<(Entity, Option<FieldIx>)> =
            self.app.entities.iter().copied().filter(is_connected).map(|other| (other, None)).collect();
        // The table itself under a second name.
        let to_itself = |at: &FieldIx| is_column(entity, *at) && entity.field(*at).kind.target() == Some(entity.ix);
        connected.extend((0..entity.fields.len() as FieldIx).filter(to_itself).map(|at| (entity, Some(at))));
        let (other, itself) = *random.pick(&connected)?;
        let uses = [UseOfRows::InnerJoin, UseOfRows::LeftJoin, UseOfRows::Exists, UseOfRows::NotExists];
        let use_of_rows = *random.pick(&uses)?;
        let mut tests = Vec::new();
        if random.once_in(2) {
            tests.extend(self.test(random, other));
        }
        let shows =
            if use_of_rows.is_join() && random.once_in(2) { self.pick_column(random, other, |at| compares(other, at)) } else { None };
        Some(OtherTable { entity: other, itself, use_of_rows, tests, shows })
    }

    /// Selects a column, in half of the cases a sensitive one if there is one.
    fn pick_column(&self, random: &mut Random, entity: Entity, fits: impl Fn(FieldIx) -> bool) -> Option<FieldIx> {
        let all: Vec<FieldIx> = (0..entity.fields.len() as FieldIx).filter(|at| fits(*at)).collect();
        let sensitive: Vec<FieldIx> = all.iter().copied().filter(|at| entity.field(*at).sensitive).collect();
        let some = if sensitive.is_empty() || random.once_in(2) { all } else { sensitive };
        random.pick(&some).copied()
    }

    /// PostgreSQL orders text by the collation of the database.
    fn orders(&self, entity: Entity, at: FieldIx) -> bool {
        let kind = entity.field(at).kind;
        self.engine == Engine::Sqlite || !kind.resolved(self.app).holds_text()
    }

    fn test(&self, random: &mut Random, entity: Entity) -> Option<(FieldIx, ColumnTest)> {
        let at = self.pick_column(random, entity, |at| is_column(entity, at))?;
        // A value of some row, visible to the caller or not.
        let row = random.pick(&self.world.rows[usize::from(entity.ix)]);
        let value = row.map(|row| row.value(at).clone()).filter(|value| compares(entity, at) && !value.is_null());
        let test = match (random.below(6), value) {
            (0, _) => ColumnTest::Null,
            (1, _) | (_, None) => ColumnTest::Given,
            (2, Some(value)) => ColumnTest::Differs(value),
            (3, Some(value)) if self.orders(entity, at) => ColumnTest::Above(value),
            (_, Some(value)) => ColumnTest::Equals(value),
        };
        Some((at, test))
    }
}

impl ColumnTest {
    /// True if a value meets the condition; null meets only the test for null.
    fn passes(&self, value: &Value) -> bool {
        let is = |other: &Value, wanted: &[Ordering]| compare(value, other).is_some_and(|found| wanted.contains(&found));
        match self {
            ColumnTest::Null => value.is_null(),
            ColumnTest::Given => !value.is_null(),
            ColumnTest::Equals(other) => is(other, &[Ordering::Equal]),
            ColumnTest::Differs(other) => is(other, &[Ordering::Less, Ordering::Greater]),
            ColumnTest::Above(other) => is(other, &[Ordering::Greater]),
        }
    }
}

/// Checks the response to a query: the rows that the action covers, with the values that the caller can see.
pub(super) fn check(oracle: &Oracle<'_>, entity: Entity, engine: Engine, query: &TypedQuery, answer: &Answer) -> Verdict {
    let is_other_closed = query.other.as_ref().is_some_and(|other| oracle.is_closed(other.entity, "read"));
    if oracle.is_closed(entity, query.action) || is_other_closed {
        let told_to_sign_in = oracle.who.account.is_none() && answer.status == 303 && answer.location.starts_with("/login");
        return if told_to_sign_in { Ok(()) } else { check_status(answer, closed_statuses(oracle), "its roles cover no row") };
    }
    check_status(answer, &[200], "some row may be covered")?;
    let rows = select_rows(oracle, entity, engine, query);
    let body: Json = serde_json::from_str(&answer.body).map_err(|error| format!("no JSON: {error}"))?;
    let Some(shows) = query.shows else {
        let right = body["count"] == rows.len();
        return if right { Ok(()) } else { Err(format!("the count is {} where {} rows are covered", body["count"], rows.len())) };
    };
    let found: Vec<&str> = body["values"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let other = query.other.as_ref().and_then(|other| Some((other.entity, other.shows?)));
    let shown = |(row, further): &(&Stored, Option<&Stored>)| match other {
        Some((other, at)) => further.map_or(Value::Null, |row| oracle.shown_value(other, at, &row.values)),
        None => oracle.shown_value(entity, shows, &row.values),
    };
    let wanted: Vec<String> = rows.iter().map(|row| format_value(&shown(row))).collect();
    let name = other.map_or(entity.field(shows).name, |(other, at)| other.field(at).name);
    if found == wanted { Ok(()) } else { Err(format!("`{name}` is {found:?} where the rules show {wanted:?}")) }
}

/// The rows of a query, in its order, each with the row of the second table that is joined to it.
pub(super) fn select_rows<'w>(
    oracle: &Oracle<'w>,
    entity: Entity,
    engine: Engine,
    query: &TypedQuery,
) -> Vec<(&'w Stored, Option<&'w Stored>)> {
    let covered = |row: &&Stored| match query.action {
        "list" => oracle.lists(entity, &row.values),
        "read" => oracle.reads(entity, &row.values),
        action => oracle.covers(entity, action, &row.values) && oracle.reads(entity, &row.values),
    };
    let shown = |row: &Stored, at: FieldIx| oracle.shown_value(entity, at, &row.values);
    let passes = |row: &&Stored| query.tests.iter().all(|(at, test)| test.passes(&shown(row, *at)));
    let own = oracle.world.stored_rows(entity.ix).filter(covered).filter(passes);
    let mut rows: Vec<(&Stored, Option<&Stored>)> = match &query.other {
        Some(other) => own.flat_map(|row| join(oracle, entity, row, other)).collect(),
        None => own.map(|row| (row, None)).collect(),
    };
    let by_key = |entity: Entity, a: &Stored, b: &Stored| compare(a.value(entity.pk), b.value(entity.pk)).unwrap_or(Ordering::Equal);
    rows.sort_by(|(a, further_a), (b, further_b)| {
        let by_value = query.order.map_or(Ordering::Equal, |(at, descends)| {
            let by_value = compare_stored(engine, &shown(a, at), &shown(b, at));
            if descends { by_value.reverse() } else { by_value }
        });
        let by_further = || match (&query.other, further_a, further_b) {
            (Some(other), Some(a), Some(b)) => by_key(other.entity, a, b),
            (None, ..) | (_, None, _) | (.., None) => Ordering::Equal,
        };
        by_value.then_with(|| by_key(entity, a, b)).then_with(by_further)
    });
    let skipped = query.offset.and_then(|rows| usize::try_from(rows).ok()).unwrap_or_default();
    let most = query.limit.and_then(|rows| usize::try_from(rows).ok()).unwrap_or(usize::MAX);
    rows.into_iter().skip(skipped).take(most).collect()
}

/// The rows of a query for one row of its first table.
fn join<'w>(oracle: &Oracle<'w>, entity: Entity, row: &'w Stored, other: &OtherTable) -> Vec<(&'w Stored, Option<&'w Stored>)> {
    let reference = match other.itself {
        Some(at) => Some((entity, entity, at)),
        None => {
            single_reference(entity, other.entity).and_then(|(child, parent, column)| child.find(column).map(|(at, _)| (child, parent, at)))
        }
    };
    let Some((child, parent, at)) = reference else { return Vec::new() };
    let passes = |further: &Stored| {
        let shown = |at: FieldIx| oracle.shown_value(other.entity, at, &further.values);
        oracle.reads(other.entity, &further.values) && other.tests.iter().all(|(at, test)| test.passes(&shown(*at)))
    };
    let refers = |from: &Stored, to: &Stored| {
        let key = oracle.shown_value(child, at, &from.values);
        !key.is_null() && compare(&key, to.value(parent.pk)) == Some(Ordering::Equal)
    };
    let connected = |further: &&Stored| if child.ix == entity.ix { refers(row, further) } else { refers(further, row) };
    let found: Vec<&Stored> = oracle.world.stored_rows(other.entity.ix).filter(connected).filter(|further| passes(further)).collect();
    match other.use_of_rows {
        UseOfRows::LeftJoin if found.is_empty() => vec![(row, None)],
        UseOfRows::InnerJoin | UseOfRows::LeftJoin => found.into_iter().map(|further| (row, Some(further))).collect(),
        UseOfRows::Exists => found.first().map(|_| (row, None)).into_iter().collect(),
        UseOfRows::NotExists => {
            if found.is_empty() {
                vec![(row, None)]
            } else {
                Vec::new()
            }
        }
    }
}

/// The order of a database: null is the smallest value on SQLite, and the greatest on PostgreSQL.
fn compare_stored(engine: Engine, left: &Value, right: &Value) -> Ordering {
    let nulls = if engine == Engine::Sqlite { Ordering::Less } else { Ordering::Greater };
    match (left.is_null(), right.is_null()) {
        (true, true) => Ordering::Equal,
        (true, false) => nulls,
        (false, true) => nulls.reverse(),
        (false, false) => compare(left, right).unwrap_or(Ordering::Equal),
    }
}
