//! The hooks that read and change rows.

use dz_dsl_file::model::{Entity, Model};

use super::code;
use crate::names;

const HOOKS: &str = include_str!("../../template/frontend/hooks.ts.txt");
const TRANSITIONS: &str = include_str!("../../template/frontend/transitions.ts.txt");

pub(super) fn write(model: &Model, entity: &Entity) -> String {
    let name = code::entity(entity);
    let mut text = HOOKS.to_owned();
    let mut functions = vec!["createRow", "deleteRow", "readPage", "readRow", "updateRow"];
    let mut choices = Vec::new();
    if let Some(states) = &entity.states
        && let Some(of) = entity.fields[states.field.0].ty.enumeration().map(|id| &model.enums[id.0])
    {
        let value = |at: usize| of.values.get(at).map_or(String::new(), |value| code::literal(&value.name));
        let rows: String = states
            .in_order()
            .into_iter()
            .filter(|it| states.rows[it.row].manual)
            .map(|it| {
                let row = &states.rows[it.row];
                let title = row.label.as_deref().or_else(|| of.values.get(it.to).map(|value| value.title.as_str())).unwrap_or_default();
                let roles: Vec<String> = row.roles.iter().map(|role| code::literal(&model.personas[role.0].name)).collect();
                format!(
                    "  {{\n    from: {},\n    to: {},\n    title: {},\n    roles: [{}],\n  }},\n",
                    value(it.from),
                    value(it.to),
                    code::literal(title),
                    roles.join(", ")
                )
            })
            .collect();
        text.push_str(&TRANSITIONS.replace("%ROWS%", &rows).replace("%STATE%", &code::choice(model, of)));
        functions.push("transitionRow");
        choices.push(code::choice(model, of));
    }
    let functions = functions.into_iter().map(str::to_owned).collect();
    let types = ["Change", "ListQuery", "Transition"].into_iter().filter(|it| *it != "Transition" || entity.states.is_some());
    let types = types.map(str::to_owned).collect();
    let imports = [
        code::import("import", functions, "../api/rows"),
        code::import("import type", types, "../api/rows"),
        code::import("import type", choices, "../choices"),
        code::import("import", vec![format!("{}Row", code::variable(entity))], &format!("../schemas/{}", names::file(entity))),
        code::import("import type", vec![format!("New{name}"), format!("{name}Input")], &format!("../types/{}", names::file(entity))),
    ];
    let replacements = [
        ("%IMPORTS%\n", imports.concat()),
        ("%PLURAL%", code::plural(entity)),
        ("%NAME%", name),
        ("%VARIABLE%", code::variable(entity)),
        ("%TABLE%", entity.table.clone()),
        ("%TITLE%", names::title(entity)),
        ("%TITLES%", crate::backend::rows(entity)),
    ];
    replacements.iter().fold(text, |text, (word, value)| text.replace(word, value))
}
