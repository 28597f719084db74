//! Reads query plans, and finds steps that read a whole table, or many rows for each row that is kept.

use std::collections::BTreeSet;

use crate::{
    Engine, Error, Result, Value,
    db::{BindKind, Conn, Statement},
    plan::{
        Reading,
        index_use::find_missing_index,
        requests::{Request, Selectivity},
    },
    state::State,
};

/// Reads the plans of statements that were not seen before.
pub(super) fn explain_statements(
    state: &State,
    asked: &Request,
    statements: Vec<Statement>,
    seen: &mut BTreeSet<String>,
    readings: &mut Vec<Reading>,
) -> Result<()> {
    let new: Vec<Statement> = statements.into_iter().filter(|it| is_read(&it.text()) && seen.insert(it.text())).collect();
    if new.is_empty() {
        return Ok(());
    }
    let mut found = Vec::new();
    let done = state.db.write(&mut |conn| {
        found.clear();
        for statement in &new {
            let text = statement.text();
            let engine = conn.engine();
            let ways = load_plans(conn, statement)?;
            let judged = ways.iter().map(|steps| assess(asked, find_whole_read(engine, steps, &text)?, &text));
            // Selects the plan that reads least: one without a whole table, or one with a reason.
            let best = judged.min_by_key(|way| way.as_ref().map(|(_, excuse)| excuse.is_none())).flatten();
            let reading =
                |does, excuse, whole| Reading { request: asked.name.clone(), step: does, statement: text.clone(), reason: excuse, whole };
            match (best, asked.filter) {
                (Some((does, excuse)), _) => found.push(reading(does, excuse, true)),
                (None, Some(filter)) => {
                    let excuse = filter.refused.then_some("the declaration refuses an index for the filter (`no_index`)");
                    found.extend(find_missing_index(conn, &filter, &text, &ways)?.map(|does| reading(does, excuse, false)));
                }
                _ => {}
            }
        }
        Err::<(), _>(Error::internal(ROLLED_BACK))
    });
    match done {
        Err(error) if error.internal.as_deref() == Some(ROLLED_BACK) => {
            readings.append(&mut found);
            Ok(())
        }
        other => other,
    }
}

const ROLLED_BACK: &str = "the request of a plan is rolled back";

/// True for statements that read rows.
fn is_read(text: &str) -> bool {
    ["SELECT", "UPDATE", "DELETE", "WITH"].iter().any(|word| text.starts_with(word))
}

/// Loads the plans of a statement. Sequential scans are disabled, because a database prefers them over few rows; a second plan is made
/// without sorts and bitmap scans. The plans show whether an index serves the statement.
fn load_plans(conn: &mut Conn, statement: &Statement) -> Result<Vec<Vec<Step>>> {
    if conn.engine() == Engine::Sqlite {
        return Ok(vec![load_plan(conn, statement)?]);
    }
    let mut ways = Vec::new();
    for also in ["on", "off"] {
        conn.batch(&format!("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = {also}; SET LOCAL enable_bitmapscan = {also}"))?;
        ways.push(load_plan(conn, statement)?);
    }
    Ok(ways)
}

fn find_whole_read(engine: Engine, steps: &[Step], text: &str) -> Option<WholeRead> {
    match engine {
        Engine::Sqlite => find_on_sqlite(steps),
        Engine::Postgres => find_on_postgres(steps, text.contains(" AS \"page\"")),
    }
}

/// A step of a query plan.
pub(super) struct Step {
    /// The step that contains it.
    pub parent: Option<usize>,
    /// Its text in the query plan.
    pub does: String,
}

fn load_plan(conn: &mut Conn, statement: &Statement) -> Result<Vec<Step>> {
    let mut explain = Statement::new();
    let (word, kinds) = match conn.engine() {
        Engine::Sqlite => ("EXPLAIN QUERY PLAN ", &[BindKind::Int, BindKind::Int, BindKind::Int, BindKind::Text][..]),
        Engine::Postgres => ("EXPLAIN (COSTS OFF) ", &[BindKind::Text][..]),
    };
    explain.push(word).append(statement.clone()).uncacheable();
    let rows = conn.rows(&explain, kinds)?;
    let text = |row: &mut Vec<Value>| if let Some(Value::Text(step)) = row.pop() { step } else { String::new() };
    Ok(match conn.engine() {
        Engine::Sqlite => {
            let ids: Vec<Value> = rows.iter().map(|row| row.first().cloned().unwrap_or_default()).collect();
            let parent = |row: &[Value]| ids.iter().position(|id| Some(id) == row.get(1));
            rows.into_iter().map(|mut row| Step { parent: parent(&row), does: text(&mut row) }).collect()
        }
        Engine::Postgres => parse_indented(rows.into_iter().map(|mut row| text(&mut row))),
    })
}

/// Parses steps whose indentation is their depth.
fn parse_indented(lines: impl Iterator<Item = String>) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    for line in lines {
        let does = line.trim_start().trim_start_matches("->").trim_start();
        let indent = line.len() - does.len();
        open.retain(|(other, _)| *other < indent);
        let parent = open.last().map(|(_, at)| *at);
        open.push((indent, steps.len()));
        steps.push(Step { parent, does: does.to_owned() });
    }
    steps
}

/// A step that reads a whole table.
#[derive(Debug, PartialEq)]
enum WholeRead {
    /// The whole table.
    All(String),
    /// The table in the order of an index, until a page is complete.
    InOrder(String),
}

fn find_on_sqlite(steps: &[Step]) -> Option<WholeRead> {
    // The result of a subquery is not a table.
    let parts: Vec<&str> =
        steps.iter().filter_map(|step| step.does.strip_prefix("CO-ROUTINE ").or_else(|| step.does.strip_prefix("MATERIALIZE "))).collect();
    let scanned = |step: &Step| {
        let table = step.does.strip_prefix("SCAN ")?;
        let name = table.split(' ').next().unwrap_or_default();
        let inner = name == "json_each" || name.starts_with('(') || parts.contains(&name) || table.contains("VIRTUAL TABLE");
        (!inner && table != "CONSTANT ROW").then(|| {
            let sorts = steps.iter().any(|other| other.parent == step.parent && other.does == "USE TEMP B-TREE FOR ORDER BY");
            match (step.does.contains(" USING "), sorts) {
                (true, false) => WholeRead::InOrder(step.does.clone()),
                (_, true) => WholeRead::All(format!("{}, and sorts what it finds", step.does)),
                (false, false) => WholeRead::All(step.does.clone()),
            }
        })
    };
    select_worst(steps.iter().filter_map(scanned))
}

/// `paged`: the statement finds the keys of a page, and then its rows by their keys. The plan of the second part has no meaning for
/// an empty table.
fn find_on_postgres(steps: &[Step], paged: bool) -> Option<WholeRead> {
    let scanned = |(at, step): (usize, &Step)| {
        let all = || WholeRead::All(step.does.clone());
        let above = || {
            let all = std::iter::successors(step.parent, |at| steps.get(*at).and_then(|step| step.parent));
            all.filter_map(|at| steps.get(at)).map(|step| step.does.as_str())
        };
        if paged && !above().any(|does| does == "Limit") {
            return None;
        }
        if step.does.starts_with("Seq Scan") || step.does.starts_with("Parallel Seq Scan") {
            return Some(all());
        }
        let kinds = ["Index Scan", "Index Only Scan", "Bitmap Index Scan"];
        let sought = steps.iter().any(|other| other.parent == Some(at) && other.does.starts_with("Index Cond:"));
        if !kinds.iter().any(|kind| step.does.starts_with(kind)) || sought {
            return None;
        }
        let ends = ["Limit", "Sort", "Hash", "Aggregate", "GroupAggregate", "HashAggregate", "Materialize"];
        let end = above().find(|does| ends.contains(does) || does.starts_with("Bitmap Heap Scan"));
        Some(if end == Some("Limit") { WholeRead::InOrder(step.does.clone()) } else { all() })
    };
    select_worst(steps.iter().enumerate().filter_map(scanned))
}

fn select_worst(found: impl Iterator<Item = WholeRead>) -> Option<WholeRead> {
    found.max_by_key(|whole| matches!(whole, WholeRead::All(_)))
}

/// Returns the table that a statement reads as a whole, and the reason if it is expected; `None` if an index leads to a page.
fn assess(asked: &Request, whole: WholeRead, text: &str) -> Option<(String, Option<&'static str>)> {
    let (does, in_order) = match whole {
        WholeRead::All(does) => (does, false),
        WholeRead::InOrder(does) => (does, text.contains(" LIMIT ")),
    };
    let own = does.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).any(|word| word.starts_with("dz_"));
    let excuse = match asked.selectivity {
        // A page of a list in the order of an index.
        Selectivity::No if in_order => return None,
        _ if text.starts_with("SELECT count(*)") => {
            Some("a list shows its number of rows, so they are counted up to `dz.list.count_limit`")
        }
        Selectivity::Searched => Some("a search inside texts, which no index supports"),
        Selectivity::Picked => Some("a picker sorts its choices by label; declare an `index` of the label if there are many"),
        // A value of another row is in no index of this table.
        Selectivity::Few if in_order && asked.filter.is_none_or(|filter| filter.refused) => {
            Some("a filter with few values reads the list in its order until the page is full")
        }
        _ if asked.rare => Some("an administrator of the whole system lists the members of all tenants"),
        _ if asked.small => Some("a table with one row, or with one for each tenant"),
        _ if own => Some("a small table of dz"),
        Selectivity::No | Selectivity::Much | Selectivity::Few => None,
    };
    Some((does, excuse))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps by their indentation.
    fn steps(lines: &[&str]) -> Vec<Step> {
        parse_indented(lines.iter().map(|line| (*line).to_owned()))
    }

    #[track_caller]
    fn sqlite(lines: &[&str], expected: &str) {
        check(find_on_sqlite(&steps(lines)), expected);
    }

    #[track_caller]
    fn postgres(lines: &[&str], expected: &str) {
        check(find_on_postgres(&steps(lines), false), expected);
    }

    #[track_caller]
    fn check(found: Option<WholeRead>, expected: &str) {
        let found = match found {
            None => "nothing",
            Some(WholeRead::All(_)) => "all",
            Some(WholeRead::InOrder(_)) => "in order",
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn whole_tables_on_sqlite() {
        sqlite(&["SCAN t"], "all");
        sqlite(&["SCAN t USING INDEX tasks_due_idx"], "in order");
        sqlite(&["SCAN t USING INDEX tasks_due_idx", "USE TEMP B-TREE FOR ORDER BY"], "all");
        sqlite(&["SCAN t USING INDEX tasks_due_idx", "USE TEMP B-TREE FOR LAST TERM OF ORDER BY"], "in order");
        let page = [
            "CO-ROUTINE page",
            "  SCAN t USING INDEX tasks_due_idx",
            "SCAN page",
            "SEARCH t USING INDEX a (id=?)",
            "USE TEMP B-TREE FOR ORDER BY",
        ];
        sqlite(&page, "in order");
        sqlite(&["SEARCH t USING INDEX tasks_due_idx (due>?)", "USE TEMP B-TREE FOR ORDER BY"], "nothing");
        sqlite(&["SEARCH t USING INDEX a (id=?)", "LIST SUBQUERY 1", "  SCAN json_each VIRTUAL TABLE INDEX 1:"], "nothing");
        sqlite(&["SCAN CONSTANT ROW", "SCAN t USING INDEX a", "SCAN u"], "all");
    }

    #[test]
    fn whole_tables_on_postgres() {
        postgres(&["Limit", "  ->  Seq Scan on tasks t"], "all");
        postgres(&["Limit", "  ->  Index Scan using \"tasks_due_idx\" on tasks t"], "in order");
        postgres(&["Limit", "  ->  Sort", "        Sort Key: due", "        ->  Index Scan using a on tasks t"], "all");
        postgres(&["Index Scan using a on tasks t", "  Index Cond: (id = $1)"], "nothing");
        let sorted = ["Sort", "  Sort Key: due", "  ->  Limit", "        ->  Index Only Scan using a on tasks t"];
        postgres(&sorted, "in order");
        let joined = [
            "Nested Loop",
            "  ->  Index Scan using a on tasks t",
            "        Filter: x",
            "  ->  Index Scan using b on users",
            "        Index Cond: y",
        ];
        postgres(&joined, "all");
        postgres(&["Aggregate", "  ->  Bitmap Heap Scan on tasks", "        ->  Bitmap Index Scan on \"tasks_due_idx\""], "all");
        // Only the search for the keys of a page counts.
        let page = [
            "Merge Join",
            "  ->  Index Scan using a on tasks t",
            "  ->  Sort",
            "        ->  Limit",
            "              ->  Index Only Scan using b on tasks t_1",
        ];
        check(find_on_postgres(&steps(&page), true), "in order");
    }
}
