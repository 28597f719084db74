//! `/files`: uploads of programs, and the files of rows.

pub(crate) mod send;
pub(crate) mod upload;

use serde_json::json;
use uuid::Uuid;

use crate::{
    Error, Result, Tx, Value,
    access::Read,
    def::{EntityDef, FieldIx},
    field::File,
    files, rows,
    state::{Job, State},
    web::{
        Call, Reply,
        api::idempotency::{self, Claim, StoredReply},
        call::StoredFile,
    },
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
    let mut is_new = true;
    let reply = state.run_job(Job::Write, &call.requester(), &mut |tx| match idempotency::claim(tx, call)? {
        Claim::Used(stored) => {
            is_new = false;
            repeat_upload(tx, entity, &stored)
        }
        claim @ (Claim::None | Claim::New(_)) => {
            is_new = true;
            upload::insert(tx, call)?;
            if let Claim::New(claimed) = claim {
                claimed.store(tx, StoredReply { status: 201, row: arrived.facts.id.to_string(), answer: String::new() })?;
            }
            Ok(upload_reply(arrived.facts.json()))
        }
    });
    // The bytes of a repeated upload are deleted with the request.
    if is_new { upload::keep_stored(call, reply) } else { reply }
}

/// The response to an upload that arrived before with the same key: the first file, or only its identifier if it is gone.
fn repeat_upload(tx: &mut Tx<'_>, entity: &'static EntityDef, stored: &StoredReply) -> Result<Reply> {
    upload::check_access(tx, entity)?;
    let id = Uuid::try_parse(&stored.row).map_err(Error::internal)?;
    let file = files::find(tx, id)?;
    Ok(idempotency::add_replay_header(upload_reply(file.map_or_else(|| json!({ "id": id }), |file| file.json()))))
}

fn upload_reply(file: serde_json::Value) -> Reply {
    Reply { status: 201, content_type: "application/json", body: file.to_string().into_bytes(), ..Reply::default() }
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
