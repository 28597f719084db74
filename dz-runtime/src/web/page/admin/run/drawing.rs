//! The flow of a process as a drawing: steps from top to bottom, the branches of a `parallel` side by side, and other next steps beside
//! them.

use std::collections::HashMap;

use askama::Template;
use dz_vocabulary::text_key as key;

use super::{Status, process_title, status, step_title};
use crate::{
    Error, Result,
    process::{
        core::{
            flow::{Action, Flow, Target},
            state::{RunStatus, Unit},
        },
        definition::{ActionDef, Definition, OutcomeDef},
        store::Run,
        view,
    },
    texts,
};

const WIDTH: i32 = 184;
const HEIGHT: i32 = 48;
/// The distance between two steps beside each other, and below each other.
const BESIDE: i32 = 20;
const BELOW: i32 = 34;
/// The width of the lanes for next steps that are not the following ones.
const LANES: i32 = 120;
const END_WIDTH: i32 = 104;
const END_HEIGHT: i32 = 28;
/// The branches in one line.
const IN_LINE: usize = 4;
/// The number of letters of a title in its box.
const LETTERS: usize = 22;

/// A step.
struct NodeBox {
    name: String,
    title: String,
    /// The title as far as the box has space.
    short: String,
    kind: &'static str,
    status: Status,
    x: i32,
    y: i32,
    width: i32,
    height: i32,
}

/// An end of the process.
struct EndBox {
    title: &'static str,
    tone: &'static str,
    reached: bool,
    x: i32,
    y: i32,
    width: i32,
    height: i32,
}

/// A line from a step to the next one.
struct EdgeLine {
    path: String,
    label: String,
    x: i32,
    y: i32,
    anchor: &'static str,
    failure: bool,
}

#[derive(Template)]
#[template(path = "flow.html")]
struct FlowHtml<'a> {
    title: &'a str,
    width: i32,
    height: i32,
    nodes: Vec<NodeBox>,
    ends: Vec<EndBox>,
    edges: Vec<EdgeLine>,
}

/// A place in the drawing, with the line in which it is.
#[derive(Clone, Copy)]
struct Place {
    x: i32,
    y: i32,
    width: i32,
    height: i32,
    line: usize,
}

/// A next step.
struct Next {
    from: usize,
    to: Target,
    label: String,
    failure: bool,
}

/// Draws the process of a run, with the status of each step.
pub(super) fn draw(process: &Definition, run: &Run) -> Result<String> {
    let lines = lines(&process.flow);
    let longest = lines.iter().map(Vec::len).max().unwrap_or(1).max(1);
    let inner = i32::try_from(longest).unwrap_or(1) * (WIDTH + BESIDE) - BESIDE;
    let width = inner + 2 * LANES;
    let places = places(&lines, process.flow.steps.len(), width);
    let nexts = nexts(process);
    let fails = nexts.iter().any(|next| next.to == Target::Fail);
    let below = 12 + i32::try_from(lines.len()).unwrap_or(0) * (HEIGHT + BELOW);
    let ended = run.saved.run.status();
    let end = |title, tone, at: i32, reached| EndBox { title, tone, reached, x: at, y: below, width: END_WIDTH, height: END_HEIGHT };
    let middle = (width - END_WIDTH) / 2;
    let mut ends = vec![end(say!("dz-completed", "Completed"), "green", middle, ended == RunStatus::Completed)];
    if fails {
        ends.push(end(say!("dz-failed", "Failed"), "red", middle + END_WIDTH + BESIDE, ended == RunStatus::Failed));
    }
    let target = |to: Target| match to {
        Target::Step(at) => places.get(at).copied().flatten(),
        Target::Complete => ends.first().map(|end| place_of_end(end, lines.len())),
        Target::Fail => ends.get(1).map(|end| place_of_end(end, lines.len())),
    };
    let mut lanes = Lanes::default();
    let edges = nexts.into_iter().filter_map(|next| {
        let (from, to) = (places.get(next.from).copied().flatten()?, target(next.to)?);
        Some(edge(from, to, next, &mut lanes))
    });
    let edges = edges.collect();
    let nodes = places.iter().enumerate().filter_map(|(at, place)| Some(node(process, run, at, (*place)?))).collect();
    let page =
        FlowHtml { title: &process_title(&process.name, &process.title), width, height: below + END_HEIGHT + 12, nodes, ends, edges };
    page.render().map_err(Error::internal)
}

/// The steps in lines from top to bottom.
fn lines(flow: &Flow) -> Vec<Vec<usize>> {
    let mut lines = Vec::new();
    for (at, step) in flow.steps.iter().enumerate().filter(|(_, step)| step.parent.is_none()) {
        lines.push(vec![at]);
        if let Action::Parallel { branches, .. } = &step.action {
            lines.extend(branches.chunks(IN_LINE).map(<[usize]>::to_vec));
        }
    }
    lines
}

fn places(lines: &[Vec<usize>], steps: usize, width: i32) -> Vec<Option<Place>> {
    let mut places = vec![None; steps];
    for (line, steps) in lines.iter().enumerate() {
        let count = i32::try_from(steps.len()).unwrap_or(1);
        let start = (width - count * (WIDTH + BESIDE) + BESIDE) / 2;
        for (column, at) in steps.iter().enumerate() {
            let x = start + i32::try_from(column).unwrap_or(0) * (WIDTH + BESIDE);
            let y = 12 + i32::try_from(line).unwrap_or(0) * (HEIGHT + BELOW);
            if let Some(place) = places.get_mut(*at) {
                *place = Some(Place { x, y, width: WIDTH, height: HEIGHT, line });
            }
        }
    }
    places
}

fn place_of_end(end: &EndBox, line: usize) -> Place {
    Place { x: end.x, y: end.y, width: end.width, height: end.height, line }
}

fn node(process: &Definition, run: &Run, at: usize, place: Place) -> NodeBox {
    let def = process.steps.get(at);
    let state = run.saved.run.unit(Unit::Step(at)).filter(|it| view::is_reached(it));
    let title = def.map_or_else(String::new, |def| step_title(&run.process, def));
    let short: String = title.chars().take(LETTERS).collect();
    NodeBox {
        name: def.map(|def| def.name.clone()).unwrap_or_default(),
        short: if short.len() < title.len() { format!("{}…", short.trim_end()) } else { short },
        title,
        kind: def.map_or("", |def| kind(&def.action, process.flow.steps.get(at).map(|step| &step.action))),
        status: status(state.map_or("pending", |it| it.phase.status())),
        x: place.x,
        y: place.y,
        width: place.width,
        height: place.height,
    }
}

fn kind(def: &ActionDef, action: Option<&Action>) -> &'static str {
    match (def, action) {
        (ActionDef::Service(_), _) => say!("dz-service", "Service"),
        (ActionDef::LlmIntent(_), _) => say!("dz-language-model", "Language model"),
        (ActionDef::Subprocess(_), _) => say!("dz-process", "Process"),
        (ActionDef::Task(_), _) => say!("dz-human-task", "Human task"),
        (ActionDef::Condition(_), _) => say!("dz-condition", "Condition"),
        (ActionDef::Other, Some(Action::WaitFor(_) | Action::WaitSignal(_))) => say!("dz-wait", "Wait"),
        (ActionDef::Other, Some(Action::Parallel { .. })) => say!("dz-parallel", "Parallel"),
        (
            ActionDef::Other,
            Some(Action::Effects | Action::Call | Action::Subprocess | Action::Task(_) | Action::Condition { .. }) | None,
        ) => say!("dz-effects", "Effects"),
    }
}

/// The title of an outcome in the language of the page.
fn outcome_title(process: &Definition, step: usize, outcome: &OutcomeDef) -> String {
    let step = process.steps.get(step).map_or("", |def| &def.name);
    texts::declared(&key::outcome(&process.name, step, &outcome.name), &outcome.title)
}

/// The next steps of all steps. A failure without `on_failure` fails the process; it has no line.
fn nexts(process: &Definition) -> Vec<Next> {
    let mut nexts = Vec::new();
    for (from, step) in process.flow.steps.iter().enumerate() {
        let mut add = |to, label: &str, failure| nexts.push(Next { from, to, label: label.to_owned(), failure });
        match (&step.action, step.parent) {
            (Action::Parallel { branches, .. }, _) => branches.iter().for_each(|branch| add(Target::Step(*branch), "", false)),
            (_, Some(parent)) => {
                let after = process.flow.steps.get(parent).map_or(Target::Complete, |parent| parent.next);
                add(after, "", false);
                continue;
            }
            (Action::Condition { on_true, on_false }, None) => {
                add(*on_true, say!("dz-condition-yes", "yes"), false);
                add(*on_false, say!("dz-condition-no", "no"), false);
            }
            (Action::Task(targets), None) => {
                if let Some(ActionDef::Task(task)) = process.steps.get(from).map(|def| &def.action) {
                    targets.iter().zip(&task.outcomes).for_each(|(to, outcome)| add(*to, &outcome_title(process, from, outcome), false));
                }
            }
            (Action::Call | Action::Subprocess | Action::WaitFor(_) | Action::WaitSignal(_) | Action::Effects, None) => {
                add(step.next, "", false);
            }
        }
        if step.on_failure != Target::Fail {
            nexts.push(Next { from, to: step.on_failure, label: say!("dz-on-failure", "on failure").to_owned(), failure: true });
        }
    }
    nexts
}

/// The lines beside the steps so far.
#[derive(Default)]
struct Lanes {
    count: i32,
    /// The number of lines from a step, on the left and on the right.
    of_step: HashMap<(usize, bool), i32>,
}

/// A line: straight to the following line of steps, else beside the steps.
fn edge(from: Place, to: Place, next: Next, lanes: &mut Lanes) -> EdgeLine {
    let step = next.from;
    let (label, failure) = (next.label, next.failure);
    if to.line == from.line + 1 && !failure {
        let (x1, y1, x2, y2) = (from.x + from.width / 2, from.y + from.height, to.x + to.width / 2, to.y);
        let half = (y1 + y2) / 2;
        let path = format!("M{x1} {y1} C{x1} {half} {x2} {half} {x2} {y2}");
        return EdgeLine { path, label, x: (x1 + x2) / 2 + 6, y: half + 4, anchor: "start", failure };
    }
    // Forward on the right, back on the left; the lanes differ, so that lines do not cover each other.
    lanes.count += 1;
    let is_back = to.line <= from.line;
    let reach = 28 + lanes.count % 4 * 18;
    // The labels of one step are below each other.
    let at = lanes.of_step.entry((step, is_back)).or_default();
    let below = *at * 13;
    *at += 1;
    let side = |place: Place| if is_back { place.x } else { place.x + place.width };
    let (x1, y1, x2, y2) = (side(from), from.y + from.height / 2, side(to), to.y + to.height / 2);
    let out = if is_back { x1.min(x2) - reach } else { x1.max(x2) + reach };
    let path = format!("M{x1} {y1} C{out} {y1} {out} {y2} {x2} {y2}");
    let (x, anchor) = if is_back { (x1 - 8, "end") } else { (x1 + 8, "start") };
    EdgeLine { path, label, x, y: y1 - 5 + below, anchor, failure }
}

/// A drawing with sample data.
#[cfg(test)]
pub(super) fn sample(text: &str) -> String {
    let place = Place { x: 0, y: 0, width: WIDTH, height: HEIGHT, line: 0 };
    let node = NodeBox {
        name: text.to_owned(),
        title: text.to_owned(),
        short: text.to_owned(),
        kind: "Service",
        status: status("running"),
        x: 0,
        y: 0,
        width: WIDTH,
        height: HEIGHT,
    };
    let next = Next { from: 0, to: Target::Step(0), label: text.to_owned(), failure: true };
    let edges = vec![edge(place, place, next, &mut Lanes::default())];
    let end = EndBox { title: "Completed", tone: "green", reached: true, x: 0, y: 0, width: END_WIDTH, height: END_HEIGHT };
    let page = FlowHtml { title: text, width: 10, height: 10, nodes: vec![node], ends: vec![end], edges };
    page.render().expect("a drawing")
}
