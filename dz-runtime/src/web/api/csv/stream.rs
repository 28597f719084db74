//! A body that is made while it is sent: the next part when the client has taken the last one.

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
    blocking::{Work, guarded},
    output::{log_event, one_line},
    state::{Job, State},
    web::{Call, api::csv::Export},
};

type Part = (Box<Export>, Result<Vec<u8>>);

/// The parts of an export, each a job of its own on a blocking thread.
pub(crate) struct Streamed {
    state: Arc<State>,
    call: Arc<Call>,
    ready: io::Cursor<Vec<u8>>,
    next: Next,
}

enum Next {
    Waits(Box<Export>),
    Runs(JoinHandle<Result<Part>>),
    Done,
}

impl Streamed {
    /// A body that begins with `ready`.
    pub fn new(state: Arc<State>, call: Arc<Call>, ready: Vec<u8>, mut export: Box<Export>) -> Streamed {
        export.listed.keep_with(&state);
        Streamed { state, call, ready: io::Cursor::new(ready), next: Next::Waits(export) }
    }

    fn begin(&self, mut export: Box<Export>) -> JoinHandle<Result<Part>> {
        let (state, call) = (self.state.clone(), self.call.clone());
        tokio::spawn(async move {
            let shared = state.clone();
            let next = move || {
                let asked = call.requester();
                let part = guarded(|| shared.job(Job::Read, &asked, &mut |tx| export.next(tx)));
                (export, part)
            };
            state.threads.go_on(Work::Read, next).await
        })
    }
}

impl AsyncRead for Streamed {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            if (self.ready.position() as usize) < self.ready.get_ref().len() {
                return Pin::new(&mut self.ready).poll_read(cx, out);
            }
            self.next = match std::mem::replace(&mut self.next, Next::Done) {
                Next::Done => return Poll::Ready(Ok(())),
                Next::Waits(export) => Next::Runs(self.begin(export)),
                Next::Runs(mut job) => match Pin::new(&mut job).poll(cx) {
                    Poll::Pending => {
                        self.next = Next::Runs(job);
                        return Poll::Pending;
                    }
                    Poll::Ready(Ok(Ok((export, Ok(part))))) => {
                        self.ready = io::Cursor::new(part);
                        if export.is_done() { Next::Done } else { Next::Waits(export) }
                    }
                    Poll::Ready(Ok(Ok((_, Err(error))) | Err(error))) => return Poll::Ready(Err(self.broken(&error))),
                    Poll::Ready(Err(error)) => return Poll::Ready(Err(self.broken(&Error::internal(error)))),
                },
            };
        }
    }
}

impl Streamed {
    /// The status is sent already: the body breaks off, so that nobody takes a part for the whole.
    fn broken(&self, error: &Error) -> io::Error {
        let why = error.internal.as_deref().unwrap_or(&error.detail);
        let Call { method, uri, request_id, .. } = &*self.call;
        let path = one_line(uri.split('?').next().unwrap_or_default());
        log_event!(error, target: "dz::http", "{} {method} {path} request_id={request_id} an export broke off: {why}", error.status);
        io::Error::other(error.code)
    }
}
