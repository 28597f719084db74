//! The sort order of a list, and keyset pagination: each batch starts after the last row of the one before, independently of writes
//! in between.

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
    def::{EntityDef, FieldDef, SortOrder},
};

/// One sort key.
pub(super) struct OrderKey {
    /// Its SQL: a column, or the expression of a computed field.
    pub(super) sql: Statement,
    /// How its values are bound and decoded.
    pub(super) bind: BindKind,
    field: &'static FieldDef,
    descending: bool,
}

/// The sort keys of a query, the primary key last. A reference is sorted by the label of its target.
///
/// # Errors
/// 400 for a field that cannot be sorted.
pub(super) fn order_keys(emit: &Emit<'_>, joins: &mut Joins<'_>, entity: &'static EntityDef, query: &Query) -> Result<Vec<OrderKey>> {
    let mut order_keys = Vec::new();
    for (path, descending) in &query.sort {
        let Some(direct) = joins.join_field(*path) else { continue };
        filter::check_filterable(&direct)?;
        let by = if direct.field.kind.target().is_some() { joins.join_label(*path) } else { Some(direct) };
        // Amounts are grouped by currency.
        if let Some(currency) = path.currency(emit.app).and_then(|currency| joins.join_field(currency))
            && let Some(bind) = BindKind::from_kind(currency.field.kind, emit.app)
        {
            order_keys.push(OrderKey { sql: currency.sql, bind, field: currency.field, descending: *descending });
        }
        if let Some(by) = by
            && let Some(bind) = BindKind::from_kind(by.field.kind, emit.app)
        {
            order_keys.push(OrderKey { sql: by.sql, bind, field: by.field, descending: *descending });
        }
    }
    let key = entity.key();
    let bind = BindKind::from_kind(key.kind, emit.app).ok_or_else(|| Error::internal("a key without a column"))?;
    let mut sql = Statement::new();
    sql.push(&column(ROW, key.name));
    order_keys.push(OrderKey { sql, bind, field: key, descending: false });
    Ok(order_keys)
}

/// The text after `ORDER BY`.
pub(super) fn order(engine: Engine, order_keys: &[OrderKey]) -> Statement {
    let mut order = Statement::new();
    let Some((key, order_keys)) = order_keys.split_last() else { return order };
    for order_key in order_keys {
        for key in emit::order_by(engine, order_key.field, &order_key.sql, order_key.descending) {
            order.append(key).push(", ");
        }
    }
    order.append(key.sql.clone());
    order
}

/// The condition on the rows after the row with these values of the sort keys.
pub(super) fn rows_after(emit: &Emit<'_>, order_keys: &[OrderKey], values: &[Value]) -> Condition {
    if order_keys.iter().all(|order_key| !order_key.descending) && values.iter().all(|value| !value.is_null()) {
        // Null is the smallest value, so a row with null never follows. Both engines compare rows of values in this way, and use an
        // index for it.
        return compare_rows(order_keys.iter().zip(values).flat_map(|(order_key, value)| emit.key_pairs(order_key, value)));
    }
    // A row follows if it is greater in one sort key and equal in all keys before that one.
    order_keys.iter().zip(values).rev().fold(Condition::Never, |behind, (order_key, value)| {
        emit.sort_keys(order_key, value).into_iter().rev().fold(behind, |behind, key| {
            let (later, onwards) = match order_key.descending {
                true => (key.before.clone(), key.before.or(key.same.clone())),
                false => (key.after, key.onwards),
            };
            // The redundant condition lets the engine find the start in an index.
            onwards.and(later.or(key.same.and(behind)))
        })
    })
}

/// The row of all keys is greater than the row of their values.
fn compare_rows(keys: impl Iterator<Item = (Statement, Statement)>) -> Condition {
    let (mut left, mut right) = (Statement::new(), Statement::new());
    for (at, (key, bound)) in keys.enumerate() {
        left.push(if at == 0 { "((" } else { ", " }).append(key);
        right.push(if at == 0 { ") > (" } else { ", " }).append(bound);
    }
    left.append(right).push("))");
    Condition::Rows(left)
}

/// The comparisons of a row with a value by one sort key.
pub(crate) struct SortKey {
    same: Condition,
    /// The row precedes the value in ascending order.
    before: Condition,
    after: Condition,
    /// The row follows or equals the value: one comparison, for which an index can be used.
    onwards: Condition,
}

impl Emit<'_> {
    /// The keys of [`emit::order`], each with the value that it is compared with; the value is not null.
    fn key_pairs(&self, order_key: &OrderKey, value: &Value) -> Vec<(Statement, Statement)> {
        let key = |template: &str| fill(template, [order_key.sql.clone()]);
        let mut bound = Statement::new();
        bound.bind(value.clone(), order_key.bind);
        match (order_key.field.kind.sort_order(), self.engine) {
            (SortOrder::Declared(of), _) => {
                let position = of.values.iter().position(|known| matches!(value, Value::Text(name) if name == known.name));
                let mut at = Statement::new();
                at.bind(Value::Int(position.and_then(|at| i64::try_from(at).ok()).unwrap_or(-1)), BindKind::Int);
                vec![(key(&emit::position(of, "{}")), at)]
            }
            (SortOrder::IgnoringCase, Engine::Sqlite) => {
                vec![(key("{} COLLATE NOCASE"), bound.clone()), (key("{}"), bound)]
            }
            (SortOrder::IgnoringCase, Engine::Postgres) => {
                let folded = fill("lower({} COLLATE \"C\")", [bound.clone()]);
                vec![(key("lower({} COLLATE \"C\")"), folded), (key("{}"), bound)]
            }
            (SortOrder::Plain, _) => vec![(key("{}"), bound)],
        }
    }

    /// The keys of [`emit::order`], each with its comparisons; null is the smallest value.
    fn sort_keys(&self, order_key: &OrderKey, value: &Value) -> Vec<SortKey> {
        if value.is_null() {
            let test = |test: &str| Condition::Rows(fill(&format!("{{}} IS {test}"), [order_key.sql.clone()]));
            return vec![SortKey { same: test("NULL"), before: Condition::Never, after: test("NOT NULL"), onwards: Condition::Always }];
        }
        let compared = |(key, bound): (Statement, Statement)| {
            let test = |symbol: &str| fill(&format!("({{}} {symbol} {{}})"), [key.clone(), bound.clone()]);
            let null = || fill("{} IS NULL", [key.clone()]);
            // Without `NOT` around it, null has the effect of false.
            SortKey {
                same: Condition::Rows(test("=")),
                before: Condition::Rows(test("<")).or(Condition::Rows(null())),
                after: Condition::Rows(test(">")),
                onwards: Condition::Rows(test(">=")),
            }
        };
        self.key_pairs(order_key, value).into_iter().map(compared).collect()
    }
}
