//! The statements of a story's test that drive the JSON API, as far as the sentences match actions of the declaration.
//!
//! A story whose `given` quotes a state and whose `then` quotes another state of the same field matches the transitions between them. A
//! story with the trigger `form_submitted` and one entity matches the creation of a row. Only actions are used that the access rules
//! permit the actor for every row, and whose values the test can invent; the author writes the rest.

use std::{collections::VecDeque, fmt::Write as _};

use super::{example, needed, one_line};
use crate::{
    emit::access::{Cell, Matrix, matrix_of},
    model::{Entity, EntityId, Field, FieldType, Model, QuotedState, Sentence, StateMachine, Story, StoryTrigger},
};

/// Sends a request of the JSON API.
const SEND: &str = r#"
    let send = |path: &str, body: &str| {
        let request = client.post(path.to_owned()).header(ContentType::JSON);
        let request = request.header(Header::new("Sec-Fetch-Site", "same-origin"));
        let request = request.header(Header::new("Cookie", session.clone()));
        let answer = request.body(body.to_owned()).dispatch();
        let status = answer.status();
        let text = answer.into_string().unwrap_or_default();
        let row = dz::serde_json::from_str(&text).unwrap_or(dz::serde_json::Value::Null);
        (status, row)
    };
"#;

/// The statements; empty if the sentences match no action.
pub(super) fn statements(model: &Model, story: &Story) -> String {
    let steps = transitions(model, story).or_else(|| creation(model, story));
    steps.map_or_else(String::new, |steps| format!("{SEND}{steps}"))
}

/// What the actor may do with the rows of one entity.
struct Rights<'m> {
    entity: &'m Entity,
    matrix: Matrix,
    /// The column of the actor.
    caller: usize,
}

impl<'m> Rights<'m> {
    fn of_actor(model: &'m Model, story: &Story, entity: EntityId) -> Rights<'m> {
        let entity = model.entity(entity);
        let matrix = matrix_of(model, |other| other.name == entity.name);
        // The matrix begins with callers without a role: anonymous, and authenticated.
        Rights { entity, matrix, caller: story.actor.map_or(1, |actor| actor.it.0 + 2) }
    }

    /// True if the actor may do it with every row.
    fn has(&self, action: &str) -> bool {
        let row = self.matrix.rows.iter().find(|row| row.entity == self.entity.name && row.action == action);
        row.and_then(|row| row.cells.get(self.caller)).is_some_and(|cell| *cell == Cell::Yes)
    }
}

/// The creation of a row in its first state, and the transitions to the quoted states.
fn transitions(model: &Model, story: &Story) -> Option<String> {
    let quoted = |sentences: &[Sentence]| sentences.iter().rev().find_map(|sentence| sentence.states.last().copied());
    let (before, after): (QuotedState, QuotedState) = (quoted(&story.given)?, quoted(&story.then)?);
    let entity = model.entity(before.entity);
    let machine = entity.states.as_ref()?;
    let is_state = |state: &QuotedState| state.entity == before.entity && state.field == machine.field;
    if !is_state(&before) || !is_state(&after) || before.value == after.value {
        return None;
    }
    let rights = Rights::of_actor(model, story, before.entity);
    let states = &model.enums[entity.fields[machine.field.0].ty.enumeration()?.0].values;
    let name = |at: usize| states.get(at).map(|value| value.name.as_str());
    let may = |from: usize, to: usize| name(from).zip(name(to)).is_some_and(|(from, to)| rights.has(&format!("{from} -> {to}")));
    let given = path(machine, &may, machine.initial, before.value)?;
    let when = path(machine, &may, before.value, after.value)?;
    let (create, field) = (create_row(model, &rights)?, &entity.fields[machine.field.0].name);
    let mut text = sentences("Given", &story.given);
    text.push_str(&create);
    let transition = |text: &mut String, to: usize| {
        let name = name(to).unwrap_or_default();
        let _ = writeln!(
            text,
            "    let (status, row) = send(&format!(\"/api/{}/{{id}}/transitions/{name}\"), \"{{}}\");\n    assert_eq!(status, Status::Ok, \"{{row}}\");",
            entity.table
        );
    };
    given.iter().for_each(|to| transition(&mut text, *to));
    let _ = writeln!(text, "    assert_eq!(row[{field:?}], {:?});", name(before.value)?);
    text.push_str(&sentences("When", &story.when));
    when.iter().for_each(|to| transition(&mut text, *to));
    text.push_str(&sentences("Then", &story.then));
    let _ = writeln!(text, "    assert_eq!(row[{field:?}], {:?});", name(after.value)?);
    Some(text)
}

/// The creation of a row of the only entity.
fn creation(model: &Model, story: &Story) -> Option<String> {
    let [entity] = story.scope.as_slice() else { return None };
    if story.trigger != Some(StoryTrigger::FormSubmitted) {
        return None;
    }
    let rights = Rights::of_actor(model, story, entity.it);
    let create = create_row(model, &rights)?;
    let mut text = sentences("When", &story.when);
    text.push_str(&create);
    text.push_str(&sentences("Then", &story.then));
    let _ = writeln!(text, "    assert_eq!(open(&format!(\"/api/{}/{{id}}\")), Status::Ok);", rights.entity.table);
    Some(text)
}

/// The shortest way from a state to another one by transitions that the actor can make without further values.
fn path(machine: &StateMachine, may: &dyn Fn(usize, usize) -> bool, from: usize, to: usize) -> Option<Vec<usize>> {
    let mut open = VecDeque::from([(from, Vec::new())]);
    let mut seen = vec![from];
    while let Some((state, way)) = open.pop_front() {
        if state == to {
            return Some(way);
        }
        for next in
            machine.transitions.iter().filter(|it| it.from == state && machine.rows[it.row].requires.is_empty() && may(it.from, it.to))
        {
            if !seen.contains(&next.to) {
                seen.push(next.to);
                let mut way = way.clone();
                way.push(next.to);
                open.push_back((next.to, way));
            }
        }
    }
    None
}

/// The statements that create a row with the fields that it needs, and read its key.
fn create_row(model: &Model, rights: &Rights<'_>) -> Option<String> {
    let entity = rights.entity;
    // dz generates these keys.
    if !entity.fields[entity.pk.0].ty.is_generated_key() {
        return None;
    }
    // The invented values can break an invariant.
    if !rights.has("create") || !rights.has("read") || entity.tenant.is_some() || !entity.invariants.is_empty() {
        return None;
    }
    let members: Vec<String> = needed(entity).map(|field| member(model, field)).collect::<Option<_>>()?;
    let key = &entity.fields[entity.pk.0].name;
    Some(format!(
        "    let (status, row) = send(\"/api/{}\", r#\"{{{}}}\"#);\n    assert_eq!(status, Status::Created, \"{{row}}\");\n    let id = \
         row[{key:?}].to_string().replace('\"', \"\");\n",
        entity.table,
        members.join(", ")
    ))
}

/// A field with a value as JSON; `None` if no value can be invented.
fn member(model: &Model, field: &Field) -> Option<String> {
    let value = example(model, field.ty);
    let json = match field.ty {
        FieldType::Int { .. } | FieldType::Float | FieldType::Bool | FieldType::Json => value,
        FieldType::Str(length) => format!("\"{}\"", value.chars().take(length as usize).collect::<String>()),
        FieldType::Text
        | FieldType::Slug
        | FieldType::Email
        | FieldType::Url
        | FieldType::Timezone
        | FieldType::Decimal { .. }
        | FieldType::Date
        | FieldType::DateTime
        | FieldType::Uuid
        | FieldType::Enum(_) => format!("\"{value}\""),
        FieldType::Money(_)
        | FieldType::Currency { .. }
        | FieldType::Ref(_)
        | FieldType::File { .. }
        | FieldType::HasMany { .. }
        | FieldType::HasOne { .. }
        | FieldType::ManyToMany { .. } => return None,
    };
    Some(format!("\"{}\": {json}", field.name))
}

/// The sentences as a comment.
fn sentences(word: &str, sentences: &[Sentence]) -> String {
    sentences.iter().map(|sentence| format!("    // {word}: {}\n", one_line(&sentence.text))).collect()
}
