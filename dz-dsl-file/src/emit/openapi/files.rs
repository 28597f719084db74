//! Files: what they are in JSON, the addresses that take them, and those that give them back.

use super::{content, refer, refusals, schema};
use crate::{
    emit::json::{Json, object},
    model::{Entity, Field, FieldType, Model},
};

/// The fields of an entity that hold files.
fn of(entity: &Entity) -> impl Iterator<Item = &Field> {
    entity.fields.iter().filter(|field| matches!(field.ty, FieldType::File { .. }) && !field.secret)
}

/// What all files share, in applications that have any.
pub(super) fn schemas(model: &Model) -> Vec<(String, Json)> {
    if model.entities.iter().all(|entity| of(entity).next().is_none()) {
        return Vec::new();
    }
    let facts = || {
        vec![
            ("id", object! { "type" => "string", "format" => "uuid" }),
            ("name", object! { "type" => "string", "maxLength" => 255 }),
            ("size", object! { "type" => "integer", "format" => "int64", "minimum" => 0 }),
            ("type", object! { "type" => "string" }),
        ]
    };
    let url = ("url", object! { "type" => "string", "format" => "uri-reference" });
    let object = |required: Vec<&str>, facts: Vec<(&str, Json)>| {
        object! { "type" => "object", "required" => required, "properties" => Json::of(facts), "additionalProperties" => false }
    };
    let held = object(vec!["id", "name", "size", "type", "url"], facts().into_iter().chain([url.clone()]).collect());
    let uploaded = object(vec!["id", "name", "size", "type"], facts());
    let given = object! { "anyOf" => Json::List(vec![
        object(vec!["id"], facts().into_iter().chain([url]).collect()),
        object! { "type" => "string", "format" => "uuid" },
    ]) };
    [("StoredFile", held), ("UploadedFile", uploaded), ("GivenFile", given)].map(|(name, schema)| (name.to_owned(), schema)).into()
}

/// The addresses of an entity's files.
pub(super) fn paths(model: &Model, entity: &Entity) -> Vec<(String, Json)> {
    of(entity).flat_map(|field| [upload(entity, field), download(model, entity, field)]).collect()
}

fn upload(entity: &Entity, field: &Field) -> (String, Json) {
    let part = object! {
        "type" => "object", "required" => vec!["file"],
        "properties" => object! { "file" => object! { "type" => "string", "contentMediaType" => "application/octet-stream" } },
    };
    let mut responses = vec![(
        "201".to_owned(),
        object! { "description" => "Kept for a day, until a row takes it", "content" => content("application/json", refer("schemas", "UploadedFile")) },
    )];
    responses.extend(refusals(&["400", "401", "403", "413", "415", "429", "503"]));
    let post = object! {
        "operationId" => format!("upload_{}_{}", entity.table, field.name),
        "summary" => format!("Uploads a file for `{}`; a write of a row then names it", field.name),
        "tags" => vec![entity.title_plural.as_str()],
        "requestBody" => object! { "required" => true, "content" => content("multipart/form-data", part) },
        "responses" => Json::of(responses),
    };
    (format!("/files/{}/{}", entity.table, field.name), object! { "post" => post })
}

fn download(model: &Model, entity: &Entity, field: &Field) -> (String, Json) {
    let bytes = object! { "type" => "string", "contentMediaType" => "application/octet-stream" };
    let mut responses =
        vec![("200".to_owned(), object! { "description" => "The file", "content" => content("application/octet-stream", bytes) })];
    responses.extend(refusals(&["401", "403", "404", "429", "503"]));
    let get = object! {
        "operationId" => format!("file_{}_{}", entity.table, field.name),
        "summary" => format!("The file in `{}`, for whoever may read the row", field.name),
        "tags" => vec![entity.title_plural.as_str()],
        "parameters" => Json::List(vec![
            object! { "name" => "id", "in" => "path", "required" => true, "schema" => schema::key(model, entity) },
        ]),
        "responses" => Json::of(responses),
    };
    (format!("/files/{}/{{id}}/{}", entity.table, field.name), object! { "get" => get })
}
