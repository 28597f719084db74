//! Values of existing rows in batches, and a trigger for the rows that the other version writes in the meantime.

use super::{Phase, Plan};
use crate::emit::schema::{Table, names, sql::quoted, tenant};

/// A column that gets its value from another one or from an expression.
pub(super) struct Fill {
    /// The column.
    pub column: String,
    /// The former column, whose values both columns share.
    pub former: Option<String>,
    /// The value if there is no other, for the columns of a row.
    pub value: Option<String>,
    /// The columns of the row that `value` reads.
    pub reads: Vec<String>,
}

/// The number of rows that change in one transaction.
const BATCH: u32 = 1_000;

/// Adds the trigger of a table, and the values of its existing rows. The contraction drops the trigger.
pub(super) fn plan(table: &Table, fills: &[Fill], plan: &mut Plan) {
    if fills.is_empty() {
        return;
    }
    let (create, drop) = trigger(table, fills);
    plan.add(Phase::Expand, create.clone(), drop.clone());
    for fill in fills {
        plan.add(Phase::Backfill, backfill(table, fill), "");
    }
    plan.add(Phase::Contract, drop, create);
}

/// The trigger, as the statements that create and drop it.
fn trigger(table: &Table, fills: &[Fill]) -> (String, String) {
    let name = quoted(&names::extra_name(&table.name, "dz_both_versions"));
    let on = quoted(&table.name);
    let blocks: String = fills.iter().map(block).collect();
    let create = format!(
        "CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS {};\n\
         CREATE TRIGGER {name} BEFORE INSERT OR UPDATE ON {on} FOR EACH ROW EXECUTE FUNCTION {name}()",
        in_dollars(&format!("BEGIN\n{blocks}  RETURN NEW;\nEND"))
    );
    (create, format!("DROP TRIGGER {name} ON {on};\nDROP FUNCTION {name}()"))
}

/// The statements of the trigger for one column. A version writes the column that it knows; the other column follows.
fn block(fill: &Fill) -> String {
    let column = quoted(&fill.column);
    let mut text = String::new();
    if let Some(former) = fill.former.as_deref().map(quoted) {
        text.push_str(&format!(
            "  IF TG_OP = 'INSERT' THEN\n    IF NEW.{column} IS NULL THEN NEW.{column} := NEW.{former}; ELSE NEW.{former} := NEW.{column}; END IF;\n  \
             ELSIF NEW.{column} IS DISTINCT FROM OLD.{column} THEN NEW.{former} := NEW.{column};\n  \
             ELSIF NEW.{former} IS DISTINCT FROM OLD.{former} THEN NEW.{column} := NEW.{former};\n  END IF;\n"
        ));
    }
    if let Some(value) = &fill.value {
        let of_row =
            fill.reads.iter().map(|name| quoted(name)).fold(value.clone(), |text, name| text.replace(&name, &format!("NEW.{name}")));
        text.push_str(&format!("  IF NEW.{column} IS NULL THEN NEW.{column} := {of_row}; END IF;\n"));
    }
    text
}

/// The statement that gives existing rows their values. It commits after each batch, skips rows that another transaction has locked, and
/// looks at them again, so that it blocks no request and can be repeated after an interruption.
fn backfill(table: &Table, fill: &Fill) -> String {
    let (on, column) = (quoted(&table.name), quoted(&fill.column));
    let former = fill.former.as_deref().map(quoted);
    let value = match (&former, &fill.value) {
        (Some(former), Some(value)) => format!("COALESCE({former}, {value})"),
        (Some(former), None) => former.clone(),
        (None, Some(value)) => value.clone(),
        (None, None) => "NULL".to_owned(),
    };
    let needs = format!("{column} IS NULL AND ({value}) IS NOT NULL");
    let [key] = table.primary.as_slice() else { return format!("UPDATE {on} SET {column} = {value} WHERE {needs}") };
    let key = quoted(key);
    let settings = if table.extras.iter().any(tenant::is_policy) {
        "      PERFORM set_config('dz.tenant', '*', true), set_config('dz.members', '*', true);\n"
    } else {
        ""
    };
    let update = |rows: &str| {
        format!(
            "UPDATE {on} SET {column} = {value}\n          WHERE {key} IN (SELECT {key} FROM {on} WHERE {rows} AND {needs} FOR UPDATE SKIP LOCKED);\n"
        )
    };
    let body = format!(
        "DECLARE\n  batch_start {on}.{key}%TYPE;\n  batch_end {on}.{key}%TYPE;\n  passes int := 0;\nBEGIN\n  LOOP\n{settings}    \
         batch_start := (SELECT {key} FROM {on} ORDER BY {key} LIMIT 1);\n    WHILE batch_start IS NOT NULL LOOP\n{settings}      \
         batch_end := (SELECT {key} FROM {on} WHERE {key} > batch_start ORDER BY {key} OFFSET {BATCH} LIMIT 1);\n      \
         IF batch_end IS NULL THEN\n        {}      ELSE\n        {}      END IF;\n      COMMIT;\n      batch_start := batch_end;\n    \
         END LOOP;\n{settings}    EXIT WHEN NOT EXISTS (SELECT 1 FROM {on} WHERE {needs});\n    passes := passes + 1;\n    \
         IF passes > 600 THEN RAISE EXCEPTION 'rows of {} are locked by other sessions for too long', '{}'; END IF;\n    \
         COMMIT;\n    PERFORM pg_sleep(0.5);\n  END LOOP;\nEND",
        update(&format!("{key} >= batch_start")),
        update(&format!("{key} >= batch_start AND {key} < batch_end")),
        "%",
        table.name.replace('\'', "''"),
    );
    format!("DO {}", in_dollars(&body))
}

/// The text of a program in quotes that it does not contain.
fn in_dollars(body: &str) -> String {
    let tag = (0..).map(|n| if n == 0 { "$dz$".to_owned() } else { format!("$dz{n}$") }).find(|tag| !body.contains(tag.as_str()));
    let tag = tag.unwrap_or_default();
    format!("{tag}\n{body}\n{tag}")
}
