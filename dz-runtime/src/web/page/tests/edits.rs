//! Edits of a declaration that a debug build takes over.

use serde_json::{Value as Json, json};

use super::app::{APP, TASK};
use crate::{
    def::{Mode, SectionBody},
    languages::{Edits, Languages},
};

fn list(surface: &str, column: &[&str], sort: &[&str]) -> Json {
    json!({
        "surface": surface,
        "sections": [{ "name": "main", "title": "All", "note": null, "columns": [{ "path": column, "label": "First", "help": null }] }],
        "sort": [{ "path": sort, "descending": true }],
        "filter": [["owner"]],
        "search": [],
        "empty": "Nothing",
    })
}

fn edits(texts: &str, lists: &[Json]) -> Json {
    json!({ "texts": texts, "lists": lists })
}

#[test]
fn a_language_shows_the_edited_declaration() {
    let languages = Languages::new(&APP, None);
    let sent = edits("app-title = Example\nentity-Task = Job\n", &[list("task_list", &["owner", "name"], &["due"])]);
    languages.take_over(&APP, &Edits::read(&APP, &sent.to_string()).expect("edits of this declaration"));
    let app = languages.choose(None).expect("a language").app;
    assert_eq!((app.title, app.entity(TASK).title), ("Example", "Job"));
    let shown = app.surfaces.iter().find(|surface| surface.name == "task_list").expect("the list");
    let SectionBody::Fields(columns) = &shown.sections[0].body else { panic!("fields") };
    assert_eq!((columns.len(), columns[0].label, shown.ux.empty), (1, "First", Some("Nothing")));
    assert_eq!((shown.sections[0].title, shown.ux.sort[0].descending, shown.ux.filter.len()), (Some("All"), true, 1));
    // Rules, fields and types are those of the build, and a proof of access for them is accepted.
    assert!(app.owns(APP.entity(TASK)) && app.owns(app.entity(TASK)));
    assert_eq!(app.entity(TASK).rules.len(), APP.entity(TASK).rules.len());
    let others = |app: &'static crate::def::AppDef| app.surfaces.iter().filter(|it| it.mode != Mode::List).map(|it| it.sections.len());
    assert!(others(app).eq(others(&APP)));
    // Without edits, the declaration is that of the build again.
    languages.take_over(&APP, &Edits::read(&APP, &edits("", &[]).to_string()).expect("no edits"));
    assert_eq!(languages.choose(None).expect("a language").app.title, "Sample");
}

#[test]
fn unknown_names_are_refused() {
    for sent in [
        edits("", &[list("job_list", &["title"], &["due"])]),
        edits("", &[list("task_view", &["title"], &["due"])]),
        edits("", &[list("task_list", &["name"], &["due"])]),
        edits("", &[list("task_list", &["title", "name"], &["due"])]),
        edits("", &[list("task_list", &["owner", "name"], &["dew"])]),
        edits("", &[list("task_list", &[], &["due"])]),
        json!({ "texts": "" }),
        json!({ "texts": "", "lists": [], "rules": [] }),
    ] {
        let refused = Edits::read(&APP, &sent.to_string()).expect_err("refused");
        assert_eq!(refused.status, 400, "{sent}");
    }
}
