//! The tool of the Model Context Protocol as JSON Schema.

use serde_json::{Map, Value, json};

use crate::{Form, Kind, OPERATIONS, RELATIONS};

/// The schema of a call: the operation, and the parameters of all operations.
pub fn input_schema() -> Map<String, Value> {
    let names: Vec<&str> = OPERATIONS.iter().map(|it| it.name).collect();
    let mut properties = Map::new();
    properties.insert("operation".to_owned(), json!({ "type": "string", "enum": names }));
    for parameter in OPERATIONS.iter().flat_map(|it| it.parameters) {
        properties.entry(parameter.name).or_insert_with(|| form(parameter.form));
    }
    let schema = json!({ "type": "object", "properties": properties, "required": ["operation"], "additionalProperties": false });
    schema.as_object().cloned().unwrap_or_default()
}

fn form(form: Form) -> Value {
    match form {
        Form::Text | Form::Declaration => json!({ "type": "string" }),
        Form::Word(words) => json!({ "type": "string", "enum": words }),
        Form::NodeTypes => {
            let words: Vec<&str> = Kind::ALL.iter().map(|it| it.word()).collect();
            json!({ "type": "array", "items": { "type": "string" }, "description": words.join(", ") })
        }
        Form::RelationTypes => {
            let words: Vec<&str> = RELATIONS.iter().map(|(word, _)| *word).collect();
            json!({ "type": "array", "items": { "type": "string" }, "description": words.join(", ") })
        }
        Form::Whole(least, _) => json!({ "type": "integer", "minimum": least }),
        Form::Flag => json!({ "type": "boolean" }),
        Form::Object => json!({ "type": "object" }),
    }
}

/// The schema of every result and of every error.
pub fn output_schema() -> Map<String, Value> {
    let schema = json!({ "type": "object", "properties": { "error": { "type": "string" } } });
    schema.as_object().cloned().unwrap_or_default()
}
