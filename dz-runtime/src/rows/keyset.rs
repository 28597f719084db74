//! The order of a list, and the rows behind a place in it: batches that begin where the last one ended, whatever has
//! been written meanwhile.

use super::{
    Query, filter,
    joins::Joins,
    select::{ROW, column},
};
use crate::{
    Engine, Error, Result, Value,
    db::{
        BindKind, Statement,
        emit::{self, Condition, Emit, fill},
    },
    def::{EntityDef, FieldDef, Kind},
};

/// One field that an order goes by.
pub(super) struct Place {
    /// What it holds: its column, or what it is computed from.
    pub(super) held: Statement,
    /// How it is read and bound.
    pub(super) bind: BindKind,
    field: &'static FieldDef,
    descending: bool,
}

/// What a query is ordered by, the primary key last. A ref goes by the label of its target.
///
/// # Errors
/// 400 when a field is used that may not shape a list.
pub(super) fn places(emit: &Emit<'_>, joins: &mut Joins<'_>, entity: &'static EntityDef, query: &Query) -> Result<Vec<Place>> {
    let mut places = Vec::new();
    for (path, descending) in &query.sort {
        let Some(direct) = joins.reach(*path) else { continue };
        filter::open(&direct)?;
        let by = match direct.field.kind {
            Kind::Ref(_) => joins.label(*path),
            _ => Some(direct),
        };
        // Amounts of one currency stand together.
        if let Some(currency) = path.currency(emit.app).and_then(|currency| joins.reach(currency))
            && let Some(bind) = BindKind::of(currency.field.kind, emit.app)
        {
            places.push(Place { held: currency.held, bind, field: currency.field, descending: *descending });
        }
        if let Some(by) = by
            && let Some(bind) = BindKind::of(by.field.kind, emit.app)
        {
            places.push(Place { held: by.held, bind, field: by.field, descending: *descending });
        }
    }
    let key = entity.key();
    let bind = BindKind::of(key.kind, emit.app).ok_or_else(|| Error::internal("a key without a column"))?;
    let mut held = Statement::new();
    held.push(&column(ROW, key.name));
    places.push(Place { held, bind, field: key, descending: false });
    Ok(places)
}

/// As SQL, for `ORDER BY`.
pub(super) fn order(engine: Engine, places: &[Place]) -> Statement {
    let mut order = Statement::new();
    let Some((key, places)) = places.split_last() else { return order };
    for place in places {
        for key in emit::order_by(engine, place.field, &place.held, place.descending) {
            order.append(key).push(", ");
        }
    }
    order.append(key.held.clone());
    order
}

/// The rows behind the one that has these values at the places.
pub(super) fn after(emit: &Emit<'_>, places: &[Place], values: &[Value]) -> Condition {
    if places.iter().all(|place| !place.descending) && values.iter().all(|value| !value.is_null()) {
        // Null is the smallest value, so that a row with one is never behind: both engines' comparison of rows says the same,
        // and both know from it where an index begins and how much of it is left.
        return in_rows(places.iter().zip(values).flat_map(|(place, value)| emit.keys(place, value)));
    }
    // Behind at the last place, or at one before it while all places before that are the same.
    places.iter().zip(values).rev().fold(Condition::Never, |behind, (place, value)| {
        emit.sort_keys(place, value).into_iter().rev().fold(behind, |behind, key| {
            let (later, onwards) = match place.descending {
                true => (key.before.clone(), key.before.or(key.same.clone())),
                false => (key.after, key.onwards),
            };
            // What is said twice here lets an index find where to begin.
            onwards.and(later.or(key.same.and(behind)))
        })
    })
}

/// The row of all keys is greater than that of their values.
fn in_rows(keys: impl Iterator<Item = (Statement, Statement)>) -> Condition {
    let (mut left, mut right) = (Statement::new(), Statement::new());
    for (at, (key, bound)) in keys.enumerate() {
        left.push(if at == 0 { "((" } else { ", " }).append(key);
        right.push(if at == 0 { ") > (" } else { ", " }).append(bound);
    }
    left.append(right).push("))");
    Condition::Rows(left)
}

/// How a row is to a value, by one key of an order.
pub(crate) struct SortKey {
    same: Condition,
    /// It comes before the value when the order ascends.
    before: Condition,
    after: Condition,
    /// It comes after the value, or is the same: one comparison, which an index can begin with.
    onwards: Condition,
}

impl Emit<'_> {
    /// The keys of [`emit::order`], each with what it is compared with; the value is not null.
    fn keys(&self, place: &Place, value: &Value) -> Vec<(Statement, Statement)> {
        let held = |template: &str| fill(template, [place.held.clone()]);
        let mut bound = Statement::new();
        bound.bind(value.clone(), place.bind);
        match (place.field.kind, self.engine) {
            (Kind::Enum(of), _) if of.ordered => {
                let place = of.values.iter().position(|known| matches!(value, Value::Text(name) if name == known.name));
                let mut at = Statement::new();
                at.bind(Value::Int(place.and_then(|at| i64::try_from(at).ok()).unwrap_or(-1)), BindKind::Int);
                vec![(held(&emit::position(of, "{}")), at)]
            }
            (Kind::Enum(_), _) => vec![(held("{}"), bound)],
            (kind, Engine::Sqlite) if kind.is_text() => {
                vec![(held("{} COLLATE NOCASE"), bound.clone()), (held("{}"), bound)]
            }
            (kind, Engine::Postgres) if kind.is_text() => {
                let folded = fill("lower({} COLLATE \"C\")", [bound.clone()]);
                vec![(held("lower({} COLLATE \"C\")"), folded), (held("{}"), bound)]
            }
            _ => vec![(held("{}"), bound)],
        }
    }

    /// The keys of [`emit::order`], each compared with a value; null is the smallest value.
    fn sort_keys(&self, place: &Place, value: &Value) -> Vec<SortKey> {
        if value.is_null() {
            let test = |test: &str| Condition::Rows(fill(&format!("{{}} IS {test}"), [place.held.clone()]));
            return vec![SortKey { same: test("NULL"), before: Condition::Never, after: test("NOT NULL"), onwards: Condition::Always }];
        }
        let compared = |(key, bound): (Statement, Statement)| {
            let test = |symbol: &str| fill(&format!("({{}} {symbol} {{}})"), [key.clone(), bound.clone()]);
            let null = || fill("{} IS NULL", [key.clone()]);
            // Under `or` and `and` alone, null counts as no.
            SortKey {
                same: Condition::Rows(test("=")),
                before: Condition::Rows(test("<")).or(Condition::Rows(null())),
                after: Condition::Rows(test(">")),
                onwards: Condition::Rows(test(">=")),
            }
        };
        self.keys(place, value).into_iter().map(compared).collect()
    }
}
