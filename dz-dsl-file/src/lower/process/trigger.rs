//! The triggers of processes, and the inputs that they set.

use std::collections::HashMap;

use super::{accepts, find};
use crate::{
    Diagnostic, Span,
    cursor::Name,
    diagnostic::near_word,
    lower::{Lowering, collect, cron, expr::type_of},
    model::{DataPath, DataRoot, EntityId, EnumId, Expr, FieldId, NameUse, Path, Placed, Trigger, Type, ValueField},
    names,
    suggestion::Replacement,
    syntax::process as written,
};

/// Returns false for a trigger that could not be read or resolved, which is reported.
pub(super) fn lower(it: &mut Lowering<'_>, at: usize, process: &written::Process) -> bool {
    let Some(written) = &process.trigger else { return process.present.lacks("trigger") };
    let Some(trigger) = trigger(it, written) else { return false };
    for place in 0..it.processes[at].input.len() {
        let field = it.processes[at].input[place].field.clone();
        let value = filled(it, &trigger, &field, written.span);
        it.processes[at].input[place].from_trigger = value;
    }
    it.processes[at].trigger = trigger;
    true
}

fn trigger(it: &mut Lowering<'_>, trigger: &written::Trigger) -> Option<Trigger> {
    Some(match &trigger.kind {
        written::TriggerKind::Manual(roles) => {
            let mut seen = HashMap::new();
            let mut found = Vec::new();
            for name in roles {
                if collect::once(it, &mut seen, name, |name| format!("role `{name}` is named twice")) {
                    found.extend(it.persona(name).map(|role| Placed { it: role, span: name.span }));
                }
            }
            Trigger::Manual(found)
        }
        written::TriggerKind::Signal(name) => Trigger::Signal(NameUse { name: name.text.clone(), span: name.span }),
        written::TriggerKind::Process(name) => {
            Trigger::Completed(find(it, |callable| &callable.processes, "unknown-process", "process", name)?)
        }
        written::TriggerKind::Cron(text) => Trigger::Cron(cron::lower(it, text)?),
        written::TriggerKind::Entity(name, event) => {
            let entity = Placed { it: it.entity(name)?, span: name.span };
            match event {
                written::EntityEvent::Event(word) => Trigger::Entity { entity, event: it.word("unknown-value", "event of a row", word)? },
                written::EntityEvent::Change { field, from, to } => change(it, entity, field, from.as_ref(), to)?,
            }
        }
    })
}

fn change(it: &mut Lowering<'_>, entity: Placed<EntityId>, word: &Name, from: Option<&Name>, to: &Name) -> Option<Trigger> {
    let (field, values) = state_field(it, entity.it, word, from, to)?;
    let from = match from {
        Some(from) => Some(state(it, values, from)?),
        None => None,
    };
    let to = state(it, values, to)?;
    Some(Trigger::Change { entity, field: Placed { it: field, span: word.span }, from, to })
}

/// Finds the enum field: the one with that name; for `status` also that of the state machine, or the only one with those
/// values.
fn state_field(it: &mut Lowering<'_>, entity: EntityId, word: &Name, from: Option<&Name>, to: &Name) -> Option<(FieldId, EnumId)> {
    let fields = &it.entities[entity.0].fields;
    if let Some(at) = it.field_names[entity.0].get(&word.text).copied().filter(|at| !fields[*at].secret) {
        if let Some(values) = fields[at].ty.enumeration() {
            it.field_used(word.span, entity, at);
            return Some((FieldId(at), values));
        }
        let found = Diagnostic::error("type-mismatch", word.span, format!("`{}` is not an enum field, so it has no states", word.text));
        it.out.push(found.label(fields[at].span, "declared here").help("name an enum field, or write `updated`"));
        return None;
    }
    if let (Some(machine), "status" | "state") = (&it.entities[entity.0].states, word.text.as_str())
        && let Some(values) = fields[machine.field.0].ty.enumeration()
    {
        return Some((machine.field, values));
    }
    let enums: Vec<(usize, EnumId)> = fields
        .iter()
        .enumerate()
        .filter(|(_, field)| !field.secret)
        .filter_map(|(at, field)| Some((at, field.ty.enumeration()?)))
        .collect();
    let has = |values: &EnumId, name: &Name| it.enums[values.0].values.iter().any(|value| value.name == name.text);
    let fitting: Vec<&(usize, EnumId)> =
        enums.iter().filter(|(_, values)| has(values, to) && from.is_none_or(|from| has(values, from))).collect();
    match (word.text.as_str(), fitting.as_slice(), enums.as_slice()) {
        ("status", [(at, values)], _) | ("status", [], [(at, values)]) => Some((FieldId(*at), *values)),
        _ => {
            let near = near_word(&word.text, enums.iter().map(|(at, _)| fields[*at].name.as_str())).map(|it| it.into_owned().into());
            let near: Option<Replacement> = near.or_else(|| fitting.first().map(|(at, _)| fields[*at].name.clone().into()));
            let name = it.entities[entity.0].name.clone();
            let mut found = Diagnostic::error("unknown-field", word.span, format!("`{name}` has no enum field `{}`", word.text));
            found = match near {
                Some(near) => found.help(format!("did you mean `{}`?", near.text())).replace(word.span, near),
                None => found.help("name the enum field whose change starts the process"),
            };
            it.out.push(found);
            None
        }
    }
}

fn state(it: &mut Lowering<'_>, values: EnumId, name: &Name) -> Option<Placed<usize>> {
    let known = &it.enums[values.0];
    if let Some(at) = known.values.iter().position(|value| value.name == name.text) {
        it.value_used(name.span, values, at);
        return Some(Placed { it: at, span: name.span });
    }
    let words: Vec<&str> = known.values.iter().map(|value| value.name.as_str()).collect();
    let near = near_word(&name.text, words.iter().copied());
    let mut found = Diagnostic::error("unknown-state", name.span, format!("`{}` has no value `{}`", known.name, name.text));
    found = match near {
        Some(near) => found.help(format!("did you mean `{near}`?")).replace(name.span, near),
        None => found.help(format!("its values are {}", crate::syntax::list(&words))),
    };
    it.out.push(found);
    None
}

/// The value that the trigger sets for an input of the process: a field of the row with its name, the row itself, or an output
/// of the completed process.
fn filled(it: &mut Lowering<'_>, trigger: &Trigger, field: &ValueField, span: Span) -> Option<Expr> {
    let given = match trigger {
        // Users and signals pass inputs explicitly.
        Trigger::Manual(_) | Trigger::Signal(_) => return None,
        Trigger::Cron(_) => None,
        Trigger::Entity { entity, .. } | Trigger::Change { entity, .. } => from_row(it, entity.it, field),
        Trigger::Completed(process) => {
            let outputs = &it.processes[process.it.0].output;
            outputs.iter().position(|output| output.field.name == field.name).map(|at| {
                let ty = crate::lower::values::type_of(&outputs[at].field.ty).unwrap_or(Type::Text);
                let optional = !outputs[at].field.required;
                (DataPath { root: DataRoot::TriggerOutput(at), rest: None, optional, span: field.span }, ty)
            })
        }
    };
    let Some((path, ty)) = given else {
        if field.required && field.default.is_none() {
            let found = Diagnostic::error("input-mismatch", field.span, format!("what starts the process gives no `{}`", field.name));
            it.out.push(found.label(span, "started by this").help(match trigger {
                Trigger::Cron(_) => "make it optional, or give it a default".to_owned(),
                Trigger::Manual(_) | Trigger::Entity { .. } | Trigger::Change { .. } | Trigger::Signal(_) | Trigger::Completed(_) => {
                    "name it like a field of what starts the process, make it optional, or give it a default".to_owned()
                }
            }));
        }
        return None;
    };
    accepts(it, field, &ty, field.span).then_some(Expr::Data(path))
}

fn from_row(it: &Lowering<'_>, entity: EntityId, field: &ValueField) -> Option<(DataPath, Type)> {
    let declared = &it.entities[entity.0];
    let own = |at: usize| {
        let column = &declared.fields[at];
        let rest = Some(Path { from: entity, hops: Vec::new(), field: FieldId(at) });
        let path = DataPath { root: DataRoot::TriggerRow, rest, optional: !column.required, span: field.span };
        (path, type_of(column.ty))
    };
    let usable = |at: &usize| declared.fields[*at].ty.is_stored() && !declared.fields[*at].secret;
    if let Some(at) = it.field_names[entity.0].get(&field.name).copied().filter(usable) {
        return Some(own(at));
    }
    let snake = names::snake(&declared.name);
    if field.name == snake || field.name == "entity" {
        let path = DataPath { root: DataRoot::TriggerRow, rest: None, optional: false, span: field.span };
        return Some((path, Type::Ref(entity)));
    }
    (field.name == format!("{snake}_id") || field.name == "entity_id").then(|| own(declared.pk.0))
}
