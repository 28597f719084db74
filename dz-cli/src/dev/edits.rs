//! The changes of a declaration that a running application takes over without a build: texts, and the columns, the order, the filters
//! and the search of lists.
//!
//! Everything else of two models must be equal: fields, types, rules, tenants and conditions are part of the program.

mod neutral;

use std::collections::BTreeMap;

use dz_dsl_file::{
    locales::texts,
    model::{Column, ListUx, Mode, Model, Path, Placed, Section, SectionBody, Surface},
};
use serde_json::{Value as Json, json};

/// What differs between a built declaration and a later one.
#[derive(Debug, Clone, PartialEq)]
pub enum Difference {
    /// The application takes these changes over; they are empty for equal declarations.
    Edits(Json),
    /// A build is needed.
    Program,
}

/// Compares the declaration of the running program with a later one.
pub fn compare(built: &Model, now: &Model) -> Difference {
    if neutral::describe(built) != neutral::describe(now) {
        return Difference::Program;
    }
    match changed_texts(built, now) {
        Some(texts) => Difference::Edits(json!({ "texts": texts, "lists": changed_lists(built, now) })),
        None => Difference::Program,
    }
}

/// True for the edits of equal declarations.
pub fn is_empty(edits: &Json) -> bool {
    edits["texts"] == "" && edits["lists"].as_array().is_some_and(Vec::is_empty)
}

/// The changed texts in the format of Fluent; `None` if a text was added or removed.
fn changed_texts(built: &Model, now: &Model) -> Option<String> {
    let [before, after] = [built, now].map(|model| texts(model).into_iter().collect::<BTreeMap<String, String>>());
    let mut changed = String::new();
    for (key, text) in &after {
        match before.get(key) {
            Some(before) if before == text => {}
            Some(_) => changed.push_str(&format!("{key} = {text}\n")),
            None if is_of_list(now, key) => {}
            // A label in place of the title of its field.
            None if key.contains("-label-") => changed.push_str(&format!("{key} = {text}\n")),
            None => return None,
        }
    }
    before.keys().all(|key| after.contains_key(key) || is_of_list(built, key)).then_some(changed)
}

/// True for a text that is sent with its list.
fn is_of_list(model: &Model, key: &str) -> bool {
    model.surfaces.iter().filter(|surface| is_list(surface)).any(|surface| {
        let own = format!("surface-{}-", surface.name);
        let rest = key.strip_prefix(&own);
        rest.is_some_and(|rest| rest == "empty" || ["label-", "help-", "section-"].iter().any(|part| rest.starts_with(part)))
    })
}

/// True for a list of the rows of an entity, whose columns can be replaced.
fn is_list(surface: &Surface) -> bool {
    surface.mode == Mode::List && surface.sections.iter().all(|section| matches!(section.body, SectionBody::Fields(_)))
}

/// The lists that differ, as the application shows them now.
fn changed_lists(built: &Model, now: &Model) -> Vec<Json> {
    let pairs = built.surfaces.iter().zip(&now.surfaces).filter(|(_, surface)| is_list(surface));
    let both = pairs.map(|(before, surface)| (list(built, before), list(now, surface)));
    both.filter(|(before, after)| before != after).map(|(_, after)| after).collect()
}

fn list(model: &Model, surface: &Surface) -> Json {
    let ListUx { show, sort, filter, search, empty } = &surface.ux;
    let names = |path: &Path| path.fields(&model.entities).map(|field| field.name.clone()).collect::<Vec<String>>();
    let paths = |paths: &[Placed<Path>]| paths.iter().map(|path| names(&path.it)).collect::<Vec<_>>();
    let column = |path: &Path, label: &str, help: Option<&String>| json!({ "path": names(path), "label": label, "help": help });
    let of_section = |section: &Section| {
        let columns: Vec<Json> = columns(section).iter().map(|it| column(&it.path, &it.label, it.help.as_ref())).collect();
        json!({ "name": section.name, "title": section.title, "note": section.note, "columns": columns })
    };
    let shown = |path: &Placed<Path>| {
        let declared = surface.sections.iter().flat_map(columns).find(|column| column.path == path.it);
        let (entity, field) = path.it.end(&model.entities);
        let label = declared.map_or(&model.field(entity, field).title, |column| &column.label);
        column(&path.it, label, declared.and_then(|column| column.help.as_ref()))
    };
    let sections: Vec<Json> = match show.is_empty() {
        true => surface.sections.iter().map(of_section).collect(),
        false => vec![json!({ "name": "main", "title": null, "note": null, "columns": show.iter().map(shown).collect::<Vec<_>>() })],
    };
    let sort: Vec<Json> = sort.iter().map(|key| json!({ "path": names(&key.path), "descending": key.descending })).collect();
    json!({
        "surface": surface.name, "sections": sections, "sort": sort, "filter": paths(filter), "search": paths(search), "empty": empty,
    })
}

fn columns(section: &Section) -> &[Column] {
    match &section.body {
        SectionBody::Fields(columns) => columns,
        SectionBody::Nested(_) => &[],
    }
}

#[cfg(test)]
mod tests {
    use dz_dsl_file::{SourceMap, analyse, model::Model};

    use super::{Difference, compare};

    const APP: &str = r#"app aviary "Aviary"

persona keeper "Keeper"

entity Cage "Cage":
  id: uuid pk
  name: str(40) required
  permit:
    list: role(keeper)
    read: role(keeper)

entity Bird "Bird":
  id: uuid pk
  name: str(40) required
  ring: str(20) sensitive
  cage: ref Cage
  hatched: date
  state: enum[egg, chick, grown] = egg
  transitions:
    egg -> chick "Hatch"
  permit:
    list: role(keeper)
    read: role(keeper)
    update: role(keeper)

surface bird_list "Birds":
  uses entity Bird
  mode: list
  section main:
    field name
    field hatched "Born"
  ux:
    sort: name asc
    filter: cage
    empty: "No birds"

surface bird_view "Bird":
  uses entity Bird
  mode: view
  section main:
    field name
    field hatched
"#;

    fn model(text: &str) -> Model {
        let analysis = analyse(SourceMap::single("app.dsl", text));
        analysis.model.unwrap_or_else(|| panic!("{:?}", analysis.diagnostics))
    }

    /// The difference after the replacements.
    fn edited(edits: &[(&str, &str)]) -> Difference {
        let mut text = APP.to_owned();
        for (old, new) in edits {
            assert_eq!(text.matches(old).count(), 1, "`{old}`");
            text = text.replace(old, new);
        }
        compare(&model(APP), &model(&text))
    }

    #[test]
    fn equal_declarations_have_no_edits() {
        let none = Difference::Edits(serde_json::json!({ "texts": "", "lists": [] }));
        assert_eq!(edited(&[]), none);
        // A comment changes every place.
        assert_eq!(edited(&[("persona keeper", "# The keepers feed the birds.\npersona keeper")]), none);
    }

    #[test]
    fn texts_are_taken_over() {
        let Difference::Edits(edits) = edited(&[
            ("app aviary \"Aviary\"", "app aviary \"Bird house\""),
            ("\"Hatch\"", "\"Hatched\""),
            ("entity Cage \"Cage\"", "entity Cage \"Aviary\""),
        ]) else {
            panic!("a build")
        };
        let texts = edits["texts"].as_str().unwrap_or_default();
        for line in ["app-title = Bird house", "entity-Cage = Aviary", "transition-Bird-egg-chick = Hatched"] {
            assert!(texts.lines().any(|it| it == line), "{line}: {texts}");
        }
        assert_eq!(edits["lists"], serde_json::json!([]));
    }

    #[test]
    fn lists_are_taken_over() {
        let Difference::Edits(edits) = edited(&[
            (
                "    field name\n    field hatched \"Born\"\n",
                "    field hatched \"Hatched on\"\n    field cage.name \"Cage\"\n    field state\n",
            ),
            ("sort: name asc", "sort: hatched desc, name"),
            ("filter: cage", "filter: state, cage"),
            ("\"No birds\"", "\"All birds are away\""),
        ]) else {
            panic!("a build")
        };
        let columns = serde_json::json!([
            { "path": ["hatched"], "label": "Hatched on", "help": null },
            { "path": ["cage", "name"], "label": "Cage", "help": null },
            { "path": ["state"], "label": "State", "help": null },
        ]);
        assert_eq!(edits["lists"][0]["sections"][0]["columns"], columns);
        assert_eq!(edits["lists"][0]["sort"][0], serde_json::json!({ "path": ["hatched"], "descending": true }));
        assert_eq!(edits["lists"][0]["filter"], serde_json::json!([["state"], ["cage"]]));
        assert_eq!(edits["lists"][0]["empty"], "All birds are away");
        let texts = edits["texts"].as_str().unwrap_or_default();
        assert!(texts.lines().all(|line| line.starts_with("surface-bird_list-")), "{texts}");
    }

    #[test]
    fn everything_else_needs_a_build() {
        for (old, new) in [
            ("    update: role(keeper)", "    update: authenticated"),
            ("ring: str(20) sensitive", "ring: str(20)"),
            ("ring: str(20) sensitive", "ring: str(30) sensitive"),
            ("hatched: date", "hatched: date required"),
            ("[egg, chick, grown] = egg", "[egg, chick, grown] = chick"),
            ("egg -> chick \"Hatch\"", "egg -> grown \"Hatch\""),
            ("egg -> chick \"Hatch\"", "egg -> chick \"Hatch\": role(keeper)"),
            ("    field name\n    field hatched\n", "    field hatched\n    field name\n"),
            ("    filter: cage\n", "    filter: cage\n    attention warning:\n      when: hatched = null\n      message: \"Unknown\"\n"),
            ("field hatched \"Born\"", "field hatched \"Born\" format: year"),
            ("    empty: \"No birds\"\n", "    empty: \"No birds\"\n    purpose: \"All birds\"\n"),
        ] {
            let text = APP.replacen(old, new, 1);
            assert_ne!(text, APP, "{old}");
            assert_eq!(compare(&model(APP), &model(&text)), Difference::Program, "{new}");
        }
    }
}
