//! Files: their JSON, and the addresses for uploads and downloads.

use crate::{
    Api, Entity, Field, Kind,
    document::{content, refer, refusals},
    json::{Json, object},
    schema,
};

/// The file fields of an entity.
fn file_fields<'e, 'a>(entity: &'e Entity<'a>) -> impl Iterator<Item = &'e Field<'a>> {
    entity.fields.iter().filter(|field| field.kind == Kind::File && !field.secret)
}

/// The schemas that all files share, if the application has any.
pub(crate) fn schemas(api: &Api) -> Vec<(String, Json)> {
    if api.entities.iter().all(|entity| file_fields(entity).next().is_none()) {
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
        object! { "type" => "object", "required" => required, "properties" => Json::object(facts), "additionalProperties" => false }
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
pub(crate) fn paths(api: &Api, entity: &Entity) -> Vec<(String, Json)> {
    file_fields(entity).flat_map(|field| [upload(entity, field), download(api, entity, field)]).collect()
}

fn upload(entity: &Entity, field: &Field) -> (String, Json) {
    let part = object! {
        "type" => "object", "required" => vec!["file"],
        "properties" => object! { "file" => object! { "type" => "string", "contentMediaType" => "application/octet-stream" } },
    };
    let mut responses = vec![(
        "201".to_owned(),
        object! { "description" => "The upload, which can be attached to a row within 24 hours", "content" => content("application/json", refer("schemas", "UploadedFile")) },
    )];
    responses.extend(refusals(&["400", "401", "403", "413", "415", "429", "503"]));
    let post = object! {
        "operationId" => format!("upload_{}_{}", entity.table, field.name),
        "summary" => format!("Uploads a file for `{}`; a write of a row then attaches it", field.name),
        "tags" => vec![entity.title_plural],
        "requestBody" => object! { "required" => true, "content" => content("multipart/form-data", part) },
        "responses" => Json::object(responses),
    };
    (format!("/files/{}/{}", entity.table, field.name), object! { "post" => post })
}

fn download(api: &Api, entity: &Entity, field: &Field) -> (String, Json) {
    let bytes = object! { "type" => "string", "contentMediaType" => "application/octet-stream" };
    let mut responses =
        vec![("200".to_owned(), object! { "description" => "The file", "content" => content("application/octet-stream", bytes) })];
    responses.extend(refusals(&["401", "403", "404", "429", "503"]));
    let get = object! {
        "operationId" => format!("file_{}_{}", entity.table, field.name),
        "summary" => format!("Downloads the file in `{}`; the caller must be able to read the row", field.name),
        "tags" => vec![entity.title_plural],
        "parameters" => Json::List(vec![
            object! { "name" => "id", "in" => "path", "required" => true, "schema" => schema::key(api, entity) },
        ]),
        "responses" => Json::object(responses),
    };
    (format!("/files/{}/{{id}}/{}", entity.table, field.name), object! { "get" => get })
}
