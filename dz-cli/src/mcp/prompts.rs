//! The prompts for common work.

use rmcp::{
    ErrorData,
    model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role},
};

/// A prompt: its name, its description, its arguments, and its text with `{argument}`.
struct Template {
    name: &'static str,
    description: &'static str,
    arguments: &'static [(&'static str, &'static str, bool)],
    text: &'static str,
}

const TEMPLATES: &[Template] = &[
    Template {
        name: "add_entity",
        description: "Adds an entity with its access rules and pages",
        arguments: &[("description", "The purpose of the entity", true), ("name", "Its name, such as LineItem", false)],
        text: "Add an entity to this dz project: {description}\nName: {name}\n\n1. Call `graph` with `topology` to see what exists.\n2. Call \
               `propose` with the description and the name; choose the nearest pattern.\n3. Write the entity with `permit` rules for each \
               persona, then its list, view, create and edit surfaces.\n4. Call `validate` with the text and the path of the file; repair \
               until there is no diagnostic.\n5. Call `access` for the entity and compare the answer with what was asked.",
    },
    Template {
        name: "review_access",
        description: "Reviews the access rules",
        arguments: &[("entity", "An entity; without it, all entities", false)],
        text: "Review the access rules of this dz project. Entity: {entity}\n\n1. Call `graph` with `access` (and the entity, if one is \
               named).\n2. For each role list what it may do on which rows.\n3. Name actions that are open to more callers than needed, \
               actions without a row condition, sensitive fields without `sensitive`, and transitions without a role.\n4. Propose each \
               correction as a declaration, and call `validate` on it.",
    },
    Template {
        name: "change_field",
        description: "Renames or removes a field with everything that refers to it",
        arguments: &[("entity", "The entity", true), ("field", "The field", true), ("change", "The change, such as a new name", true)],
        text: "Change the field `{field}` of `{entity}`: {change}\n\n1. Call `graph` with `impact` for the entity and the field.\n2. Edit each \
               place that it returns. For a rename write `was: {field}` on the field, so that the migration keeps the values.\n3. Call \
               `validate` with each changed file and its path.",
    },
];

/// Every prompt.
pub fn all() -> Vec<Prompt> {
    let argument = |(name, description, required): &(&str, &str, bool)| {
        PromptArgument::new(*name).with_description(*description).with_required(*required)
    };
    let prompt = |it: &Template| Prompt::new(it.name, Some(it.description), Some(it.arguments.iter().map(argument).collect()));
    TEMPLATES.iter().map(prompt).collect()
}

/// A prompt with its arguments.
pub fn filled_in(name: &str, given: &JsonObject) -> Result<GetPromptResult, ErrorData> {
    let Some(template) = TEMPLATES.iter().find(|it| it.name == name) else {
        return Err(ErrorData::invalid_params(format!("unknown prompt `{name}`; `prompts/list` lists them"), None));
    };
    let mut text = template.text.to_owned();
    for (argument, _, required) in template.arguments {
        let value = given.get(*argument).and_then(|it| it.as_str()).unwrap_or_default();
        if *required && value.is_empty() {
            return Err(ErrorData::invalid_params(format!("the argument `{argument}` is missing"), None));
        }
        text = text.replace(&format!("{{{argument}}}"), if value.is_empty() { "(your choice)" } else { value });
    }
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).with_description(template.description))
}
