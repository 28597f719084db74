//! Expressions. A process runs as the system, so that everything about a caller is null.

use dz_vocabulary::Vocabulary;

use super::{Json, value_type};
use crate::model::{DataPath, DataRoot, Expr, Model, Path, Process, StepAction, StepId, Trigger, Type};

/// Describes an expression, with the process whose values it reads. Without a process, the row of the trigger is the row in scope.
pub(super) fn describe(model: &Model, process: Option<&Process>, expr: &Expr) -> Json {
    let one = |expr: &Expr| describe(model, process, expr);
    let all = |items: &[Expr]| Json::list(items.iter().map(one));
    match expr {
        Expr::Bool(value) => Json::tagged("bool", Json::Bool(*value)),
        Expr::Int(value) => Json::tagged("int", Json::Int(*value)),
        Expr::Decimal(digits) => Json::tagged("decimal", Json::text(digits)),
        Expr::Float(value) => Json::tagged("float", Json::Float(*value)),
        Expr::Text(text) => Json::tagged("text", Json::text(text)),
        Expr::Typed(ty, text) => Json::tagged("typed", Json::list([type_name(ty), Json::text(text)])),
        Expr::EnumValue(of, at) => {
            let of = &model.enums[of.0];
            let values = of.values.iter().map(|value| Json::text(&value.name));
            Json::tagged(
                "value",
                Json::object([("values", Json::list(values)), ("at", Json::index(*at)), ("ordered", Json::Bool(of.ordered))]),
            )
        }
        Expr::Duration(it) => Json::tagged("duration", Json::list([Json::Int(it.months), Json::Int(it.seconds)])),
        Expr::Today => Json::text("today"),
        Expr::Now => Json::text("now"),
        Expr::Anyone => Json::tagged("bool", Json::Bool(true)),
        Expr::Role(_) | Expr::SignedIn => Json::tagged("bool", Json::Bool(false)),
        Expr::Path(path) => Json::tagged("path", self::path(model, path)),
        Expr::This(path) => Json::tagged("this", Json::optional(path.as_ref().map(|path| self::path(model, path)))),
        Expr::Data(data) => match (process, data.root, &data.rest) {
            (Some(process), ..) => Json::tagged("data", self::data(model, process, data)),
            (None, DataRoot::TriggerRow, Some(path)) => Json::tagged("path", self::path(model, path)),
            (None, DataRoot::TriggerRow, None) => Json::tagged("this", Json::Null),
            (None, ..) => Json::text("null"),
        },
        Expr::List(items) => Json::tagged("list", all(items)),
        Expr::Not(inner) => Json::tagged("not", one(inner)),
        Expr::And(items) => Json::tagged("and", all(items)),
        Expr::Or(items) => Json::tagged("or", all(items)),
        Expr::Compare(op, left, right) => Json::tagged("compare", Json::list([name(*op), one(left), one(right)])),
        Expr::In(item, list) => Json::tagged("in", Json::list([one(item), one(list)])),
        Expr::Arithmetic(op, left, right, ty) => Json::tagged("arithmetic", Json::list([name(*op), one(left), one(right), type_name(ty)])),
        Expr::Negate(inner) => Json::tagged("negate", one(inner)),
        Expr::Call(function, arguments, ty) => Json::tagged("call", Json::list([name(*function), all(arguments), type_name(ty)])),
        Expr::Aggregate { kind, relation, value, condition } => Json::tagged(
            "aggregate",
            Json::object([
                ("kind", name(*kind)),
                ("relation", self::path(model, relation)),
                ("value", Json::optional(value.as_ref().map(|value| self::path(model, value)))),
                ("condition", Json::optional(condition.as_deref().map(one))),
            ]),
        ),
        Expr::If(branches, rest) => {
            let branches = branches.iter().map(|(condition, value)| Json::list([one(condition), one(value)]));
            Json::tagged("if", Json::list([Json::list(branches), one(rest)]))
        }
        // Figures and experiences have no place in a process.
        Expr::Null
        | Expr::CurrentUser
        | Expr::CurrentTenant
        | Expr::CurrentUserPath(_)
        | Expr::CurrentUserRoles
        | Expr::Context(..)
        | Expr::EntityAggregate { .. }
        | Expr::Metric(_) => Json::text("null"),
    }
}

fn name<V: Vocabulary>(value: V) -> Json {
    Json::text(value.variant())
}

/// A path: its entity, then its fields.
pub(super) fn path(model: &Model, path: &Path) -> Json {
    let fields = path.fields(&model.entities).map(|field| Json::text(&field.name));
    Json::list([Json::text(&model.entity(path.from).name)].into_iter().chain(fields))
}

/// A value of a running process: its root with its type, and the path from the row that it references.
fn data(model: &Model, process: &Process, data: &DataPath) -> Json {
    let (root, ty) = root(model, process, data.root);
    let rest = data.rest.as_ref().map(|rest| path(model, rest));
    Json::object([("root", root), ("type", ty), ("path", Json::optional(rest))])
}

fn root(model: &Model, process: &Process, root: DataRoot) -> (Json, Json) {
    let json = || Json::text("json");
    let reference = |entity: &str| Json::tagged("ref", Json::text(entity));
    match root {
        DataRoot::TriggerRow => {
            let entity = process.trigger.entity_event().map(|(entity, _)| model.entity(entity).name.as_str());
            (Json::text("trigger_row"), entity.map_or_else(json, reference))
        }
        DataRoot::TriggerOutput(at) => {
            let Trigger::Completed(other) = &process.trigger else { return (Json::text("trigger_payload"), json()) };
            let field = &model.processes[other.it.0].output[at].field;
            (Json::tagged("trigger_output", Json::text(&field.name)), value_type::describe(model, &field.ty))
        }
        DataRoot::TriggerPayload => (Json::text("trigger_payload"), json()),
        DataRoot::Input(at) => {
            let field = &process.input[at].field;
            (Json::tagged("input", Json::text(&field.name)), value_type::describe(model, &field.ty))
        }
        DataRoot::Output(step, at) => output(model, process, step, at),
        DataRoot::Answer(step, at) => {
            let action = &process.flow.step(step).action;
            let schema = if let StepAction::LlmIntent(intent) = action { model.llm_intents[intent.it.0].output_schema } else { None };
            match schema.map(|schema| model.field(schema.it, at)) {
                Some(field) => (member(step, &field.name), value_type::field_type(model, field.ty)),
                None => (member(step, "text"), json()),
            }
        }
        DataRoot::AnswerText(step) => (member(step, "text"), Json::text("text")),
        DataRoot::Outcome(step) => (member(step, "outcome"), Json::text("text")),
        DataRoot::DecidedBy(step) => (member(step, "by"), reference(&model.entity(model.account).name)),
        DataRoot::DecidedAt(step) => (member(step, "at"), Json::text("datetime")),
        DataRoot::Payload(step) => (member(step, "payload"), json()),
    }
}

/// An output of the service or process that a step calls.
fn output(model: &Model, process: &Process, step: StepId, at: usize) -> (Json, Json) {
    let action = &process.flow.step(step).action;
    let field = if let StepAction::Service(service) = action {
        model.services[service.it.0].output.get(at)
    } else if let StepAction::Subprocess(other) = action {
        model.processes[other.it.0].output.get(at).map(|output| &output.field)
    } else {
        None
    };
    let (name, ty) = field.map_or(("", Json::text("json")), |field| (field.name.as_str(), value_type::describe(model, &field.ty)));
    (member(step, name), ty)
}

/// A member of the output of a step.
fn member(step: StepId, name: &str) -> Json {
    Json::tagged("output", Json::list([Json::index(step.0), Json::text(name)]))
}

/// The type of a value.
fn type_name(ty: &Type) -> Json {
    Json::text(match ty {
        Type::Bool => "bool",
        Type::Int => "int",
        Type::Float => "float",
        Type::Decimal | Type::Money(_) => "decimal",
        Type::Text | Type::Enum(_) => "text",
        Type::Date => "date",
        Type::DateTime => "date_time",
        Type::Duration => "duration",
        Type::Uuid | Type::Ref(_) => "uuid",
        Type::Json => "json",
        Type::List(_) => "list",
        Type::Null => "null",
    })
}
