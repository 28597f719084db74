//! Primary keys, references, unique constraints and indexes.

use super::{Declared, Names, checks::find_field};
use crate::import_schema::{
    found::{Column, Database, Index, Reference, Table},
    sql::{Null, parse, write},
    types::field_type,
};

/// The column for the key of the entity: the only column of the primary key, if its type is allowed for keys and it is not a reference.
pub fn single(table: &Table) -> Option<&str> {
    let [one] = table.primary.as_slice() else { return None };
    let column = table.column(one)?;
    let word = field_type(&column.ty).ok()?.word;
    let is_key = matches!(word.as_str(), "uuid" | "int" | "text") || word.starts_with("str(");
    (is_key && reference(table, one).is_none()).then_some(column.name.as_str())
}

/// Adds a key to an entity whose table has none that the language can express.
pub fn surrogate(names: &Names, table: &Table, out: &mut Declared) {
    if single(table).is_some() {
        return;
    }
    let taken = |name: &str| table.columns.iter().any(|column| names.field(table, &column.name) == Some(name));
    let name = ["id", "row_id", "row_key"].into_iter().find(|name| !taken(name)).unwrap_or("generated_row_id");
    let reason = match table.primary.as_slice() {
        [] => "the table has no primary key".to_owned(),
        [one] => format!("the primary key `{one}`: a key is a `uuid`, an `int` or a `str` and no ref"),
        several => format!("the primary key of `{}`: a key has one column", several.join("`, `")),
    };
    out.leave_out("  ", &table.name, &format!("{reason}; `{name}` is new"));
    out.lines.push(format!("  {name}: uuid pk"));
}

/// The foreign key that consists of this column.
pub fn reference<'t>(table: &'t Table, column: &str) -> Option<&'t Reference> {
    table.references.iter().find(|it| matches!(it.columns.as_slice(), [one] if one.eq_ignore_ascii_case(column)))
}

/// The target entity of a foreign key; an error is the reason why a ref cannot express it.
pub fn target<'n>(database: &Database, names: &'n Names, reference: &Reference) -> Result<&'n str, String> {
    let unknown = || format!("the table `{}` is not imported", reference.table);
    let entity = names.entity(&reference.table).ok_or_else(unknown)?;
    let table = database.tables.iter().find(|it| it.name.eq_ignore_ascii_case(&reference.table)).ok_or_else(unknown)?;
    let key = single(table).ok_or_else(|| format!("the entity `{entity}` has another key"))?;
    match reference.targets.as_slice() {
        [] => Ok(entity),
        [one] if one.eq_ignore_ascii_case(key) => Ok(entity),
        _ => Err(format!("it refers to `{}`, and a ref to the key", reference.targets.join("`, `"))),
    }
}

/// The columns of unique indexes without a condition, and those of a primary key that is not the key of the entity.
fn unique_columns(table: &Table) -> Vec<Vec<String>> {
    let plain = table.indexes.iter().filter(|index| index.unique && index.condition.is_none());
    let all = plain.filter_map(|index| index.columns.iter().map(|(name, _)| name.clone()).collect::<Option<Vec<String>>>());
    let primary = (single(table).is_none() && !table.primary.is_empty()).then(|| table.primary.clone());
    all.chain(primary).collect()
}

/// The modifier of a column that is unique by itself.
pub fn unique_word(table: &Table, column: &Column) -> &'static str {
    match unique_columns(table).iter().any(|columns| matches!(columns.as_slice(), [one] if *one == column.name)) {
        true if column.required => " unique",
        true => " unique?",
        false => "",
    }
}

/// Writes the indexes of several columns, of expressions and with conditions, and the others that dz does not infer.
pub fn indexes(names: &Names, table: &Table, out: &mut Declared) {
    let mut written: Vec<String> = Vec::new();
    for columns in unique_columns(table).iter().filter(|columns| columns.len() > 1) {
        let fields: Option<Vec<&str>> = columns.iter().map(|column| names.field(table, column)).collect();
        written.extend(fields.map(|fields| format!("  unique {}", fields.join(", "))));
    }
    for index in table.indexes.iter().filter(|index| !index.unique || index.condition.is_some()) {
        // dz infers an index for each ref.
        if matches!(index.columns.as_slice(), [(Some(one), _)] if index.condition.is_none() && reference(table, one).is_some()) {
            continue;
        }
        match line(names, table, index) {
            Ok(line) => written.push(line),
            Err(reason) => out.leave_out("  ", &table.name, &format!("the index `{}`: {reason}", index.name)),
        }
    }
    for index in table.indexes.iter().filter(|it| it.unique && it.condition.is_none() && it.columns.iter().any(|(name, _)| name.is_none()))
    {
        out.leave_out("  ", &table.name, &format!("the index `{}`: an index has fields, and no expressions", index.name));
    }
    let mut seen: Vec<String> = Vec::new();
    for line in written {
        if !seen.contains(&line) {
            seen.push(line.clone());
            out.lines.push(line);
        }
    }
}

fn line(names: &Names, table: &Table, index: &Index) -> Result<String, String> {
    let field = |(name, descending): &(Option<String>, bool)| {
        let name = name.as_deref().ok_or("an index has fields, and no expressions")?;
        let field = names.field(table, name).ok_or_else(|| format!("`{name}` is not a field"))?;
        Ok(if *descending && !index.unique { format!("{field} desc") } else { field.to_owned() })
    };
    let fields = index.columns.iter().map(field).collect::<Result<Vec<_>, String>>()?.join(", ");
    let word = if index.unique { "unique" } else { "index" };
    let Some(sql) = &index.condition else { return Ok(format!("  {word} {fields}")) };
    let field = |column: &str| find_field(names, table, column);
    let condition = write(&parse(sql)?, Null::Excluded, &field).map_err(|reason| format!("its condition `{sql}`: {reason}"))?;
    Ok(format!("  {word} {fields} where {condition}"))
}
