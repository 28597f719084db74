//! The description of an LLM intent that an event of a row starts: a process with one step, which asks the model and writes its answer
//! to the row.

use super::{Json, expr, value_type};
use crate::model::{Answer, EntityId, FieldId, FieldType, IntentTrigger, LlmIntent, Model, Path, Word as _};

/// Describes the process of an intent, whose name no declared process can have; `None` without a trigger.
///
/// ```
/// use dz_dsl_file::{SourceMap, analyse, emit::flow};
/// let text = concat!(
///     "entity Note:\n  id: uuid pk\n  text: text\n  summary: text\n  permit:\n    read: true\n",
///     "llm_model small:\n  provider: ollama\n  model_id: small\n",
///     "llm_intent sum_up:\n  model: small\n  prompt: \"Sum up: {{ input.text }}\"\n  trigger:\n    on_entity: Note\n    on_event: created\n",
///     "    input_map:\n      text: entity.text\n    write_back:\n      summary: output\n",
/// );
/// let model = analyse(SourceMap::single("app.dsl", text)).model.expect("the declaration is correct");
/// let described = flow::describe_all(&model).next().expect("the intent has a trigger");
/// assert!(described.starts_with(r#"{"name":"llm_intent:sum_up","title":"Sum up","trigger":{"kind":"entity","entity":"Note","event":"created"}"#));
/// ```
pub(super) fn describe_intent(model: &Model, intent: &LlmIntent) -> Option<String> {
    let trigger = intent.trigger.as_ref()?;
    let entity = Json::text(&model.entity(trigger.entity.it).name);
    let own: Vec<&str> = trigger.write_back.iter().map(|(field, _)| model.field(trigger.entity.it, field.it).name.as_str()).collect();
    let described = Json::object([
        ("name", Json::text(format!("llm_intent:{}", intent.name))),
        ("title", Json::text(&intent.title)),
        ("trigger", Json::object([("kind", Json::text("entity")), ("entity", entity), ("event", Json::text(trigger.event.word()))])),
        ("when", Json::optional(trigger.when.as_ref().map(|when| expr::describe(model, None, &when.it)))),
        ("own_fields", Json::list(own.into_iter().map(Json::text))),
        ("input", Json::list([])),
        ("output", Json::list([])),
        ("timeout", Json::Null),
        ("overlap", Json::text("allow")),
        ("emits", Json::list([])),
        ("steps", Json::list([step(model, intent, trigger)])),
        ("compensations", Json::list([])),
    ]);
    Some(described.to_string())
}

fn step(model: &Model, intent: &LlmIntent, trigger: &IntentTrigger) -> Json {
    let inputs = trigger.input_map.iter().map(|(input, path)| {
        let name = &intent.input[input.it].name;
        Json::list([Json::text(name), trigger_row(model, trigger.entity.it, Some(path))])
    });
    Json::object([
        ("name", Json::text(&intent.name)),
        ("title", Json::text(&intent.title)),
        ("action", Json::tagged("llm_intent", Json::text(&intent.name))),
        ("parent", Json::Null),
        ("inputs", Json::list(inputs)),
        ("effects", Json::list(write_back(model, intent, trigger))),
        ("timeout", Json::Null),
        ("retry", Json::Null),
        ("next", Json::text("complete")),
        ("on_failure", Json::text("fail")),
        ("compensate", Json::Null),
    ])
}

/// The change of the row; none without `write_back`.
fn write_back(model: &Model, intent: &LlmIntent, trigger: &IntentTrigger) -> Option<Json> {
    if trigger.write_back.is_empty() {
        return None;
    }
    let entity = trigger.entity.it;
    let values = trigger.write_back.iter().map(|(field, answer)| {
        let target = model.field(entity, field.it);
        Json::list([Json::text(&target.name), self::answer(model, intent, target.ty, *answer)])
    });
    let rows = Json::object([
        ("entity", Json::text(&model.entity(entity).name)),
        ("row", trigger_row(model, entity, None)),
        ("where", Json::Null),
    ]);
    Some(Json::tagged("update", Json::object([("rows", rows), ("values", Json::list(values))])))
}

fn trigger_row(model: &Model, entity: EntityId, path: Option<&Path>) -> Json {
    let ty = Json::tagged("ref", Json::text(&model.entity(entity).name));
    data(Json::text("trigger_row"), ty, path.map(|path| expr::path(model, path)))
}

/// A part of the answer as a value for a field.
fn answer(model: &Model, intent: &LlmIntent, target: FieldType, answer: Answer) -> Json {
    let field = |at: FieldId| intent.output_schema.map(|schema| model.field(schema.it, at));
    match answer {
        Answer::Field(at) => match field(at) {
            Some(field) => data(member(&field.name), value_type::field_type(model, field.ty), None),
            None => Json::text("null"),
        },
        Answer::Whole if intent.output_schema.is_some() => data(Json::tagged("answer", Json::index(0)), Json::text("json"), None),
        // The prompt can request one of the values of an enum.
        Answer::Whole if target.enumeration().is_some() => data(member("text"), value_type::field_type(model, target), None),
        Answer::Whole => data(member("text"), Json::text("text"), None),
    }
}

/// A member of the output of the step.
fn member(name: &str) -> Json {
    Json::tagged("output", Json::list([Json::index(0), Json::text(name)]))
}

fn data(root: Json, ty: Json, path: Option<Json>) -> Json {
    Json::tagged("data", Json::object([("root", root), ("type", ty), ("path", Json::optional(path))]))
}
