//! The addresses of an entity.

use dz_dsl_file::model::{EntityId, Model};

use crate::{Refusal, names};

/// The text of the routes; words in capitals are replaced.
const ROUTES: &str = include_str!("../../template/routes.rs.txt");
/// The additional text of the routes of an entity with states.
const STATES: &str = include_str!("../../template/transition.rs.txt");

pub(super) fn write(model: &Model, id: EntityId) -> Result<String, Refusal> {
    let entity = model.entity(id);
    let state = entity.states.as_ref().map(|states| names::ident(&entity.fields[states.field.0].name));
    let mut text = ROUTES.to_owned();
    let parts = [
        ("/*IF STATES*/", "/*END STATES*/", state.is_some()),
        ("/*IF NO STATES*/", "/*END NO STATES*/", state.is_none()),
        ("/*IF KEPT*/", "/*END KEPT*/", entity.soft_delete),
    ];
    if state.is_some() {
        text.push_str(STATES);
    }
    for (start, end, keep) in parts {
        text = choose(&text, start, end, keep);
    }
    let times: Vec<(String, &str)> = entity
        .fields
        .iter()
        .filter(|field| field.auto == dz_dsl_file::model::Auto::Update)
        .map(|field| {
            let now = if super::columns::types(model, field).rust == "NaiveDate" { "today" } else { "now" };
            (names::ident(&field.name), now)
        })
        .collect();
    let updates_time: String = times.iter().map(|(name, now)| format!("row.{name} = caller.{now};\n")).collect();
    let restores_time: String = times.iter().map(|(name, now)| format!("{name}: caller.{now},")).collect();
    let machine = entity.states.as_ref().map(|states| {
        let set: String = names::row_fields(entity)
            .filter(|field| states.rows.iter().any(|row| row.requires.iter().any(|(at, _)| entity.fields[at.0].name == field.name)))
            .map(|field| match super::columns::is_required(entity, field) {
                true => format!("{:?} => true,\n", field.name),
                false => format!("{:?} => row.{}.is_some(),\n", field.name, names::ident(&field.name)),
            })
            .collect();
        set
    });
    let all = if state.is_some() { "sql::{Sql, all}" } else { "sql::Sql" };
    let replacements = [
        ("SQL", all.to_owned()),
        ("SOFT", entity.soft_delete.to_string()),
        ("ROWS_TITLE", super::rows(entity)),
        ("ROW_TITLE", names::title(entity)),
        ("UPDATE_TIMES", updates_time),
        ("RESTORE_TIMES", restores_time),
        ("IS_SET", machine.unwrap_or_default()),
        ("STATE_FIELD", state.unwrap_or_default()),
        ("STATE_TYPE", {
            let of = entity.states.as_ref().and_then(|states| entity.fields[states.field.0].ty.enumeration());
            of.map(|of| names::choice(model, &model.enums[of.0])).unwrap_or_default()
        }),
        ("STATE_NAME", entity.states.as_ref().map(|states| entity.fields[states.field.0].name.clone()).unwrap_or_default()),
        ("MODULE", names::module(entity)),
        ("TABLE", entity.table.clone()),
        ("ENTITY", entity.name.clone()),
        ("KEY", names::ident(&entity.fields[entity.pk.0].name)),
    ];
    for (word, value) in replacements {
        text = text.replace(&format!("%{word}%"), &value);
    }
    Ok(text)
}

/// Keeps or removes the parts between two delimiters.
fn choose(text: &str, start: &str, end: &str, keep: bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(start) {
        let (inside, after) = after.split_once(end).unwrap_or((after, ""));
        out.push_str(before);
        if keep {
            out.push_str(inside);
        }
        rest = after;
    }
    out + rest
}

/// All routes, in the module of the folder.
pub(super) fn all(model: &Model) -> String {
    let lists: String = model.entities.iter().map(|entity| format!("{}::routes(),\n", names::module(entity))).collect();
    format!(
        "\n/// All addresses of the API.\npub fn all() -> Vec<rocket::Route> {{\nlet routes = [\n{lists}];\n\
         routes.into_iter().flatten().collect()\n}}\n"
    )
}
