//! State machines: the field of the state, and the row of each transition.

use std::collections::{HashMap, HashSet};

use super::{
    Lowering,
    expr::{self, Position},
};
use crate::{
    Diagnostic, Near, Span,
    cursor::Name,
    diagnostic::near_word,
    model::{Ends, EntityId, EnumId, Expr, FieldId, RoleId, StateMachine, Transition, TransitionRow},
    names,
    syntax::{
        entity::Block,
        transitions::{Ends as Marked, From, Transition as Written},
    },
};

pub(super) fn lower(it: &mut Lowering<'_>) {
    for at in 0..it.entities.len() {
        let Some(declared) = it.declared[at] else { continue };
        let rows = &declared.body.transitions;
        let Some(first) = rows.first() else { continue };
        let id = EntityId(at);
        let Some((field, values)) = state_field(it, id, &declared.body, first.span) else { continue };
        let mut machine = StateMachine { field, initial: initial(it, id, field), rows: Vec::new(), transitions: Vec::new(), ends: None };
        for row in rows {
            if let Some(lowered) = lower_row(it, id, values, row) {
                machine.rows.push(lowered);
            }
        }
        machine.transitions = resolve_pairs(it, values, &machine.rows, rows);
        machine.ends = ends(it, values, &declared.body);
        // A new row without a state gets the initial one.
        let first = Expr::EnumValue(values, machine.initial);
        it.entities[at].fields[field.0].default.get_or_insert(first);
        it.entities[at].states = Some(machine);
    }
}

/// Every state that the block names.
fn named(block: &Block) -> impl Iterator<Item = &Name> {
    let rows = block.transitions.iter().flat_map(|row| {
        let from = match &row.from {
            From::Any(_) => &[][..],
            From::States(states) => states,
        };
        from.iter().chain([&row.to])
    });
    rows.chain(block.finals.iter().chain(&block.failures).flat_map(|ends| &ends.states))
}

/// Resolves the final states; none is listed twice.
fn ends(it: &mut Lowering<'_>, values: EnumId, block: &Block) -> Option<Ends> {
    let mut seen: HashMap<usize, Span> = HashMap::new();
    let mut marked = |it: &mut Lowering<'_>, written: &Marked| {
        let mut states = Vec::new();
        for name in &written.states {
            let Some(at) = state(it, values, name) else { continue };
            match seen.get(&at) {
                Some(first) => it.out.push(
                    Diagnostic::error("duplicate-end", name.span, format!("`{}` is already a final state", name.text))
                        .label(*first, "first declared here")
                        .help("a final state is a success or a failure: name it once"),
                ),
                None => {
                    seen.insert(at, name.span);
                    states.push(at);
                }
            }
        }
        states
    };
    if block.finals.is_none() && block.failures.is_none() {
        return None;
    }
    let finals = block.finals.as_ref().map(|written| marked(it, written)).unwrap_or_default();
    let failures = block.failures.as_ref().map(|written| marked(it, written)).unwrap_or_default();
    Some(Ends { finals, failures })
}

/// The enum field that has every named state; of several, the one with the name `status` or `state`. If none has all of them,
/// the most likely one, so that the wrong state is reported and not the field.
fn state_field(it: &mut Lowering<'_>, id: EntityId, block: &Block, span: Span) -> Option<(FieldId, EnumId)> {
    let states: HashSet<&str> = named(block).map(|name| name.text.as_str()).collect();
    let entity = &it.entities[id.0];
    let mut candidates: Vec<(usize, EnumId, usize)> = Vec::new();
    for (at, field) in entity.fields.iter().enumerate().filter(|(_, field)| field.is_stored() && !field.identity) {
        let Some(values) = field.ty.enumeration() else { continue };
        let known: HashSet<&str> = it.enums[values.0].values.iter().map(|value| value.name.as_str()).collect();
        candidates.push((at, values, states.iter().filter(|state| known.contains(**state)).count()));
    }
    let usual = |at: usize| matches!(entity.fields[at].name.as_str(), "status" | "state");
    let fitting: Vec<&(usize, EnumId, usize)> = candidates.iter().filter(|it| it.2 == states.len()).collect();
    let chosen = match fitting.as_slice() {
        [] => candidates.iter().filter(|it| usual(it.0)).max_by_key(|it| it.2).or_else(|| match candidates.as_slice() {
            [one] => Some(one),
            _ => candidates.iter().filter(|it| it.2 > 0).max_by_key(|it| it.2),
        }),
        [one] => Some(*one),
        several => {
            let named = several.iter().find(|it| usual(it.0)).copied();
            if named.is_none() {
                let names: Vec<String> = several.iter().map(|it| format!("`{}`", entity.fields[it.0].name)).collect();
                let found =
                    Diagnostic::error("ambiguous-state-field", span, format!("these states fit several fields: {}", names.join(", ")))
                        .help("call the one that holds the state `status` or `state`");
                it.out.push(found);
                return None;
            }
            named
        }
    };
    // A field that could not be read may be the one with the states.
    if fitting.is_empty() && it.unreadable.any_field(id) {
        return None;
    }
    if chosen.is_none() {
        let found = Diagnostic::error("no-state-field", span, format!("`{}` has no enum field with these states", entity.name));
        let values: Vec<&str> = {
            let mut seen = HashSet::new();
            named(block).map(|name| name.text.as_str()).filter(|name| seen.insert(*name)).collect()
        };
        it.out.push(found.help(format!("add a field such as `status: enum[{}]`", values.join(", "))));
    }
    chosen.map(|(at, values, _)| (FieldId(*at), *values))
}

/// The default, else the first value.
fn initial(it: &Lowering<'_>, id: EntityId, field: FieldId) -> usize {
    match it.entities[id.0].fields[field.0].default {
        Some(Expr::EnumValue(_, at)) => at,
        _ => 0,
    }
}

fn lower_row(it: &mut Lowering<'_>, id: EntityId, values: EnumId, row: &Written) -> Option<TransitionRow> {
    let from = match &row.from {
        From::Any(_) => Some(None),
        From::States(states) => {
            let found: Vec<Option<usize>> = states.iter().map(|name| state(it, values, name)).collect();
            found.into_iter().collect::<Option<Vec<usize>>>().map(Some)
        }
    };
    let to = state(it, values, &row.to);
    let roles: Vec<RoleId> = row.roles.iter().filter_map(|role| expr::role(it, role)).collect();
    let requires: Vec<(FieldId, Span)> = row.requires.iter().filter_map(|name| Some((required(it, id, name)?, name.span))).collect();
    let guard = match &row.guard {
        Some(guard) => Some(expr::condition(it, Position::Guard, id, None, guard)?.0),
        None => None,
    };
    let after = match &row.after {
        Some(wait) => Some(expr::duration(it, wait.amount, &wait.unit, wait.span)?),
        None => None,
    };
    let manual = row.after.is_none() || row.manual.is_some();
    role_without_manual(it, row);
    let label = row.label.as_ref().map(|text| text.text.clone());
    let message = row.message.as_ref().map(|text| text.text.clone());
    if let (Some(Some(from)), Some(to), From::States(states)) = (&from, to, &row.from)
        && let Some(at) = from.iter().position(|from| *from == to)
    {
        it.out.push(
            Diagnostic::error("duplicate-transition", states[at].span, format!("`{}` to itself is not a transition", states[at].text))
                .help("setting a state to its present value is always allowed; remove the row"),
        );
        return None;
    }
    // The two states identify a row better than its conditions.
    let span = Span { end: row.to.span.end, ..row.span };
    Some(TransitionRow { from: from?, to: to?, label, roles, requires, guard, after, manual, message, span })
}

/// Reports roles of a row that no caller can use.
fn role_without_manual(it: &mut Lowering<'_>, row: &Written) {
    let (Some(wait), None, Some(first)) = (&row.after, row.manual, row.roles.first()) else { return };
    let behind = Span { start: wait.span.end, ..wait.span };
    it.out.push(
        Diagnostic::error(
            "role-without-manual",
            first.span,
            format!("`{}` cannot make this transition, because it is only timed", first.text),
        )
        .label(wait.span, "without `manual`, only time takes it")
        .help("write `or manual` after the duration, or remove the role")
        .replace(behind, " or manual"),
    );
}

fn state(it: &mut Lowering<'_>, values: EnumId, name: &Name) -> Option<usize> {
    let known = &it.enums[values.0].values;
    let at = known.iter().position(|value| value.name == name.text);
    if let Some(at) = at {
        it.value_used(name.span, values, at);
    } else {
        let near = near_word(&name.text, known.iter().map(|value| value.name.as_str())).map(Near::into_owned);
        // A quoted word can be the label of the button, with the state missing.
        let is_quoted = (name.span.end - name.span.start) as usize != name.text.len();
        let near = near.map(|near| if is_quoted { near.as_proposal() } else { near });
        let all: Vec<String> = known.iter().map(|value| format!("`{}`", value.name)).collect();
        let mut found = Diagnostic::error("unknown-state", name.span, format!("unknown state `{}`", name.text));
        found = match near {
            Some(near) => found
                .help(format!("did you mean `{near}`? The states are {}", all.join(", ")))
                .replace(name.span, near.spelled_as(names::as_value)),
            None => found.help(format!("the states are {}", all.join(", "))),
        };
        it.out.push(found);
    }
    at
}

fn required(it: &mut Lowering<'_>, id: EntityId, name: &Name) -> Option<FieldId> {
    let fields = &it.entities[id.0].fields;
    let usable = |field: &crate::model::Field| field.has_value() && !field.secret;
    if let Some(at) = it.field_names[id.0].get(&name.text).copied().filter(|at| usable(&fields[*at])) {
        it.field_used(name.span, id, at);
        return Some(FieldId(at));
    }
    if it.field_names[id.0].get(&name.text).is_some_and(|at| fields[*at].ty.children().is_some()) {
        let message = format!("`{}` is a relation, which has no value of its own", name.text);
        let help = format!("write a condition on a line of its own, deeper than the transition: `guard: any({})`", name.text);
        it.out.push(Diagnostic::error("requires-unknown-field", name.span, message).help(help));
        return None;
    }
    it.unknown_field("requires-unknown-field", id, name, crate::model::Field::has_value);
    None
}

/// Resolves each pair of states once: a row that names the state replaces one with `*`; two rows that are equally specific are
/// reported.
fn resolve_pairs(it: &mut Lowering<'_>, values: EnumId, rows: &[TransitionRow], written: &[Written]) -> Vec<Transition> {
    let count = it.enums[values.0].values.len();
    let mut by_pair: HashMap<(usize, usize), usize> = HashMap::new();
    let mut transitions = Vec::new();
    let mut take = |it: &mut Lowering<'_>, from: usize, row: usize, wild: bool| {
        let to = rows[row].to;
        match by_pair.get(&(from, to)) {
            None => {
                by_pair.insert((from, to), row);
                transitions.push(Transition { from, to, row });
            }
            Some(first) if rows[*first].from.is_none() == wild && *first != row => {
                twin(it, values, from, (&rows[*first], &rows[row]), written);
            }
            Some(_) => {}
        }
    };
    for (at, row) in rows.iter().enumerate() {
        for from in row.from.iter().flatten() {
            take(it, *from, at, false);
        }
    }
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| row.from.is_none()) {
        for from in (0..count).filter(|from| *from != row.to) {
            take(it, from, at, true);
        }
    }
    transitions.sort_by_key(|it| (it.from, it.to));
    transitions
}

fn twin(it: &mut Lowering<'_>, values: EnumId, from: usize, (first, second): (&TransitionRow, &TransitionRow), written: &[Written]) {
    if second.from.is_none() && it.out.iter().any(|found| found.rule == "duplicate-transition" && found.span == second.span) {
        return;
    }
    let name = |at: usize| it.enums[values.0].values.get(at).map_or("", |value| value.name.as_str()).to_owned();
    let from = if second.from.is_none() { "*".to_owned() } else { name(from) };
    let to = name(second.to);
    let message = format!("the transition from `{from}` to `{to}` is declared twice");
    let same = |row: &Written| [first, second].iter().any(|it| it.span.start == row.span.start && it.span.file == row.span.file);
    let start = if second.from.is_none() { from } else { names::as_value(&from) };
    let joined = join_rows(&format!("{start} -> {}", names::as_value(&to)), written.iter().filter(|row| same(row)));
    it.out.push(Diagnostic::error("duplicate-transition", second.span, message).label(first.span, "first declared here").help(joined));
}

/// The row that replaces several rows of one transition, as the help of a finding.
fn join_rows<'w>(states: &str, rows: impl Iterator<Item = &'w Written>) -> String {
    let rows: Vec<&Written> = rows.collect();
    let names = |of: fn(&Written) -> &Vec<Name>| {
        let mut names: Vec<&str> = Vec::new();
        for name in rows.iter().flat_map(|row| of(row)) {
            if !names.contains(&name.text.as_str()) {
                names.push(&name.text);
            }
        }
        names.join(", ")
    };
    let (roles, requires) = (names(|row| &row.roles), names(|row| &row.requires));
    let after = rows.iter().find_map(|row| row.after.as_ref());
    let is_manual = rows.iter().any(|row| row.after.is_none() || row.manual.is_some());
    let mut alternatives: Vec<String> = Vec::new();
    if !roles.is_empty() {
        alternatives.push(format!("role({roles})"));
    }
    if let Some(wait) = after {
        alternatives.extend(is_manual.then(|| "manual".to_owned()));
        alternatives.push(format!("auto after {}{}", wait.amount, wait.unit));
    }
    let required = (!requires.is_empty()).then(|| format!("requires {requires}"));
    let conditions: Vec<String> = required.into_iter().chain((!alternatives.is_empty()).then(|| alternatives.join(" or "))).collect();
    let colon = if conditions.is_empty() { "" } else { ": " };
    let row = format!("write one row: `{states}{colon}{}`", conditions.join(" and "));
    let is_guarded = rows.iter().any(|row| row.guard.is_some());
    match (is_guarded, after.is_some() && is_manual) {
        (false, _) => row,
        (true, false) => format!("{row}, with the guards joined by `and` or `or` under it"),
        (true, true) => format!(
            "{row}; a `guard:` under it applies to the timed transition too, so write a condition on the caller as `transition:` under `permit:`"
        ),
    }
}
