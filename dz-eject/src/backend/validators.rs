//! The checks of a row before it is stored: formats, invariants, references.

use dz_dsl_file::{
    emit::expression,
    model::{Entity, EntityId, Expr, Field, FieldType, Model, Path},
};

use super::columns::{imports, is_required};
use crate::{Refusal, condition::Conditions, names};

pub(super) fn write(model: &Model, id: EntityId) -> Result<String, Refusal> {
    let entity = model.entity(id);
    let body = [formats(entity), conditions(model, id, entity)?].concat();
    let used = imports(
        &body,
        &[
            ("crate::caller", &["Caller", "Role"]),
            ("crate::constants", &["date", "days_after", "number", "seconds_after", "time"]),
            ("crate::problem", &["FieldErrors", "Problem"]),
            ("crate::sql", &["Sql", "Value", "all", "any", "constant", "if_known"]),
            ("crate::store", &["CANDIDATE", "Check", "TARGET", "as_table"]),
            ("crate::tenancy", &["check_personas"]),
            ("crate::types", &["Id"]),
            ("crate::values", &["check_email", "check_length", "check_slug", "check_timezone", "check_url", "check_visible"]),
        ],
    );
    let access = if body.contains("access::") { "access, " } else { "" };
    let choice = if body.contains(".as_str()") { "use crate::values::Choice;\n" } else { "" };
    Ok(format!(
        "//! What {} must be before they are stored.\n\n{used}{choice}use crate::{{{access}models::{}::{}}};\n\n{body}",
        super::rows(entity),
        names::module(entity),
        names::row(entity)
    ))
}

/// The checks of the formats of values.
fn formats(entity: &Entity) -> String {
    let mut lines = String::new();
    for field in names::row_fields(entity) {
        if let Some(check) = checks_of(field) {
            let name = names::ident(&field.name);
            lines.push_str(&match is_required(entity, field) {
                true => format!("errors.check({:?}, {});\n", field.name, check.replace("{}", &format!("&row.{name}"))),
                false => {
                    format!("if let Some(value) = &row.{name} {{\nerrors.check({:?}, {});\n}}\n", field.name, check.replace("{}", "value"))
                }
            });
        }
        let is_visible = is_required(entity, field) && field.ty.is_free_text();
        if is_visible {
            lines.push_str(&format!("errors.check({:?}, check_visible(&row.{}));\n", field.name, names::ident(&field.name)));
        }
    }
    if let Some(personas) = names::personas(entity) {
        let value = if is_required(entity, personas) { "Some(&row.personas)" } else { "row.personas.as_ref()" };
        lines.push_str(&format!("errors.check(\"personas\", check_personas({value}));\n"));
    }
    let (row, errors) = if lines.is_empty() { ("_row", "_errors") } else { ("row", "errors") };
    format!("/// Checks the formats of values.\npub fn check({row}: &{}, {errors}: &mut FieldErrors) {{\n{lines}}}\n", names::row(entity))
}

fn checks_of(field: &Field) -> Option<String> {
    match field.ty {
        FieldType::Str(length) => Some(format!("check_length({{}}, {length})")),
        FieldType::Email => Some("check_email({})".to_owned()),
        FieldType::Url => Some("check_url({})".to_owned()),
        FieldType::Slug => Some("check_slug({})".to_owned()),
        FieldType::Timezone => Some("check_timezone({})".to_owned()),
        FieldType::Uuid
        | FieldType::Text
        | FieldType::Int { .. }
        | FieldType::Float
        | FieldType::Decimal { .. }
        | FieldType::Bool
        | FieldType::Date
        | FieldType::DateTime
        | FieldType::Enum(_)
        | FieldType::Json
        | FieldType::Money(_)
        | FieldType::Currency { .. }
        | FieldType::File { .. }
        | FieldType::Ref(_)
        | FieldType::HasMany { .. }
        | FieldType::HasOne { .. }
        | FieldType::ManyToMany { .. } => None,
    }
}

/// The invariants, and the references that the caller sends.
fn conditions(model: &Model, id: EntityId, entity: &Entity) -> Result<String, Refusal> {
    let (mut lines, mut totals) = (String::new(), String::new());
    for invariant in &entity.invariants {
        let reads_totals = !model.total_paths(&invariant.condition).is_empty();
        let lines = if reads_totals { &mut totals } else { &mut lines };
        let place = format!("an invariant of `{}`", entity.name);
        let code = Conditions { model, entity: id, place, span: invariant.span }.holds(&invariant.condition)?;
        let message = match &invariant.message {
            Some(message) => message.clone(),
            None => format!("This combination of values is not allowed in a {}", names::title(entity)),
        };
        let code_of = invariant.code.as_ref().map_or("INVARIANT", |(code, _)| code.as_str());
        let fields: String =
            own_fields(id, entity, &invariant.condition).iter().map(|name| format!(".at({name:?}, {message:?})")).collect();
        let text = expression::text(model, id, &invariant.condition);
        lines.push_str(&format!(
            "// `{text}`\nlet problem = Problem::new(422, {code_of:?}, {message:?}){fields};\nchecks.push(Check::new(&table, {code}, \
             problem));\n"
        ));
    }
    let mut references = String::new();
    for field in names::row_fields(entity) {
        let Some(target) = field.ty.target().map(|target| model.entity(target)) else { continue };
        let name = names::ident(&field.name);
        let copied = if super::models::is_copied(model, field) { "" } else { ".clone()" };
        let parameter = crate::condition::parameter(model, field.ty, &format!("row.{name}{copied}"), is_required(entity, field));
        if names::is_own_tenant(entity, field) {
            // It is the current tenant of the caller, which exists.
            continue;
        }
        let filled = if names::is_tenant(entity, field) { " && caller.is_system_admin()".to_owned() } else { String::new() };
        let filled = if is_required(entity, field) { filled } else { format!(" && row.{name}.is_some()") };
        references.push_str(&format!(
            "if sent.contains(&{:?}){filled} {{\nlet readable = access::{}::reference(caller, \
             TARGET);\nchecks.push(Check::reference({:?}, {:?}, {:?}, {parameter}, readable));\n}}\n",
            field.name,
            names::module(target),
            field.name,
            target.table,
            target.fields[target.pk.0].name,
        ));
    }
    let table = table_of(&lines);
    let lines = lines.replace("{row}", "{row_name}");
    let ty = names::row(entity);
    Ok(format!(
        "\n/// The invariants of the row as it would be stored, and the references that the request sends.\npub fn checks(caller: &Caller, \
         row: &{ty}, sent: &[&str]) -> Vec<Check> {{\n{}{table}{lines}{}}}\n{}{}",
        if lines.is_empty() { "" } else { "let mut checks: Vec<Check> = Vec::new();\n" },
        if lines.is_empty() { "references(caller, row, sent)\n" } else { "checks.extend(references(caller, row, sent));\nchecks\n" },
        reference_checks(&ty, &references),
        if totals.is_empty() { String::new() } else { total_checks(model, id, entity, &totals) },
    ))
}

/// The variables that checks of a row need.
fn table_of(checks: &str) -> &'static str {
    match (checks.contains("{row}"), checks.is_empty()) {
        (true, _) => "let table = as_table(row.columns());\nlet row_name = CANDIDATE;\n",
        (false, false) => "let table = as_table(row.columns());\n",
        (false, true) => "",
    }
}

/// True if an invariant reads a total of a referenced row.
pub(super) fn reads_totals(model: &Model, entity: &Entity) -> bool {
    entity.invariants.iter().any(|invariant| !model.total_paths(&invariant.condition).is_empty())
}

/// The functions with the checks of totals, and the locks of their rows.
fn total_checks(model: &Model, id: EntityId, entity: &Entity, checks: &str) -> String {
    let (ty, table) = (names::row(entity), table_of(checks));
    let caller = if checks.contains("caller") { "caller" } else { "_caller" };
    let mut locks: Vec<String> = Vec::new();
    for path in entity.invariants.iter().flat_map(|invariant| model.total_paths(&invariant.condition)) {
        for lock in locks_of(model, id, entity, path) {
            if !locks.contains(&lock) {
                locks.push(lock);
            }
        }
    }
    format!(
        "\n/// The invariants that read totals of which the row is part: they are checked when it is stored.\npub fn totals({caller}: &Caller, \
         row: &{ty}) -> Vec<Check> {{\nlet mut checks: Vec<Check> = Vec::new();\n{table}{}checks\n}}\n\n/// The rows with these totals, which are \
         locked before the row is stored: two transactions that change one total run one after the other.\n#[cfg(feature = \
         \"postgres\")]\npub fn rows_with_totals(row: &{ty}) -> Vec<Sql> {{\nvec![{}]\n}}\n",
        checks.replace("{row}", "{row_name}"),
        locks.join(", "),
    )
}

/// Code for the rows of a path, from the first reference to the row with the total.
fn locks_of(model: &Model, id: EntityId, entity: &Entity, path: &Path) -> Vec<String> {
    let steps = path.steps(&model.entities);
    let Some(field) = steps.first().filter(|(of, _)| *of == id).map(|(_, at)| &entity.fields[at.0]) else { return Vec::new() };
    let name = names::ident(&field.name);
    let copied = if super::models::is_copied(model, field) { "" } else { ".clone()" };
    let value = crate::condition::parameter(model, field.ty, &format!("row.{name}{copied}"), is_required(entity, field));
    let (mut locks, mut key) = (Vec::new(), "?".to_owned());
    for (of, at) in steps.iter().skip(1) {
        let target = model.entity(*of);
        let (table, pk) = (&target.table, &target.fields[target.pk.0].name);
        let text = format!("SELECT 1 FROM \"{table}\" WHERE \"{pk}\" = {key} FOR NO KEY UPDATE");
        locks.push(format!("Sql::new({text:?}, [{value}])"));
        key = format!("(SELECT \"{}\" FROM \"{table}\" WHERE \"{pk}\" = {key})", target.fields[at.0].name);
    }
    locks
}

/// The function with the checks of references.
fn reference_checks(ty: &str, references: &str) -> String {
    let about = "/// The references that the request sends: a caller may refer only to rows that it may see.";
    match references.is_empty() {
        true => format!("\n{about}\npub fn references(_caller: &Caller, _row: &{ty}, _sent: &[&str]) -> Vec<Check> {{\nVec::new()\n}}\n"),
        false => format!(
            "\n{about}\npub fn references(caller: &Caller, row: &{ty}, sent: &[&str]) -> Vec<Check> {{\nlet mut checks: Vec<Check> = \
             Vec::new();\n{references}checks\n}}\n"
        ),
    }
}

/// The fields of the entity that a condition uses; its relations if it uses no others.
fn own_fields<'e>(id: EntityId, entity: &'e Entity, condition: &Expr) -> Vec<&'e str> {
    let (mut names, mut relations): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    condition.visit(&mut |part| {
        let (list, path) = match part {
            Expr::Path(path) => (&mut names, path),
            Expr::Aggregate { relation, .. } => (&mut relations, relation),
            _ => return,
        };
        // A condition inside an aggregate names fields of another entity.
        let first = path.hops.first().unwrap_or(&path.field);
        let Some(field) = entity.fields.get(first.0).filter(|_| path.from == id) else { return };
        if !list.contains(&field.name.as_str()) {
            list.push(&field.name);
        }
    });
    if names.is_empty() { relations } else { names }
}
