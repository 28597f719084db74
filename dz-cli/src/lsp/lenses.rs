//! Lines above declarations: the number of uses, and how many roles may read an entity.

use dz_dsl_file::{
    Span,
    emit::access::{Cell, matrix},
};
use lsp_types::{CodeLens, CodeLensParams, Command};
use serde_json::json;

use super::{
    failure::Failure,
    names::{Declares, Name, Names},
    state::State,
    unit::Unit,
};
use crate::output::counted;

/// The lenses of a text.
pub fn answer(state: &State, params: CodeLensParams) -> Result<Vec<CodeLens>, Failure> {
    let place = state.place(&params.text_document.uri)?;
    let mut found = Vec::new();
    for (unit, file) in place.units(state) {
        let names = unit.names();
        let matrix = matrix(names.model());
        for name in names.in_file(file).filter(|name| has_lens(name.declares)) {
            found.push(references(state, unit, &names, name));
            if let Declares::Entity(id) = name.declares {
                let entity = &names.model().entities[id.0];
                let row = matrix.rows.iter().find(|row| row.entity == entity.name && row.action == "read");
                // The first two callers have no role.
                let roles = row.map_or(0, |row| row.cells.iter().skip(2).filter(|cell| **cell != Cell::No).count());
                found.push(lens(state, unit, name.span, format!("{} may read", counted(roles, "role")), "", Vec::new()));
            }
        }
    }
    Ok(found)
}

fn has_lens(declares: Declares) -> bool {
    match declares {
        Declares::Entity(_)
        | Declares::Enum(_)
        | Declares::Archetype(_)
        | Declares::Persona(_)
        | Declares::Surface(_)
        | Declares::Workspace(_)
        | Declares::Service(_)
        | Declares::Process(_)
        | Declares::LlmModel(_)
        | Declares::LlmIntent(_)
        | Declares::Story(_) => true,
        Declares::App
        | Declares::Field(..)
        | Declares::Value(..)
        | Declares::Section(..)
        | Declares::Region(..)
        | Declares::Step(..)
        | Declares::Schedule(_)
        | Declares::Experience(_)
        | Declares::ExperienceStep(..)
        | Declares::Scenario(_)
        | Declares::Other => false,
    }
}

/// The number of uses of a name; the extension for VS Code shows them on a click.
fn references(state: &State, unit: &Unit, names: &Names<'_>, name: &Name<'_>) -> CodeLens {
    let uses: Vec<_> = names.uses_of(name.span).map(|span| unit.location(span, state.encoding)).collect();
    let title = counted(uses.len(), "reference");
    let at = unit.location(name.span, state.encoding);
    let arguments = vec![json!(at.uri), json!(at.range.start), json!(uses)];
    lens(state, unit, name.span, title, "dz.showReferences", arguments)
}

fn lens(state: &State, unit: &Unit, at: Span, title: String, command: &str, arguments: Vec<serde_json::Value>) -> CodeLens {
    let arguments = (!arguments.is_empty()).then_some(arguments);
    let command = Command { title, command: command.to_owned(), arguments };
    CodeLens { range: unit.range(at, state.encoding), command: Some(command), data: None }
}
