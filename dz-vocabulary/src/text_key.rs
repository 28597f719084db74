//! The keys of texts: of the framework's own, and of the titles of a declaration in the files `locales/<language>.ftl`.
//!
//! A key consists of declared names with hyphens between them. Names contain no hyphen, so that every text has a key of its own.

/// The framework's own texts for each language, in the format of Fluent. The English ones are also in the code.
pub const CATALOGUES: &[(&str, &str)] = &[("en", include_str!("../locales/en.ftl")), ("de", include_str!("../locales/de.ftl"))];

/// What the keys of the framework's own texts begin with.
pub const FRAMEWORK_PREFIX: &str = "dz-";

/// The title of the application.
pub const APP: &str = "app-title";

/// The title of a role.
pub fn role(name: &str) -> String {
    format!("role-{name}")
}

/// The title of an entity.
pub fn entity(name: &str) -> String {
    format!("entity-{name}")
}

/// The title of many rows of an entity.
pub fn plural(name: &str) -> String {
    format!("entity-{name}-plural")
}

/// The title of a field.
pub fn field(entity: &str, name: &str) -> String {
    format!("field-{entity}-{name}")
}

/// The title of a value of an enumeration.
pub fn value(of: &str, name: &str) -> String {
    format!("value-{of}-{name}")
}

/// The label of a transition, by the first pair of states that it connects.
pub fn transition(entity: &str, from: &str, to: &str) -> String {
    format!("transition-{entity}-{from}-{to}")
}

/// The message of an invariant, by its position from 1.
pub fn invariant(entity: &str, position: usize) -> String {
    format!("invariant-{entity}-{position}")
}

/// The title of a surface.
pub fn surface(name: &str) -> String {
    format!("surface-{name}")
}

/// The title of a section of a surface.
pub fn section(surface: &str, name: &str) -> String {
    format!("surface-{surface}-section-{name}")
}

/// The label of a field, by the key of what shows it and the names of its path.
pub fn label(owner: &str, path: &[&str]) -> String {
    format!("{owner}-label-{}", path.join("-"))
}

/// The help of a field, by the key of what shows it and the names of its path.
pub fn help(owner: &str, path: &[&str]) -> String {
    format!("{owner}-help-{}", path.join("-"))
}

/// The title of a group of related lists.
pub fn related(surface: &str, name: &str) -> String {
    format!("surface-{surface}-related-{name}")
}

/// The text of a button of a surface.
pub fn action(surface: &str, name: &str) -> String {
    format!("surface-{surface}-action-{name}")
}

/// The message of a signal on rows, by its position from 1.
pub fn attention(surface: &str, position: usize) -> String {
    format!("surface-{surface}-attention-{position}")
}

/// The part of a surface or a workspace for a persona: `owner` is the key of the surface or the workspace.
pub fn variant(owner: &str, persona: &str) -> String {
    format!("{owner}-for-{persona}")
}

/// The title of a metric of a variant, by its position from 1.
pub fn metric(variant: &str, position: usize) -> String {
    format!("{variant}-metric-{position}")
}

/// The title of a workspace.
pub fn workspace(name: &str) -> String {
    format!("workspace-{name}")
}

/// The title of a region, by its id `<workspace>-<region>`.
pub fn region(id: &str) -> String {
    format!("region-{id}")
}

/// The title of a figure of a region.
pub fn figure(region: &str, name: &str) -> String {
    format!("region-{region}-figure-{name}")
}

/// The title of an experience.
pub fn experience(name: &str) -> String {
    format!("experience-{name}")
}

/// The title of a step of an experience.
pub fn step(experience: &str, name: &str) -> String {
    format!("experience-{experience}-step-{name}")
}

/// The title of a process, or of a schedule with steps of its own.
pub fn process(name: &str) -> String {
    format!("process-{name}")
}

/// The title of a step of a process.
pub fn process_step(process: &str, name: &str) -> String {
    format!("process-{process}-step-{name}")
}

/// The title of an outcome of a human task.
pub fn outcome(process: &str, step: &str, name: &str) -> String {
    format!("process-{process}-step-{step}-outcome-{name}")
}

/// The label of an input of a process.
pub fn process_input(process: &str, name: &str) -> String {
    format!("process-{process}-input-{name}")
}

/// A further text of a construct, such as `purpose`, `empty`, `note` or `message`.
pub fn part(key: &str, name: &str) -> String {
    format!("{key}-{name}")
}
