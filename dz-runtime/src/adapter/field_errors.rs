//! The errors of fields in the body of a response, in the forms that services commonly use.

use std::collections::BTreeMap;

use serde_json::Value as Json;

/// The errors of each field; empty if the body has none of the known forms.
pub(super) fn read(body: &[u8]) -> BTreeMap<String, Vec<String>> {
    let body: Json = serde_json::from_slice(body).unwrap_or_default();
    let forms =
        [from_object(&body["field_errors"]), from_object(&body["errors"]), from_list(&body["errors"]), from_detail(&body["detail"])];
    forms.into_iter().find(|errors| !errors.is_empty()).unwrap_or_default()
}

/// `{"name": ["is required"], "size": "is too large"}`
fn from_object(errors: &Json) -> BTreeMap<String, Vec<String>> {
    let all = errors.as_object().into_iter().flatten();
    let texts = all.map(|(field, errors)| match errors {
        Json::String(text) => (field.clone(), vec![text.clone()]),
        other => (field.clone(), other.as_array().into_iter().flatten().filter_map(text).collect()),
    });
    texts.filter(|(_, texts)| !texts.is_empty()).collect()
}

/// `[{"field": "name", "message": "is required"}]`
fn from_list(errors: &Json) -> BTreeMap<String, Vec<String>> {
    collect(errors, |error| Some((text(&error["field"])?, text(&error["message"])?)))
}

/// `[{"loc": ["body", "name"], "msg": "field required"}]`
fn from_detail(detail: &Json) -> BTreeMap<String, Vec<String>> {
    collect(detail, |error| {
        let last = error["loc"].as_array()?.last()?;
        let field = text(last).or_else(|| last.as_u64().map(|at| at.to_string()))?;
        Some((field, text(&error["msg"])?))
    })
}

fn collect(errors: &Json, read: impl Fn(&Json) -> Option<(String, String)>) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (field, message) in errors.as_array().into_iter().flatten().filter_map(read) {
        all.entry(field).or_default().push(message);
    }
    all
}

fn text(value: &Json) -> Option<String> {
    value.as_str().map(str::to_owned)
}
