//! The meaning of the name or the word at a position, with its type and its access.

use dz_dsl_file::{
    Span,
    emit::{
        access::{Cell, matrix_of},
        expression,
    },
    model::{Entity, EntityId, Field, FieldId, Model, RoleId, Unique, ValueField, Word},
};
use dz_knowledge::{type_text, value_text};
use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};

use super::{
    context::Context,
    failure::Failure,
    names::{Declares, Name},
    state::{At, State},
    words,
};

/// The meaning of the name at a position.
pub fn answer(state: &State, params: HoverParams) -> Result<Option<Hover>, Failure> {
    let at = params.text_document_position_params;
    let place = state.place(&at.text_document.uri)?;
    let Some(it) = place.at(state, at.position) else { return Ok(None) };
    let names = it.unit.names();
    let Some(found) = names.at(it.file, it.byte) else { return Ok(word(state, it)) };
    let text = match names.declared_at(found.declared) {
        Some(name) => describe(names.model(), name),
        None => code(it.unit.files.text(found.declared)),
    };
    Ok(Some(hover(text, it.unit.range(found.at, state.encoding))))
}

/// The meaning of a word of the language.
fn word(state: &State, it: At<'_>) -> Option<Hover> {
    let text = it.unit.files.file(it.file).text.as_str();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let start =
        text[..it.byte as usize].rfind(|c: char| !is_word(c)).map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let end = text[it.byte as usize..].find(|c: char| !is_word(c)).map_or(text.len(), |at| it.byte as usize + at);
    let word = &text[start..end];
    // The context is that of the word, of which the part before the position is left out.
    let context = Context::at(At { byte: start as u32, ..it })?;
    let place = if context.around.is_empty() && context.before.is_empty() { words::describe("construct", word) } else { None };
    let meaning = place.or_else(|| words::describe(context.construct(), word).filter(|_| context.before.is_empty()));
    let meaning = meaning.or_else(|| words::describe(context.block(), word).filter(|_| context.before.is_empty()));
    let kinds = ["type", "modifier", "function", "aggregate", "action", "mode", "relation", "display"];
    let meaning =
        meaning.or_else(|| kinds.iter().find_map(|place| words::describe(place, word))).or_else(|| words::describe_anywhere(word));
    let span = Span { file: it.file, start: start as u32, end: end as u32 };
    meaning.map(|text| hover(text, it.unit.range(span, state.encoding)))
}

fn hover(value: String, range: lsp_types::Range) -> Hover {
    Hover { contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value }), range: Some(range) }
}

fn code(text: &str) -> String {
    format!("```dz\n{text}\n```\n")
}

/// The description of a name as Markdown.
pub fn describe(model: &Model, name: &Name<'_>) -> String {
    let head = |word: &str| code(&format!("{word} {}{}", name.name, quoted(name.title)));
    match name.declares {
        Declares::Entity(id) => head("entity") + &entity(model, &model.entities[id.0]),
        Declares::Field(id, at) => field(model, id, at),
        Declares::Persona(role) => head("persona") + &persona(model, role),
        Declares::Enum(id) => {
            let values: Vec<String> = model.enums[id.0].values.iter().map(|it| format!("`{}`", it.name)).collect();
            head("enum") + &format!("\nValues: {}\n", values.join(", "))
        }
        Declares::Value(id, _) => {
            let values = &model.enums[id.0];
            code(&format!("{}{}", name.name, quoted(name.title)))
                + &format!("\nA value of `{}`.\n", owner(model, values.owner, &values.name))
        }
        Declares::Surface(id) => {
            let surface = &model.surfaces[id.0];
            let of = format!("\nMode `{}` of `{}`, at `/app/{}`.\n", surface.mode.word(), model.entity(surface.entity).name, surface.name);
            head("surface") + &of + &paragraph(surface.purpose.as_deref())
        }
        Declares::Workspace(id) => {
            let regions: Vec<String> = model.workspaces[id.0].regions.iter().map(|it| format!("`{}`", it.name)).collect();
            head("workspace") + &format!("\nAt `/app/{}`. Regions: {}\n", name.name, regions.join(", "))
        }
        Declares::Service(id) => {
            let service = &model.services[id.0];
            let lines = [("input", &service.input), ("output", &service.output)].map(|(word, values)| value_list(model, word, values));
            head("service") + &lines.concat()
        }
        Declares::Process(id) => {
            let process = &model.processes[id.0];
            let inputs: Vec<ValueField> = process.input.iter().map(|it| it.field.clone()).collect();
            let outputs: Vec<ValueField> = process.output.iter().map(|it| it.field.clone()).collect();
            let steps: Vec<String> = process.flow.steps.iter().map(|it| format!("`{}`", it.name)).collect();
            let steps = format!("\nSteps: {}\n", steps.join(", "));
            head("process") + &value_list(model, "input", &inputs) + &value_list(model, "output", &outputs) + &steps
        }
        Declares::Story(at) => head("story") + &paragraph(model.stories[at].description.as_deref()),
        Declares::Scenario(at) => head("scenario") + &paragraph(model.scenarios[at].description.as_deref()),
        Declares::Other => value(model, name),
        Declares::App
        | Declares::Archetype(_)
        | Declares::Section(..)
        | Declares::Region(..)
        | Declares::Step(..)
        | Declares::Schedule(_)
        | Declares::LlmModel(_)
        | Declares::LlmIntent(_)
        | Declares::Experience(_)
        | Declares::ExperienceStep(..) => head(name.declares.word()),
    }
}

fn quoted(title: &str) -> String {
    if title.is_empty() { String::new() } else { format!(" \"{title}\"") }
}

fn paragraph(text: Option<&str>) -> String {
    text.map(|text| format!("\n{text}\n")).unwrap_or_default()
}

fn owner(model: &Model, owner: Option<(EntityId, FieldId)>, name: &str) -> String {
    owner.map_or_else(|| name.to_owned(), |(entity, field)| format!("{}.{}", model.entity(entity).name, model.field(entity, field).name))
}

fn value_list(model: &Model, word: &str, values: &[ValueField]) -> String {
    let one = |it: &ValueField| format!("`{}: {}`", it.name, value_text(model, &it.ty));
    if values.is_empty() { String::new() } else { format!("\n{word}: {}\n", values.iter().map(one).collect::<Vec<_>>().join(", ")) }
}

fn value(model: &Model, name: &Name<'_>) -> String {
    let services = model.services.iter().flat_map(|it| it.input.iter().chain(&it.output));
    let processes = model.processes.iter().flat_map(|it| it.input.iter().map(|it| &it.field).chain(it.output.iter().map(|it| &it.field)));
    let found = services.chain(processes).find(|it| it.span == name.span);
    let ty = found.map(|it| format!(": {}{}", value_text(model, &it.ty), if it.required { " required" } else { "" }));
    code(&format!("{}{}", name.name, ty.unwrap_or_default()))
}

fn entity(model: &Model, entity: &Entity) -> String {
    let table = format!("\nTable and API path `{}`.\n", entity.table);
    paragraph(entity.intent.as_deref()) + &table + "\n" + &access(model, &entity.name)
}

/// The callers of each action of an entity.
fn access(model: &Model, name: &str) -> String {
    let matrix = matrix_of(model, |entity| entity.name == name);
    if matrix.rows.is_empty() || !matrix.closed.is_empty() {
        return "No rule permits an action, so every caller is denied.\n".to_owned();
    }
    let mut text = "| Action | Permitted |\n|---|---|\n".to_owned();
    for row in &matrix.rows {
        let callers = matrix.callers.iter().zip(&row.cells).filter_map(|(caller, cell)| match cell {
            Cell::No => None,
            Cell::Yes => Some(format!("`{caller}`")),
            Cell::When(condition) => Some(format!("`{caller}` when `{condition}`")),
        });
        let callers: Vec<String> = callers.collect();
        let callers = if callers.is_empty() { "no caller".to_owned() } else { callers.join(", ") };
        text.push_str(&format!("| {} | {} |\n", row.action.replace('|', "\\|"), callers.replace('|', "\\|")));
    }
    text
}

fn field(model: &Model, id: EntityId, at: FieldId) -> String {
    let (entity, field) = (model.entity(id), model.field(id, at));
    let modifiers = modifiers(entity, field, at);
    let ty = match &field.computed {
        Some(expr) => format!("computed {}", expression::text(model, id, expr)),
        None => type_text(model, field.ty),
    };
    let default = field.default.as_ref().map(|it| format!(" = {}", expression::text(model, id, it))).unwrap_or_default();
    let head = code(&format!("{}.{}: {ty}{default}{modifiers}", entity.name, field.name));
    let result = field.computed.as_ref().map(|_| format!("\nIts result is `{}`.\n", type_text(model, field.ty))).unwrap_or_default();
    let note = match field.sensitive {
        true => "\nCallers who cannot update the row get null.\n",
        false => "",
    };
    head + &format!("\n{}\n", field.title) + &result + note + "\n" + &access(model, &entity.name)
}

fn modifiers(entity: &Entity, field: &Field, at: FieldId) -> String {
    let unique = match field.unique {
        Unique::No => None,
        Unique::Yes => Some("unique"),
        Unique::WhereSet => Some("unique?"),
    };
    let all = [
        (entity.pk == at).then_some("pk"),
        (field.required && entity.pk != at).then_some("required"),
        unique,
        field.sensitive.then_some("sensitive"),
        field.searchable.then_some("searchable"),
        field.indexed.then_some("indexed"),
    ];
    all.into_iter().flatten().map(|word| format!(" {word}")).collect()
}

fn persona(model: &Model, role: RoleId) -> String {
    let it = &model.personas[role.0];
    let mut text = paragraph(it.description.as_deref());
    for goal in &it.goals {
        text.push_str(&format!("\n* {goal}"));
    }
    let matrix = matrix_of(model, |_| true);
    // The first two callers have no role.
    let permitted = |row: &&dz_dsl_file::emit::access::MatrixRow| row.cells.get(role.0 + 2).is_some_and(|cell| *cell != Cell::No);
    let actions: Vec<String> = matrix.rows.iter().filter(permitted).map(|row| format!("{} `{}`", row.action, row.entity)).collect();
    text + &format!("\nPermitted: {}\n", if actions.is_empty() { "no action".to_owned() } else { actions.join(", ") })
}
