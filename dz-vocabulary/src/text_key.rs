//! The keys of texts: of the framework's own, and of the titles of a declaration in the files `locales/<language>.ftl`.
//!
//! A key consists of declared names with hyphens between them. Names contain no hyphen, so that every text has a key of its own.

/// The framework's own texts for each language, in the format of Fluent. The English ones are also in the code.
pub const CATALOGUES: &[(&str, &str)] = &[("en", include_str!("../locales/en.ftl")), ("de", include_str!("../locales/de.ftl"))];

/// What the keys of the framework's own texts begin with.
pub const FRAMEWORK_PREFIX: &str = "dz-";

/// The title of the application.
pub const APP: &str = "app-title";

/// A key as files of Fluent can have it. Values of enumerations can be any text, and names can have letters of every alphabet: a blank
/// becomes `_`, and any other character `_` and its code.
fn fluent(names: &str) -> String {
    let mut key = String::with_capacity(names.len());
    for c in names.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => key.push(c),
            ' ' => key.push('_'),
            other => key.push_str(&format!("_{:x}", u32::from(other))),
        }
    }
    key
}

/// The title of a role.
pub fn role(name: &str) -> String {
    fluent(&format!("role-{name}"))
}

/// The title of an entity.
pub fn entity(name: &str) -> String {
    fluent(&format!("entity-{name}"))
}

/// The title of many rows of an entity.
pub fn plural(name: &str) -> String {
    fluent(&format!("entity-{name}-plural"))
}

/// The title of a field.
pub fn field(entity: &str, name: &str) -> String {
    fluent(&format!("field-{entity}-{name}"))
}

/// The title of a value of an enumeration.
pub fn value(of: &str, name: &str) -> String {
    fluent(&format!("value-{of}-{name}"))
}

/// The label of a transition, by the first pair of states that it connects.
pub fn transition(entity: &str, from: &str, to: &str) -> String {
    fluent(&format!("transition-{entity}-{from}-{to}"))
}

/// The message of an invariant, by its position from 1.
pub fn invariant(entity: &str, position: usize) -> String {
    fluent(&format!("invariant-{entity}-{position}"))
}

/// The title of a surface.
pub fn surface(name: &str) -> String {
    fluent(&format!("surface-{name}"))
}

/// The title of a section of a surface.
pub fn section(surface: &str, name: &str) -> String {
    fluent(&format!("surface-{surface}-section-{name}"))
}

/// The label of a field, by the key of what shows it and the names of its path.
pub fn label(owner: &str, path: &[&str]) -> String {
    fluent(&format!("{owner}-label-{}", path.join("-")))
}

/// The help of a field, by the key of what shows it and the names of its path.
pub fn help(owner: &str, path: &[&str]) -> String {
    fluent(&format!("{owner}-help-{}", path.join("-")))
}

/// The title of a group of related lists.
pub fn related(surface: &str, name: &str) -> String {
    fluent(&format!("surface-{surface}-related-{name}"))
}

/// The text of a button of a surface.
pub fn action(surface: &str, name: &str) -> String {
    fluent(&format!("surface-{surface}-action-{name}"))
}

/// The message of a signal on rows, by its position from 1.
pub fn attention(surface: &str, position: usize) -> String {
    fluent(&format!("surface-{surface}-attention-{position}"))
}

/// The part of a surface or a workspace for a persona: `owner` is the key of the surface or the workspace.
pub fn variant(owner: &str, persona: &str) -> String {
    fluent(&format!("{owner}-for-{persona}"))
}

/// The title of a metric of a variant, by its position from 1.
pub fn metric(variant: &str, position: usize) -> String {
    fluent(&format!("{variant}-metric-{position}"))
}

/// The title of a workspace.
pub fn workspace(name: &str) -> String {
    fluent(&format!("workspace-{name}"))
}

/// The title of a region, by its id `<workspace>-<region>`.
pub fn region(id: &str) -> String {
    fluent(&format!("region-{id}"))
}

/// The title of a figure of a region.
pub fn figure(region: &str, name: &str) -> String {
    fluent(&format!("region-{region}-figure-{name}"))
}

/// The title of an experience.
pub fn experience(name: &str) -> String {
    fluent(&format!("experience-{name}"))
}

/// The title of a step of an experience.
pub fn step(experience: &str, name: &str) -> String {
    fluent(&format!("experience-{experience}-step-{name}"))
}

/// The title of a process, or of a schedule with steps of its own.
pub fn process(name: &str) -> String {
    fluent(&format!("process-{name}"))
}

/// The title of a step of a process.
pub fn process_step(process: &str, name: &str) -> String {
    fluent(&format!("process-{process}-step-{name}"))
}

/// The title of an outcome of a human task.
pub fn outcome(process: &str, step: &str, name: &str) -> String {
    fluent(&format!("process-{process}-step-{step}-outcome-{name}"))
}

/// The label of an input of a process.
pub fn process_input(process: &str, name: &str) -> String {
    fluent(&format!("process-{process}-input-{name}"))
}

/// A further text of a construct, such as `purpose`, `empty`, `note` or `message`.
pub fn part(key: &str, name: &str) -> String {
    fluent(&format!("{key}-{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_gives_a_key_of_fluent() {
        for (key, expected) in [
            (value("LiftKind", "chairlift"), "value-LiftKind-chairlift"),
            (value("LiftKind", "surface lift"), "value-LiftKind-surface_lift"),
            (value("LiftKind", "100 % (new)"), "value-LiftKind-100__25__28new_29"),
            (entity("Straße"), "entity-Stra_dfe"),
            (part(&field("Straße", "länge"), "help"), "field-Stra_dfe-l_e4nge-help"),
            (label("surface-a", &["b", "c"]), "surface-a-label-b-c"),
        ] {
            assert_eq!(key, expected);
        }
    }
}
