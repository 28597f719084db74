//! A response body that is produced while it is sent.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use tokio::{
    io::{AsyncRead, ReadBuf},
    task::JoinHandle,
};

use crate::{
    Error, Result,
    blocking::{Work, catch_panic},
    output::{log_event, one_line},
    state::{Job, State},
    web::{Call, api::csv::Export},
};

type Part = (Box<Export>, Result<Vec<u8>>);

/// The batches of an export, each read in a job on a blocking thread.
pub(crate) struct ExportStream {
    state: Arc<State>,
    call: Arc<Call>,
    ready: io::Cursor<Vec<u8>>,
    next: Next,
}

enum Next {
    Idle(Box<Export>),
    Running(JoinHandle<Result<Part>>),
    Done,
}

impl ExportStream {
    /// A body that starts with `ready`.
    pub fn new(state: Arc<State>, call: Arc<Call>, ready: Vec<u8>, mut export: Box<Export>) -> ExportStream {
        export.record.write_early_with(&state);
        ExportStream { state, call, ready: io::Cursor::new(ready), next: Next::Idle(export) }
    }

    fn start_batch(&self, mut export: Box<Export>) -> JoinHandle<Result<Part>> {
        let (state, call) = (self.state.clone(), self.call.clone());
        tokio::spawn(async move {
            let shared = state.clone();
            let next = move || {
                let asked = call.requester();
                let part = catch_panic(|| shared.run_job(Job::Read, &asked, &mut |tx| export.next_batch(tx)));
                (export, part)
            };
            state.threads.run_next(Work::Read, next).await
        })
    }
}

impl AsyncRead for ExportStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            if (self.ready.position() as usize) < self.ready.get_ref().len() {
                return Pin::new(&mut self.ready).poll_read(cx, out);
            }
            self.next = match std::mem::replace(&mut self.next, Next::Done) {
                Next::Done => return Poll::Ready(Ok(())),
                Next::Idle(export) => Next::Running(self.start_batch(export)),
                Next::Running(mut job) => match Pin::new(&mut job).poll(cx) {
                    Poll::Pending => {
                        self.next = Next::Running(job);
                        return Poll::Pending;
                    }
                    Poll::Ready(Ok(Ok((export, Ok(part))))) => {
                        self.ready = io::Cursor::new(part);
                        if export.is_done() { Next::Done } else { Next::Idle(export) }
                    }
                    Poll::Ready(Ok(Ok((_, Err(error))) | Err(error))) => return Poll::Ready(Err(self.abort(&error))),
                    Poll::Ready(Err(error)) => return Poll::Ready(Err(self.abort(&Error::internal(error)))),
                },
            };
        }
    }
}

impl ExportStream {
    /// The status is already sent, so the connection is aborted, and no client takes the part for the whole.
    fn abort(&self, error: &Error) -> io::Error {
        let why = error.internal.as_deref().unwrap_or(&error.detail);
        let Call { method, uri, request_id, .. } = &*self.call;
        let path = one_line(uri.split('?').next().unwrap_or_default());
        log_event!(error, target: "dz::http", "{} {method} {path} request_id={request_id} an export broke off: {why}", error.status);
        io::Error::other(error.code)
    }
}
