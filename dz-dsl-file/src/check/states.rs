//! State machines that cannot do what they seem to.

use super::decide::{Asker, Known, Question, own};
use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity},
    model::{Action, Entity, EnumType, Expr, FieldType, Model, StateMachine, Transition},
};

macro_rules! machine {
    ($fields:literal, $rows:literal, $update:literal) => {
        concat!(
            "persona vet\npersona desk\nentity Task:\n  id: uuid pk\n",
            $fields,
            "  transitions:\n",
            $rows,
            "  permit:\n    list: role(vet, desk)\n    read: role(vet, desk)\n    update: ",
            $update,
            "\n"
        )
    };
}

const fn rule(name: &'static str, severity: Severity, summary: &'static str, wrong: &'static str, right: &'static str) -> Rule {
    Rule { name, severity, summary, wrong, right }
}

const STATES: &str = machine!("  status: enum[open, done]\n", "    open -> done\n", "role(vet)");

pub(super) const RULES: &[Rule] = &[
    rule(
        "unreachable-state",
        Severity::Warning,
        "no move leads to a state",
        machine!("  status: enum[open, late, done]\n", "    open -> done\n    late -> done\n", "role(vet)"),
        machine!("  status: enum[open, late, done]\n", "    open -> late\n    late -> done\n", "role(vet)"),
    ),
    rule(
        "trap-state",
        Severity::Lint,
        "rows in a state never come to an end",
        machine!("  status: enum[open, waiting, done]\n", "    open -> waiting\n    open -> done\n    final: done\n", "role(vet)"),
        machine!(
            "  status: enum[open, lost, done]\n",
            "    open -> lost\n    open -> done\n    final: done\n    failed: lost\n",
            "role(vet)"
        ),
    ),
    rule(
        "unmarked-ends",
        Severity::Lint,
        "rows end in several states, and none is marked as a success or a failure",
        machine!("  status: enum[open, done, cancelled]\n", "    open -> done\n    open -> cancelled\n", "role(vet)"),
        machine!(
            "  status: enum[open, done, cancelled]\n",
            "    open -> done\n    open -> cancelled\n    final: done\n    failed: cancelled\n",
            "role(vet)"
        ),
    ),
    rule(
        "shadowed-transition",
        Severity::Warning,
        "every move of a row goes by more specific rows",
        machine!("  status: enum[open, done]\n", "    open -> done: role(vet)\n    * -> done\n", "true"),
        STATES,
    ),
    rule(
        "transition-nobody",
        Severity::Warning,
        "nobody who has the role for a move may change the row",
        machine!("  status: enum[open, done]\n", "    open -> done: role(desk)\n", "role(vet) and not role(desk)"),
        machine!("  status: enum[open, done]\n", "    open -> done: role(vet)\n", "role(vet) and not role(desk)"),
    ),
    rule(
        "guard-contradiction",
        Severity::Warning,
        "a guard can never hold where its move starts",
        machine!("  status: enum[open, done]\n", "    open -> done:\n      guard: status = done\n", "true"),
        machine!("  status: enum[open, done]\n  text: text\n", "    open -> done:\n      guard: text != null\n", "true"),
    ),
    rule(
        "requires-always-set",
        Severity::Warning,
        "a move asks for a field that is always set",
        machine!("  status: enum[open, done]\n  name: str(9) required\n", "    open -> done: requires name\n", "true"),
        machine!("  status: enum[open, done]\n  name: str(9)\n", "    open -> done: requires name\n", "true"),
    ),
    rule(
        "timed-never-starts",
        Severity::Warning,
        "a timed move can never be taken by the clock",
        machine!("  status: enum[open, done]\n", "    open -> done: auto after 2 days\n      guard: role(vet)\n", "true"),
        machine!("  status: enum[open, done]\n", "    open -> done: auto after 2 days\n", "true"),
    ),
];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    for (at, entity) in model.entities.iter().enumerate() {
        let Some(machine) = &entity.states else { continue };
        let FieldType::Enum(id) = entity.fields[machine.field.0].ty else { continue };
        let states = &model.enums[id.0];
        let Machine { reached, .. } = analyse(model, at, machine);
        unreachable(machine, states, &reached, out);
        traps(model, at, states, &reached, out);
        unmarked(machine, states, &reached, out);
        for (index, row) in machine.rows.iter().enumerate() {
            let taken = machine.moves.iter().any(|it| it.row == index);
            if !taken {
                shadowed(row, out);
                continue;
            }
            let contradiction = contradiction(model, at, machine, index, out);
            always_set(entity, row, out);
            if !contradiction {
                nobody(model, at, machine, index, out);
                timed(model, at, machine, index, &reached, out);
            }
        }
    }
}

/// What following the moves from the initial state gives.
pub(super) struct Machine {
    /// Whether each state can be reached.
    pub reached: Vec<bool>,
}

/// Follows every move whose guard can hold where it starts.
pub(super) fn analyse(model: &Model, entity: usize, machine: &StateMachine) -> Machine {
    let most = machine.moves.iter().flat_map(|it| [it.from, it.to]).chain([machine.initial]).max().unwrap_or(0);
    let mut reached = vec![false; most + 1];
    let mut open = vec![machine.initial];
    while let Some(state) = open.pop() {
        if std::mem::replace(&mut reached[state], true) {
            continue;
        }
        for it in machine.from(state) {
            if can_start(model, entity, machine, &machine.rows[it.row], state) {
                open.push(it.to);
            }
        }
    }
    Machine { reached }
}

/// True when the row's guard can hold in this state, for people or for the clock.
fn can_start(model: &Model, entity: usize, machine: &StateMachine, row: &Transition, state: usize) -> bool {
    let by = |asker| starts_by(model, entity, machine, row, state, asker);
    (row.manual && by(Asker::Account)) || (row.after.is_some() && by(Asker::System))
}

fn starts_by(model: &Model, entity: usize, machine: &StateMachine, row: &Transition, state: usize, asker: Asker) -> bool {
    let guards: Vec<&Expr> = row.guard.iter().collect();
    question(model, entity, machine, row, state, asker).can_hold(&guards)
}

fn question<'m>(model: &'m Model, entity: usize, machine: &StateMachine, row: &Transition, state: usize, asker: Asker) -> Question<'m> {
    let mut question = Question::new(model, asker).knowing(own(entity, machine.field), Known::Value(state));
    for (field, _) in &row.requires {
        if *field != machine.field {
            let is_enum = matches!(model.entities[entity].fields[field.0].ty, FieldType::Enum(_));
            // A value of an enum says more than that it is set, and the procedure chooses one itself.
            if !is_enum {
                question = question.knowing(own(entity, *field), Known::Set);
            }
        }
    }
    question
}

fn unreachable(machine: &StateMachine, states: &EnumType, reached: &[bool], out: &mut Diagnostics) {
    for (at, value) in states.values.iter().enumerate() {
        if reached.get(at).copied().unwrap_or(false) {
            continue;
        }
        let initial = states.values.get(machine.initial).map_or("", |value| value.name.as_str());
        out.push(
            Diagnostic::warning("unreachable-state", value.span, format!("no row can come from `{initial}` to `{}`", value.name))
                .help(format!("add a move that leads there, such as `{initial} -> {}`, or remove the value", value.name)),
        );
    }
}

/// Words for states in which things come to rest.
const ENDS: &[&str] = &[
    "accepted",
    "abandoned",
    "approved",
    "archived",
    "cancelled",
    "canceled",
    "closed",
    "complete",
    "completed",
    "deleted",
    "declined",
    "delivered",
    "denied",
    "discharged",
    "disposed",
    "done",
    "ended",
    "expired",
    "failed",
    "finished",
    "fulfilled",
    "lost",
    "merged",
    "obsolete",
    "paid",
    "published",
    "refunded",
    "rejected",
    "released",
    "removed",
    "resolved",
    "retired",
    "settled",
    "shipped",
    "signed",
    "sold",
    "solved",
    "terminated",
    "void",
    "withdrawn",
    "won",
];

fn traps(model: &Model, entity: usize, states: &EnumType, reached: &[bool], out: &mut Diagnostics) {
    let Some(machine) = &model.entities[entity].states else { return };
    let marked = machine.ends.is_some();
    for (at, value) in states.values.iter().enumerate().filter(|(at, _)| reached.get(*at).copied().unwrap_or(false)) {
        let name = &value.name;
        let looks_final = || name.split(['_', ' ', '-']).any(|word| ENDS.contains(&word.to_lowercase().as_str()));
        if marked && !comes_to_an_end(model, entity, machine, at) {
            out.push(
                Diagnostic::lint("trap-state", value.span, format!("no move leads from `{name}` to a final or failed state"))
                    .help(format!("add a move out of it, or mark it: `final: {name}` or `failed: {name}`")),
            );
        } else if !marked && machine.is_end(at) && !looks_final() {
            out.push(
                Diagnostic::lint("trap-state", value.span, format!("no move leads out of `{name}`"))
                    .help(format!("add a move out of it, or mark it under `transitions:` with `final: {name}` or `failed: {name}`")),
            );
        }
    }
}

/// True when a row in this state is at an end, or can be moved to one.
fn comes_to_an_end(model: &Model, entity: usize, machine: &StateMachine, state: usize) -> bool {
    let mut seen = Vec::new();
    let mut open = vec![state];
    while let Some(state) = open.pop() {
        if machine.is_end(state) {
            return true;
        }
        if !seen.contains(&state) {
            seen.push(state);
            let taken = machine.from(state).filter(|it| can_start(model, entity, machine, &machine.rows[it.row], state));
            open.extend(taken.map(|it| it.to));
        }
    }
    false
}

/// Reports several ends of which the declaration does not say which one is a success.
fn unmarked(machine: &StateMachine, states: &EnumType, reached: &[bool], out: &mut Diagnostics) {
    if machine.ends.is_some() {
        return;
    }
    let is_reached = |at: &usize| reached.get(*at).copied().unwrap_or(false);
    let ends: Vec<&crate::model::EnumValue> =
        (0..states.values.len()).filter(is_reached).filter(|at| machine.is_end(*at)).map(|at| &states.values[at]).collect();
    let [_, .., last] = ends.as_slice() else { return };
    let names: Vec<String> = ends.iter().map(|value| format!("`{}`", value.name)).collect();
    let message = format!("rows end in {}, and nothing says which of them is a success", names.join(", "));
    out.push(
        Diagnostic::lint("unmarked-ends", last.span, message)
            .help("mark them under `transitions:`: `final:` names the states that are a success, `failed:` the others"),
    );
}

fn shadowed(row: &Transition, out: &mut Diagnostics) {
    out.push(
        Diagnostic::warning("shadowed-transition", row.span, "this row is never used: more specific rows stand for each of its moves")
            .help("remove it"),
    );
}

fn contradiction(model: &Model, entity: usize, machine: &StateMachine, index: usize, out: &mut Diagnostics) -> bool {
    let row = &machine.rows[index];
    if row.guard.is_none() {
        return false;
    }
    let mut moves = machine.moves.iter().filter(|it| it.row == index);
    let never = moves.all(|it| {
        let guards: Vec<&Expr> = row.guard.iter().collect();
        !question(model, entity, machine, row, it.from, Asker::Account).can_hold(&guards)
    });
    if never {
        out.push(
            Diagnostic::warning("guard-contradiction", row.span, "the guard of this move can never hold where the move starts")
                .help("change the guard, or remove the row"),
        );
    }
    never
}

fn always_set(entity: &Entity, row: &Transition, out: &mut Diagnostics) {
    for (field, span) in &row.requires {
        let field = &entity.fields[field.0];
        if field.required {
            out.push(
                Diagnostic::warning(
                    "requires-always-set",
                    *span,
                    format!("`{}` is always set, so requiring it changes nothing", field.name),
                )
                .label(field.span, "required here")
                .help("remove it from the row, or make the field optional"),
            );
        }
    }
}

fn nobody(model: &Model, at: usize, machine: &StateMachine, index: usize, out: &mut Diagnostics) {
    let (entity, row) = (&model.entities[at], &machine.rows[index]);
    // An entity without any rule has a warning of its own.
    if !row.manual || entity.access.permissions.is_empty() {
        return;
    }
    let by_name = |name: &Action| entity.access.permissions.iter().find(|it| it.action == *name);
    let own_rule = by_name(&Action::Custom("transition".to_owned()));
    let rule = own_rule.filter(|it| it.permit.is_some()).or_else(|| by_name(&Action::Update));
    let permit = rule.and_then(|it| it.permit.as_ref());
    let role = Expr::Role(row.roles.clone());
    let forbid = rule.and_then(|it| it.forbid.clone()).map(|forbid| Expr::Not(Box::new(forbid)));
    let possible = permit.is_some_and(|permit| {
        let mut conditions: Vec<&Expr> = vec![permit];
        conditions.extend(row.guard.as_ref());
        conditions.extend(forbid.as_ref());
        if !row.roles.is_empty() {
            conditions.push(&role);
        }
        let mut moves = machine.moves.iter().filter(|it| it.row == index);
        moves.any(|it| question(model, at, machine, row, it.from, Asker::Account).can_hold(&conditions))
    });
    if !possible {
        let action = if own_rule.is_some() { "transition" } else { "update" };
        out.push(
            Diagnostic::warning(
                "transition-nobody",
                row.span,
                format!("nobody may take this move: `permit` lets none of them {action} such a row"),
            )
            .help(format!("permit `{action}` to those who shall take it, or remove the row")),
        );
    }
}

fn timed(model: &Model, at: usize, machine: &StateMachine, index: usize, reached: &[bool], out: &mut Diagnostics) {
    let row = &machine.rows[index];
    if row.after.is_none() {
        return;
    }
    let starts = machine
        .moves
        .iter()
        .filter(|it| it.row == index)
        .any(|it| reached.get(it.from).copied().unwrap_or(false) && starts_by(model, at, machine, row, it.from, Asker::System));
    if !starts {
        out.push(
            Diagnostic::warning("timed-never-starts", row.span, "the clock can never take this move")
                .help("no row comes to its state, or its guard asks for a person; let the guard speak of the row alone"),
        );
    }
}
