//! `POST /api/{table}/{id}/actions/{action}`: custom actions, which `permit:` names.

use serde_json::Value as Json;

use crate::{
    Error, Result, Tx, access,
    def::EntityDef,
    rows::{parse_key, run_action},
    signature,
    web::{
        Call, Reply,
        api::{check_parameters, etag, json_reply, readable, write_reply},
        request::body,
    },
};

/// Checks the role, loads the row under its rule, runs the handler and writes the response, all in one transaction.
pub(crate) fn act(tx: &mut Tx<'_>, call: &Call, entity: &'static EntityDef, id: &str, action: &str) -> Result<Reply> {
    let action = access::ask_custom(&tx.caller, entity, action)?;
    let key = parse_key(tx, entity, id)?;
    check_parameters(call, &[])?;
    let sent = read_body(tx, call, entity, action)?;
    let answer = run_action(tx, entity, &key, action, sent, etag::read_version(call))?;
    Ok(match answer.is_null() {
        true => write_reply(200, entity, &key, readable(tx, entity, &key)?),
        false => json_reply(200, answer.to_string().into_bytes()),
    })
}

/// The body: a JSON object, the fields of a form, or nothing.
fn read_body(tx: &Tx<'_>, call: &Call, entity: &'static EntityDef, action: &str) -> Result<Json> {
    if call.json.is_some() || call.csv.is_some() {
        let members = body::parse_object(call)?;
        let read =
            |raw: &serde_json::value::RawValue| serde_json::from_str(raw.get()).map_err(|_| Error::bad_request("a number is out of range"));
        let members = members.into_iter().map(|(name, raw)| Ok((name, read(raw)?)));
        return members.collect::<Result<serde_json::Map<_, _>>>().map(Json::Object);
    }
    let inputs = tx.hooks.find_inputs(entity.ix, action);
    if !inputs.is_empty() {
        let text_of = |wanted: &str| call.form.iter().find(|(name, _)| name == wanted).map(|(_, text)| text.as_str());
        return signature::from_texts(tx.app, inputs, text_of);
    }
    let fields = call.form.iter().filter(|(name, _)| name != "csrf");
    Ok(Json::Object(fields.map(|(name, value)| (name.clone(), Json::String(value.clone()))).collect()))
}
