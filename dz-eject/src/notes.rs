//! Parts of an application that the ejected one lacks without other rules: addresses that answer 501, and work in the background.

use dz_dsl_file::model::{Action, Entity, Model};

/// Something that the ejected application lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What it is, with its name.
    pub what: String,
    /// What happens instead, with the reason.
    pub instead: String,
    /// The addresses that answer 501: method and path, with `<id>` for the key.
    pub addresses: Vec<(&'static str, String)>,
}

fn note(what: impl Into<String>, instead: impl Into<String>, addresses: &[(&'static str, &str)]) -> Note {
    let addresses = addresses.iter().map(|(method, path)| (*method, (*path).to_owned())).collect();
    Note { what: what.into(), instead: instead.into(), addresses }
}

/// Everything that the ejected application lacks.
pub(crate) fn find(model: &Model) -> Vec<Note> {
    let mut notes = vec![
        note(
            "Pages",
            "The React application of `frontend` has a list, a form and a page for each entity. Workspaces, and what surfaces declare apart \
             from the columns of lists, are not part of the tree.",
            &[],
        ),
        note(
            "Rust code of the application",
            "Hooks, actions, jobs, routes and subscribers in Rust are not part of the declaration. A hook that refuses a write belongs \
             into `validators`. A subscriber belongs into `subscribers`; the tree stores and delivers events as the application does, \
             apart from those of new accounts that register themselves, and of references that a deletion clears.",
            &[],
        ),
        note("GraphQL", "`/graphql` answers 501. The JSON API has the same rows.", &[("get", "/graphql"), ("post", "/graphql")]),
        note(
            "Accounts",
            "A new password may be one of the common passwords that dz refuses, no role requires a second factor, and accounts of sign-in \
             providers (OpenID Connect) sign in after `/auth/forgot`. Mails with links are printed during development; `mail` has the \
             place for your mailer. Owners get no mails about changes of their accounts.",
            &[],
        ),
    ];
    if model.entities.iter().any(|entity| !entity.access.audits.is_empty()) {
        let what = "The audit log contains what was allowed to rows. Refused requests, rows that a cascade deletes, sign-ins and invitations are not recorded.";
        notes.push(note("Audit log", what, &[]));
    }
    if crate::backend::memberships(model).is_some() {
        let what = "`POST /auth/invite` accepts the token of a mailed link; the page of the link is not part of the tree.";
        notes.push(note("The page of an invitation", what, &[]));
    }
    notes.extend(model.entities.iter().filter_map(of_entity));
    if !model.experiences.is_empty() {
        notes.push(note(
            "Experiences",
            "The ejected application has no guided sequences of screens; their surfaces are pages of their own.",
            &[],
        ));
    }
    let background = [
        ("Processes", model.processes.len()),
        ("Schedules", model.schedules.len()),
        ("Services", model.services.len()),
        ("LLM intents", model.llm_intents.len()),
    ];
    for (what, _) in background.into_iter().filter(|(_, count)| *count > 0) {
        notes.push(note(what, "The ejected backend has no engine for them, so they never run.", &[]));
    }
    notes
}

/// What an entity lacks; `None` if it lacks nothing.
fn of_entity(entity: &Entity) -> Option<Note> {
    let path = format!("/api/{}", entity.table);
    let mut addresses = Vec::new();
    let mut missing = Vec::new();
    for permission in &entity.access.permissions {
        if let Action::Custom(name) = &permission.action
            && !matches!(name.as_str(), "transition" | "restore")
        {
            addresses.push(("post", format!("{path}/<id>/actions/{name}")));
            missing.push(format!("the action `{name}`"));
        }
    }
    if let Some(field) = entity.fields.iter().find(|field| field.ty.is_file()) {
        addresses.push(("post", format!("/files/{}/{}", entity.table, field.name)));
        addresses.push(("get", format!("/files/{}/<id>/{}", entity.table, field.name)));
        missing.push(format!("uploads of `{}`; stored files are still named in the row", field.name));
    }
    let instead = format!("Not ejected: {}. Their addresses answer 501.", missing.join(", "));
    (!missing.is_empty()).then(|| Note { what: entity.title_plural.clone(), instead, addresses })
}
