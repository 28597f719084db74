//! What requests send and responses contain, for one entity.

use dz_dsl_file::model::{Archetype, Auto, Entity, EntityId, Field, FieldType, Model};

use super::{
    columns::{imports, is_required, types},
    constant, files, lists,
    models::is_copied,
};
use crate::{Refusal, names};

pub(super) fn write(model: &Model, id: EntityId) -> Result<String, Refusal> {
    let entity = model.entity(id);
    let body = [
        input(model, entity)?,
        selection(model, entity),
        output(entity),
        csv(model, entity),
        event(entity),
        changes(entity),
        lists::write(model, id),
    ]
    .concat();
    let choices: Vec<String> = model.enums.iter().map(|of| names::choice(model, of)).collect();
    let choices: Vec<&str> = choices.iter().map(String::as_str).filter(|name| *name != names::row(entity)).collect();
    let used = imports(
        &body,
        &[
            ("chrono", &["NaiveDate"]),
            ("serde_json", &["Value", "json"]),
            ("crate::caller", &["Caller"]),
            ("crate::choices", &choices),
            ("crate::constants", &["days_after", "exact", "seconds_after"]),
            ("crate::input", &["Sent", "required"]),
            ("crate::amounts", &["Amount"]),
            ("crate::csv", &["Cell"]),
            ("crate::db", &["Engine"]),
            ("crate::list", &["Column", "Kind", "ListRules", "Unknown", "computed", "own", "over_reference", "reference"]),
            ("crate::problem", &["FieldErrors"]),
            ("crate::sql", &["Sql", "Typed"]),
            ("crate::types", &["Document", "Id", "Timestamp", "Number"]),
            ("crate::types::sql", &["Exact", "Identifier", "Instant", "Json"]),
            ("diesel::dsl", &["AsSelect"]),
            ("diesel::sql_types", &["BigInt", "Bool", "Date", "Double", "Nullable", "Text"]),
        ],
    );
    let mut modules = vec![format!("models::{}::{}", names::module(entity), names::row(entity))];
    for (word, path) in [
        ("values::", "values"),
        ("amounts::", "amounts"),
        ("csv::", "csv"),
        ("access::", "access"),
        ("audit::", "audit"),
        ("schemas::", "schemas"),
    ] {
        if body.contains(word) {
            modules.push(path.to_owned());
        }
    }
    let choice = if body.contains("Choice::") || body.contains(".as_str()") { "use crate::values::Choice;\n" } else { "" };
    Ok(format!(
        "//! {}: what requests send and responses contain.\n\nuse diesel::SelectableHelper;\n{used}{choice}use crate::{{{}}};\n\n{body}",
        entity.title_plural,
        modules.join(", ")
    ))
}

/// Why callers cannot write the tenant of a row.
const OWN_TENANT: &str = "is set by the system to your current tenant";

/// Why no caller can write a field; `None` if callers can, or administrators can.
fn fixed(entity: &Entity, field: &Field) -> Option<&'static str> {
    let is_key = std::ptr::eq(&entity.fields[entity.pk.0], field);
    match () {
        () if names::is_own_tenant(entity, field) => Some(OWN_TENANT),
        () if field.auto != Auto::No => Some("is set by the system"),
        () if field.computed.is_some() => Some("is computed"),
        () if is_key && !is_supplied(entity) => Some("is set by the system"),
        () if field.ty.amount().is_some() => Some("is part of its amount"),
        () => None,
    }
}

/// True if a request for a new row names its key.
fn is_supplied(entity: &Entity) -> bool {
    names::key_type(entity) == "String"
}

fn input(model: &Model, entity: &Entity) -> Result<String, Refusal> {
    let row = &names::row(entity);
    let writable: Vec<&Field> = names::row_fields(entity).filter(|field| fixed(entity, field).is_none()).collect();
    let fields: String = writable
        .iter()
        .map(|field| format!("pub {}: Option<Option<{}>>,\n", names::ident(&field.name), sent_type(model, entity, field)))
        .collect();
    let known: String = names::shown_fields(entity).map(|field| format!("{:?},\n", field.name)).collect();
    Ok(format!(
        "/// The fields that a request sends: `None` for a field that it does not send, `Some(None)` for null.\n#[derive(Debug, Clone, \
         Default)]\npub struct {row}Input {{\n{fields}}}\n\n/// The fields that a request can name.\npub const FIELDS: &[&str] = \
         &[\n{known}];\n\nimpl {row}Input {{\n{}{}{}{}}}\n",
        read(model, entity, &writable),
        create(model, entity)?,
        update(model, entity),
        replace(model, entity, &writable)?,
    ))
}

/// The type of a sent value: an amount has its currency.
fn sent_type(model: &Model, entity: &Entity, field: &Field) -> String {
    if names::currency_of(entity, field).is_some() { "Amount".to_owned() } else { types(model, field).rust }
}

/// The function that reads a field whose value is not kept, with its type.
fn parser(model: &Model, field: &Field) -> String {
    let types = types(model, field);
    match field.ty.digits() {
        Some((precision, scale)) => match (field.ty.is_money(), field.ty.currency()) {
            (true, Some(currency)) => format!("|raw| values::money::<{precision}, {scale}>(raw, {:?})", currency.code()),
            (true, None) => types.parse,
            (false, _) => format!("values::number::<{precision}, {scale}>"),
        },
        None if field.ty.enumeration().is_some() => format!("values::choice::<{}>", types.rust),
        None => types.parse,
    }
}

fn read(model: &Model, entity: &Entity, writable: &[&Field]) -> String {
    let mut closed = String::new();
    if is_supplied(entity) {
        let key = &entity.fields[entity.pk.0].name;
        closed.push_str(&format!(
            "if let Some(row) = stored {{\nsent.fixed({key:?}, values::text, Some(&row[{key:?}]), \"cannot be changed\");\n}}\n"
        ));
    }
    for field in names::shown_fields(entity) {
        if let Some(why) = fixed(entity, field) {
            let is_key = std::ptr::eq(&entity.fields[entity.pk.0], field);
            let why = match is_key {
                true => format!("if stored.is_some() {{ \"cannot be changed\" }} else {{ {why:?} }}"),
                false => format!("{why:?}"),
            };
            closed.push_str(&format!("sent.fixed({0:?}, {1}, stored.map(|row| &row[{0:?}]), {why});\n", field.name, parser(model, field)));
        }
    }
    for field in &entity.fields {
        if let Some(amount) = names::amount_of(entity, field) {
            closed.push_str(&format!("sent.refuse({:?}, \"belongs to an amount: set both in `{}`\");\n", field.name, amount.name));
        }
    }
    let identity: Vec<&&Field> = writable.iter().filter(|field| field.identity).collect();
    let mut by_admin = String::new();
    if let Some(tenant) = writable.iter().find(|field| names::is_tenant(entity, field)) {
        let (name, parse) = (&tenant.name, parser(model, tenant));
        by_admin = format!(
            "if !caller.is_system_admin() {{\nsent.fixed({name:?}, {parse}, stored.map(|row| &row[{name:?}]), {OWN_TENANT:?});\n}}\n"
        );
    }
    if !identity.is_empty() {
        let lines: String = identity
            .iter()
            .map(|field| {
                let why = "can be set by an administrator only";
                format!("sent.fixed({0:?}, {1}, stored.map(|row| &row[{0:?}]), {why:?});\n", field.name, parser(model, field))
            })
            .collect();
        let but = if entity.kind == Some(Archetype::UserMembership) { " && !caller.is_tenant_admin()" } else { "" };
        by_admin.push_str(&format!(
            "// These fields give an account its identity and its rights.\nif !caller.is_system_admin(){but} {{\n{lines}}}\n"
        ));
    }
    let reads: String = writable
        .iter()
        .map(|field| match field.ty.is_file() {
            true => format!("{}: sent.file({:?}),\n", names::ident(&field.name), field.name),
            false => format!("{}: sent.field({:?}, {}),\n", names::ident(&field.name), field.name, types(model, field).parse),
        })
        .collect();
    let caller = if by_admin.is_empty() { "_caller" } else { "caller" };
    format!(
        "/// Reads the fields of a body. `stored` is the row that the caller sees, if there is one.\npub fn read(sent: &mut Sent<'_>, \
         {caller}: &Caller, stored: Option<&Value>) -> {}Input {{\n{closed}{by_admin}{}Input {{\n{reads}}}\n}}\n\n",
        names::row(entity),
        names::row(entity)
    )
}

fn create(model: &Model, entity: &Entity) -> Result<String, Refusal> {
    let (mut values, mut amounts) = (String::new(), String::new());
    for field in names::row_fields(entity) {
        let name = names::ident(&field.name);
        if let Some(value) = part_of_amount(entity, field) {
            if names::currency_of(entity, field).is_some() {
                let variable = amount_variable(field);
                amounts.push_str(&match is_required(entity, field) {
                    true => format!("let {variable} = required(errors, {:?}, self.{name}, None);\n", field.name),
                    false => format!("let {variable} = self.{name}.flatten();\n"),
                });
            }
            values.push_str(&format!("{name}: {value},\n"));
            continue;
        }
        let default = constant::default(model, entity, field)?;
        let is_key = std::ptr::eq(&entity.fields[entity.pk.0], field);
        let value = match default {
            _ if field.auto != Auto::No && field.ty.is_time() && types(model, field).rust == "NaiveDate" => "caller.today".to_owned(),
            _ if field.auto != Auto::No => "caller.now".to_owned(),
            _ if is_key && names::key_type(entity) == "Id" => "Id::generate()".to_owned(),
            // Its number is chosen when it is stored.
            _ if is_key && names::key_type(entity) == "i64" => "0".to_owned(),
            _ if names::is_own_tenant(entity, field) => "caller.tenant().unwrap_or_default()".to_owned(),
            _ if names::is_tenant(entity, field) => format!("required(errors, {:?}, self.{name}, caller.tenant())", field.name),
            default if is_required(entity, field) => {
                let default = default.unwrap_or_else(|| "None".to_owned());
                format!("required(errors, {:?}, self.{name}, {default})", field.name)
            }
            Some(default) => format!("self.{name}.unwrap_or_else(|| {default})"),
            None => format!("self.{name}.flatten()"),
        };
        values.push_str(&format!("{name}: {value},\n"));
    }
    values.push_str("dz_version: 1,\n");
    if entity.soft_delete {
        values.push_str("deleted_at: None,\n");
    }
    if entity.states.is_some() {
        values.push_str("dz_state_since: caller.now,\n");
    }
    let caller = if values.contains("caller.") { "caller" } else { "_caller" };
    let errors = if [&values, &amounts].iter().any(|it| it.contains("errors")) { "errors" } else { "_errors" };
    Ok(format!(
        "/// The new row. Fields that are not sent get their defaults.\npub fn create(self, {caller}: &Caller, {errors}: &mut \
         FieldErrors) -> {} {{\n{amounts}{} {{\n{values}}}\n}}\n\n",
        names::row(entity),
        names::row(entity)
    ))
}

/// The variable with an amount and its currency.
fn amount_variable(amount: &Field) -> String {
    names::ident(&format!("{}_amount", amount.name))
}

/// The value of a field that holds a part of an amount with its currency, which is in a variable.
fn part_of_amount(entity: &Entity, field: &Field) -> Option<String> {
    let (amount, part) = match names::amount_of(entity, field) {
        Some(amount) => (amount, "currency.clone()"),
        None => names::currency_of(entity, field).map(|_| (field, "number"))?,
    };
    let name = amount_variable(amount);
    Some(if is_required(entity, field) { format!("{name}.{part}") } else { format!("{name}.as_ref().map(|it| it.{part})") })
}

fn update(model: &Model, entity: &Entity) -> String {
    let (mut values, mut amounts) = (String::new(), String::new());
    for field in names::row_fields(entity) {
        let name = names::ident(&field.name);
        if let Some(value) = part_of_amount(entity, field) {
            if let Some(currency) = names::currency_of(entity, field) {
                let (currency, variable) = (names::ident(&currency.name), amount_variable(field));
                amounts.push_str(&match is_required(entity, field) {
                    true => format!(
                        "let stored = Amount::new(row.{name}, &row.{currency});\nlet {variable} = required(errors, {:?}, self.{name}, \
                         Some(stored));\n",
                        field.name
                    ),
                    false => {
                        format!("let {variable} = self.{name}.unwrap_or_else(|| Amount::stored(row.{name}, &row.{currency}));\n")
                    }
                });
            }
            values.push_str(&format!("{name}: {value},\n"));
            continue;
        }
        let stored = if is_copied(model, field) { format!("row.{name}") } else { format!("row.{name}.clone()") };
        let value = match fixed(entity, field) {
            Some(_) => stored,
            None if is_required(entity, field) => format!("required(errors, {:?}, self.{name}, Some({stored}))", field.name),
            None if is_copied(model, field) => format!("self.{name}.unwrap_or({stored})"),
            None => format!("self.{name}.unwrap_or_else(|| {stored})"),
        };
        values.push_str(&format!("{name}: {value},\n"));
    }
    values.push_str("dz_version: row.dz_version,\n");
    if entity.soft_delete {
        values.push_str("deleted_at: row.deleted_at,\n");
    }
    if entity.states.is_some() {
        values.push_str("dz_state_since: row.dz_state_since,\n");
    }
    let errors = if [&values, &amounts].iter().any(|it| it.contains("errors")) { "errors" } else { "_errors" };
    format!(
        "/// The row with the sent fields.\npub fn update(self, row: &{0}, {errors}: &mut FieldErrors) -> {0} {{\n{amounts}{0} \
         {{\n{values}}}\n}}\n\n",
        names::row(entity)
    )
}

fn replace(model: &Model, entity: &Entity, writable: &[&Field]) -> Result<String, Refusal> {
    let state = entity.states.as_ref().map(|states| &entity.fields[states.field.0]);
    let mut lines = String::new();
    for field in writable {
        let is_state = state.is_some_and(|state| std::ptr::eq(state, *field));
        let is_key = std::ptr::eq(&entity.fields[entity.pk.0], *field);
        if is_state || is_key || field.sensitive || names::is_tenant(entity, field) {
            continue;
        }
        let default = match is_required(entity, field) {
            true => constant::default(model, entity, field)?,
            false => None,
        };
        let default = default.unwrap_or_else(|| "None".to_owned());
        let (name, text) = (names::ident(&field.name), &field.name);
        let line = format!("self.{name}.get_or_insert_with(|| {{\nnames.push({text:?});\n{default}\n}});\n");
        match field.identity {
            true => lines.push_str(&format!("if caller.is_system_admin() {{\n{line}}}\n")),
            false => lines.push_str(&line),
        }
    }
    let caller = if lines.contains("caller.") { "caller" } else { "_caller" };
    let (this, names) = if lines.is_empty() { ("self", "_names") } else { ("mut self", "names") };
    Ok(format!(
        "/// The fields of a whole row: a field that is not sent becomes null, or its default if it is required, and its name is added. \
         The state and sensitive fields stay.\npub fn replace({this}, {caller}: &Caller, {names}: &mut Vec<&'static str>) -> {}Input {{\n{lines}self\n}}\n",
        names::row(entity)
    ))
}

/// What a query selects so that a row can be shown: the row, whether its sensitive fields are shown, and its computed fields.
fn selection(model: &Model, entity: &Entity) -> String {
    let row = &names::row(entity);
    let computed: Vec<&Field> = names::computed_fields(entity).collect();
    let (mut values, mut selected, mut code) =
        (vec![row.clone()], vec![format!("AsSelect<{row}, Engine>")], vec![format!("{row}::as_select()")]);
    if has_sensitive(entity) {
        values.push("bool".to_owned());
        selected.push("Sql".to_owned());
        code.push(format!("access::{}::update(caller, row).is_true()", names::module(entity)));
    }
    if !computed.is_empty() {
        let each =
            |write: &dyn Fn(&Field) -> String| format!("({},)", computed.iter().map(|field| write(field)).collect::<Vec<_>>().join(", "));
        values.push(each(&|field| format!("Option<{}>", types(model, field).rust)));
        selected.push(each(&|field| format!("Typed<Nullable<{}>>", types(model, field).sql)));
        code.push(each(&|field| format!("{row}::{}(caller, row).typed()", names::ident(&field.name))));
    }
    let join = |parts: &[String]| if parts.len() == 1 { parts.concat() } else { format!("({})", parts.join(", ")) };
    let (caller, name) = if code.len() == 1 { ("_caller", "_row") } else { ("caller", "row") };
    let first = if code.len() == 1 { "shown" } else { "&shown.0" };
    format!(
        "\n/// What is loaded of a row to show it.\npub type Shown = {};\n\n/// The columns of [`Shown`].\npub fn shown({caller}: &Caller, \
         {name}: &str) -> {} {{\n{}\n}}\n\n/// The stored row.\npub fn stored(shown: &Shown) -> &{row} {{\n{first}\n}}\n",
        join(&values),
        join(&selected),
        join(&code),
    )
}

fn has_sensitive(entity: &Entity) -> bool {
    entity.fields.iter().any(|field| field.sensitive && !field.secret)
}

fn output(entity: &Entity) -> String {
    let mut members = String::new();
    let mut computed = 0;
    for field in names::shown_fields(entity) {
        let name = names::ident(&field.name);
        let held = match field.computed {
            Some(_) => format!("computed.{computed}"),
            None => format!("row.{name}"),
        };
        computed += usize::from(field.computed.is_some());
        let code = if field.ty.is_file() { Some(files::json(entity, field)) } else { money_json(entity, field, &held) };
        let value = match (field.sensitive, code) {
            (true, Some(code)) => format!("shows_sensitive.then(|| {code})"),
            (true, None) => format!("shows_sensitive.then_some(&{held})"),
            (false, code) => code.unwrap_or(held),
        };
        members.push_str(&format!("{:?}: {value},\n", field.name));
    }
    let parts = match (has_sensitive(entity), computed > 0) {
        (false, false) => "row",
        (true, false) => "(row, shows_sensitive)",
        (false, true) => "(row, computed)",
        (true, true) => "(row, shows_sensitive, computed)",
    };
    let about = if has_sensitive(entity) { " Sensitive fields are null for callers who may not update the row." } else { "" };
    format!("\n/// The row as JSON.{about}\npub fn to_json(shown: &Shown) -> Value {{\nlet {parts} = shown;\njson!({{\n{members}}})\n}}\n")
}

/// An amount of money as JSON.
fn money_json(entity: &Entity, field: &Field, held: &str) -> Option<String> {
    let is_option = field.computed.is_some() || !is_required(entity, field);
    let some = |code: String| if is_option { code } else { format!("Some({code})") };
    match (field.ty.currency(), names::currency_of(entity, field)) {
        (Some(currency), _) => Some(format!("values::money_json({}, {:?})", some(held.to_owned()), currency.code())),
        (None, Some(currency)) => {
            let currency = format!("row.{}", names::ident(&currency.name));
            let code = if is_option { format!("{currency}.as_deref()") } else { format!("Some({currency}.as_ref())") };
            Some(format!("amounts::to_json({}, {code})", some(held.to_owned())))
        }
        (None, None) => None,
    }
}

/// The columns of a list as CSV.
fn csv(model: &Model, entity: &Entity) -> String {
    let columns: String = names::listed_fields(entity)
        .map(|field| format!("csv::Column {{ name: {:?}, title: {:?}, cell: {} }},\n", field.name, field.title, cell(model, entity, field)))
        .collect();
    format!("\n/// The columns of a list as CSV.\npub const CSV: &[csv::Column] = &[\n{columns}];\n")
}

/// What the cells of a column contain.
fn cell(model: &Model, entity: &Entity, field: &Field) -> String {
    if let Some(amount) = names::amount_of(entity, field) {
        return format!("Cell::CurrencyOf({:?})", amount.name);
    }
    if let Some(currency) = names::currency_of(entity, field) {
        return format!("Cell::Amount({:?})", currency.name);
    }
    let word = match names::column_type(model, field.ty) {
        FieldType::Bool => "Boolean",
        FieldType::Int { .. } => "Whole",
        FieldType::Float => "Float",
        FieldType::Decimal { .. } => "Exact",
        FieldType::Money(_) => match field.ty.currency() {
            Some(currency) => return format!("Cell::Money({:?})", currency.code()),
            None => "Exact",
        },
        FieldType::Uuid | FieldType::Ref(_) => "Id",
        FieldType::Date => "Date",
        FieldType::DateTime => "Time",
        FieldType::Json => "Document",
        FieldType::File { .. } => "File",
        FieldType::Url | FieldType::Timezone | FieldType::Slug | FieldType::Currency { .. } => "Word",
        FieldType::Str(_)
        | FieldType::Text
        | FieldType::Email
        | FieldType::Enum(_)
        | FieldType::HasMany { .. }
        | FieldType::HasOne { .. }
        | FieldType::ManyToMany { .. } => "Text",
    };
    format!("Cell::{word}")
}

/// What the audit log says about a write.
fn changes(entity: &Entity) -> String {
    if entity.access.audits.is_empty() {
        return String::new();
    }
    let lines: String = names::row_fields(entity)
        .map(|field| {
            let json = stored_json(entity, field);
            format!(
                "audit::change(&mut all, ({:?}, {}), before.map(|row| {json}), after.map(|row| {json}));\n",
                field.name, field.sensitive
            )
        })
        .collect();
    format!(
        "\n/// The fields that a write changed, for the audit log.\npub fn changes(before: Option<&{0}>, after: Option<&{0}>) -> \
         Option<Value> {{\nlet mut all = serde_json::Map::new();\n{lines}(!all.is_empty()).then_some(Value::Object(all))\n}}\n",
        names::row(entity)
    )
}

/// The JSON of a stored field of `row`, for records about the row.
fn stored_json(entity: &Entity, field: &Field) -> String {
    let held = format!("row.{}", names::ident(&field.name));
    match (field.ty.is_money(), field.ty.currency()) {
        (true, Some(_)) => money_json(entity, field, &held).unwrap_or_default(),
        // The number alone: its currency is a field of its own.
        (true, None) if is_required(entity, field) => format!("json!({held}.0.normalize().to_string())"),
        (true, None) => format!("json!({held}.map(|it| it.0.normalize().to_string()))"),
        (false, _) => format!("json!({held})"),
    }
}

/// The row as its subscribers get it.
fn event(entity: &Entity) -> String {
    let members: String = names::row_fields(entity)
        .map(|field| {
            let json = stored_json(entity, field);
            let plain = json.strip_prefix("json!(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(&json);
            format!("{:?}: {plain},\n", field.name)
        })
        .collect();
    format!(
        "\n/// The row as subscribers of its events get it: all stored fields.\npub fn event(row: &{}) -> Value {{\njson!({{\n\"dz_version\": \
         row.dz_version,\n{members}}})\n}}\n",
        names::row(entity)
    )
}
