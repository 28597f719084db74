//! Requests: the parameters of `GET` and `POST`, and their variables.

use juniper::{Definition, GraphQLError, Spanning, Variables, parser::parse_document_source};
use serde::Deserialize;
use serde_json::{Map, Value as Json};

use super::{
    limits::MAX_VALUES,
    node::Root,
    scalar::{Input, Scalar, from_json},
};
use crate::{Error, Result};

/// A request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Request {
    /// The document; empty if the request has only its identifier.
    pub query: String,
    /// The identifier of a permitted document.
    pub document: Option<String>,
    /// The operation of a document with several operations.
    pub operation: Option<String>,
    /// The variables by name.
    pub variables: Map<String, Json>,
}

/// The JSON of a request.
#[derive(Deserialize)]
struct Body {
    query: Option<Json>,
    #[serde(default, rename = "documentId")]
    document: Option<Json>,
    #[serde(default, rename = "operationName")]
    operation: Option<Json>,
    #[serde(default)]
    variables: Option<Json>,
    #[serde(default)]
    extensions: Option<Json>,
}

/// Reads the body of a `POST`.
///
/// # Errors
/// 400 for a body that is not a request, also for a list of requests.
pub(crate) fn read_post(body: &[u8]) -> Result<Request> {
    let json: Json = serde_json::from_slice(body).map_err(|_| Error::bad_request("the body is not valid JSON"))?;
    if json.is_array() {
        return Err(Error::bad_request("send one operation for each request; lists of operations are not accepted"));
    }
    if !json.is_object() {
        return Err(Error::bad_request("the body must be a JSON object with `query`"));
    }
    let body: Body = serde_json::from_value(json).map_err(|_| Error::bad_request("the body must be a JSON object with `query`"))?;
    if !matches!(body.extensions, None | Some(Json::Null | Json::Object(_))) {
        return Err(Error::bad_request("`extensions` must be an object"));
    }
    let hash = body.extensions.as_ref().map(|extensions| extensions["persistedQuery"]["sha256Hash"].clone());
    build(body.query, body.document.or(hash), body.operation, body.variables)
}

/// Reads the parameters of a `GET`.
///
/// # Errors
/// 400 for parameters that are not a request.
pub(crate) fn read_query(pairs: &[(String, String)]) -> Result<Request> {
    let find = |name: &str| pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let object = |name: &str| match find(name).filter(|text| !text.is_empty()) {
        Some(text) => {
            serde_json::from_str::<Json>(text).map(Some).map_err(|_| Error::bad_request(format!("`{name}` must be a JSON object")))
        }
        None => Ok(None),
    };
    if !matches!(object("extensions")?, None | Some(Json::Null | Json::Object(_))) {
        return Err(Error::bad_request("`extensions` must be an object"));
    }
    build(
        find("query").map(Json::from),
        find("documentId").map(Json::from),
        find("operationName").filter(|name| !name.is_empty()).map(Json::from),
        object("variables")?,
    )
}

fn build(query: Option<Json>, document: Option<Json>, operation: Option<Json>, variables: Option<Json>) -> Result<Request> {
    let document = match document {
        None | Some(Json::Null) => None,
        Some(Json::String(id)) => Some(id),
        Some(_) => return Err(Error::bad_request("the identifier of a document must be text")),
    };
    let query = match query {
        None | Some(Json::Null) if document.is_some() => String::new(),
        Some(Json::String(query)) if !query.trim().is_empty() => query,
        _ => return Err(Error::bad_request("`query` must be a GraphQL document as text")),
    };
    let operation = match operation {
        None | Some(Json::Null) => None,
        Some(Json::String(name)) => Some(name),
        Some(_) => return Err(Error::bad_request("`operationName` must be text")),
    };
    let variables = match variables {
        None | Some(Json::Null) => Map::new(),
        Some(Json::Object(variables)) => variables,
        Some(_) => return Err(Error::bad_request("`variables` must be an object")),
    };
    Ok(Request { query, document, operation, variables })
}

/// The variables of a request in the form of their types.
///
/// # Errors
/// 400 for a document that cannot be parsed, and for variables with too many values.
pub(super) fn variables(root: &Root, request: &Request) -> Result<Variables<Scalar>> {
    if request.variables.is_empty() {
        return Ok(Variables::new());
    }
    // The types of variables are part of the document, which is valid.
    let syntax = |error: Spanning<_>| Error::new(400, "GRAPHQL_SYNTAX", GraphQLError::from(error).to_string());
    let document = parse_document_source(&request.query, &root.schema).map_err(syntax)?;
    let mut count = 0;
    let mut all = Variables::new();
    for definition in &document {
        let Definition::Operation(operation) = definition else { continue };
        let chosen = request.operation.as_deref().is_none_or(|name| operation.item.name.as_ref().is_some_and(|it| it.item == name));
        let Some(declared) = operation.item.variables_definition.as_ref().filter(|_| chosen) else { continue };
        for (name, variable) in &declared.item.items {
            if let Some(json) = request.variables.get(name.item) {
                all.insert(name.item.to_owned(), convert(root, variable.var_type.item.innermost_name(), json, &mut count)?);
            }
        }
    }
    Ok(all)
}

/// Converts a variable, and counts its values. The JSON of the scalar `JSON` stays as it is, because Juniper accepts no list and no object
/// as a scalar.
fn convert(root: &Root, ty: &str, json: &Json, count: &mut usize) -> Result<Input> {
    use juniper::meta::MetaType;
    add_value(count)?;
    Ok(match (json, root.schema.concrete_type_by_name(ty)) {
        (Json::Null, _) => Input::Null,
        (json, Some(MetaType::Scalar(meta))) if meta.name == "JSON" => Input::Scalar(Scalar::Json(json.clone())),
        (Json::Array(items), _) => Input::list(items.iter().map(|item| convert(root, ty, item, count)).collect::<Result<_>>()?),
        (Json::Object(members), Some(MetaType::InputObject(object))) => {
            let member = |(name, json): (&String, &Json)| {
                let known = object.input_fields.iter().find(|field| field.name == name.as_str());
                let value = match known {
                    Some(field) => convert(root, field.arg_type.innermost_name(), json, count)?,
                    // It is refused by its name.
                    None => add_value(count).map(|()| Input::Null)?,
                };
                Ok((Spanning::unlocated(name.clone()), Spanning::unlocated(value)))
            };
            Input::parsed_object(members.iter().map(member).collect::<Result<_>>()?)
        }
        // No type fits, so the value is refused as a whole.
        (Json::Object(_), _) => Input::parsed_object(Vec::new()),
        (json, _) => from_json(json),
    })
}

/// Counts a value of a variable: Juniper describes each wrong one by an error.
fn add_value(count: &mut usize) -> Result<()> {
    *count += 1;
    match *count > MAX_VALUES {
        true => Err(Error::new(400, "GRAPHQL_VALIDATION", format!("The variables of a request have at most {MAX_VALUES} values"))),
        false => Ok(()),
    }
}
