//! Bodies of forms, JSON and CSV.

use std::collections::BTreeMap;

use rocket::{Request, http::ContentType};
use serde_json::value::RawValue;

use crate::{
    Error, Result, Value,
    def::{AppDef, EntityDef, FieldDef},
    field,
    rows::Input,
    suggest::{MAX_MEMBERS, nearest},
    web::{Call, request::duplicates, routes::Run},
};

/// Parses a body by its content type into the call.
pub(crate) async fn read(request: &Request<'_>, bytes: Vec<u8>, call: &mut Call) -> Result<()> {
    match request.content_type() {
        _ if bytes.is_empty() => Ok(()),
        Some(kind) if *kind == ContentType::Form => {
            let text = String::from_utf8(bytes).map_err(|_| Error::bad_request("the form is not UTF-8"))?;
            call.form = decode_pairs(&text);
            duplicates::check_form(&call.found, &call.form)
        }
        Some(kind) if kind.top() == "application" && (kind.sub() == "json" || kind.sub().as_str().ends_with("+json")) => {
            call.json = Some(bytes);
            Ok(())
        }
        // Reports of browsers about blocked content.
        Some(kind) if kind.sub() == "csp-report" && takes_reports(call) => {
            call.json = Some(bytes);
            Ok(())
        }
        Some(kind) if *kind == ContentType::CSV => {
            call.csv = Some(bytes);
            Ok(())
        }
        // A form with a file; the API does not accept it.
        Some(kind) if *kind == ContentType::FormData && is_page(call) => read_parts(kind, bytes, call).await,
        // The reason of the refusal is the address or the method.
        _ if call.found.route().is_none() => Ok(()),
        _ => Err(unsupported("Send JSON (application/json) or a form (application/x-www-form-urlencoded)")),
    }
}

/// True for the route of browser reports.
fn takes_reports(call: &Call) -> bool {
    call.found.route().is_some_and(|route| matches!(route.run, Run::Embedded(_)))
}

/// True for a route of pages.
fn is_page(call: &Call) -> bool {
    call.found.route().is_some_and(|route| matches!(route.run, Run::Page(_) | Run::Surface(_)))
}

/// Reads the fields and the file of a multipart form.
async fn read_parts(kind: &ContentType, bytes: Vec<u8>, call: &mut Call) -> Result<()> {
    let wrong = |error: multer::Error| Error::bad_request(format!("the form cannot be read: {error}"));
    let boundary = kind.param("boundary").ok_or_else(|| Error::bad_request("the form has no boundary"))?;
    let whole = rocket::futures::stream::iter([Ok::<_, std::convert::Infallible>(bytes)]);
    let mut parts = multer::Multipart::new(whole, boundary);
    while let Some(part) = parts.next_field().await.map_err(wrong)? {
        let name = part.name().unwrap_or_default().to_owned();
        let is_file = part.file_name().is_some();
        let bytes = part.bytes().await.map_err(wrong)?.to_vec();
        match is_file {
            true => call.csv = Some(bytes),
            false => {
                let text = String::from_utf8(bytes).map_err(|_| Error::bad_request("the form is not UTF-8"))?;
                call.form.push((name, text));
            }
        }
    }
    duplicates::check_form(&call.found, &call.form)
}

pub(crate) fn unsupported(detail: &str) -> Error {
    Error::new(415, "UNSUPPORTED_MEDIA_TYPE", detail)
}

/// Decoded pairs of a query or form.
pub(crate) fn decode_pairs(text: &str) -> Vec<(String, String)> {
    url::form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}

/// The members of a JSON object as raw text, so that numbers keep all digits.
///
/// # Errors
/// 400 if the body is not a JSON object, or an object in it repeats a member; 415 for another type of body.
pub(crate) fn parse_object(call: &Call) -> Result<BTreeMap<String, &RawValue>> {
    let Some(bytes) = &call.json else {
        let detail = "Send a JSON object with the header `Content-Type: application/json`";
        let other = !call.form.is_empty() || call.csv.is_some();
        return Err(if other { unsupported(detail) } else { Error::bad_request(detail) });
    };
    let wrong = |error: serde_json::Error| match error.classify() {
        serde_json::error::Category::Data => Error::bad_request("the body must be a JSON object"),
        _ => Error::bad_request(format!("the body is not valid JSON: line {}, column {}", error.line(), error.column())),
    };
    let members: BTreeMap<String, &RawValue> = serde_json::from_slice(bytes).map_err(wrong)?;
    check_count(members.len())?;
    match std::str::from_utf8(bytes).ok().and_then(field::find_duplicate_member) {
        None => Ok(members),
        Some(name) => Err(Error::bad_request(format!("the body contains the member `{}` twice; send it once", name.escape_default()))),
    }
}

/// As [`parse_object`], for a request that needs no body; `None` without one.
///
/// # Errors
/// As [`parse_object`].
pub(crate) fn parse_optional_object(call: &Call) -> Result<Option<BTreeMap<String, &RawValue>>> {
    let is_empty = call.json.is_none() && call.csv.is_none() && call.form.iter().all(|(name, _)| name == "csrf");
    if is_empty { Ok(None) } else { parse_object(call).map(Some) }
}

/// Refuses an object with too many members.
///
/// # Errors
/// 400 with the limit.
pub(crate) fn check_count(members: usize) -> Result<()> {
    match members > MAX_MEMBERS {
        true => Err(Error::bad_request(format!("the body has an object with {members} members; send at most {MAX_MEMBERS}"))),
        false => Ok(()),
    }
}

/// Refuses members that a request does not have.
///
/// # Errors
/// 422 that names each unknown member, with the nearest known one.
pub(crate) fn check_members(members: &BTreeMap<String, &RawValue>, known: &[&str]) -> Result<()> {
    let unknown = members.keys().filter(|name| !known.contains(&name.as_str()));
    let refuse = |error: Option<Error>, name: &String| {
        let error =
            error.unwrap_or_else(|| Error::new(422, "VALIDATION", say!("dz-some-fields-need-a-change", "Some fields need a change")));
        Some(error.at(name, not_a_field(name, known.to_vec())))
    };
    unknown.fold(None, refuse).map_or(Ok(()), Err)
}

fn not_a_field(name: &str, known: Vec<&str>) -> String {
    match nearest(name, known) {
        Some(near) => format!("is not a field; did you mean `{near}`?"),
        None => "is not a field".to_owned(),
    }
}

/// A text member; `None` if it is missing or of another type.
pub(crate) fn read_text(members: &BTreeMap<String, &RawValue>, name: &str) -> Option<String> {
    members.get(name).and_then(|raw| serde_json::from_str(raw.get()).ok())
}

/// Parses the fields of a JSON object, and collects errors.
pub(crate) fn parse_fields(app: &'static AppDef, entity: &'static EntityDef, members: BTreeMap<String, &RawValue>) -> Input {
    let mut sent = Input::default();
    let given = &mut sent.field_values;
    let mut unread: Vec<(String, String)> = Vec::new();
    for (name, raw) in members {
        let result = match entity.find(&name).filter(|(_, field)| is_writable(field)) {
            Some((ix, field)) => match field.currency_in {
                Some(beside) => parse_amount(raw).map(|(amount, currency)| {
                    given.set(ix, amount);
                    given.set(beside, currency);
                }),
                None => parse_value(app, field, raw).map(|value| given.set(ix, value)),
            },
            None => Err(unknown_field(entity, &name)),
        };
        if let Err(wrong) = result {
            unread.push((name, wrong));
        }
    }
    unread.into_iter().for_each(|(name, wrong)| sent.add_error(&name, wrong));
    sent
}

/// Parses a value; the error names the expected form.
fn parse_value(app: &'static AppDef, field: &'static FieldDef, raw: &RawValue) -> Result<Value, String> {
    let text = raw.get();
    let is_number = text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    let kind = field::stored_kind(app, field);
    if is_number && kind.is_int() {
        return field::int(text);
    }
    // A float would round it.
    if is_number && kind.digits().is_some() && field.currency.is_none() {
        return field::decimal(text);
    }
    // The text is well-formed, so the error is a number beyond all floats, or too much nesting.
    match serde_json::from_str(text) {
        Ok(json) => field::from_json(app, field, &json),
        Err(error) => Err(unreadable(&error)),
    }
}

/// Why well-formed JSON has no value: `serde_json` limits its depth (`recursion_limit`) and its numbers.
fn unreadable(error: &serde_json::Error) -> String {
    match error.to_string().starts_with("recursion limit") {
        true => "is nested too deeply: JSON can have 127 levels".to_owned(),
        false => "is out of range".to_owned(),
    }
}

/// An amount with its currency.
fn parse_amount(raw: &RawValue) -> Result<(Value, Value), String> {
    let json = serde_json::from_str(raw.get()).map_err(|error| unreadable(&error))?;
    field::currency::read(&json)
}

fn is_writable(field: &FieldDef) -> bool {
    field.has_value() && !field.secret && !field.is_currency_of_amount()
}

fn unknown_field(entity: &'static EntityDef, name: &str) -> String {
    if let Some(amount) = entity.find(name).and_then(|(_, field)| field.kind.amount()) {
        return format!("belongs to an amount: set both in `{}`", entity.field(amount).name);
    }
    not_a_field(name, entity.fields.iter().filter(|field| is_writable(field)).map(|field| field.name).collect())
}
