//! Steps: their action, and the next step.

use super::{
    effect::{self, Effect},
    human_task::{self, HumanTask},
    retry::{self, Retry},
};
use crate::{
    Diagnostic, Diagnostics,
    cursor::{Cursor, Name},
    diagnostic::near_word,
    layout::Line,
    syntax::{
        PresentKeys, body_colon, duplicate_key,
        duration::{self, Duration},
        expr, keyed,
        keys::Keys,
        mapping::{self, Mapping},
    },
    token::Token,
};

/// `step NAME:` or `parallel NAME:` with its lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// Its action; a valid step has exactly one.
    pub actions: Vec<(Name, Action)>,
    /// `on_true:`
    pub on_true: Option<Name>,
    /// `on_false:`
    pub on_false: Option<Name>,
    /// `effects:`
    pub effects: Vec<Effect>,
    /// `inputs:`
    pub inputs: Vec<Mapping>,
    /// `output:`, the name of its result.
    pub output: Option<Name>,
    /// `timeout:`
    pub timeout: Option<Duration>,
    /// `retry:`
    pub retry: Option<Retry>,
    /// `on_success:`
    pub on_success: Option<Name>,
    /// `on_failure:`
    pub on_failure: Option<Name>,
    /// `goto:`
    pub goto: Option<Name>,
    /// `compensate:`
    pub compensate: Option<Name>,
    /// `on_any_failure:` of a `parallel`.
    pub on_any_failure: Option<Name>,
    /// The present keys.
    pub present: PresentKeys,
}

/// The actions of steps.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// `service: NAME`
    Service(Name),
    /// `subprocess: NAME`
    Subprocess(Name),
    /// `llm_intent: NAME`
    LlmIntent(Name),
    /// `human_task:`
    HumanTask(Box<HumanTask>),
    /// `wait:`
    Wait(Wait),
    /// `condition: …`
    Condition(expr::Expr),
    /// `parallel`
    Parallel(Vec<Step>),
}

/// `wait: 2h` or `wait: NAME`
#[derive(Debug, Clone, PartialEq)]
pub enum Wait {
    /// A duration.
    For(Duration),
    /// A signal.
    Signal(Name),
}

pub(crate) const STEP_KEYS: &[&str] = &[
    "service",
    "subprocess",
    "llm_intent",
    "human_task",
    "wait",
    "condition",
    "on_true",
    "on_false",
    "effects",
    "inputs",
    "output",
    "timeout",
    "retry",
    "on_success",
    "on_failure",
    "compensate",
    "goto",
];

pub(crate) const PARALLEL_KEYS: &[&str] =
    &["step", "steps", "on_any_failure", "effects", "timeout", "on_success", "on_failure", "compensate", "goto"];

pub(crate) const COMPENSATION_KEYS: &[&str] = &["service", "subprocess", "llm_intent", "effects", "inputs", "timeout", "retry"];

/// True for `step NAME`, `parallel NAME`, with a dash or not.
pub(super) fn is_step(line: &Line) -> bool {
    let at = usize::from(line.tokens[0].is("-"));
    line.tokens.get(at).and_then(|token| token.word()).is_some_and(|word| matches!(word, "step" | "parallel"))
}

/// The steps under `steps:`.
pub(crate) fn block(line: &Line, out: &mut Diagnostics) -> Vec<Step> {
    keyed::block(line, out).iter().filter_map(|line| parse(line, out)).collect()
}

/// `compensate NAME:`, `step NAME:` or `NAME:`, with a dash or not.
pub(super) fn compensations(line: &Line, out: &mut Diagnostics) -> Vec<Step> {
    let mut found = Vec::new();
    for child in keyed::block(line, out) {
        let mut cursor = keyed::entry(child, out);
        if cursor.peek_at(1).is_some_and(|token| token.word().is_some()) {
            kind(&mut cursor, &["compensate", "step"]);
        }
        let Some(step) = parse_head(&mut cursor, child, "compensation") else { continue };
        found.push(filled(step, child, Keys::new("compensation", COMPENSATION_KEYS), out));
    }
    found
}

/// Reads one `step` or `parallel`.
pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Step> {
    let mut cursor = keyed::entry(line, out);
    let Some(key) = kind(&mut cursor, &["step", "parallel"]) else {
        cursor.report_unexpected("expected `step NAME:` or `parallel NAME:`");
        return None;
    };
    let parallel = key.text == "parallel";
    let mut step = parse_head(&mut cursor, line, "step")?;
    if parallel {
        step.actions.push((key, Action::Parallel(Vec::new())));
    }
    let keys = if parallel { Keys::new("parallel", PARALLEL_KEYS) } else { Keys::new("step", STEP_KEYS) };
    Some(filled(step, line, keys, out))
}

/// Parses the first word of a line: one of `known`, or a misspelt one, which is reported.
fn kind(cursor: &mut Cursor<'_>, known: &[&str]) -> Option<Name> {
    let word = cursor.peek().and_then(Token::word)?;
    let meant = near_word(word, known.iter().copied())?;
    let mut key = cursor.name()?;
    if key.text != *meant {
        let found = Diagnostic::error("unknown-key", key.span, format!("`{}` has no meaning here", key.text));
        cursor.out.push(found.help(format!("did you mean `{meant}`?")).replace(key.span, meant.clone()));
        key.text = meant.to_string();
    }
    Some(key)
}

/// `NAME "Title":`
fn parse_head(cursor: &mut Cursor<'_>, line: &Line, what: &str) -> Option<Step> {
    let name = cursor.expect_name(&format!("the name of the {what}"))?;
    let title = cursor.text();
    if cursor.is_done() && line.children.is_empty() {
        let found = Diagnostic::error("empty-block", name.span, format!("{what} `{}` is empty", name.text));
        cursor.out.push(found.help("add `: ` and indented lines such as `service: NAME`"));
        return None;
    }
    body_colon(cursor, line);
    cursor.finish();
    Some(Step {
        name,
        title,
        actions: Vec::new(),
        on_true: None,
        on_false: None,
        effects: Vec::new(),
        inputs: Vec::new(),
        output: None,
        timeout: None,
        retry: None,
        on_success: None,
        on_failure: None,
        goto: None,
        compensate: None,
        on_any_failure: None,
        present: PresentKeys::default(),
    })
}

fn filled(mut step: Step, line: &Line, mut keys: Keys<'_>, out: &mut Diagnostics) -> Step {
    for child in &line.children {
        if (is_step(child) || child.tokens[0].is("-"))
            && let Some((_, Action::Parallel(branches))) = step.actions.first_mut()
        {
            branches.extend(parse(child, out));
            continue;
        }
        let Some(key) = keys.meant(child, out) else { continue };
        match key.text.as_str() {
            "steps" => {
                if let Some((_, Action::Parallel(branches))) = step.actions.first_mut() {
                    branches.extend(block(child, out));
                }
            }
            "on_any_failure" => step.on_any_failure = name(child, "`fail_fast`, `wait_all` or `rollback`", out),
            "effects" => step.effects = effect::parse(child, out),
            "inputs" => step.inputs = mapping::parse(child, out),
            "output" => step.output = name(child, "a name for the result", out),
            "timeout" => step.timeout = keyed::value(child, out, duration::parse),
            "retry" => step.retry = Some(retry::parse(key, child, out)),
            "on_true" => step.on_true = target(child, out),
            "on_false" => step.on_false = target(child, out),
            "on_success" => step.on_success = target(child, out),
            "on_failure" => step.on_failure = target(child, out),
            "goto" => step.goto = target(child, out),
            "compensate" => step.compensate = name(child, "a compensation", out),
            _ => step.actions.extend(action(&key, child, out).map(|action| (key, action))),
        }
    }
    step.present = keys.into_present();
    if let (Some(goto), Some(on_success)) = (&step.goto, &step.on_success) {
        duplicate_key(goto, on_success.span, out);
    }
    step
}

fn action(key: &Name, line: &Line, out: &mut Diagnostics) -> Option<Action> {
    Some(match key.text.as_str() {
        "service" => Action::Service(name(line, "a service", out)?),
        "subprocess" => Action::Subprocess(name(line, "a process", out)?),
        "llm_intent" => Action::LlmIntent(name(line, "an llm_intent", out)?),
        "human_task" => Action::HumanTask(Box::new(human_task::parse(key.clone(), line, out))),
        "wait" => Action::Wait(keyed::value(line, out, wait)?),
        _ => Action::Condition(keyed::value(line, out, expr::whole)?),
    })
}

fn name(line: &Line, what: &str, out: &mut Diagnostics) -> Option<Name> {
    keyed::value(line, out, |cursor| cursor.expect_name(what))
}

fn target(line: &Line, out: &mut Diagnostics) -> Option<Name> {
    name(line, "a step, `complete` or `fail`", out)
}

/// Parses a duration, or a signal with or without the word `signal`.
fn wait(cursor: &mut Cursor<'_>) -> Option<Wait> {
    if duration::starts(cursor) {
        return duration::parse(cursor).map(Wait::For);
    }
    let two = cursor.peek_at(1).is_some_and(|token| token.word().is_some());
    let prefixed = if two { kind(cursor, &["signal"]).is_some() } else { cursor.eat_word("signal") };
    let what = if prefixed { "the name of the signal" } else { "a duration or the name of a signal" };
    let name = cursor.expect_name(what)?;
    if !prefixed && duration::is_unit_word(&name.text) {
        let found = Diagnostic::error("bad-duration", name.span, format!("this lacks the number of `{}`", name.text));
        cursor.out.push(found.help(format!("write `2 {}`; for a signal of that name `signal {}`", name.text, name.text)));
        return None;
    }
    Some(Wait::Signal(name))
}
