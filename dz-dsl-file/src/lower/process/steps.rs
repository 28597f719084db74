//! Steps: what each calls, with which values, and its next step.

use std::collections::HashMap;

use super::{
    data::{self, ResultKind, StepResult},
    effects, find, lower_retry, task, unknown,
};
use crate::{
    Diagnostic, Near, Span,
    cursor::Name,
    diagnostic::near_word,
    lower::{Lowering, collect, llm, values},
    model::{
        Argument, Compensation, CompensationId, EnumId, FailurePolicy, Flow, LlmIntentId, NameUse, Placed, ProcessId, ServiceId, Step,
        StepAction, StepId, Target, TargetKind, ValueField,
    },
    syntax::process::{self as written, Action},
};

/// The largest number of steps. Some checks compare every pair of steps.
const MAX_STEPS: usize = 500;

/// The kind of a step, before its values are typed.
#[derive(Clone, Copy)]
enum Head {
    Service(Placed<ServiceId>),
    Process(Placed<ProcessId>),
    Intent(Placed<LlmIntentId>),
    Task(EnumId),
    WaitFor,
    WaitSignal,
    Condition,
    Parallel,
    Effects,
    Unknown,
}

/// A step in the order of the process.
struct Ordered<'a> {
    step: &'a written::Step,
    parent: Option<StepId>,
    /// The next step, unless the step names another one.
    following: TargetKind,
    head: Head,
}

/// The possible next steps of a step.
pub(super) struct Targets<'n> {
    ids: &'n HashMap<String, StepId>,
    parents: &'n [Option<StepId>],
    names: &'n [String],
    /// The places of their declarations.
    places: &'n [Span],
    /// The `parallel` that contains the step.
    inside: Option<StepId>,
}

impl Targets<'_> {
    /// Resolves the name of a next step, or reports it.
    pub fn find(&self, it: &mut Lowering<'_>, name: &Name) -> Option<Target> {
        let target = |to| Some(Target { to, span: Some(name.span) });
        match name.text.as_str() {
            "complete" => return target(TargetKind::Complete),
            "fail" => return target(TargetKind::Fail),
            _ => {}
        }
        let Some(id) = self.ids.get(&name.text).copied() else {
            let known = || self.ids.keys().map(String::as_str).chain(["complete", "fail"]).map(str::to_owned);
            unknown(it, "unknown-step", "step", name, |_| known().collect());
            return None;
        };
        it.used(name.span, self.places[id.0]);
        if self.inside.is_some() {
            let found = Diagnostic::error("not-allowed-here", name.span, "parallel steps do not continue at other steps");
            it.out.push(found.help("write `complete` or `fail` for the branch, and the step on the `parallel`"));
            return None;
        }
        if let Some(parallel) = self.parents[id.0] {
            let whole = self.names[parallel.0].clone();
            let found = Diagnostic::error("not-allowed-here", name.span, format!("`{}` runs only together with `{whole}`", name.text));
            it.out.push(found.help(format!("continue at `{whole}`")).replace(name.span, whole));
            return None;
        }
        target(TargetKind::Step(id))
    }
}

/// Lowers steps; the scope of their values must be set. `owner` is the process or schedule.
pub(in crate::lower) fn lower_flow(it: &mut Lowering<'_>, owner: &str, steps: &[written::Step], compensations: &[written::Step]) -> Flow {
    let mut placed = place(it, steps);
    let ids = identify(it, &placed);
    for one in &mut placed {
        one.head = head(it, owner, one.step, one.parent.is_some());
    }
    announce(it, &placed);
    let undoing = names_of(it, compensations);
    let parents: Vec<Option<StepId>> = placed.iter().map(|one| one.parent).collect();
    let names: Vec<String> = placed.iter().map(|one| one.step.name.text.clone()).collect();
    let places: Vec<Span> = placed.iter().map(|one| one.step.name.span).collect();
    let mut flow = Flow { steps: Vec::new(), first: (!placed.is_empty()).then_some(StepId(0)), compensations: Vec::new() };
    for one in &placed {
        let targets = Targets { ids: &ids, parents: &parents, names: &names, places: &places, inside: one.parent };
        let step = lower_step(it, one, &targets, &undoing);
        flow.steps.push(step);
    }
    for (at, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent
            && let StepAction::Parallel { branches, .. } = &mut flow.steps[parent.0].action
        {
            branches.push(StepId(at));
        }
    }
    let mut seen = HashMap::new();
    for written in compensations {
        if seen.insert(&written.name.text, ()).is_none() {
            let compensation = compensation(it, owner, written);
            flow.compensations.push(compensation);
        }
    }
    flow
}

/// Numbers the steps; those of a `parallel` follow it directly.
fn place<'a>(it: &mut Lowering<'_>, steps: &'a [written::Step]) -> Vec<Ordered<'a>> {
    let mut placed: Vec<Ordered<'a>> = Vec::new();
    let mut last: Option<usize> = None;
    for step in steps {
        let id = StepId(placed.len());
        if let Some(last) = last {
            placed[last].following = TargetKind::Step(id);
        }
        last = Some(id.0);
        placed.push(Ordered { step, parent: None, following: TargetKind::Complete, head: Head::Unknown });
        for (_, action) in &step.actions {
            let Action::Parallel(branches) = action else { continue };
            placed.extend(branches.iter().map(|step| Ordered {
                step,
                parent: Some(id),
                following: TargetKind::Complete,
                head: Head::Unknown,
            }));
        }
        if placed.len() > MAX_STEPS {
            let found = Diagnostic::error("number-out-of-range", step.name.span, format!("a process has at most {MAX_STEPS} steps"));
            it.out.push(found.help("put some of them into another process, and call it as a `subprocess`"));
            placed.truncate(MAX_STEPS);
            for one in &mut placed {
                if one.following == TargetKind::Step(StepId(MAX_STEPS)) {
                    one.following = TargetKind::Complete;
                }
            }
            return placed;
        }
    }
    placed
}

/// The numbers of the steps by name; names are unique.
fn identify(it: &mut Lowering<'_>, placed: &[Ordered<'_>]) -> HashMap<String, StepId> {
    let mut ids: HashMap<String, StepId> = HashMap::new();
    for (at, one) in placed.iter().enumerate() {
        let name = &one.step.name;
        if let Some(first) = ids.get(&name.text) {
            let first = placed[first.0].step.name.span;
            it.out.push(
                Diagnostic::error("duplicate-step", name.span, format!("step `{}` is declared twice", name.text))
                    .label(first, "first declared here")
                    .help("give it another name"),
            );
            continue;
        }
        if matches!(name.text.as_str(), "complete" | "fail") {
            let found = Diagnostic::warning("ambiguous-word", name.span, format!("`{}` as a target is an end, never this step", name.text));
            it.out.push(found.help("give the step another name"));
        }
        ids.insert(name.text.clone(), StepId(at));
    }
    ids
}

/// The action of a step: exactly one.
fn head(it: &mut Lowering<'_>, owner: &str, step: &written::Step, inside: bool) -> Head {
    if let [(_, _), (key, _), ..] = step.actions.as_slice() {
        let first = &step.actions[0].0;
        let found = Diagnostic::error("several-actions", key.span, format!("a step does one thing, and this one has `{}` too", first.text));
        it.out.push(found.label(first.span, "the first one").help("put it into a step of its own"));
    }
    let Some((key, action)) = step.actions.first() else {
        let said = |key: &Name| matches!(key.text.as_str(), "service" | "subprocess" | "llm_intent" | "wait" | "condition" | "effects");
        if step.present.broken || step.present.keys.iter().any(said) {
            return if step.effects.is_empty() { Head::Unknown } else { Head::Effects };
        }
        let found = Diagnostic::error("step-without-action", step.name.span, format!("`{}` does nothing", step.name.text));
        it.out.push(found.help("add `service:`, `subprocess:`, `llm_intent:`, `human_task:`, `wait:`, `condition:` or `effects:`"));
        return Head::Unknown;
    };
    let head = match action {
        Action::Service(name) => find(it, |callable| &callable.services, "unknown-service", "service", name).map(Head::Service),
        Action::Subprocess(name) => find(it, |callable| &callable.processes, "unknown-process", "process", name).map(Head::Process),
        Action::LlmIntent(name) => find(it, |callable| &callable.intents, "unknown-llm-intent", "intent", name).map(Head::Intent),
        Action::HumanTask(task) => Some(Head::Task(task::outcome_enum(it, owner, &step.name, task))),
        Action::Wait(written::Wait::For(_)) => Some(Head::WaitFor),
        Action::Wait(written::Wait::Signal(_)) => Some(Head::WaitSignal),
        Action::Condition(_) => Some(Head::Condition),
        Action::Parallel(branches) => {
            if inside {
                let found = Diagnostic::error("not-allowed-here", key.span, "a `parallel` cannot contain another one");
                it.out.push(found.help("put its steps into another process, and call it as a `subprocess`"));
            } else if branches.is_empty() {
                let found = Diagnostic::error("step-without-action", step.name.span, format!("`{}` does nothing", step.name.text));
                it.out.push(found.help("add the steps that run side by side under it"));
            }
            Some(Head::Parallel)
        }
    };
    head.unwrap_or(Head::Unknown)
}

/// Adds the results of the steps to the scope.
fn announce(it: &mut Lowering<'_>, placed: &[Ordered<'_>]) {
    for (at, one) in placed.iter().enumerate() {
        let kind = match one.head {
            Head::Service(service) => ResultKind::Service(service.it),
            Head::Process(process) => ResultKind::Process(process.it),
            Head::Intent(intent) => match it.llm_intents[intent.it.0].output_schema {
                Some(schema) => ResultKind::Schema(schema.it),
                None => ResultKind::Text,
            },
            Head::Task(outcomes) => ResultKind::Task(outcomes),
            Head::WaitSignal => ResultKind::Payload,
            Head::Unknown => ResultKind::Unknown,
            Head::WaitFor | Head::Condition | Head::Parallel | Head::Effects => ResultKind::Nothing,
        };
        if let Some(data) = &mut it.data {
            data.results.entry(one.step.name.text.clone()).or_insert(StepResult { step: StepId(at), place: one.step.name.span, kind });
        }
    }
    let mut seen: HashMap<String, Span> = placed.iter().map(|one| (one.step.name.text.clone(), one.step.name.span)).collect();
    for one in placed {
        let Some(alias) = &one.step.output else { continue };
        if alias.text == one.step.name.text || !collect::first(it, &mut seen, "result", alias) {
            continue;
        }
        if let Some(data) = &mut it.data
            && let Some(result) = data.results.get(&one.step.name.text).copied()
        {
            data.results.insert(alias.text.clone(), StepResult { place: alias.span, ..result });
        }
    }
}

fn names_of(it: &mut Lowering<'_>, compensations: &[written::Step]) -> HashMap<String, (CompensationId, Span)> {
    let mut seen = HashMap::new();
    let mut ids = HashMap::new();
    for written in compensations {
        if collect::first(it, &mut seen, "compensation", &written.name) {
            ids.insert(written.name.text.clone(), (CompensationId(ids.len()), written.name.span));
        }
    }
    ids
}

/// The keys of a step of this kind, besides its action and `effects`.
fn keys(head: Head) -> &'static [&'static str] {
    match head {
        Head::Service(_) | Head::Process(_) | Head::Intent(_) => {
            &["inputs", "output", "timeout", "retry", "on_success", "on_failure", "goto", "compensate"]
        }
        Head::Task(_) => &["output", "timeout", "on_success", "on_failure", "goto", "compensate"],
        Head::WaitFor => &["on_success", "goto"],
        Head::WaitSignal => &["output", "timeout", "on_success", "on_failure", "goto"],
        Head::Condition => &["on_true", "on_false", "goto"],
        Head::Parallel => &["steps", "on_any_failure", "timeout", "on_success", "on_failure", "goto", "compensate"],
        Head::Effects => &["retry", "on_success", "on_failure", "goto", "compensate"],
        Head::Unknown => &[],
    }
}

/// Reports keys that have no effect for the action of the step.
fn meaningless(it: &mut Lowering<'_>, step: &written::Step, head: Head) {
    if matches!(head, Head::Unknown) || step.actions.len() > 1 {
        return;
    }
    let does = step.actions.first().map_or("effects", |(key, _)| key.text.as_str());
    for key in &step.present.keys {
        let acts = step.actions.iter().any(|(action, _)| action.text == key.text);
        if key.text == "effects" || acts || keys(head).contains(&key.text.as_str()) {
            continue;
        }
        let found = Diagnostic::error("not-allowed-here", key.span, format!("`{}` has no meaning on a step with `{does}`", key.text));
        it.out.push(found.help("remove the line"));
    }
}

fn lower_step(it: &mut Lowering<'_>, one: &Ordered<'_>, targets: &Targets<'_>, undoing: &HashMap<String, (CompensationId, Span)>) -> Step {
    let written = one.step;
    meaningless(it, written, one.head);
    let find = |it: &mut Lowering<'_>, name: &Option<Name>| name.as_ref().and_then(|name| targets.find(it, name));
    let goto = find(it, &written.goto);
    let next = find(it, &written.on_success).or(goto).unwrap_or(Target { to: one.following, span: None });
    let on_failure = find(it, &written.on_failure).unwrap_or(Target { to: TargetKind::Fail, span: None });
    let action = action(it, one, targets, next);
    let compensate = written.compensate.as_ref().and_then(|name| {
        if let Some((id, declared)) = undoing.get(&name.text) {
            it.used(name.span, *declared);
            return Some(Placed { it: *id, span: name.span });
        }
        unknown(it, "unknown-compensation", "compensation", name, |_| undoing.keys().cloned().collect());
        None
    });
    Step {
        name: written.name.text.clone(),
        title: collect::title(&written.title, &written.name),
        action,
        parent: one.parent,
        inputs: arguments(it, written, one.head),
        output: written.output.as_ref().map(|name| NameUse { name: name.text.clone(), span: name.span }),
        effects: effects::lower(it, &written.effects),
        timeout: timeout(it, written),
        retry: written.retry.as_ref().and_then(|retry| lower_retry(it, retry)),
        next,
        on_failure,
        compensate,
        span: written.name.span,
    }
}

/// The timeout of a step; a human task sets it once.
fn timeout(it: &mut Lowering<'_>, step: &written::Step) -> Option<crate::model::Duration> {
    if let (Some(outer), Some((_, Action::HumanTask(task)))) = (step.timeout, step.actions.first())
        && let Some(inner) = task.timeout
    {
        let found = Diagnostic::error("duplicate-key", outer.span, "`timeout` is already set").label(inner.span, "also set here");
        it.out.push(found.help("keep one of the two lines"));
    }
    values::duration(it, step.timeout)
}

fn action(it: &mut Lowering<'_>, one: &Ordered<'_>, targets: &Targets<'_>, next: Target) -> StepAction {
    let written = one.step.actions.first().map(|(_, action)| action);
    match (one.head, written) {
        (Head::Service(service), _) => StepAction::Service(service),
        (Head::Process(process), _) => StepAction::Subprocess(process),
        (Head::Intent(intent), _) => StepAction::LlmIntent(intent),
        (Head::Task(outcomes), Some(Action::HumanTask(written))) => {
            let task = task::lower(it, written, outcomes, targets, next);
            task.map_or(StepAction::Effects, |task| StepAction::HumanTask(Box::new(task)))
        }
        (_, Some(Action::Wait(written::Wait::For(length)))) => {
            values::duration(it, Some(*length)).map_or(StepAction::Effects, StepAction::WaitFor)
        }
        (_, Some(Action::Wait(written::Wait::Signal(name)))) => {
            StepAction::WaitSignal(NameUse { name: name.text.clone(), span: name.span })
        }
        (_, Some(Action::Condition(written))) => {
            let scope = it.data.as_ref().and_then(data::DataScope::row);
            let condition = data::condition(it, scope, written);
            let side = |it: &mut Lowering<'_>, name: &Option<Name>| name.as_ref().and_then(|name| targets.find(it, name)).unwrap_or(next);
            let (on_true, on_false) = (side(it, &one.step.on_true), side(it, &one.step.on_false));
            if one.step.on_true.is_none()
                && one.step.on_false.is_none()
                && !one.step.present.keys.iter().any(|key| key.text.starts_with("on_"))
            {
                let found = Diagnostic::error("missing-key", one.step.name.span, "this decides, and continues at the same step either way");
                it.out.push(found.help("add `on_true: STEP` or `on_false: STEP`"));
            }
            condition.map_or(StepAction::Effects, |condition| StepAction::Condition { condition, on_true, on_false })
        }
        (Head::Parallel, _) => {
            let policy = one.step.on_any_failure.as_ref().and_then(|word| it.word("unknown-value", "way to treat a failure", word));
            StepAction::Parallel { branches: Vec::new(), on_any_failure: policy.unwrap_or(FailurePolicy::FailFast) }
        }
        _ => StepAction::Effects,
    }
}

/// The called construct and its inputs.
fn callee(it: &Lowering<'_>, head: Head) -> Option<(String, Span, Vec<ValueField>)> {
    match head {
        Head::Service(service) => {
            let called = &it.services[service.it.0];
            Some((called.name.clone(), service.span, called.input.clone()))
        }
        Head::Process(process) => {
            let called = &it.processes[process.it.0];
            Some((called.name.clone(), process.span, called.input.iter().map(|input| input.field.clone()).collect()))
        }
        Head::Intent(intent) => {
            let called = &it.llm_intents[intent.it.0];
            Some((called.name.clone(), intent.span, called.input.clone()))
        }
        Head::Task(_) | Head::WaitFor | Head::WaitSignal | Head::Condition | Head::Parallel | Head::Effects | Head::Unknown => None,
    }
}

/// Types the inputs of a call: known names, matching types, every required input.
fn arguments(it: &mut Lowering<'_>, step: &written::Step, head: Head) -> Vec<Argument> {
    let Some((called, span, fields)) = callee(it, head) else { return Vec::new() };
    let positions: HashMap<&str, usize> = fields.iter().enumerate().map(|(at, field)| (field.name.as_str(), at)).collect();
    let mut seen = HashMap::new();
    let mut arguments = Vec::new();
    let mut misspelt = Vec::new();
    for mapping in &step.inputs {
        let expected = positions.get(mapping.name.text.as_str()).copied();
        let Some(at) = expected else {
            let near = near_word(&mapping.name.text, positions.keys().copied());
            misspelt.extend(near.as_deref().and_then(|near| positions.get_key_value(near)).map(|(name, _)| *name));
            if !values::any_name(fields.iter()) {
                no_input(it, &called, &mapping.name, near);
            }
            // A word can be a value of the enum of an unknown input.
            if !data::is_literal(&mapping.value) {
                data::typed(it, &mapping.value, None);
            }
            continue;
        };
        if !collect::first(it, &mut seen, "input", &mapping.name) {
            continue;
        }
        it.used(mapping.name.span, fields[at].span);
        if let Some(value) = argument(it, &fields[at], mapping) {
            if let Head::Intent(intent) = head {
                llm::report_sensitive_argument(it, intent.it, &value, mapping.value.span);
            }
            let input = Placed { it: at, span: mapping.name.span };
            arguments.push(Argument { input, value, span: mapping.value.span });
        }
    }
    let lacking: Vec<&str> = fields
        .iter()
        .filter(|field| field.required && field.default.is_none() && !seen.contains_key(&field.name))
        .map(|field| field.name.as_str())
        .filter(|name| !misspelt.contains(name))
        .collect();
    // A line that could not be parsed may set the input.
    let unreadable = step.inputs.is_empty() && step.present.keys.iter().any(|key| key.text == "inputs");
    if let Some(first) = lacking.first()
        && !unreadable
    {
        let source = source_of(it, first);
        let found = Diagnostic::error("input-mismatch", span, format!("`{called}` needs {}", crate::syntax::list(&lacking)));
        it.out.push(found.help(format!("add `{source} -> {first}` under `inputs:`")));
    }
    arguments
}

fn no_input(it: &mut Lowering<'_>, called: &str, name: &Name, near: Option<Near<'_>>) {
    let found = Diagnostic::error("input-mismatch", name.span, format!("`{called}` has no input `{}`", name.text));
    it.out.push(match near {
        Some(near) => found.help(format!("did you mean `{near}`?")).replace(name.span, near),
        None => found.help("remove the line, or declare the input"),
    });
}

/// A likely source of a value of this name.
fn source_of(it: &Lowering<'_>, name: &str) -> String {
    let Some(data) = &it.data else { return "value".to_owned() };
    let row = data.row().filter(|entity| it.field_names[entity.0].contains_key(name));
    if row.is_some() { format!("trigger.entity.{name}") } else { format!("input.{name}") }
}

fn argument(it: &mut Lowering<'_>, field: &ValueField, mapping: &crate::syntax::mapping::Mapping) -> Option<crate::model::Expr> {
    let expected = values::type_of(&field.ty);
    let literal = data::is_literal(&mapping.value);
    let (value, found) = data::typed(it, &mapping.value, expected.as_ref().filter(|_| literal))?;
    data::accepts(it, field, &found, mapping.value.span).then_some(value)
}

fn compensation(it: &mut Lowering<'_>, owner: &str, written: &written::Step) -> Compensation {
    let head = head(it, owner, written, false);
    let action = match head {
        Head::Service(service) => StepAction::Service(service),
        Head::Process(process) => StepAction::Subprocess(process),
        Head::Intent(intent) => StepAction::LlmIntent(intent),
        Head::Task(_) | Head::WaitFor | Head::WaitSignal | Head::Condition | Head::Parallel | Head::Effects | Head::Unknown => {
            StepAction::Effects
        }
    };
    Compensation {
        name: written.name.text.clone(),
        title: collect::title(&written.title, &written.name),
        action,
        inputs: arguments(it, written, head),
        effects: effects::lower(it, &written.effects),
        timeout: values::duration(it, written.timeout),
        retry: written.retry.as_ref().and_then(|retry| lower_retry(it, retry)),
        span: written.name.span,
    }
}
