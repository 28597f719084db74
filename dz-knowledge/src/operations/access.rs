//! `access`: the permissions of callers and their rows.

use dz_dsl_file::emit::access::{Cell, Matrix, MatrixRow, RoleScope, matrix_of};
use serde_json::{Map, Value, json};

use super::Operation;
use crate::{
    Failure, Host, Kind, Session,
    failure::nearest_or_some,
    parameters::{Arguments, Form, Parameter},
};

pub(super) const OPERATION: Operation = Operation {
    name: "access",
    summary: "the permissions of each caller and their rows, as rules and as sentences",
    parameters: &[
        Parameter::optional("entity", Form::Text),
        Parameter::optional("role", Form::Text),
        Parameter::optional("action", Form::Text),
    ],
    run,
};

/// The action of all transitions.
const TRANSITION: &str = "transition";

fn run(session: &mut Session, given: &Arguments<'_>, _: &mut dyn Host) -> Result<Value, Failure> {
    let entity = given.text("entity").map(|it| it.trim_start_matches("entity:"));
    // The rules of one entity need few constructs.
    let portion = entity.filter(|_| !session.is_read()).and_then(|it| session.portion_of(&Kind::Entity.id(it)));
    let model = portion.as_ref().map_or_else(|| &session.read().model, |it| &it.model);
    if let Some(entity) = entity {
        let names = || model.entities.iter().map(|it| it.name.as_str());
        if portion.is_none() || names().all(|it| it != entity) {
            check_known("entity", entity, session.read().model.entities.iter().map(|it| it.name.as_str()))?;
        }
    }
    let mut matrix = matrix_of(model, |it| entity.is_none_or(|entity| it.name == entity));
    if let Some(action) = given.text("action") {
        // Each transition is an action of its own, and all of them are the action `transition`.
        let is_meant = |row: &MatrixRow| row.action == action || (action == TRANSITION && row.action.contains("->"));
        if !matrix.rows.iter().any(is_meant) {
            check_known("action", action, matrix.rows.iter().map(|row| row.action.as_str()))?;
        }
        matrix.rows.retain(is_meant);
    }
    if let Some(role) = given.text("role") {
        let role = role.trim_start_matches("persona:");
        check_known("role", role, matrix.callers.iter().map(String::as_str))?;
        let at = matrix.callers.iter().position(|it| it == role).unwrap_or_default();
        matrix.callers = vec![role.to_owned()];
        matrix.rows.iter_mut().for_each(|row| row.cells = vec![row.cells[at].clone()]);
    }
    let words: Vec<Value> = matrix.rows.iter().flat_map(|row| in_words(&matrix, row)).map(Value::from).collect();
    let mut result = value_of(matrix);
    result["words"] = words.into();
    Ok(result)
}

/// The matrix as the JSON that [`Matrix::json`] writes.
fn value_of(matrix: Matrix) -> Value {
    let Matrix { callers, rows, closed } = matrix;
    let rules: Vec<Value> = rows.into_iter().map(|row| value_of_row(&callers, row)).collect();
    json!({ "callers": callers, "closed": closed, "rules": rules })
}

fn value_of_row(callers: &[String], row: MatrixRow) -> Value {
    let cells = callers.iter().cloned().zip(row.cells).map(|(caller, cell)| match cell {
        Cell::No => (caller, Value::Bool(false)),
        Cell::Yes => (caller, Value::Bool(true)),
        Cell::When(condition) => (caller, condition.into()),
    });
    let mut members = Map::new();
    let roles = row.roles.map(|roles| match roles {
        RoleScope::System => "system",
        RoleScope::Tenant => "tenant",
    });
    let lists = [("permit", row.permit), ("forbid", row.forbid), ("scope", row.scope)];
    members.insert("entity".to_owned(), row.entity.into());
    members.insert("action".to_owned(), row.action.into());
    members.extend(roles.map(|roles| ("roles".to_owned(), roles.into())));
    members.extend(lists.map(|(name, lines)| (name.to_owned(), lines.into())));
    members.extend(row.guard.map(|guard| ("guard".to_owned(), guard.into())));
    members.insert("callers".to_owned(), Value::Object(cells.collect()));
    Value::Object(members)
}

/// Refuses a value that is not known, with the nearest known ones.
fn check_known<'k>(parameter: &str, word: &str, mut known: impl Iterator<Item = &'k str> + Clone) -> Result<(), Failure> {
    if known.clone().any(|it| it == word) {
        return Ok(());
    }
    let mut seen = std::collections::HashSet::new();
    let help = nearest_or_some(word, known.by_ref().filter(|it| seen.insert(*it)));
    Err(Failure::content(format!("`{parameter}` has no value `{word}`; {help}")))
}

/// A sentence for each caller with a permission.
fn in_words<'m>(matrix: &'m Matrix, row: &'m MatrixRow) -> impl Iterator<Item = String> + 'm {
    matrix.callers.iter().zip(&row.cells).filter_map(move |(caller, cell)| {
        let rows = match cell {
            Cell::No => return None,
            Cell::Yes => format!("every {}", row.entity),
            Cell::When(condition) => format!("each {} with {condition}", row.entity),
        };
        let who = match caller.as_str() {
            "anonymous" => "a caller without an account".to_owned(),
            "authenticated" => "every account".to_owned(),
            role => format!("the role {role}"),
        };
        let what = if row.action.contains("->") { format!("make the transition {} of", row.action) } else { row.action.clone() };
        Some(format!("{who} may {what} {rows}"))
    })
}

#[cfg(test)]
mod tests {
    use dz_dsl_file::{SourceMap, analyse, emit::access::matrix};
    use serde_json::Value;

    #[test]
    fn the_matrix_is_the_json_of_the_command() {
        for text in [
            "persona picker\nentity Tree:\n  id: uuid pk\n  by: ref User\n  name: str(9)\n  permit:\n    list: role(picker)\n    read: by = \
             current_user or name = \"x\"\n  forbid:\n    read: name = \"y\"\n  scope:\n    list: by = current_user\n      for: picker\nentity Shed:\n  id: \
             uuid pk\n",
            "entity Tree:\n  id: uuid pk\n  by: ref User\n  state: enum[young, grown, felled] = young\n  transitions:\n    young -> grown\n    \
             grown -> felled: role(picker)\n      guard: by = current_user\n  permit:\n    update: role(picker)\n",
            "entity Farm:\n  id: uuid pk\n  archetype: tenant\nentity Tree:\n  id: uuid pk\n  permit:\n    read: role(picker)\n",
        ] {
            let model = analyse(SourceMap::single("app.dsl", text)).model.expect("a model");
            let matrix = matrix(&model);
            let wanted: Value = serde_json::from_str(&matrix.json()).expect("JSON");
            assert_eq!(super::value_of(matrix), wanted);
        }
    }
}
