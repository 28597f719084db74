//! The response with a stored file: its bytes, or the signed address at which the browser loads them from the bucket.

use rocket::Response;

use crate::{
    Error, Result,
    files::{self, StoredBody},
    state::State,
    web::{Call, Reply, call::StoredFile, response},
};

/// The content of the response.
enum Sending {
    Body(StoredBody),
    Link(String),
}

/// Sends a file.
pub(crate) async fn send_file<'r>(
    state: &State,
    call: &Call,
    reply: Reply,
    file: StoredFile,
    is_head: bool,
    request_id: &str,
) -> Response<'r> {
    match open(state, &reply, &file, is_head).await {
        Ok(Sending::Body(body)) => {
            let mut response = response::to_response(state, reply, request_id);
            response.set_sized_body(usize::try_from(body.size).ok(), body);
            response
        }
        Ok(Sending::Link(url)) => {
            let mut headers = reply.headers;
            headers.retain(|(name, _)| !matches!(*name, "Content-Disposition" | "Cache-Control"));
            // The address is for this caller, and soon invalid.
            headers.extend([("Location", url), ("Cache-Control", "no-store".to_owned())]);
            response::to_response(state, Reply { status: 302, headers, ..Reply::default() }, request_id)
        }
        Err(error) => response::to_response(state, response::refuse(state, call, &error), request_id),
    }
}

/// Pages show images from their own address only, and a signed address is for one method: both are sent by the application.
async fn open(state: &State, reply: &Reply, file: &StoredFile, is_head: bool) -> Result<Sending> {
    if !is_head && !files::is_image(reply.content_type) {
        let disposition = reply.headers.iter().find(|(name, _)| *name == "Content-Disposition").map_or("attachment", |(_, value)| value);
        if let Some(url) = state.storage.link(&file.stored, reply.content_type, disposition).await? {
            return Ok(Sending::Link(url));
        }
    }
    let body = state.storage.open_file(&file.stored).await?;
    match body.size == file.size {
        true => Ok(Sending::Body(body)),
        false => Err(Error::internal(format_args!("the file {} cannot be sent: its size differs from the size in its row", file.stored))),
    }
}
