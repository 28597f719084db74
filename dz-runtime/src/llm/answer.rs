//! Answers with fields: their JSON schema, and their check.

use serde_json::{Map, Value as Json, json};

use crate::{
    Caller, Error, Result,
    def::{AppDef, Kind, ValueDef},
    signature,
};

/// The JSON schema of an object with these fields.
pub(super) fn schema(app: &'static AppDef, fields: &'static [ValueDef]) -> Json {
    let properties: Map<String, Json> = fields.iter().map(|it| (it.name().to_owned(), value_schema(app, it))).collect();
    let required: Vec<&str> = fields.iter().filter(|it| it.field.required).map(ValueDef::name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn value_schema(app: &'static AppDef, it: &'static ValueDef) -> Json {
    let text = |format: &str| json!({ "type": "string", "format": format });
    let mut schema = match it.field.kind.resolved(app) {
        Kind::Uuid => text("uuid"),
        Kind::Str(length) => json!({ "type": "string", "maxLength": length }),
        Kind::Text | Kind::Ref(_) | Kind::Timezone | Kind::Currency { .. } => json!({ "type": "string" }),
        Kind::Int => json!({ "type": "integer" }),
        Kind::Float => json!({ "type": "number" }),
        Kind::Decimal { .. } => match it.field.currency {
            Some(currency) => money_schema(currency),
            None => json!({ "type": ["string", "number"] }),
        },
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Date => text("date"),
        Kind::DateTime => text("date-time"),
        Kind::Enum(of) => json!({ "type": "string", "enum": of.values.iter().map(|value| value.name).collect::<Vec<_>>() }),
        Kind::Email => text("email"),
        Kind::Url => text("uri"),
        Kind::Slug => json!({ "type": "string", "pattern": "^[a-z0-9-]+$" }),
        Kind::Json | Kind::File { .. } | Kind::HasMany { .. } | Kind::HasOne { .. } | Kind::ManyToMany { .. } => json!({}),
    };
    if let Some(members) = schema.as_object_mut() {
        members.insert("description".to_owned(), it.field.title.into());
    }
    (0..it.lists).fold(schema, |items, _| json!({ "type": "array", "items": items }))
}

fn money_schema(currency: &str) -> Json {
    json!({
        "type": "object",
        "properties": { "amount": { "type": "string" }, "currency": { "type": "string", "enum": [currency] } },
        "required": ["amount", "currency"],
        "additionalProperties": false,
    })
}

/// Reads the answer, which can be in a code block.
///
/// # Errors
/// 502 `LLM_OUTPUT` with the cause.
pub(super) fn read(app: &'static AppDef, fields: &'static [ValueDef], text: &str, caller: &Caller) -> Result<Json> {
    let wrong = |detail: String| Error::new(502, "LLM_OUTPUT", detail);
    let given: Json =
        serde_json::from_str(strip_code_block(text)).map_err(|_| wrong("The language model did not answer in JSON".to_owned()))?;
    let checked = signature::complete(app, fields, &given, caller).map(Json::Object);
    checked.map_err(|error| {
        let named = Error { detail: "The answer of the language model is wrong".to_owned(), ..error };
        Error { detail: named.summary(), status: 502, code: "LLM_OUTPUT", ..named }
    })
}

/// The content of the first code block, also with sentences around it; without one, the text.
fn strip_code_block(text: &str) -> &str {
    let text = text.trim();
    // A text of a JSON object can contain a code block.
    let fenced = if text.starts_with(['{', '[']) { None } else { text.split_once("```") };
    let Some((content, _)) = fenced.and_then(|(_, rest)| rest.split_once("```")) else { return text };
    // The first line can name the language.
    let content = content.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric());
    content.trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_found_in_a_code_block_and_between_sentences() {
        let object = r#"{"a": 1}"#;
        for text in [
            object.to_owned(),
            format!(" {object}\n"),
            format!("```json\n{object}\n```"),
            format!("```\n{object}```"),
            format!("Here it is:\n```json\n{object}\n```\nAnything else?"),
        ] {
            assert_eq!(strip_code_block(&text), object, "{text}");
        }
        let with_block = r#"{"a": "```sh\nls\n```"}"#;
        assert_eq!(strip_code_block(with_block), with_block);
        assert_eq!(strip_code_block("``` never closed"), "``` never closed");
    }
}
