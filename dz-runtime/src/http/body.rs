//! Bodies: forms and JSON, and nothing else.

use rocket::{Request, http::ContentType};

use super::Call;
use crate::{
    Error, Result,
    def::{AppDef, EntityDef},
    entity::Given,
    field,
    http::params::nearest,
};

/// Puts a body into the call, by its content type.
pub(super) fn read(request: &Request<'_>, bytes: Vec<u8>, call: &mut Call) -> Result<()> {
    match request.content_type() {
        _ if bytes.is_empty() => Ok(()),
        Some(kind) if *kind == ContentType::Form => {
            let text = String::from_utf8(bytes).map_err(|_| Error::bad_request("the form is not UTF-8"))?;
            call.form = pairs(&text);
            Ok(())
        }
        Some(kind) if kind.top() == "application" && (kind.sub() == "json" || kind.sub().as_str().ends_with("+json")) => {
            call.json = Some(bytes);
            Ok(())
        }
        _ => Err(Error::new(415, "UNSUPPORTED_MEDIA_TYPE", "Send JSON (application/json) or a form (application/x-www-form-urlencoded)")),
    }
}

/// Decoded pairs of a query or form.
pub(super) fn pairs(text: &str) -> Vec<(String, String)> {
    url::form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}

/// The JSON object of a request.
pub(super) fn object(call: &Call) -> Result<serde_json::Map<String, serde_json::Value>> {
    let Some(bytes) = &call.json else {
        return Err(Error::bad_request("send a JSON object with the header `Content-Type: application/json`"));
    };
    match serde_json::from_slice(bytes) {
        Ok(serde_json::Value::Object(object)) => Ok(object),
        Ok(_) => Err(Error::bad_request("the body must be a JSON object")),
        Err(error) => Err(Error::bad_request(format!("the body is not valid JSON: line {}, column {}", error.line(), error.column()))),
    }
}

/// The fields that a JSON object gives; everything wrong is told at once.
pub(super) fn given(app: &'static AppDef, entity: &'static EntityDef, call: &Call) -> Result<Given> {
    let mut given = Given::default();
    let mut problem: Option<Error> = None;
    for (name, json) in object(call)? {
        let result = match entity.find(&name).filter(|(_, field)| field.kind.is_stored() && !field.secret) {
            Some((ix, field)) => field::from_json(app, field, &json).map(|value| given.set(ix, value)),
            None => Err(unknown(entity, &name)),
        };
        if let Err(wrong) = result {
            let error = problem.take().unwrap_or_else(|| Error::new(422, "VALIDATION", "Some fields need a change"));
            problem = Some(error.at(&name, wrong));
        }
    }
    problem.map_or(Ok(given), Err)
}

fn unknown(entity: &'static EntityDef, name: &str) -> String {
    let known = entity.fields.iter().filter(|field| field.kind.is_stored() && !field.secret).map(|field| field.name).collect();
    match nearest(name, known) {
        Some(near) => format!("is no field; did you mean `{near}`?"),
        None => "is no field".to_owned(),
    }
}
