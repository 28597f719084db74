//! Processes: their names, then their interfaces, then their triggers, then their steps.

mod data;
mod effects;
mod results;
mod steps;
mod task;
mod trigger;

use std::collections::{HashMap, HashSet};

use super::{
    Lowering, collect,
    values::{self, whole},
};
use crate::{
    Diagnostic, Span,
    cursor::Name,
    model::{
        Backoff, Duration, EmitEvent, Emitted, Flow, LlmIntentId, LlmModelId, NameUse, Overlap, Placed, Process, ProcessId, ProcessInput,
        ProcessOutput, Retry, ServiceId, StoryId, Trigger,
    },
    syntax::{File, Item, process as written},
};

pub(crate) use data::{DataScope, TriggerScope};
pub(super) use data::{accepts, condition, describe_type, takes};
pub(super) use effects::settable;
pub(super) use steps::lower_flow;

/// What processes call by name.
#[derive(Default)]
pub(crate) struct Callable {
    pub services: HashMap<String, ServiceId>,
    pub processes: HashMap<String, ProcessId>,
    pub models: HashMap<String, LlmModelId>,
    pub intents: HashMap<String, LlmIntentId>,
    pub stories: HashMap<String, StoryId>,
    /// The place of each declaration, by its kind and its name.
    pub places: HashMap<(&'static str, String), Span>,
    /// Fields of inputs and outputs with an unknown type, by the place of their name.
    pub lost: HashSet<Span>,
    /// The number of searches for a similar name so far.
    looks: usize,
}

impl Callable {
    /// Limits the searches for similar names: each compares all names, and a user reads only a few suggestions.
    fn looks_further(&mut self) -> bool {
        const ENOUGH: usize = 100;
        self.looks += 1;
        self.looks <= ENOUGH
    }
}

/// Resolves the name of a construct, or reports it with the nearest one.
pub(super) fn find<T: Copy>(
    it: &mut Lowering<'_>,
    names: impl Fn(&Callable) -> &HashMap<String, T>,
    rule: &'static str,
    what: &'static str,
    name: &Name,
) -> Option<Placed<T>> {
    if let Some(id) = names(&it.callable).get(&name.text).copied() {
        if let Some(declared) = it.callable.places.get(&(what, name.text.clone())).copied() {
            it.refer(name, declared);
        }
        return Some(Placed { it: id, span: name.span });
    }
    unknown(it, rule, what, name, |it| names(&it.callable).keys().cloned().collect());
    None
}

/// Reports an unknown name with the nearest known one, or with all of them.
pub(super) fn unknown(
    it: &mut Lowering<'_>,
    rule: &'static str,
    what: &str,
    name: &Name,
    known: impl FnOnce(&Lowering<'_>) -> Vec<String>,
) {
    let found = Diagnostic::error(rule, name.span, format!("unknown {what} `{}`", name.text));
    if !it.callable.looks_further() {
        it.out.push(found.help("declare it, or name one that is declared"));
        return;
    }
    let mut known = known(it);
    known.sort_unstable();
    let found = found.suggest(name.span, &name.text, known.iter().map(String::as_str));
    it.out.push(if known.is_empty() { found.help(format!("declare it: no {what} is declared")) } else { found });
}

pub(super) fn lower(it: &mut Lowering<'_>, files: &[File]) {
    let mut declared: Vec<&written::Process> = Vec::new();
    let mut seen = HashMap::new();
    for item in files.iter().flat_map(|file| &file.items) {
        if let Item::Process(process) = item
            && collect::first(it, &mut seen, "process", &process.name)
        {
            it.callable.processes.insert(process.name.text.clone(), ProcessId(declared.len()));
            declared.push(process);
        }
    }
    for process in &declared {
        let lowered = interface(it, process);
        it.processes.push(lowered);
    }
    let known: Vec<bool> = declared.iter().enumerate().map(|(at, process)| trigger::lower(it, at, process)).collect();
    for (at, process) in declared.iter().enumerate() {
        let scope = DataScope::of_process(it, ProcessId(at));
        it.data = Some(if known[at] { scope } else { scope.with_unknown_trigger() });
        it.processes[at].flow = lower_flow(it, &process.name.text, &process.steps, &process.compensations);
        results::outputs(it, at, process);
        it.data = None;
        if process.steps.is_empty() && process.present.lacks("steps") && process.present.lacks("step") {
            let found = Diagnostic::error("missing-key", process.name.span, format!("process `{}` has no steps", process.name.text));
            it.out.push(found.help("add `steps:` with at least one `- step NAME:`"));
        }
    }
}

/// Resolves `implements:` against the stories.
pub(super) fn implements(it: &mut Lowering<'_>, ids: &[Name]) -> Vec<Placed<StoryId>> {
    let mut seen = HashMap::new();
    let mut known = Vec::new();
    for id in ids {
        if collect::once(it, &mut seen, id, |name| format!("story `{name}` is named twice")) {
            known.extend(find(it, |callable| &callable.stories, "unknown-story", "story", id));
        }
    }
    known
}

pub(super) fn overlap(it: &mut Lowering<'_>, word: Option<&Name>, usual: Overlap) -> Overlap {
    word.and_then(|word| it.word("unknown-value", "rule for runs that overlap", word)).unwrap_or(usual)
}

/// Lowers everything of a process except its trigger and its steps.
fn interface(it: &mut Lowering<'_>, process: &written::Process) -> Process {
    let name = &process.name.text;
    let input = values::fields(it, &process.input, &format!("{name}_input"));
    let mut seen = HashMap::new();
    let mut output = Vec::new();
    for field in &process.output {
        if field.name.text.is_empty() || collect::first(it, &mut seen, "field", &field.name) {
            let field = values::plain_field(it, field, &format!("{name}_output"));
            output.push(ProcessOutput { field, value: None });
        }
    }
    Process {
        name: name.clone(),
        title: collect::title(&process.title, &process.name),
        implements: implements(it, &process.implements),
        trigger: Trigger::Manual(Vec::new()),
        input: input.into_iter().map(|field| ProcessInput { field, from_trigger: None }).collect(),
        output,
        flow: Flow::default(),
        timeout: values::duration(it, process.timeout),
        overlap: overlap(it, process.overlap.as_ref(), Overlap::Allow),
        emits: process.emits.iter().map(emitted).collect(),
        span: process.name.span,
    }
}

fn emitted((event, signal): &(Option<Name>, Name)) -> Emitted {
    let event = match event.as_ref().map(|it| it.text.as_str()) {
        Some("on_start") => EmitEvent::Start,
        Some("on_failure") => EmitEvent::Failure,
        _ => EmitEvent::Complete,
    };
    Emitted { event, signal: NameUse { name: signal.text.clone(), span: signal.span } }
}

/// Lowers the retry of a step.
pub(super) fn lower_retry(it: &mut Lowering<'_>, retry: &written::Retry) -> Option<Retry> {
    let backoff = retry.backoff.as_ref().and_then(|word| it.word("unknown-value", "backoff", word)).unwrap_or(Backoff::Fixed);
    let interval = values::duration(it, retry.interval).unwrap_or(Duration { months: 0, seconds: 1 });
    let Some(number) = &retry.max_attempts else {
        if retry.present.lacks("max_attempts") {
            let found = Diagnostic::error("missing-key", retry.key.span, "this has no number of attempts");
            it.out.push(found.help("add `max_attempts: 3`"));
        }
        return None;
    };
    let max_attempts = whole(it, number, "`max_attempts`", 1..=1_000)?;
    if max_attempts == 1 {
        let found = Diagnostic::lint("retry-once", number.span, "one attempt is not a retry");
        it.out.push(found.help("write 2 or more, or remove `retry`"));
    }
    Some(Retry { max_attempts, backoff, interval, span: retry.key.span })
}
