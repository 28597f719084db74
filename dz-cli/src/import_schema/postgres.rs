//! The catalogue of a PostgreSQL database.

use pg_client::{Client, Error, NoTls, Row};

use super::found::{Column, Database, Enum, Index, Reference, Table};

/// Reads the catalogue of one schema of a database.
pub fn read(url: &str, schema: &str) -> Result<Database, String> {
    let mut client = Client::connect(url, NoTls).map_err(|error| format!("the database cannot be reached: {}", reason(&error)))?;
    let found = read_all(&mut client, schema).map_err(|error| format!("the catalogue cannot be read: {}", reason(&error)))?;
    match found {
        Some(database) => Ok(database),
        None => Err(format!("the database has no schema `{schema}`; name another one with `--schema`")),
    }
}

/// The message of the server, which the text of the error does not contain.
fn reason(error: &Error) -> String {
    match error.as_db_error() {
        Some(error) => error.message().to_owned(),
        None => std::error::Error::source(error).map_or_else(|| error.to_string(), |source| format!("{error}: {source}")),
    }
}

fn read_all(client: &mut Client, schema: &str) -> Result<Option<Database>, Error> {
    let mut transaction = client.build_transaction().read_only(true).start()?;
    let found = transaction.query_opt("SELECT current_database()::text, oid FROM pg_namespace WHERE nspname = $1", &[&schema])?;
    let Some(found) = found else { return Ok(None) };
    let (name, namespace): (String, u32) = (found.get(0), found.get(1));
    // The catalogue then returns names of other schemas with their schema.
    transaction.execute("SELECT set_config('search_path', $1, true)", &[&format!("\"{}\"", schema.replace('"', "\"\""))])?;
    let mut of = |sql: &str| transaction.query(sql, &[&namespace]);
    let mut database = Database { name, ..Database::default() };
    for row in of(TABLES)? {
        let (name, kind, comment): (String, String, Option<String>) = (row.get(0), row.get(1), row.get(2));
        match kind.as_str() {
            "r" | "p" => database.tables.push(Table { name, comment, ..Table::default() }),
            "v" => database.others.push(format!("the view `{name}`")),
            "m" => database.others.push(format!("the materialized view `{name}`")),
            _ => database.others.push(format!("the foreign table `{name}`")),
        }
    }
    for row in of(ENUMS)? {
        database.enums.push(Enum { name: row.get(0), values: row.get(1) });
    }
    for row in of(COLUMNS)? {
        let column = Column { name: row.get(1), ty: row.get(2), required: row.get(3), default: row.get(4), generated: row.get(5) };
        change(&mut database, &row, |table| table.columns.push(column));
    }
    for row in of(CONSTRAINTS)? {
        let (kind, columns): (String, Vec<String>) = (row.get(1), row.get(2));
        match kind.as_str() {
            "p" => change(&mut database, &row, |table| table.primary = columns),
            "c" => change(&mut database, &row, |table| table.checks.extend(row.get::<_, Option<String>>(3))),
            "x" => {
                change(&mut database, &row, |table| table.triggers.push(format!("{} (an exclusion constraint)", row.get::<_, String>(7))))
            }
            _ => {
                let reference = Reference { columns, table: row.get(4), targets: row.get(5), on_delete: row.get(6) };
                change(&mut database, &row, |table| table.references.push(reference));
            }
        }
    }
    for row in of(INDEXES)? {
        let (names, descending): (Vec<Option<String>>, Vec<bool>) = (row.get(3), row.get(4));
        let columns = names.into_iter().zip(descending).collect();
        let index = Index { name: row.get(1), unique: row.get(2), columns, condition: row.get(5) };
        change(&mut database, &row, |table| table.indexes.push(index));
    }
    for row in of(TRIGGERS)? {
        change(&mut database, &row, |table| table.triggers.push(row.get(1)));
    }
    Ok(Some(database))
}

/// Changes the table that the first column of a row names.
fn change(database: &mut Database, row: &Row, change: impl FnOnce(&mut Table)) {
    let name: String = row.get(0);
    if let Some(table) = database.tables.iter_mut().find(|table| table.name == name) {
        change(table);
    }
}

const TABLES: &str = "SELECT relname::text, relkind::text, obj_description(oid, 'pg_class') FROM pg_class \
     WHERE relnamespace = $1 AND relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT relispartition ORDER BY relname";

const ENUMS: &str = "SELECT t.typname::text, array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_type t \
     JOIN pg_enum e ON e.enumtypid = t.oid WHERE t.typnamespace = $1 GROUP BY t.typname ORDER BY t.typname";

/// The query of the columns; the type of a domain is its base type.
const COLUMNS: &str = "SELECT t.relname::text, a.attname::text, \
     CASE y.typtype WHEN 'd' THEN format_type(y.typbasetype, y.typtypmod) WHEN 'e' THEN y.typname::text \
     ELSE format_type(a.atttypid, a.atttypmod) END, \
     a.attnotnull OR (y.typtype = 'd' AND y.typnotnull), pg_get_expr(d.adbin, d.adrelid), a.attgenerated != '' \
     FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid JOIN pg_type y ON y.oid = a.atttypid \
     LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum \
     WHERE t.relnamespace = $1 AND t.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped ORDER BY t.relname, a.attnum";

const CONSTRAINTS: &str = "SELECT t.relname::text, c.contype::text, \
     ARRAY(SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY k(num, at) \
     JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.num ORDER BY k.at), pg_get_expr(c.conbin, c.conrelid), \
     COALESCE(CASE WHEN f.relnamespace = $1 THEN f.relname::text ELSE f.oid::regclass::text END, ''), \
     ARRAY(SELECT a.attname::text FROM unnest(c.confkey) WITH ORDINALITY k(num, at) \
     JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.num ORDER BY k.at), \
     CASE c.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT' WHEN 'r' THEN 'RESTRICT' \
     ELSE 'NO ACTION' END, c.conname::text \
     FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid LEFT JOIN pg_class f ON f.oid = c.confrelid \
     WHERE t.relnamespace = $1 AND c.contype IN ('p', 'c', 'f', 'x') ORDER BY t.relname, c.conname";

const INDEXES: &str = "SELECT t.relname::text, i.relname::text, x.indisunique, \
     ARRAY(SELECT (SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attnum = k.num) \
     FROM unnest(x.indkey::int2[]) WITH ORDINALITY k(num, at) WHERE k.at <= x.indnkeyatts ORDER BY k.at), \
     ARRAY(SELECT k.opt & 1 = 1 FROM unnest(x.indoption::int2[]) WITH ORDINALITY k(opt, at) ORDER BY k.at), \
     pg_get_expr(x.indpred, x.indrelid) \
     FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid \
     WHERE t.relnamespace = $1 AND t.relkind IN ('r', 'p') AND NOT x.indisprimary AND NOT x.indisexclusion ORDER BY t.relname, i.relname";

const TRIGGERS: &str = "SELECT t.relname::text, g.tgname::text FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid \
     WHERE t.relnamespace = $1 AND NOT g.tgisinternal ORDER BY t.relname, g.tgname";
