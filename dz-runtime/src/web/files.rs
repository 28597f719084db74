//! `/files`: uploads of programs, and the files of rows.

pub(crate) mod send;
pub(crate) mod upload;

use crate::{
    Error, Result, Value,
    access::Read,
    def::{EntityDef, FieldIx},
    field::File,
    files, rows,
    state::{Job, State},
    web::{Call, Reply, call::StoredFile},
};

/// A displayed file runs no script and no plugin, is in no frame, and has no origin.
const POLICY: &str = "sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/// The entity and the field that the route of a request names.
fn find_field(call: &Call) -> Result<(&'static EntityDef, FieldIx)> {
    let route = call.found.route().ok_or_else(Error::not_found)?;
    route.entity.zip(route.field).ok_or_else(Error::not_found)
}

/// `POST /files/{entity}/{field}`: stores uploads until a row uses them.
pub(crate) fn store_upload(state: &State, call: &Call) -> Result<Reply> {
    let (entity, at) = find_field(call)?;
    if let Some((_, message)) = call.too_large.first() {
        let field = entity.field(at);
        return Err(Error::new(413, "TOO_LARGE", format!("A file in `{}` {message}", field.name)).at(field.name, message.clone()));
    }
    let Some(arrived) = call.uploads.first() else {
        state.run_job(Job::Read, &call.requester(), &mut |tx| upload::check_upload(tx, entity))?;
        return Err(crate::web::request::body::unsupported("Send a form (multipart/form-data) whose part `file` holds the file"));
    };
    upload::register(state, call)?;
    let body = serde_json::to_vec(&arrived.facts.json()).map_err(Error::internal)?;
    Ok(Reply { status: 201, content_type: "application/json", body, ..Reply::default() })
}

/// `GET /files/{entity}/{id}/{field}`: the file of a row, if the caller can read the row and the field.
pub(crate) fn download(state: &State, call: &Call) -> Result<Reply> {
    let (entity, at) = find_field(call)?;
    let (file, stored) = state.run_job(Job::Read, &call.requester(), &mut |tx| {
        let grant = tx.ask::<Read>(entity)?;
        let key: Value = rows::parse_key(tx, entity, call.value(0))?;
        let row = rows::read(tx, &grant, &key, &[])?;
        let file = File::from_stored(row.value(at)).ok_or_else(Error::not_found)?;
        let stored = files::find_stored_name(tx.conn, file.id)?;
        Ok((file, stored))
    })?;
    let shown = files::is_inline(&file.media_type);
    let headers = vec![
        ("Content-Disposition", files::disposition(shown, &file.name)),
        ("Content-Security-Policy", POLICY.to_owned()),
        ("Cross-Origin-Resource-Policy", "same-origin".to_owned()),
        ("Cache-Control", "private, no-cache".to_owned()),
    ];
    Ok(Reply {
        status: 200,
        content_type: if shown { inline_type(&file.media_type) } else { "application/octet-stream" },
        headers,
        file: Some(StoredFile { stored, size: file.size }),
        ..Reply::default()
    })
}

/// The media types that browsers display, as constant text.
fn inline_type(media_type: &str) -> &'static str {
    match media_type {
        "image/png" => "image/png",
        "image/jpeg" => "image/jpeg",
        "image/gif" => "image/gif",
        "image/webp" => "image/webp",
        "application/pdf" => "application/pdf",
        _ => "application/octet-stream",
    }
}
