//! Personas, which are the roles, and their start pages.

use std::collections::HashMap;

use super::{Lowering, collect};
use crate::{
    Diagnostic, Span,
    cursor::Name,
    diagnostic::{near_word, nearest},
    model::{Persona, Placed, Proficiency, RoleId, WorkspaceId},
    names,
    syntax::{File, Item},
};

pub(super) fn lower(it: &mut Lowering<'_>, files: &[File]) {
    let mut seen = HashMap::new();
    for item in files.iter().flat_map(|file| &file.items) {
        let Item::Persona(persona) = item else { continue };
        if !collect::first(it, &mut seen, "persona", &persona.name) {
            continue;
        }
        it.roles_declared = true;
        let id = add_role(it, &persona.name.text, collect::title(&persona.title, &persona.name), Some(persona.name.span));
        let role = &mut it.personas[id.0];
        role.declared = true;
        role.description = persona.description.as_ref().map(|it| it.text.clone());
        role.goals = persona.goals.iter().map(|it| it.text.clone()).collect();
        role.proficiency = persona.proficiency.as_ref().and_then(|it| proficiency(&it.text));
    }
    for name in SUPPLIED {
        if !it.roles.contains_key(*name) {
            add_role(it, name, names::humanise(name), None);
        }
    }
}

/// The roles that every application has.
pub(super) const SUPPLIED: &[&str] = &["admin", "tenant_admin"];

/// True for a role that every application has.
pub(super) fn is_supplied(name: &str) -> bool {
    SUPPLIED.contains(&name)
}

fn proficiency(word: &str) -> Option<Proficiency> {
    match word {
        "novice" => Some(Proficiency::Novice),
        "intermediate" => Some(Proficiency::Intermediate),
        "expert" => Some(Proficiency::Expert),
        _ => None,
    }
}

/// Adds a role without a persona.
fn add_role(it: &mut Lowering<'_>, name: &str, title: String, span: Option<Span>) -> RoleId {
    let id = RoleId(it.personas.len());
    it.personas.push(Persona {
        name: name.to_owned(),
        title,
        description: None,
        goals: Vec::new(),
        proficiency: None,
        default_workspace: None,
        default_route: None,
        declared: false,
        span,
    });
    it.roles.insert(name.to_owned(), id);
    id
}

impl Lowering<'_> {
    /// Resolves a role, or reports it under `rule`. Where no persona is declared, a role is declared by its use.
    pub fn role_or(&mut self, rule: &'static str, name: &Name) -> Option<RoleId> {
        if let Some(id) = self.roles.get(&name.text).copied() {
            if !self.roles_declared {
                self.by_use.note(id, name);
            }
            if let Some(declared) = self.personas[id.0].span {
                self.mentioned(name, declared);
            }
            return Some(id);
        }
        if !self.roles_declared {
            let id = add_role(self, &name.text, names::humanise(&name.text), None);
            self.by_use.note(id, name);
            return Some(id);
        }
        let found = self.unknown_role(rule, name);
        self.out.push(found);
        None
    }

    /// The report of a name without a persona.
    fn unknown_role(&self, rule: &'static str, name: &Name) -> Diagnostic {
        let known = || self.personas.iter().map(|it| it.name.as_str());
        let found = Diagnostic::error(rule, name.span, format!("there is no persona `{}`", name.text));
        let long = name.text.to_lowercase();
        // `Administrator` is a longer word for `admin`, and no misspelling of it.
        let short = known().find(|known| known.len() >= SHORTEST && long.starts_with(*known));
        match short.filter(|_| near_word(&name.text, known()).is_none()) {
            Some(short) => found.help(format!("did you mean `{short}`? Or declare `persona {}`", name.text)).replace(name.span, short),
            None => found.suggest(name.span, &name.text, known()).or_else_help(&format!("declare `persona {}`", name.text)),
        }
    }

    /// Resolves the role of a story's actor. A name that several stories use is reported once, with all its `places`.
    pub fn actor(&mut self, name: &Name, places: &[Span]) -> Option<RoleId> {
        if self.roles.contains_key(&name.text) || !self.roles_declared {
            return self.persona(name);
        }
        if places.first() == Some(&name.span) {
            let mut found = self.unknown_role("unknown-persona", name);
            if places.len() > 1 {
                // An edit of one place would not correct the others.
                found.suggestion = None;
            }
            let others = places.iter().skip(1);
            self.out.push(others.fold(found, |found, place| found.label(*place, "and here")));
        }
        None
    }
}

/// A shorter name is the beginning of too many words.
const SHORTEST: usize = 4;

/// Resolves the start pages of personas, after all pages are known.
pub(super) fn beginnings(it: &mut Lowering<'_>, files: &[File]) {
    for item in files.iter().flat_map(|file| &file.items) {
        let Item::Persona(persona) = item else { continue };
        let Some(id) = it.roles.get(&persona.name.text).copied().filter(|id| it.personas[id.0].span == Some(persona.name.span)) else {
            continue;
        };
        it.personas[id.0].default_workspace = persona.default_workspace.as_ref().and_then(|name| workspace(it, name));
        it.personas[id.0].default_route = persona.default_route.as_ref().and_then(|name| route(it, name));
    }
}

fn workspace(it: &mut Lowering<'_>, name: &Name) -> Option<Placed<WorkspaceId>> {
    if let Some(id) = it.workspace_names.get(&name.text).copied() {
        if let Some(declared) = it.workspaces.get(id.0).map(|workspace| workspace.span) {
            it.refer(name, declared);
        }
        return Some(Placed { it: id, span: name.span });
    }
    let mut known: Vec<String> = it.workspace_names.keys().cloned().collect();
    known.sort_unstable();
    let (message, otherwise) = (format!("unknown workspace `{}`", name.text), format!("declare `workspace {}:`", name.text));
    it.unknown_among("unknown-workspace", message, name.span, &name.text, &known, &otherwise);
    None
}

/// Resolves the address of a page; one below `/app/` should be declared.
pub(super) fn route(it: &mut Lowering<'_>, name: &Name) -> Option<Placed<String>> {
    if !name.text.starts_with('/') || name.text.starts_with("//") {
        let found = Diagnostic::error("bad-route", name.span, format!("`{}` is not an address inside the application", name.text))
            .help("addresses begin with one `/`, such as \"/app/tasks\"");
        let path = !name.text.is_empty() && !name.text.contains(':') && !name.text.starts_with('/');
        it.out.push(if path { found.replace(name.span, format!("\"/{}\"", name.text)) } else { found });
        return None;
    }
    if let Some(rest) = name.text.strip_prefix("/app/") {
        let page = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
        let framework = page.is_empty() || page == "-";
        if !framework && !it.surface_names.contains_key(page) && !it.workspace_names.contains_key(page) {
            let mut all: Vec<&str> = it.surface_names.keys().chain(it.workspace_names.keys()).map(String::as_str).collect();
            all.sort_unstable();
            let found = Diagnostic::warning("unknown-route", name.span, format!("there is no surface or workspace `{page}`"));
            let found = match nearest(page, all) {
                Some(near) => {
                    found.help(format!("did you mean `/app/{near}`?")).replace(name.span, format!("\"/app/{near}{}\"", &rest[page.len()..]))
                }
                None => found.help("addresses of pages are `/app/` and the name of a surface or workspace"),
            };
            it.out.push(found);
        }
    }
    Some(Placed { it: name.text.clone(), span: name.span })
}
