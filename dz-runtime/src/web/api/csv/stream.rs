//! A response body that is produced while it is sent.

use std::{
    io::{self, Cursor},
    sync::Arc,
};

use rocket::futures::{StreamExt, stream};
use tokio::io::AsyncRead;
use tokio_util::io::StreamReader;

use crate::{
    Error, Result,
    blocking::{Work, catch_panic},
    output::{log_event, one_line},
    state::{Job, State},
    web::{Call, api::csv::Export},
};

/// A body that starts with `ready`; each batch of the export after it is read in a job on a blocking thread.
pub(crate) fn export_body(state: Arc<State>, call: Arc<Call>, ready: Vec<u8>, mut export: Box<Export>) -> impl AsyncRead + Send + 'static {
    export.record.write_early_with(&state);
    let parts = stream::try_unfold(Some(export), move |export| {
        let (state, call) = (state.clone(), call.clone());
        async move {
            let Some(export) = export else { return Ok(None) };
            // In a task of its own, so that a batch that was started also ends if the client disconnects.
            let batch = tokio::spawn(next_batch(state, call.clone(), export)).await;
            let (export, part) = batch.map_err(Error::internal).flatten().map_err(|error| abort(&call, &error))?;
            Ok(Some((Cursor::new(part), (!export.is_done()).then_some(export))))
        }
    });
    StreamReader::new(stream::iter([Ok::<_, io::Error>(Cursor::new(ready))]).chain(parts))
}

async fn next_batch(state: Arc<State>, call: Arc<Call>, mut export: Box<Export>) -> Result<(Box<Export>, Vec<u8>)> {
    let shared = state.clone();
    let next = move || {
        let asked = call.requester();
        let part = catch_panic(|| shared.run_job(Job::Read, &asked, &mut |tx| export.next_batch(tx)));
        (export, part)
    };
    let (export, part) = state.threads.run_next(Work::Read, next).await?;
    Ok((export, part?))
}

/// The status is already sent, so the connection is aborted: the client detects that the body is incomplete.
fn abort(call: &Call, error: &Error) -> io::Error {
    let why = error.internal.as_deref().unwrap_or(&error.detail);
    let Call { method, uri, request_id, .. } = call;
    let path = one_line(uri.split('?').next().unwrap_or_default());
    log_event!(error, target: "dz::http", "{} {method} {path} request_id={request_id} an export was aborted: {why}", error.status);
    io::Error::other(error.code)
}
