//! Checks whether an index covers all equality conditions of a filtered list and the filter. Otherwise the database reads many rows for
//! each returned row.

use std::collections::BTreeSet;

use crate::{
    Engine, Result, Value,
    db::{BindKind, Conn, Statement},
    plan::{explain::Step, requests::Filter},
    rows,
};

/// Returns the index that a filtered list needs and the database lacks; `ways` are the query plans of the statement.
pub(super) fn find_missing_index(conn: &mut Conn, filter: &Filter, text: &str, ways: &[Vec<Step>]) -> Result<Option<String>> {
    if !has_condition(text, filter) {
        return Ok(None);
    }
    let wanted = equal_columns(text, filter);
    let engine = conn.engine();
    // The database uses one of two indexes, not both.
    if ways.iter().any(|steps| is_searched(engine, steps, &wanted)) || has_index(conn, filter, &wanted)? {
        return Ok(None);
    }
    let does = ways.first().and_then(|steps| steps.first()).map_or("", |step| step.does.as_str());
    let columns: Vec<String> = wanted.iter().map(|column| format!("`{column}`")).collect();
    Ok(Some(format!("{does}; no index finds the rows by {}", columns.join(" and "))))
}

/// True if a statement has a condition of the filter on the rows of the list itself.
fn has_condition(text: &str, filter: &Filter) -> bool {
    let column = rows::column_of_row(filter.column);
    text.contains(&format!("FROM \"{}\"", filter.table)) && text.split(" WHERE ").skip(1).any(|condition| condition.contains(&column))
}

/// Returns the column of the filter, and the columns of the same rows with an equality condition.
fn equal_columns<'t>(text: &'t str, filter: &Filter) -> BTreeSet<&'t str> {
    let row = rows::column_of_row("");
    let row = row.trim_end_matches('"');
    let mut columns = BTreeSet::from([filter.column]);
    let condition = text.split_once(" WHERE ").map_or("", |(_, rest)| rest.split(" ORDER BY ").next().unwrap_or_default());
    for conjunct in conjuncts(condition) {
        let Some((column, rest)) = conjunct.strip_prefix(row).and_then(|rest| rest.strip_prefix('"')).and_then(|rest| rest.split_once('"'))
        else {
            continue;
        };
        let compared = rest.strip_prefix(" = ").or_else(|| rest.strip_prefix(" IS ").filter(|with| !with.starts_with('N')));
        columns.extend(compared.map(|_| dz_vocabulary::field_of_column(column)));
    }
    columns
}

/// Splits a condition at its outermost `AND`.
fn conjuncts(condition: &str) -> Vec<&str> {
    let condition = strip_brackets(condition.trim());
    let parts = split(condition, " AND ");
    match split(condition, " OR ").len() {
        1 if parts.len() > 1 => parts.into_iter().flat_map(conjuncts).collect(),
        1 => vec![condition],
        _ => Vec::new(),
    }
}

/// Removes brackets around a whole condition.
fn strip_brackets(condition: &str) -> &str {
    match condition.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) if depths(inner).all(|(_, _, depth)| depth >= 0) => strip_brackets(inner.trim()),
        _ => condition,
    }
}

/// Splits a text at a word outside of brackets.
fn split<'t>(text: &'t str, word: &str) -> Vec<&'t str> {
    let (mut parts, mut from) = (Vec::new(), 0);
    for (at, _, depth) in depths(text) {
        if depth == 0 && at >= from && text[at..].starts_with(word) {
            parts.push(&text[from..at]);
            from = at + word.len();
        }
    }
    parts.push(&text[from..]);
    parts
}

/// Each character with its position and the number of open brackets after it.
fn depths(text: &str) -> impl Iterator<Item = (usize, char, i32)> {
    text.char_indices().scan(0, |depth, (at, c)| {
        *depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        Some((at, c, *depth))
    })
}

/// True if one step searches an index for the values of all these columns.
fn is_searched(engine: Engine, steps: &[Step], columns: &BTreeSet<&str>) -> bool {
    steps.iter().any(|step| {
        let terms = match engine {
            Engine::Sqlite => step.does.strip_prefix("SEARCH ").and_then(|rest| rest.split_once(" (")).map(|(_, terms)| terms),
            Engine::Postgres => step.does.strip_prefix("Index Cond:"),
        };
        let words: BTreeSet<&str> = terms.unwrap_or_default().split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        columns.is_subset(&words)
    })
}

/// True if an index over all rows, or over all that are not deleted, begins with these columns in any order, after the tenant.
fn has_index(conn: &mut Conn, filter: &Filter, wanted: &BTreeSet<&str>) -> Result<bool> {
    let mut select = Statement::new();
    let table = Value::Text(filter.table.to_owned());
    match conn.engine() {
        Engine::Sqlite => select.push("SELECT l.name, i.name FROM pragma_index_list(").bind(table, BindKind::Text).push(
            ") AS l JOIN pragma_index_info(l.name) AS i JOIN sqlite_schema AS s ON s.name = l.name \
                 WHERE (l.partial = 0 OR s.sql LIKE '% WHERE \"deleted_at\" IS NULL') AND i.name IS NOT NULL \
                 ORDER BY l.seq, i.seqno",
        ),
        Engine::Postgres => select
            .push(
                "SELECT c.relname::text, a.attname::text FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid \
                 JOIN pg_attribute a ON a.attrelid = c.oid \
                 WHERE (x.indpred IS NULL OR pg_get_expr(x.indpred, x.indrelid) = '(deleted_at IS NULL)') \
                 AND x.indrelid = to_regclass(quote_ident(",
            )
            .bind(table, BindKind::Text)
            .push(")) ORDER BY c.relname, a.attnum"),
    };
    let rows = conn.rows(&select, &[BindKind::Text, BindKind::Text])?;
    let keys = rows.iter().filter_map(|row| match row.as_slice() {
        [Value::Text(index), Value::Text(column)] => Some((index.as_str(), column.as_str())),
        _ => None,
    });
    let keys: Vec<(&str, &str)> = keys.collect();
    Ok(keys.chunk_by(|one, other| one.0 == other.0).any(|index| {
        let leading =
            index.iter().map(|(_, column)| *column).take_while(|column| wanted.contains(column) || Some(*column) == filter.tenant);
        wanted.is_subset(&leading.collect())
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILTER: Filter = Filter { table: "tasks", tenant: None, column: "status", refused: false };

    #[track_caller]
    fn check(condition: &str, expected: &[&str]) {
        let text = format!("SELECT count(*) FROM \"tasks\" AS \"t\" WHERE {condition} ORDER BY \"t\".\"due\"");
        assert!(has_condition(&text, &FILTER));
        assert_eq!(equal_columns(&text, &FILTER), expected.iter().copied().collect());
    }

    #[test]
    fn columns_with_an_equality_condition() {
        check("(\"t\".\"status\" = ?)", &["status"]);
        check("((\"t\".\"team\" IS ?) AND (\"t\".\"status\" = ?))", &["status", "team"]);
        check(
            "((\"t\".\"team\" = ? AND \"t\".\"team\" IS NOT NULL) AND (\"t\".\"status\" = ?)) AND (\"t\".\"gone\" IS NULL)",
            &["status", "team"],
        );
        check("(((\"t\".\"team\" = ?) OR (\"t\".\"owner\" = ?)) AND (\"t\".\"status\" = ?))", &["status"]);
        check("(\"t\".\"status\" = ? AND \"t\".\"due\" >= ?)", &["status"]);
        check("(\"t\".\"team\" = ?) AND (\"t\".\"status\" = ?) OR (\"t\".\"owner\" = ?)", &["status"]);
    }

    #[test]
    fn all_columns_are_searched_by_one_step() {
        let steps = |lines: &[&str]| lines.iter().map(|does| Step { parent: None, does: (*does).to_owned() }).collect::<Vec<_>>();
        let columns = BTreeSet::from(["status", "team"]);
        assert!(is_searched(Engine::Sqlite, &steps(&["SEARCH t USING INDEX a (team=? AND status=?)"]), &columns));
        assert!(!is_searched(Engine::Sqlite, &steps(&["SEARCH t USING INDEX tasks_team_status_idx (team=?)"]), &columns));
        assert!(is_searched(Engine::Postgres, &steps(&["Index Cond: ((team = $1) AND ((status)::text = 'x'::text))"]), &columns));
        assert!(!is_searched(Engine::Postgres, &steps(&["Index Cond: (team = $1)", "Filter: (status = 'x')"]), &columns));
    }
}
