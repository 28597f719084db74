//! By which names lists are filtered, sorted and searched.

use dz_dsl_file::model::{Entity, EntityId, Field, Mode, Model};

use super::columns::types;
use crate::names;

/// The columns by their names in requests, and the rules of lists.
pub(super) fn write(model: &Model, id: EntityId) -> String {
    let entity = model.entity(id);
    let mut arms = String::new();
    let mut known = String::new();
    for field in names::listed_fields(entity) {
        let name = &field.name;
        if field.sensitive {
            arms.push_str(&format!("({name:?}, _) => return Err(Unknown::Sensitive {{ name: {name:?}.to_owned() }}),\n"));
            continue;
        }
        known.push_str(&format!("{name:?},\n"));
        let Some(target) = field.ty.target() else {
            arms.push_str(&format!("({name:?}, None) => {},\n", column_code(model, entity, field)));
            arms.push_str(&format!(
                "({name:?}, Some(rest)) => return Err(Unknown::NoReference {{ name: {name:?}.to_owned(), rest: rest.to_owned() }}),\n"
            ));
            continue;
        };
        let (module, table) = (names::module(model.entity(target)), &model.entity(target).table);
        let (key, key_kind) = (&model.entity(target).fields[model.entity(target).pk.0].name, names::key_kind(model.entity(target)));
        let over_reference =
            |readable: &str, value: &str| format!("over_reference(row, {name:?}, ({table:?}, {key:?}), |row| {readable}, |row| {value})");
        let read = format!("access::{module}::read(caller, row)");
        // Callers may name every active account, although they may not read all of them.
        let (for_label, for_value) = match model.entity(target).account {
            true => {
                let nameable = format!("access::{module}::reference(caller, row)");
                let key = &model.entity(target).fields[model.entity(target).pk.0].name;
                let names = format!("matches!(rest, {:?} | {key:?})", label_of(model.entity(target)).name);
                (nameable.clone(), format!("if {names} {{ {nameable} }} else {{ {read} }}"))
            }
            false => (read.clone(), read),
        };
        let label = over_reference(&for_label, &format!("Ok(schemas::{module}::label(caller, row))"));
        arms.push_str(&format!("({name:?}, None) => reference(row, {name:?}, Kind::{key_kind}, {label}.ok()),\n"));
        let value = over_reference(&for_value, &format!("schemas::{module}::column(caller, row, rest)"));
        arms.push_str(&format!("({name:?}, Some(rest)) => {value}?,\n"));
    }
    let caller = if arms.contains("caller") { "caller" } else { "_caller" };
    let label = label_of(entity);
    let surface = model.surfaces.iter().find(|surface| surface.entity == id && surface.mode == Mode::List);
    let path =
        |path: &dz_dsl_file::model::Path| path.fields(&model.entities).map(|field| field.name.as_str()).collect::<Vec<_>>().join(".");
    let sort: Vec<String> = surface
        .iter()
        .flat_map(|surface| &surface.ux.sort)
        .map(|key| format!("\"{}{}\"", if key.descending { "-" } else { "" }, path(&key.path)))
        .collect();
    let search: Vec<String> = surface.iter().flat_map(|surface| &surface.ux.search).map(|it| format!("\"{}\"", path(&it.it))).collect();
    format!(
        "\n/// The lists of the API.\npub const LIST: ListRules = ListRules {{\ntable: {:?},\nkey: {:?},\ncolumn,\nsort: &[{}],\nsearch: \
         &[{}],\nperiod: {},\n}};\n\n/// What a name means by which lists are filtered and sorted; `a.b` is the field `b` of the row that `a` refers \
         to.\npub fn column({caller}: &Caller, row: &str, name: &str) -> Result<Column, Unknown> {{\nlet (name, rest) = \
         name.split_once('.').map_or((name, None), |(name, rest)| (name, Some(rest)));\nOk(match (name, rest) {{\n{arms}_ => return \
         Err(Unknown::Name {{ name: name.to_owned(), known: OPEN }}),\n}})\n}}\n\n/// The fields by which lists can be filtered and \
         sorted.\nconst OPEN: &[&str] = &[\n{known}];\n\n/// What a row is called where other rows refer to it.\npub fn label({}: &Caller, \
         row: &str) -> Column {{\n{}\n}}\n",
        entity.table,
        entity.fields[entity.pk.0].name,
        sort.join(", "),
        search.join(", "),
        entity.temporal.as_ref().map_or("None".to_owned(), |it| {
            format!("Some(({:?}, {:?}))", entity.fields[it.start.0].name, entity.fields[it.end.0].name)
        }),
        if label.computed.is_some() { "caller" } else { "_caller" },
        column_code(model, entity, label),
    )
}

/// The value of a field of the row itself.
fn column_code(model: &Model, entity: &Entity, field: &Field) -> String {
    match field.computed {
        Some(_) => format!("computed({}::{}(caller, row), {})", names::row(entity), names::ident(&field.name), kind(model, field)),
        None => {
            let column = format!("own(row, {:?}, {})", field.name, kind(model, field));
            match names::currency_of(entity, field) {
                Some(currency) => format!("{column}.within(own(row, {:?}, Kind::Text))", currency.name),
                None => column,
            }
        }
    }
}

/// The field that rows of other entities show.
pub(crate) fn label_of(entity: &Entity) -> &Field {
    let path = &entity.label.path;
    let field = path.hops.is_empty().then(|| &entity.fields[path.field.0]).filter(|field| field.has_value());
    field.unwrap_or(&entity.fields[entity.pk.0])
}

/// The type of a column, as far as filters depend on it.
fn kind(model: &Model, field: &Field) -> String {
    if field.ty.is_file() {
        return "Kind::File".to_owned();
    }
    if let Some(id) = field.ty.enumeration() {
        let of = &model.enums[id.0];
        let values: Vec<String> = of.values.iter().map(|value| names::literal(&value.name)).collect();
        return format!("Kind::Choice {{ names: &[{}], ordered: {} }}", values.join(", "), of.ordered);
    }
    if let Some((precision, scale)) = field.ty.digits() {
        return format!("Kind::Number {{ precision: {precision}, scale: {scale} }}");
    }
    let kind = match types(model, field).sql.as_str() {
        "Identifier" => "Id",
        "BigInt" => "Int",
        "Double" => "Float",
        "Bool" => "Bool",
        "Date" => "Date",
        "Instant" => "Timestamp",
        "Json" => "Document",
        _ => "Text",
    };
    format!("Kind::{kind}")
}
