//! The state machine of an entity.

use dz_dsl_file::model::{EntityId, Model, StateMachine, Transition};

use super::{columns::imports, timers::timed};
use crate::{Refusal, condition::Conditions, names};

pub(super) fn write(model: &Model, id: EntityId) -> Result<String, Refusal> {
    let entity = model.entity(id);
    let Some(states) = &entity.states else {
        return Ok(format!("//! {} have no states.\n", entity.title_plural));
    };
    let field = &entity.fields[states.field.0];
    let Some(of) = field.ty.enumeration().map(|id| &model.enums[id.0]) else {
        return Err(Refusal::new(format!("the states of `{}`", entity.name), "their field is not an enumeration", entity.span));
    };
    let ty = names::choice(model, of);
    let variant = |at: usize| of.values.get(at).map_or(String::new(), |value| format!("{ty}::{}", value.variant));
    let change = |transition: &Transition| {
        let row = &states.rows[transition.row];
        let roles: Vec<String> = row.roles.iter().map(|it| format!("Role::{}", names::role(&model.personas[it.0].name))).collect();
        let requires: Vec<String> =
            row.requires.iter().map(|(at, _)| format!("({:?}, {:?})", entity.fields[at.0].name, entity.fields[at.0].title)).collect();
        let guard = match &row.guard {
            Some(_) => format!("Some(guard_{})", transition.row),
            None => "None".to_owned(),
        };
        let label = row.label.as_ref().map_or("None".to_owned(), |label| format!("Some({label:?})"));
        let message = row.message.as_deref().unwrap_or("This transition is not possible for the row in its current state");
        format!(
            "Transition {{\nfrom: {},\nto: {},\nlabel: {label},\nroles: &[{}],\nrequires: &[{}],\nguard: {guard},\nmessage: \
             {message:?},\n}}",
            variant(transition.from),
            variant(transition.to),
            roles.join(", "),
            requires.join(", "),
        )
    };
    let manual = states.in_order().into_iter().filter(|it| states.rows[it.row].manual);
    let rows: String = manual.map(|it| change(it) + ",\n").collect();
    let timed: String =
        timed(entity).into_iter().filter_map(|it| Some((it, states.rows[it.row].after?))).fold(String::new(), |text, (it, after)| {
            text + &format!("Timed {{\ntransition: {},\nafter: ({}, {}),\n}},\n", change(it), after.months, after.seconds)
        });
    let timed = match timed.is_empty() {
        true => String::new(),
        false => format!("\n/// The changes that happen by themselves after a time.\npub const TIMED: &[Timed<{ty}>] = &[\n{timed}];\n"),
    };
    let guards = write_guards(model, id, states)?;
    let titles: Vec<String> = of.values.iter().map(|value| names::literal(&value.title)).collect();
    let initial = of.values.get(states.initial).map_or("", |value| value.title.as_str());
    let body = format!(
        "/// The states of a row, and the changes between them.\npub const MACHINE: Machine<{ty}> = Machine {{\nfield: {:?},\ntitle: \
         {:?},\ninitial: ({}, {initial:?}),\ntitles: &[{}],\ntransitions: &[\n{rows}],\n}};\n{timed}{guards}",
        field.name,
        names::title(entity),
        variant(states.initial),
        titles.join(", "),
    );
    let used = imports(
        &body,
        &[
            ("crate::caller", &["Caller", "Role"]),
            ("crate::choices", &[&ty]),
            ("crate::constants", &["date", "days_after", "number", "seconds_after", "time"]),
            ("crate::sql", &["Sql", "Value", "all", "any", "constant", "if_known"]),
            ("crate::transitions", &["Machine", "Timed", "Transition"]),
            ("crate::types", &["Id"]),
        ],
    );
    let choice = if guards.contains(".as_str()") { "use crate::values::Choice;\n" } else { "" };
    Ok(format!("//! The states of {}.\n\n{used}{choice}\n{body}", super::rows(entity)))
}

/// The conditions of the transitions, each as a function.
fn write_guards(model: &Model, id: EntityId, states: &StateMachine) -> Result<String, Refusal> {
    let mut guards = String::new();
    for (at, row) in states.rows.iter().enumerate().filter(|(_, row)| row.manual || row.after.is_some()) {
        let Some(guard) = &row.guard else { continue };
        let place = format!("the guard of a transition of `{}`", model.entity(id).name);
        let code = Conditions { model, entity: id, place, span: row.span }.holds(guard)?;
        let caller = if code.contains("caller") { "caller" } else { "_caller" };
        let alias = if code.contains("{row}") { "row" } else { "_row" };
        let text = dz_dsl_file::emit::expression::text(model, id, guard);
        guards.push_str(&format!("\n/// `{text}`\nfn guard_{at}({caller}: &Caller, {alias}: &str) -> Sql {{\n{code}\n}}\n"));
    }
    Ok(guards)
}
