//! The catalogue of a database, in a form that does not depend on the order in which the tables were created.

use std::collections::BTreeSet;

use super::{BindKind, Conn, Statement};
use crate::{Engine, Error, Value};

/// An object of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fact {
    /// The table of the object.
    pub table: String,
    /// The column, constraint, index, trigger or policy, as the engine writes it.
    pub text: String,
}

impl Fact {
    /// True for an index without a constraint, which an operator can add.
    fn is_index(&self) -> bool {
        self.text.starts_with("CREATE INDEX ") || self.text.starts_with("index CREATE INDEX ")
    }
}

/// The schema in which the declared tables are created for the comparison; it is never committed.
const SCRATCH: &str = "dz_declared";

/// The differences between the database and the declared statements: missing objects, and additional objects in the same tables.
/// `None` if the role may not create the schema for the comparison.
pub(super) fn differences(conn: &mut Conn, sql: &str) -> Result<Option<Vec<String>>, Error> {
    let found = read(conn)?;
    let Some(expected) = declared_facts(conn, sql)? else { return Ok(None) };
    let tables: BTreeSet<&str> = expected.iter().map(|fact| fact.table.as_str()).collect();
    let missing = expected.difference(&found).map(|fact| format!("`{}` lacks {}", fact.table, fact.text));
    let more = found.difference(&expected).filter(|fact| tables.contains(fact.table.as_str()) && !fact.is_index());
    let more = more.map(|fact| format!("`{}` has {}, which is not declared", fact.table, fact.text));
    Ok(Some(missing.chain(more).collect()))
}

/// The catalogue that the declared statements create.
fn declared_facts(conn: &mut Conn, sql: &str) -> Result<Option<BTreeSet<Fact>>, Error> {
    match conn.engine() {
        #[cfg(feature = "sqlite")]
        Engine::Sqlite => {
            let memory = diesel::Connection::establish(":memory:").map_err(Error::internal)?;
            let mut memory = Conn::from_sqlite(memory);
            memory.script(sql).map_err(Error::internal)?;
            read(&mut memory).map(Some)
        }
        #[cfg(not(feature = "sqlite"))]
        Engine::Sqlite => read_in_scratch(conn, sql),
        Engine::Postgres => read_in_scratch(conn, sql),
    }
}

/// As [`declared_facts`], in a separate schema of PostgreSQL in a transaction that is rolled back.
fn read_in_scratch(conn: &mut Conn, sql: &str) -> Result<Option<BTreeSet<Fact>>, Error> {
    let mut select = Statement::new();
    select.push("SELECT has_database_privilege(current_database(), 'CREATE')");
    if conn.rows(&select, &[BindKind::Bool])?.into_iter().flatten().next() != Some(Value::Bool(true)) {
        return Ok(None);
    }
    let mut facts = None;
    let undone = conn.transaction(&mut |conn| {
        conn.batch(&format!("CREATE SCHEMA {SCRATCH}; SET LOCAL search_path TO {SCRATCH}"))?;
        conn.script(sql).map_err(Error::internal)?;
        facts = Some(read(conn)?);
        Err::<(), _>(Error::internal("a comparison leaves nothing behind"))
    });
    match (facts, undone) {
        (Some(facts), _) => Ok(Some(facts)),
        (None, Err(error)) => Err(error),
        (None, Ok(())) => Ok(None),
    }
}

/// The catalogue of the current schema.
pub(super) fn read(conn: &mut Conn) -> Result<BTreeSet<Fact>, Error> {
    match conn.engine() {
        Engine::Sqlite => sqlite(conn),
        Engine::Postgres => postgres(conn),
    }
}

/// The statements that SQLite stores; a table as the set of its parts.
fn sqlite(conn: &mut Conn) -> Result<BTreeSet<Fact>, Error> {
    let mut select = Statement::new();
    select.push("SELECT type, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~'");
    let mut facts = BTreeSet::new();
    for row in conn.rows(&select, &[BindKind::Text; 3])? {
        let Ok([Value::Text(kind), Value::Text(table), Value::Text(sql)]) = <[Value; 3]>::try_from(row) else { continue };
        let inner = sql.split_once('(').and_then(|(_, inner)| inner.rsplit_once(')'));
        match inner.filter(|_| kind == "table") {
            Some((inner, end)) => {
                facts.extend(split_parts(inner).into_iter().chain([end.trim().to_owned()]).map(|text| Fact { table: table.clone(), text }));
            }
            None => drop(facts.insert(Fact { table, text: sql })),
        }
    }
    Ok(facts)
}

/// Splits a text at commas outside brackets and quotes.
fn split_parts(text: &str) -> Vec<String> {
    let (mut parts, mut current, mut depth, mut quote) = (Vec::new(), String::new(), 0, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(std::mem::take(&mut current));
                continue;
            }
            _ => {}
        }
        current.push(c);
    }
    parts.push(current);
    parts.iter().map(|part| part.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// Each query returns a table and an object; the name of the schema is omitted, so that schemas can be compared. The objects of a
/// partition follow from those of its table.
const QUERIES: [&str; 7] = [
    "SELECT c.relname::text, 'column ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' ' \
     || a.attidentity::text || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '-') || ' ' || coalesce(l.collname, '-') \
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum \
     LEFT JOIN pg_collation l ON l.oid = a.attcollation \
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition \
     AND a.attnum > 0 AND NOT a.attisdropped",
    "SELECT r.relname::text, 'constraint ' || c.conname || ' ' || pg_get_constraintdef(c.oid) || ' ' || c.convalidated \
     FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid \
     WHERE r.relnamespace = current_schema()::regnamespace AND NOT r.relispartition AND c.conparentid = 0",
    "SELECT tablename::text, 'index ' || replace(indexdef, quote_ident(current_schema()) || '.', '') FROM pg_indexes \
     WHERE schemaname = current_schema() AND NOT EXISTS (SELECT 1 FROM pg_class c \
     WHERE c.relname = tablename AND c.relnamespace = current_schema()::regnamespace AND c.relispartition)",
    "SELECT r.relname::text, 'trigger ' || replace(pg_get_triggerdef(t.oid), quote_ident(current_schema()) || '.', '') \
     FROM pg_trigger t JOIN pg_class r ON r.oid = t.tgrelid \
     WHERE r.relnamespace = current_schema()::regnamespace AND NOT r.relispartition AND NOT t.tgisinternal",
    "SELECT relname::text, 'row security ' || relrowsecurity || ' ' || relforcerowsecurity FROM pg_class \
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition",
    "SELECT tablename::text, 'policy ' || policyname || ' ' || coalesce(qual, '-') FROM pg_policies WHERE schemaname = current_schema()",
    // A table by month has as many partitions as months.
    "SELECT c.relname::text, 'partitions ' || pg_get_partkeydef(c.oid) || CASE p.partstrat WHEN 'h' THEN \
     ' ' || (SELECT count(*) FROM pg_inherits i WHERE i.inhparent = c.oid) ELSE '' END \
     FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid WHERE c.relnamespace = current_schema()::regnamespace",
];

fn postgres(conn: &mut Conn) -> Result<BTreeSet<Fact>, Error> {
    let mut facts = BTreeSet::new();
    for query in QUERIES {
        let mut select = Statement::new();
        select.push(query);
        for row in conn.rows(&select, &[BindKind::Text; 2])? {
            if let Ok([Value::Text(table), Value::Text(text)]) = <[Value; 2]>::try_from(row) {
                facts.insert(Fact { table, text });
            }
        }
    }
    Ok(facts)
}
