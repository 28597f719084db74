//! LLM intents: every placeholder is an input, and every input has a source.

use std::collections::{HashMap, HashSet};

use super::{MAX_TOKENS, missing, model};
use crate::{
    Diagnostic, Span,
    cursor::Name,
    diagnostic::{near_word, nearest},
    lower::{
        Lowering, collect,
        expr::{Position, Typer, type_of},
        process::{self, DataScope, TriggerScope},
        values::{self, whole},
    },
    model::{
        Answer, EntityEvent, EntityId, Expr, FieldId, IntentTrigger, LlmIntent, LlmIntentId, LlmModelId, Path, PiiAction, Placed,
        PromptPart, Reads, Type, ValueField, ValueType,
    },
    names,
    suggestion::Replacement,
    syntax::llm as written,
};

pub(super) fn lower(it: &mut Lowering<'_>, intent: &written::Intent) -> LlmIntent {
    let name = &intent.name;
    let pii = pii(it, intent);
    let input = match &intent.input {
        Some(fields) => values::fields(it, fields, &format!("{}_input", name.text)),
        None => used(intent),
    };
    let prompt = match &intent.prompt {
        Some(prompt) => lower_prompt(it, intent, prompt, &input),
        None => {
            if intent.present.lacks("prompt") {
                missing(it, name, "intent", "`prompt: \"…\"`");
            }
            Vec::new()
        }
    };
    unused(it, intent, &input);
    if pii != Some(PiiAction::Redact) {
        report_sensitive(it, intent, &input, &prompt);
    }
    let output_schema = intent.output_schema.as_ref().and_then(|name| Some(Placed { it: it.entity(name)?, span: name.span }));
    let mut lowered = LlmIntent {
        name: name.text.clone(),
        title: collect::title(&intent.title, name),
        description: intent.description.as_ref().map(|it| it.text.clone()),
        model: lower_model(it, intent),
        prompt,
        input,
        output_schema,
        timeout: values::duration(it, intent.timeout),
        max_tokens: intent.max_tokens.as_ref().and_then(|number| whole(it, number, "`max_tokens`", 1..=MAX_TOKENS)),
        retry: intent.retry.as_ref().and_then(|retry| process::lower_retry(it, retry)),
        pii,
        trigger: None,
        span: name.span,
    };
    lowered.trigger = intent.trigger.as_ref().and_then(|trigger| lower_trigger(it, intent, trigger, &lowered));
    lowered
}

fn lower_model(it: &mut Lowering<'_>, intent: &written::Intent) -> Placed<LlmModelId> {
    let default = it.llm_config.as_ref().and_then(|config| config.default_model).map(|default| default.it);
    let named = match &intent.model {
        Some(name) => model(it, name),
        None => {
            if default.is_none() && intent.present.lacks("model") {
                missing(it, &intent.name, "intent", "`model:` with the name of an `llm_model`, or `llm_config:` with a `default_model`");
            }
            None
        }
    };
    named.unwrap_or(Placed { it: default.unwrap_or(LlmModelId(0)), span: intent.name.span })
}

fn pii(it: &mut Lowering<'_>, intent: &written::Intent) -> Option<PiiAction> {
    let pii = intent.pii.as_ref()?;
    // `pii: true` and `pii: false`.
    match pii.action.as_ref().map(|word| word.text.as_str()) {
        Some("true") if pii.scan.is_none() => return Some(PiiAction::Warn),
        Some("false") if pii.scan.is_none() => return None,
        _ => {}
    }
    let action = pii.action.as_ref().and_then(|word| it.word("unknown-value", "action for personal data", word));
    if let (Some(false), Some(action)) = (pii.scan, &pii.action) {
        let found = Diagnostic::error("not-allowed-here", action.span, "`action:` has no effect, because `scan:` is false");
        it.out.push(found.help("write `scan: true`, or remove this line"));
    }
    (pii.scan != Some(false)).then(|| action.unwrap_or(PiiAction::Redact))
}

/// The placeholders of a prompt, in order: the inputs of an intent that declares none.
fn used(intent: &written::Intent) -> Vec<ValueField> {
    let mut fields: Vec<ValueField> = Vec::new();
    let mut seen = HashSet::new();
    for placeholder in placeholders(intent) {
        let [root, name, ..] = placeholder.path.as_slice() else { continue };
        if root.text == "input" && seen.insert(name.text.as_str()) {
            fields.push(ValueField {
                name: name.text.clone(),
                title: names::humanise(&name.text),
                ty: ValueType::Printable,
                required: true,
                default: None,
                sensitive: false,
                span: name.span,
            });
        }
    }
    fields
}

fn placeholders(intent: &written::Intent) -> impl Iterator<Item = &written::Placeholder> {
    intent.prompt.iter().flat_map(|prompt| &prompt.parts).filter_map(|part| match part {
        written::Part::Placeholder(placeholder) => Some(placeholder),
        written::Part::Text(_) => None,
    })
}

fn lower_prompt(it: &mut Lowering<'_>, intent: &written::Intent, prompt: &written::Prompt, input: &[ValueField]) -> Vec<PromptPart> {
    let positions: HashMap<&str, usize> = input.iter().enumerate().map(|(at, field)| (field.name.as_str(), at)).collect();
    let mut parts = Vec::new();
    for part in &prompt.parts {
        match part {
            written::Part::Text(text) => parts.push(PromptPart::Text(text.clone())),
            written::Part::Placeholder(placeholder) => parts.extend(lower_placeholder(it, intent, placeholder, input, &positions)),
        }
    }
    parts
}

fn lower_placeholder(
    it: &mut Lowering<'_>,
    intent: &written::Intent,
    placeholder: &written::Placeholder,
    input: &[ValueField],
    positions: &HashMap<&str, usize>,
) -> Option<PromptPart> {
    let (root, rest) = placeholder.path.split_first()?;
    let Some((name, hops)) = rest.split_first().filter(|_| root.text == "input") else {
        let mut found = Diagnostic::error("bad-placeholder", root.span, "braces in a prompt hold an input: `{{ input.name }}`");
        found = match positions.contains_key(root.text.as_str()) {
            true => found.help(format!("write `input.{}`", root.text)).replace(root.span, format!("input.{}", root.text)),
            false if root.text == "input" => found.help("name the input"),
            false => match near_word(&root.text, ["input"]) {
                Some(near) => found.help(format!("did you mean `{near}`?")).replace(root.span, near),
                None => found.help("no other value is known to a prompt"),
            },
        };
        it.out.push(found);
        return None;
    };
    let Some(at) = positions.get(name.text.as_str()).copied() else {
        unknown_input(it, &intent.name.text, name, input);
        return None;
    };
    it.used(name.span, input[at].span);
    if hops.is_empty() {
        return Some(PromptPart::Input(at, None));
    }
    let target = if let ValueType::One(ty) = input[at].ty { ty.target() } else { None };
    let Some(entity) = target else {
        let found = Diagnostic::error("hop-through-non-ref", name.span, format!("`{}` is not a reference, so it has no fields", name.text));
        it.out.push(found.help(format!("declare it under `input:` as `{}: ref ENTITY`, or give the field itself", name.text)));
        return None;
    };
    let path = stored_path(it, entity, hops)?;
    Some(PromptPart::Input(at, Some(path)))
}

fn unknown_input(it: &mut Lowering<'_>, intent: &str, name: &Name, input: &[ValueField]) {
    if values::any_name(input.iter()) {
        return;
    }
    let near = near_word(&name.text, input.iter().map(|field| field.name.as_str()));
    let mut found = Diagnostic::error("input-mismatch", name.span, format!("`{intent}` has no input `{}`", name.text));
    if let Some(near) = near {
        found = found.help(format!("did you mean `{near}`?")).replace(name.span, near);
    }
    it.out.push(found);
}

/// Reports sensitive inputs and sensitive fields behind references, which leave the application only if personal data is removed.
fn report_sensitive(it: &mut Lowering<'_>, intent: &written::Intent, input: &[ValueField], prompt: &[PromptPart]) {
    for part in prompt {
        let PromptPart::Input(at, path) = part else { continue };
        let name = match path {
            None if input[*at].sensitive => input[*at].name.clone(),
            None => continue,
            Some(path) => match sensitive_field(it, path) {
                Some(field) => format!("{}.{field}", input[*at].name),
                None => continue,
            },
        };
        report_in_request(it, &intent.name.text, &name, input[*at].span);
    }
}

/// The first sensitive field on a path.
fn sensitive_field(it: &Lowering<'_>, path: &Path) -> Option<String> {
    let fields = path.steps(&it.entities).into_iter().map(|(entity, field)| &it.entities[entity.0].fields[field.0]);
    fields.into_iter().find(|field| field.sensitive).map(|field| field.name.clone())
}

/// Reports a sensitive field that a step passes to an intent, as [`report_sensitive`].
pub(in crate::lower) fn report_sensitive_argument(it: &mut Lowering<'_>, intent: LlmIntentId, value: &Expr, span: Span) {
    let LlmIntent { name, pii, .. } = &it.llm_intents[intent.0];
    if *pii == Some(PiiAction::Redact) {
        return;
    }
    let mut found = None;
    value.visit(&mut |part| {
        let path = match part.reads() {
            Reads::Field(path) | Reads::Rows(_, Some(path)) | Reads::Relation(_, Some(path)) => path,
            Reads::Rows(_, None) | Reads::Relation(_, None) | Reads::Nothing | Reads::Key => return,
        };
        found = found.take().or_else(|| sensitive_field(it, path));
    });
    if let (Some(field), name) = (found, name.clone()) {
        report_in_request(it, &name, &field, span);
    }
}

fn report_in_request(it: &mut Lowering<'_>, intent: &str, name: &str, span: Span) {
    let message = format!("`{name}` is sensitive, and the request of `{intent}` would contain it");
    it.out.push(Diagnostic::error("not-allowed-here", span, message).help("add `pii: redact` to the intent, or do not send the field"));
}

/// Reports declared inputs that the prompt does not use.
fn unused(it: &mut Lowering<'_>, intent: &written::Intent, input: &[ValueField]) {
    if intent.prompt.is_none() || intent.input.is_none() {
        return;
    }
    // An input with a wrong path has an error of its own.
    let named: HashSet<&str> = placeholders(intent).filter_map(|it| it.path.get(1)).map(|name| name.text.as_str()).collect();
    for field in input.iter().filter(|field| !named.contains(field.name.as_str())) {
        it.out.push(
            Diagnostic::lint("unused-input", field.span, format!("the prompt does not use `{}`", field.name))
                .help(format!("write `{{{{ input.{} }}}}` in the prompt, or remove the input", field.name)),
        );
    }
}

/// Resolves a path to a stored field, from a row of `entity`.
fn stored_path(it: &mut Lowering<'_>, entity: EntityId, names: &[Name]) -> Option<Path> {
    let last = names.last()?.span;
    let mut typer = Typer::new(it, Position::Process, Some(entity));
    let path = typer.resolve(entity, names)?;
    typer.typed_path(path.clone(), last)?;
    Some(path)
}

fn lower_trigger(
    it: &mut Lowering<'_>,
    intent: &written::Intent,
    trigger: &written::IntentTrigger,
    lowered: &LlmIntent,
) -> Option<IntentTrigger> {
    for (key, add) in [("on_entity", "`on_entity: NAME`"), ("on_event", "`on_event: created`")] {
        if trigger.present.lacks(key) {
            let found = Diagnostic::error("missing-key", trigger.key.span, "this trigger is incomplete");
            it.out.push(found.help(format!("add {add}")));
        }
    }
    let event = trigger.event.as_ref().and_then(|word| it.word("unknown-value", "event of a row", word));
    let name = trigger.entity.as_ref()?;
    let entity = it.entity(name)?;
    let when = trigger.when.as_ref().and_then(|when| {
        it.data = Some(DataScope::new(TriggerScope::Row(entity)));
        let condition = process::condition(it, Some(entity), when);
        it.data = None;
        condition
    });
    let input_map = input_map(it, intent, trigger, entity, lowered);
    // A soft-deleted row still exists.
    if event == Some(EntityEvent::Deleted)
        && !it.entities[entity.0].soft_delete
        && let Some(key) = trigger.present.keys.iter().find(|key| key.text == "write_back")
    {
        let found = Diagnostic::warning("without-effect", key.span, "`write_back` has no effect after the deletion of the row");
        it.out.push(found.help("write `on_event: created` or `updated`, or remove `write_back`"));
    }
    let mut seen = HashMap::new();
    let mut written_back = Vec::new();
    for binding in &trigger.write_back {
        if binding.target.last().is_some_and(|name| collect::first(it, &mut seen, "field", name)) {
            written_back.extend(write_back(it, entity, lowered, binding));
        }
    }
    Some(IntentTrigger { entity: Placed { it: entity, span: name.span }, event: event?, when, input_map, write_back: written_back })
}

fn input_map(
    it: &mut Lowering<'_>,
    intent: &written::Intent,
    trigger: &written::IntentTrigger,
    entity: EntityId,
    lowered_intent: &LlmIntent,
) -> Vec<(Placed<usize>, Path)> {
    let input = lowered_intent.input.as_slice();
    let given: HashSet<&str> =
        trigger.input_map.iter().filter_map(|binding| binding.target.last()).map(|name| name.text.as_str()).collect();
    let lacking = report_lacking(it, intent, trigger, input, &given);
    let mut seen = HashMap::new();
    let mut lowered = Vec::new();
    for binding in &trigger.input_map {
        let [name] = binding.target.as_slice() else {
            let found = Diagnostic::error("input-mismatch", binding.target[0].span, "an input has a single name");
            it.out.push(found.help("write `name: entity.field`"));
            continue;
        };
        if !collect::first(it, &mut seen, "input", name) {
            continue;
        }
        let source = match binding.source.split_first() {
            Some((head, rest)) if head.text == "entity" && !rest.is_empty() => rest,
            _ => &binding.source,
        };
        let path = stored_path(it, entity, source);
        let Some(at) = input.iter().position(|field| field.name == name.text) else {
            // An input without a source may be the misspelling of a placeholder; and without a parsed prompt the inputs are unknown.
            if !lacking && (intent.prompt.is_some() || intent.input.is_some()) {
                unknown_input(it, &intent.name.text, name, input);
            }
            continue;
        };
        it.used(name.span, input[at].span);
        let Some(path) = path else { continue };
        if lowered_intent.pii != Some(PiiAction::Redact)
            && let Some(field) = sensitive_field(it, &path)
        {
            report_in_request(it, &intent.name.text, &field, source.last().map_or(name.span, |it| it.span));
        }
        if process::accepts(it, &input[at], &path_type(it, &path), source.last().map_or(name.span, |it| it.span)) {
            lowered.push((Placed { it: at, span: name.span }, path));
        }
    }
    lowered
}

/// Reports inputs that a trigger does not set; true if one was reported.
fn report_lacking(
    it: &mut Lowering<'_>,
    intent: &written::Intent,
    trigger: &written::IntentTrigger,
    input: &[ValueField],
    given: &HashSet<&str>,
) -> bool {
    let lacking: Vec<&ValueField> =
        input.iter().filter(|field| field.required && field.default.is_none() && !given.contains(field.name.as_str())).collect();
    let strange = |binding: &&written::Binding| binding.target.iter().all(|name| input.iter().all(|field| field.name != name.text));
    let strange: Vec<&written::Binding> = trigger.input_map.iter().filter(strange).collect();
    for field in &lacking {
        let near = nearest(&field.name, strange.iter().filter_map(|binding| binding.target.last()).map(|name| name.text.as_str()));
        let slip = near.and_then(|near| strange.iter().find(|binding| binding.target.last().is_some_and(|name| name.text == near)));
        let found = match slip.and_then(|binding| binding.target.last().zip(binding.source.last())) {
            // Of two similar names, the one that is also a field of the row is probably correct.
            Some((target, source)) if intent.input.is_some() || source.text != target.text => {
                let found =
                    Diagnostic::error("input-mismatch", target.span, format!("`{}` has no input `{}`", intent.name.text, target.text));
                found.help(format!("did you mean `{}`?", field.name)).replace(target.span, field.name.clone())
            }
            Some((target, _)) => {
                let found = Diagnostic::error("input-mismatch", field.span, format!("nothing gives the input `{}`", field.name));
                found.help(format!("did you mean `{}`?", target.text)).replace(field.span, target.text.clone())
            }
            None => {
                // An undeclared input is inferred from the prompt, so the finding is at the prompt.
                let span = if intent.input.is_some() { trigger.key.span } else { field.span };
                let found = Diagnostic::error("input-mismatch", span, format!("nothing gives the input `{}`", field.name));
                found.help(format!("add `{}: entity.field` under `input_map:`", field.name))
            }
        };
        it.out.push(found);
    }
    !lacking.is_empty()
}

fn path_type(it: &Lowering<'_>, path: &Path) -> Type {
    let (entity, field) = path.end(&it.entities);
    type_of(it.entities[entity.0].fields[field.0].ty)
}

fn write_back(
    it: &mut Lowering<'_>,
    entity: EntityId,
    intent: &LlmIntent,
    binding: &written::Binding,
) -> Option<(Placed<FieldId>, Answer)> {
    let field = process::settable(it, entity, &binding.target);
    let (head, rest) = binding.source.split_first()?;
    if head.text != "output" {
        let found = Diagnostic::error("unknown-field", head.span, format!("`{}` is not what the model answers", head.text));
        let near = near_word(&head.text, ["output"]).map_or_else(|| "output".into(), Replacement::from);
        it.out.push(found.help("write `output`").replace(head.span, near));
        return None;
    }
    let (answer, ty, span) = match (rest, intent.output_schema) {
        ([], None) => (Answer::Whole, Type::Text, head.span),
        ([], Some(_)) => (Answer::Whole, Type::Json, head.span),
        ([name], Some(schema)) => {
            let path = stored_path(it, schema.it, std::slice::from_ref(name))?;
            (Answer::Field(path.field), path_type(it, &path), name.span)
        }
        ([name, ..], Some(_)) => {
            let found = Diagnostic::error("hop-through-non-ref", name.span, "an answer holds values, not rows that could be followed");
            it.out.push(found.help(format!("write `output.{}`", name.text)));
            return None;
        }
        ([name, ..], None) => {
            let found = Diagnostic::error("unknown-field", name.span, "the answer is text, so it has no fields");
            it.out.push(found.help("write `output`, or describe the answer with `output_schema: ENTITY`"));
            return None;
        }
    };
    let field = field?;
    let target = it.entities[entity.0].fields[field.it.0].ty;
    // A text is accepted for an enum, because the prompt can request one of its values.
    let fits = process::takes(it, &ty, &type_of(target)) || (ty == Type::Text && target.enumeration().is_some());
    if !fits {
        let (found, expected) = (process::describe_type(it, &ty), process::describe_type(it, &type_of(target)));
        it.out.push(
            Diagnostic::error("type-mismatch", span, format!("the field is {expected}, but this is {found}"))
                .label(field.span, "the field")
                .help("describe the answer with an `output_schema` that has a fitting field"),
        );
        return None;
    }
    Some((field, answer))
}
