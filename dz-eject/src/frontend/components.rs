//! The components of each entity: its list, its form and the page of a row, over the generic ones of `ui`.

use dz_dsl_file::model::{Action, Entity, EntityId, Expr, Field, FieldType, Mode, Model, SectionBody, Via};

use super::{code, has_fallback, response_fields, sent};
use crate::{backend::label_of, names};

const LIST: &str = include_str!("../../template/frontend/list.tsx.txt");
const FORM: &str = include_str!("../../template/frontend/form.tsx.txt");
const DETAIL: &str = include_str!("../../template/frontend/detail.tsx.txt");
const TEST: &str = include_str!("../../template/frontend/components.test.tsx.txt");

/// The columns of a list without a declared list surface.
const COLUMNS: usize = 6;

/// The files of an entity, by their names.
pub(super) fn write(model: &Model, id: EntityId, with_tests: bool) -> Vec<(&'static str, String)> {
    let entity = model.entity(id);
    let mut files = vec![
        ("fields.ts", fields(model, id)),
        ("list.tsx", list(model, id)),
        ("form.tsx", replace_words(entity, FORM)),
        ("detail.tsx", detail(model, id)),
        ("index.ts", index(entity)),
    ];
    if with_tests {
        files.push(("components.test.tsx", test(model, entity)));
    }
    files
}

/// The pages of all entities.
pub(super) fn pages(model: &Model) -> String {
    let mut imports = String::new();
    let mut rows = String::new();
    for entity in &model.entities {
        let (variable, file) = (format!("{}Pages", code::variable(entity)), names::file(entity));
        imports.push_str(&format!("import {{ pages as {variable} }} from \"./components/{file}\";\n"));
        rows.push_str(&format!("  {variable},\n"));
    }
    format!(
        "/** The pages of the application. */\n{imports}import type {{ EntityPages }} from \"./ui/pages\";\n\n/** The name of the \
         application. */\nexport const title = {};\n\n/** The entities in the order of the menu. */\nexport const entities: readonly \
         EntityPages[] = [\n{rows}];\n",
        code::literal(&model.app.title)
    )
}

/// True if a rule permits an action to some caller.
fn is_possible(entity: &Entity, action: &Action) -> bool {
    let rule = entity.access.permissions.iter().find(|rule| rule.action == *action);
    rule.and_then(|rule| rule.permit.as_ref()).is_some_and(|permit| *permit != Expr::Bool(false))
}

/// The description of the fields.
fn fields(model: &Model, id: EntityId) -> String {
    let entity = model.entity(id);
    let (variable, shown) = (code::variable(entity), columns(model, id));
    let all: Vec<&Field> = response_fields(entity).collect();
    let lines: String =
        all.iter().map(|field| format!("  {}: {},\n", code::member(&field.name), field_info(model, entity, field))).collect();
    let list = |name: &str, about: &str, of: &[&Field]| {
        let items: Vec<String> = of.iter().map(|field| format!("fields{}", access(&field.name))).collect();
        let start = format!("export const {variable}{name}: readonly FieldInfo[] = [");
        format!("\n/** {about} */\n{}", code::list(&start, &items, "];"))
    };
    let entered: Vec<&Field> = sent(entity).collect();
    let body = format!(
        "const fields = {{\n{lines}}} satisfies Record<string, FieldInfo>;\n{}{}{}",
        list("Columns", "The columns of the list.", &shown),
        list("Controls", "The fields of the form.", &entered),
        list("Fields", "The fields of the page of a row.", &all),
    );
    let words: Vec<&str> = body.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let titles = model.enums.iter().map(|of| titles(model, of)).filter(|name| words.contains(&name.as_str())).collect();
    format!(
        "/** The fields of {}, as the pages show them. */\n{}import type {{ FieldInfo }} from \"../../ui/fields\";\n\n{body}",
        crate::backend::rows(entity),
        code::import("import", titles, "../../choices"),
    )
}

fn titles(model: &Model, of: &dz_dsl_file::model::EnumType) -> String {
    code::values(model, of).replace("_VALUES", "_TITLES")
}

fn access(name: &str) -> String {
    let member = code::member(name);
    if member.starts_with('"') { format!("[{member}]") } else { format!(".{member}") }
}

fn field_info(model: &Model, entity: &Entity, field: &Field) -> String {
    let mut parts = vec![
        format!("name: {}", code::literal(&field.name)),
        format!("title: {}", code::literal(&field.title)),
        format!("control: {}", control(model, entity, field)),
    ];
    let is_sent = sent(entity).any(|it| it.name == field.name);
    if is_sent && field.required && !has_fallback(field) {
        parts.push("required: true".to_owned());
    }
    if let Some(initial) = field.default.as_ref().filter(|_| is_sent).and_then(|default| initial(model, default)) {
        parts.push(format!("initial: {}", code::literal(&initial)));
    }
    if !field.sensitive && !field.ty.is_file() && !field.ty.is_json() {
        parts.push("sortable: true".to_owned());
    }
    format!("{{\n    {},\n  }}", parts.join(",\n    "))
}

/// The text of a literal default.
fn initial(model: &Model, default: &Expr) -> Option<String> {
    match default {
        Expr::Bool(value) => Some(value.to_string()),
        Expr::Int(value) => Some(value.to_string()),
        Expr::Decimal(digits) => Some(digits.clone()),
        Expr::Text(text) => Some(text.clone()),
        Expr::EnumValue(id, at) => model.enums[id.0].values.get(*at).map(|value| value.name.clone()),
        _ => None,
    }
}

fn control(model: &Model, entity: &Entity, field: &Field) -> String {
    let kind = |name: &str| format!("{{ kind: \"{name}\" }}");
    match field.ty {
        FieldType::Text => kind("area"),
        FieldType::Int { .. } | FieldType::Float => kind("number"),
        FieldType::Decimal { .. } => kind("decimal"),
        FieldType::Bool => kind("bool"),
        FieldType::Date => kind("date"),
        FieldType::DateTime => kind("timestamp"),
        FieldType::Json => kind("json"),
        FieldType::Email => kind("email"),
        FieldType::Url => kind("url"),
        FieldType::File { limit } => {
            let path = code::literal(&format!("/files/{}/{}", entity.table, field.name));
            let limit = limit.map_or("null".to_owned(), |limit| limit.to_string());
            format!("{{ kind: \"file\", path: {path}, limit: {limit} }}")
        }
        FieldType::Enum(id) => format!("{{ kind: \"choice\", titles: {} }}", titles(model, &model.enums[id.0])),
        FieldType::Money(currency) => {
            let currency = currency.as_ref().map_or("null".to_owned(), |it| code::literal(it.code()));
            format!("{{ kind: \"money\", currency: {currency} }}")
        }
        FieldType::Ref(target) => {
            let target = model.entity(target);
            let label = text_label(target).map_or("null".to_owned(), |field| code::literal(&field.name));
            let key = code::literal(&target.fields[target.pk.0].name);
            let number = if names::key_type(target) == "i64" { ", isNumber: true" } else { "" };
            format!("{{ kind: \"reference\", table: {}, key: {key}{number}, label: {label} }}", code::literal(&target.table))
        }
        FieldType::Uuid
        | FieldType::Str(_)
        | FieldType::Timezone
        | FieldType::Slug
        | FieldType::Currency { .. }
        | FieldType::HasMany { .. }
        | FieldType::HasOne { .. }
        | FieldType::ManyToMany { .. } => kind("text"),
    }
}

/// The label of a row, if it is text by which lists can be searched.
fn text_label(entity: &Entity) -> Option<&Field> {
    let field = label_of(entity);
    (field.ty.is_text() && !field.sensitive && !field.secret).then_some(field)
}

/// The columns of a list: those of the declared surface, else the label and the first fields.
fn columns(model: &Model, id: EntityId) -> Vec<&Field> {
    let entity = model.entity(id);
    let surface = model.surfaces.iter().find(|surface| surface.entity == id && surface.mode == Mode::List);
    let declared: Vec<&str> = surface
        .iter()
        .flat_map(|surface| &surface.sections)
        .filter_map(|section| if let SectionBody::Fields(columns) = &section.body { Some(columns) } else { None })
        .flatten()
        .map(|column| column.path.hops.first().unwrap_or(&column.path.field))
        .map(|at| entity.fields[at.0].name.as_str())
        .collect();
    let is_listed =
        |field: &&Field| declared.contains(&field.name.as_str()) || declared.is_empty() && field.name != entity.fields[entity.pk.0].name;
    let (label, mut found) = (label_of(entity), response_fields(entity).filter(is_listed).collect::<Vec<_>>());
    if let Some(at) = found.iter().position(|field| field.name == label.name) {
        let label = found.remove(at);
        found.insert(0, label);
    }
    if declared.is_empty() {
        found.truncate(COLUMNS);
    }
    if found.is_empty() {
        found.extend(response_fields(entity).find(|field| field.name == entity.fields[entity.pk.0].name));
    }
    found
}

fn list(model: &Model, id: EntityId) -> String {
    let entity = model.entity(id);
    let surface = model.surfaces.iter().find(|surface| surface.entity == id && surface.mode == Mode::List);
    let is_searchable = surface.is_some_and(|surface| !surface.ux.search.is_empty());
    replace_words(entity, LIST)
        .replace("%SEARCHABLE%", &is_searchable.to_string())
        .replace("%CAN_CREATE%", &is_possible(entity, &Action::Create).to_string())
}

/// The page of a row, with the lists of the rows that belong to it.
fn detail(model: &Model, id: EntityId) -> String {
    let entity = model.entity(id);
    let mut imports = String::new();
    let mut sections = String::new();
    let mut seen: Vec<EntityId> = Vec::new();
    for field in &entity.fields {
        let Some((child, Via::Ref(via))) = field.ty.relation().filter(|_| !field.ty.is_single()) else { continue };
        let (child_entity, via) = (model.entity(child), &model.field(child, via).name);
        let component = format!("{}List", code::entity(child_entity));
        if !seen.contains(&child) && child != id {
            imports.push_str(&format!("import {{ {component} }} from \"../{}/list\";\n", names::file(child_entity)));
        } else if !seen.contains(&child) {
            imports.push_str(&format!("import {{ {component} }} from \"./list\";\n"));
        }
        seen.push(child);
        let filter = format!("{{ {}: id }}", code::member(via));
        sections.push_str(&format!("          <{component} title={} filters={{{filter}}} />\n", attribute(&field.title)));
    }
    let states = entity.states.as_ref().map(|states| &entity.fields[states.field.0]);
    let (mut text, transitions) = (DETAIL.to_owned(), states.is_some());
    for (start, end, keep) in [
        ("{/*IF STATES*/}", "{/*END STATES*/}", transitions),
        ("{/*IF DELETE*/}", "{/*END DELETE*/}", is_possible(entity, &Action::Delete)),
    ] {
        text = crate::backend::choose(&text, start, end, keep);
    }
    let title = match text_label(entity) {
        Some(field) => format!("String(row{} ?? {})", access(&field.name), code::literal(&entity.title)),
        None => code::literal(&entity.title),
    };
    let errors: Vec<&str> = [("remove.error", is_possible(entity, &Action::Delete)), ("transition.error", transitions)]
        .into_iter()
        .filter_map(|(error, keep)| keep.then_some(error))
        .collect();
    let error = if errors.is_empty() { "null".to_owned() } else { errors.join(" ?? ") };
    let on_delete = match is_possible(entity, &Action::Delete) {
        true => "() => remove.mutate(etag, { onSuccess: () => open(address(%TABLE%)) })",
        false => "null",
    };
    let mut ui = vec!["RowDetail".to_owned()];
    let mut hooks = vec![format!("use{}", code::entity(entity))];
    if is_possible(entity, &Action::Delete) {
        hooks.push(format!("useDelete{}", code::entity(entity)));
    }
    if transitions {
        ui.push("Transitions".to_owned());
        hooks.push(format!("useTransition{}", code::entity(entity)));
        hooks.push(format!("{}Transitions", code::variable(entity)));
    }
    let router = if is_possible(entity, &Action::Delete) { "import { address, open } from \"../../router\";\n" } else { "" };
    let mut lines = [
        code::import("import", hooks, &format!("../../hooks/{}", names::file(entity))),
        router.to_owned(),
        "import { Loaded } from \"../../ui/messages\";\n".to_owned(),
        code::import("import", ui, "../../ui/row-detail"),
    ]
    .concat();
    lines.push_str(&imports);
    lines.push_str(&format!("import {{ {}Fields }} from \"./fields\";\n", code::variable(entity)));
    let text = text
        .replace("%IMPORTS%\n", &lines)
        .replace("%SECTIONS%\n", &sections)
        .replace("%ROW_LABEL%", &title)
        .replace("%ERROR%", &error)
        .replace("%CAN_EDIT%", &(is_possible(entity, &Action::Update) && sent(entity).next().is_some()).to_string())
        .replace("%SHOWN%", if errors.is_empty() { "{ row }" } else { "{ row, etag }" })
        .replace("%ON_DELETE%", on_delete)
        .replace("%STATE%", &states.map(|field| access(&field.name)).unwrap_or_default());
    replace_words(entity, &text)
}

/// A text as the value of an attribute.
fn attribute(text: &str) -> String {
    let is_plain = !text.contains(['"', '\\', '&', '{', '}', '<', '>']) && !text.contains(char::is_control);
    if is_plain { format!("\"{text}\"") } else { format!("{{{}}}", code::literal(text)) }
}

fn index(entity: &Entity) -> String {
    let name = code::entity(entity);
    format!(
        "import type {{ EntityPages }} from \"../../ui/pages\";\nimport {{ {name}Detail }} from \"./detail\";\nimport {{ Create{name}, \
         Edit{name} }} from \"./form\";\nimport {{ {name}List }} from \"./list\";\n\nexport {{ Create{name}, Edit{name}, {name}Detail, \
         {name}List }};\n\n/** The pages of {}. */\nexport const pages: EntityPages = {{\n  table: {},\n  title: {},\n  List: \
         {name}List,\n  Create: Create{name},\n  Detail: {name}Detail,\n  Edit: Edit{name},\n}};\n",
        crate::backend::rows(entity),
        code::literal(&entity.table),
        code::literal(&entity.title_plural),
    )
}

/// The tests of the components of an entity.
fn test(model: &Model, entity: &Entity) -> String {
    let required: Vec<&Field> = sent(entity).filter(|field| field.required && !has_fallback(field)).collect();
    let state = entity.states.as_ref().map(|states| &entity.fields[states.field.0]);
    let (mut text, first) = (TEST.to_owned(), required.first());
    text = crate::backend::choose(&text, "/*IF REQUIRED*/", "/*END REQUIRED*/", first.is_some());
    // The sample row is in the first state; a transition from it without roles is offered to every caller.
    let button = entity.states.as_ref().and_then(|states| {
        let of = &model.enums[entity.fields[states.field.0].ty.enumeration()?.0];
        let found = states.in_order().into_iter().find(|it| states.rows[it.row].manual && it.from == 0)?;
        let row = &states.rows[found.row];
        let title = row.label.clone().or_else(|| of.values.get(found.to).map(|value| value.title.clone()))?;
        Some((title, of.values.get(found.to)?.name.clone()))
    });
    text = crate::backend::choose(&text, "/*IF STATES*/", "/*END STATES*/", button.is_some() && state.is_some());
    let (title, target) = button.unwrap_or_default();
    let roles: Vec<String> = model.personas.iter().map(|persona| code::literal(&persona.name)).collect();
    text = text
        .replace("%MEMBERS%", &super::tests::members(model, response_fields(entity)))
        .replace("%KEY%", &access(&entity.fields[entity.pk.0].name))
        .replace("%REQUIRED_COUNT%", &required.len().to_string())
        .replace("%BUTTON%", &code::literal(&title))
        .replace("%PATH%", &entity.table)
        .replace("%STATE%", &percent_encode(&target))
        .replace("%ROLES%", &roles.join(", "));
    replace_words(entity, &text)
}

/// A segment of an address, as `encodeURIComponent` writes it.
fn percent_encode(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&b);
    text.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

/// Replaces the words in capitals of a template.
fn replace_words(entity: &Entity, template: &str) -> String {
    let (key, new_title) = (&entity.fields[entity.pk.0].name, format!("New {}", names::title(entity)));
    let attributes = [("ID_FIELD", key), ("TABLE", &entity.table), ("TITLE", &entity.title), ("NEW_TITLE", &new_title)];
    let text = attributes
        .iter()
        .fold(template.to_owned(), |text, (word, value)| text.replace(&format!("=%{word}%"), &format!("={}", attribute(value))));
    let replacements = [
        ("%PLURAL%", code::plural(entity)),
        ("%NAME%", code::entity(entity)),
        ("%VARIABLE%", code::variable(entity)),
        ("%TABLE%", code::literal(&entity.table)),
        ("%FILE%", names::file(entity)),
        ("%TITLES%", code::literal(&entity.title_plural)),
        ("%ROWS%", crate::backend::rows(entity)),
    ];
    replacements.iter().fold(text, |text, (word, value)| text.replace(word, value))
}
