//! The table of an entity and its row.

use dz_dsl_file::{
    emit::schema::framework,
    model::{Entity, EntityId, Field, Model, OnDelete},
};

use super::columns::{imports, is_required, rust_type, types};
use crate::{Refusal, condition, names};

/// The columns of a table, the fields of its row, and the columns with their values.
#[derive(Default)]
struct RowCode {
    columns: String,
    fields: String,
    values: String,
}

fn row_code(model: &Model, entity: &Entity) -> RowCode {
    let mut code = RowCode::default();
    for field in entity.fields.iter().filter(|field| field.is_stored()) {
        let sql = types(model, field).sql;
        let sql = if is_required(entity, field) { sql } else { format!("Nullable<{sql}>") };
        let column = names::ident(&field.name);
        code.columns.push_str(&format!("{}        {column} -> {sql},\n", names::sql_name(&field.name, &column, "        ")));
    }
    for field in names::row_fields(entity) {
        let name = names::ident(&field.name);
        code.fields.push_str(&format!("/// {}\npub {name}: {},\n", field.title, rust_type(model, entity, field)));
        let copied = if is_copied(model, field) { "" } else { ".clone()" };
        let value = condition::parameter(model, field.ty, &format!("self.{name}{copied}"), is_required(entity, field));
        code.values.push_str(&format!("({}, {value}),\n", names::literal(&field.name)));
    }
    for column in framework::hidden_columns(entity.states.is_some(), entity.soft_delete) {
        let (rust, sql, value) = match column.name.as_str() {
            framework::VERSION => ("i64", "BigInt", "Value::Int(Some(self.dz_version))"),
            framework::DELETED_AT => ("Option<Timestamp>", "Nullable<Instant>", "Value::Timestamp(self.deleted_at)"),
            _ => ("Timestamp", "Instant", "Value::Timestamp(Some(self.dz_state_since))"),
        };
        code.columns.push_str(&format!("        {} -> {sql},\n", column.name));
        let about = match column.name.as_str() {
            framework::VERSION => "The number of times that the row was stored.",
            framework::DELETED_AT => "When the row was deleted; lists do not contain deleted rows.",
            _ => "When the row entered its state.",
        };
        code.fields.push_str(&format!("/// {about}\npub {}: {rust},\n", column.name));
        code.values.push_str(&format!("({:?}, {value}),\n", column.name));
    }
    code
}

pub(super) fn write(model: &Model, id: EntityId) -> Result<String, Refusal> {
    let entity = model.entity(id);
    let table = &names::table(entity);
    let table_name = names::sql_name(&entity.table, table, "    ");
    let key = names::ident(&entity.fields[entity.pk.0].name);
    let RowCode { columns, fields, values } = row_code(model, entity);
    let row = &names::row(entity);
    let title = entity.intent.as_deref().unwrap_or(&entity.title);
    let body = format!(
        "/// {title}\n#[derive(Debug, Clone, PartialEq, Queryable, Selectable, Insertable, AsChangeset)]\n#[diesel(table_name = {table}, \
         primary_key({key}), treat_none_as_null = true)]\npub struct {row} {{\n{fields}}}\n\nimpl {row} {{\n/// The columns with their \
         values, for conditions on the row before it is stored.\npub fn columns(&self) -> Vec<(&'static str, Value)> \
         {{\nvec![\n{values}]\n}}\n{}}}\n",
        computed(model, id)?
    );
    let sql_types = imports(
        &columns,
        &[
            ("diesel::sql_types", &["BigInt", "Bool", "Date", "Double", "Nullable", "Text"]),
            ("crate::types::sql", &["Exact", "Identifier", "Instant", "Json"]),
        ],
    );
    let sql_types: String = sql_types.lines().map(|line| format!("    {line}\n")).collect();
    let choices: Vec<String> = model.enums.iter().map(|of| names::choice(model, of)).filter(|name| name != row).collect();
    let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
    let used = imports(
        &format!("{fields}{}", body.split("impl ").nth(1).unwrap_or_default()),
        &[
            ("crate::caller", &["Caller", "Role"]),
            ("crate::constants", &["date", "days_after", "number", "seconds_after", "time"]),
            ("crate::sql", &["Sql", "Value", "all", "any", "constant", "if_known"]),
            ("chrono", &["NaiveDate"]),
            ("crate::choices", &choices),
            ("crate::types", &["Document", "Id", "Timestamp", "Number"]),
        ],
    );
    let as_str = if body.contains("as_str()") { "use crate::values::Choice;\n" } else { "" };
    Ok(format!(
        "//! {}: the table and its rows.\n\nuse diesel::prelude::*;\n{used}{as_str}\ndiesel::table! \
         {{\n{sql_types}\n{table_name}    {table} ({key}) {{\n{columns}    }}\n}}\n\n{body}",
        entity.title_plural
    ))
}

/// The computed fields, as expressions on a row.
fn computed(model: &Model, id: EntityId) -> Result<String, Refusal> {
    let entity = model.entity(id);
    let mut functions = String::new();
    for field in names::computed_fields(entity) {
        let Some(expr) = &field.computed else { continue };
        let place = format!("`{}.{}`", entity.name, field.name);
        let code = condition::Conditions { model, entity: id, place, span: field.span }.value(expr, field.ty)?;
        let caller = if code.contains("caller") { "caller" } else { "_caller" };
        let row = if code.contains("{row}") { "row" } else { "_row" };
        let text = dz_dsl_file::emit::expression::text(model, id, expr);
        functions.push_str(&format!(
            "\n/// `{text}`\npub fn {}({caller}: &Caller, {row}: &str) -> Sql {{\n{code}\n}}\n",
            names::ident(&field.name)
        ));
    }
    Ok(functions)
}

/// True if a value of a field is copied without `clone`.
pub(super) fn is_copied(model: &Model, field: &Field) -> bool {
    if field.ty.target().is_some() {
        return !names::column_type(model, field.ty).is_text();
    }
    field.ty.is_number() || field.ty.is_time() || field.ty.enumeration().is_some() || field.ty.is_generated_key() || field.ty.is_bool()
}

/// The references between all tables, for deletions.
pub(super) fn references(model: &Model) -> String {
    let mut rows = String::new();
    for entity in &model.entities {
        for field in entity.fields.iter().filter(|field| field.is_stored()) {
            let Some(target) = field.ty.target() else { continue };
            let (module, table) = (names::module(entity), &entity.table);
            let on_delete = match field.on_delete {
                OnDelete::Restrict => "Restrict",
                OnDelete::Cascade => "Cascade",
                OnDelete::Nullify => "Nullify",
            };
            rows.push_str(&format!(
                "Reference {{\ntable: {table:?},\nkey: ({:?}, KeyType::{}),\ncolumn: {:?},\ntarget: {:?},\non_delete: OnDelete::{on_delete},\ntitle: {:?},\nlist: \
                 crate::access::{module}::list,\ndeletable: crate::access::{module}::deletable,\nkeeps: {},\nrecord: \
                 crate::routes::{module}::record_deletions,\n}},\n",
                entity.fields[entity.pk.0].name,
                names::key_kind(entity),
                field.name,
                model.entity(target).table,
                super::rows(entity),
                entity.soft_delete,
            ));
        }
    }
    let uses = if rows.is_empty() { "Reference" } else { "{KeyType, OnDelete, Reference}" };
    format!(
        "\nuse crate::deletion::{uses};\n\n/// Every reference from one table to another, and what a deletion means for it.\npub const REFERENCES: \
         &[Reference] = &[\n{rows}];\n"
    )
}
