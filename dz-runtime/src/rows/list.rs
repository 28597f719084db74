//! Lists: one statement for the page, one for the count.

use super::{
    Extra, Filter, FilterOp, Page, Query,
    columns::{self, column},
    joins::{Joins, Target},
};
use crate::{
    Engine, Error, Result, Tx, Value,
    access::{Grant, List},
    db::{
        BindKind, Statement,
        emit::{self, Condition, Emit, Scope},
    },
    def::{Cmp, EntityDef, Path},
};

/// Rows that the caller may list.
pub fn list(tx: &mut Tx<'_>, grant: &Grant<List>, query: &Query) -> Result<Page> {
    let entity = grant.entity();
    let mut joins = Joins::new();
    let Some(filter) = conditions(tx, grant, query, &mut joins)? else {
        return Ok(Page { rows: Vec::new(), total: 0 });
    };
    let counted = joins.sql.clone();
    let mut select = Statement::new();
    select.push("SELECT ");
    let columns = columns::write(tx, entity, "t", &mut select);
    let mut kinds = columns.kinds.clone();
    for extra in &query.extra {
        let target = match extra {
            Extra::Field(path) => joins.follow(tx, path),
            Extra::Label(path) => joins.label(tx, path),
        };
        let target = target.ok_or_else(|| Error::internal("an extra column leads nowhere"))?;
        select.push(", ");
        column(&mut select, &target.alias, target.field.name);
        kinds.push(target.kind);
    }
    let order = order(tx, entity, &query.sort, &mut joins);
    let total = if query.count { count(tx, entity, counted, &filter)? } else { 0 };
    if query.count && query.offset >= total {
        return Ok(Page { rows: Vec::new(), total });
    }
    select.push(" FROM ").ident(entity.table).push(" AS \"t\"").append(joins.sql);
    if let Some(filter) = filter {
        select.push(" WHERE ").append(filter);
    }
    select.push(" ORDER BY ").push(&order).push(" LIMIT ");
    select.bind(Value::Int(clamp(query.limit)), BindKind::Int).push(" OFFSET ").bind(Value::Int(clamp(query.offset)), BindKind::Int);
    if query.dynamic {
        select.uncacheable();
    }
    let rows = tx.conn.rows(&select, &kinds)?.into_iter().map(|answer| columns.row(answer)).collect();
    Ok(Page { rows, total })
}

fn clamp(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn count(tx: &mut Tx<'_>, entity: &'static EntityDef, joins: Statement, filter: &Option<Statement>) -> Result<u64> {
    let mut statement = Statement::new();
    statement.push("SELECT count(*) FROM ").ident(entity.table).push(" AS \"t\"").append(joins);
    if let Some(filter) = filter {
        statement.push(" WHERE ").append(filter.clone());
    }
    match tx.conn.rows(&statement, &[BindKind::Int])?.pop().and_then(|mut row| row.pop()) {
        Some(Value::Int(total)) => Ok(total.unsigned_abs()),
        _ => Ok(0),
    }
}

/// Everything a row must fulfil; `None` when none can, an empty option when all do.
fn conditions(tx: &Tx<'_>, grant: &Grant<List>, query: &Query, joins: &mut Joins) -> Result<Option<Option<Statement>>> {
    let mut all = match grant.condition(tx.app, tx.engine(), &tx.caller, "t") {
        Condition::Never => return Ok(None),
        other => other,
    };
    if let Some((condition, _)) = &query.condition {
        let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
        let scope = Scope { entity: grant.entity().ix, alias: "t", outer: None };
        all = match all.and(emit.condition(condition, scope, false)) {
            Condition::Never => return Ok(None),
            other => other,
        };
    }
    for filter in &query.filters {
        all = all.and(Condition::Rows(filtered(tx, filter, joins)?));
    }
    if let Some((words, paths)) = &query.search {
        all = all.and(searched(tx, words, paths, joins));
    }
    Ok(match all {
        Condition::Never => None,
        Condition::Always => Some(None),
        Condition::Rows(mut rows) => {
            if query.dynamic {
                rows.uncacheable();
            }
            Some(Some(rows))
        }
    })
}

fn filtered(tx: &Tx<'_>, filter: &Filter, joins: &mut Joins) -> Result<Statement> {
    let target = joins.follow(tx, &filter.path).ok_or_else(|| Error::internal("a filter leads nowhere"))?;
    let mut sql = Statement::new();
    sql.push("(");
    match &filter.op {
        FilterOp::Compare(Cmp::Eq, value) if value.is_null() => is_null(&mut sql, &target, true),
        FilterOp::Compare(Cmp::Ne, value) if value.is_null() => is_null(&mut sql, &target, false),
        FilterOp::IsNull(wanted) => is_null(&mut sql, &target, *wanted),
        FilterOp::Compare(op, value) => {
            column(&mut sql, &target.alias, target.field.name);
            sql.push(match op {
                Cmp::Eq => " = ",
                Cmp::Ne => " IS DISTINCT FROM ",
                Cmp::Lt => " < ",
                Cmp::Le => " <= ",
                Cmp::Gt => " > ",
                Cmp::Ge => " >= ",
            });
            sql.bind(value.clone(), target.kind);
        }
        FilterOp::In(values) => {
            column(&mut sql, &target.alias, target.field.name);
            sql.push(" ");
            sql.in_list(tx.engine(), values.iter().cloned(), target.kind);
        }
        FilterOp::Contains(text) => position(&mut sql, tx.engine(), &target, text, Match::Exact),
        FilterOp::IContains(text) => position(&mut sql, tx.engine(), &target, text, Match::IgnoreCase),
        FilterOp::StartsWith(text) => position(&mut sql, tx.engine(), &target, text, Match::Start),
    }
    sql.push(")");
    Ok(sql)
}

fn is_null(sql: &mut Statement, target: &Target, wanted: bool) {
    column(sql, &target.alias, target.field.name);
    sql.push(if wanted { " IS NULL" } else { " IS NOT NULL" });
}

/// How text is looked for.
#[derive(Clone, Copy, PartialEq)]
enum Match {
    Exact,
    IgnoreCase,
    Start,
}

/// Substring search, never a pattern: what people type means itself.
fn position(sql: &mut Statement, engine: Engine, target: &Target, text: &str, how: Match) {
    let lower = match (engine, how) {
        (_, Match::Exact | Match::Start) => "",
        (Engine::Sqlite, Match::IgnoreCase) => "dz_lower",
        (Engine::Postgres, Match::IgnoreCase) => "lower",
    };
    let text = if how == Match::IgnoreCase && engine == Engine::Sqlite { text.to_lowercase() } else { text.to_owned() };
    sql.push(if engine == Engine::Sqlite { "instr(" } else { "strpos(" }).push(lower).push("(");
    column(sql, &target.alias, target.field.name);
    sql.push(unicode_collation(engine, how)).push("), ");
    if engine == Engine::Postgres {
        sql.push(lower).push("(").bind(Value::Text(text), BindKind::Text).push(unicode_collation(engine, how)).push(")");
    } else {
        sql.bind(Value::Text(text), BindKind::Text);
    }
    sql.push(if how == Match::Start { ") = 1" } else { ") > 0" });
}

/// Columns are collated "C", under which PostgreSQL lowers ASCII only; ICU's root collation lowers all letters.
fn unicode_collation(engine: Engine, how: Match) -> &'static str {
    if engine == Engine::Postgres && how == Match::IgnoreCase { " COLLATE \"und-x-icu\"" } else { "" }
}

fn searched(tx: &Tx<'_>, words: &str, paths: &[Path], joins: &mut Joins) -> Condition {
    let mut sql = Statement::new();
    sql.push("(");
    let mut first = true;
    for path in paths {
        let Some(target) = joins.follow(tx, path) else { continue };
        if !std::mem::take(&mut first) {
            sql.push(" OR ");
        }
        // A hop that is not readable gives null, which must not make the whole condition null.
        sql.push("COALESCE(");
        position(&mut sql, tx.engine(), &target, words, Match::IgnoreCase);
        sql.push(", ").push(if tx.engine() == Engine::Sqlite { "0" } else { "FALSE" }).push(")");
    }
    sql.push(")");
    if first { Condition::Never } else { Condition::Rows(sql) }
}

fn order(tx: &Tx<'_>, entity: &'static EntityDef, sort: &[(Path, bool)], joins: &mut Joins) -> String {
    let mut keys: Vec<String> = Vec::new();
    let mut by_key = false;
    for (path, descending) in sort {
        let Some(target) = joins.follow(tx, path) else { continue };
        let name = format!("\"{}\".\"{}\"", target.alias, target.field.name);
        keys.extend(emit::order(tx.engine(), target.field.kind, &name, *descending));
        by_key |= path.hops.is_empty() && path.field == entity.pk;
    }
    if !by_key {
        keys.push(format!("\"t\".\"{}\"", entity.key().name));
    }
    keys.join(", ")
}
