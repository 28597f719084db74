//! Parts of an application that the ejected one lacks without other rules: addresses that answer 501, and work in the background.

use dz_dsl_file::{
    Span,
    model::{Action, Entity, Model},
};

/// Something that the ejected application lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What it is, with its name.
    pub what: String,
    /// What happens instead, with the reason.
    pub instead: String,
    /// Its place, if it is a construct of the declaration.
    pub span: Option<Span>,
    /// The addresses that answer 501: method and path, with `<id>` for the key.
    pub addresses: Vec<(&'static str, String)>,
}

fn note(what: impl Into<String>, instead: impl Into<String>, addresses: &[(&'static str, &str)]) -> Note {
    let addresses = addresses.iter().map(|(method, path)| (*method, (*path).to_owned())).collect();
    Note { what: what.into(), instead: instead.into(), span: None, addresses }
}

/// Everything that the ejected application lacks.
pub(crate) fn find(model: &Model) -> Vec<Note> {
    let mut notes = vec![
        note(
            "Pages",
            "The React application of `frontend` has a list, a form and a page for each entity. What surfaces declare apart from the \
             columns of lists is not part of the tree.",
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
    if !model.demo.is_empty() || !model.scenarios.is_empty() {
        let what = "The program has no command `seed`. Rows that the application has stored are in the database.";
        notes.push(note("Demo rows and scenarios", what, &[]));
    }
    notes.extend(constructs(model));
    notes
}

/// The constructs of which the tree has nothing, each with its name and its place.
fn constructs(model: &Model) -> Vec<Note> {
    const NO_ENGINE: &str = "The ejected backend has no engine for it, so it never runs.";
    const NO_PAGE: &str = "The React application has no such page; the rows that it shows are in the lists of their entities.";
    const NO_SCREENS: &str = "The React application has no guided sequences of screens; their surfaces are pages of their own.";
    let named =
        |kind: &str, name: &str, instead: &str, span: Span| Note { span: Some(span), ..note(format!("{kind} `{name}`"), instead, &[]) };
    let workspaces = model.workspaces.iter().map(|it| named("Workspace", &it.name, NO_PAGE, it.span));
    let experiences = model.experiences.iter().map(|it| named("Experience", &it.name, NO_SCREENS, it.span));
    let processes = model.processes.iter().map(|it| named("Process", &it.name, NO_ENGINE, it.span));
    let schedules = model.schedules.iter().map(|it| named("Schedule", &it.name, NO_ENGINE, it.span));
    let services = model.services.iter().map(|it| named("Service", &it.name, NO_ENGINE, it.span));
    let intents = model.llm_intents.iter().map(|it| named("LLM intent", &it.name, NO_ENGINE, it.span));
    workspaces.chain(experiences).chain(processes).chain(schedules).chain(services).chain(intents).collect()
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
    let instead = format!("Not ejected: {}. Their addresses answer 501.", missing.join(", "));
    (!missing.is_empty()).then(|| Note { what: format!("Entity `{}`", entity.name), instead, span: Some(entity.span), addresses })
}
