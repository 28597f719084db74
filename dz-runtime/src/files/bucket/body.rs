//! The content of an object, as it arrives.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use futures_util::{StreamExt as _, stream::BoxStream};
use object_store::PutPayload;
use tokio::{
    io::{AsyncRead, ReadBuf},
    sync::mpsc,
};

use crate::output::log_event;

/// The bytes that are read before a response begins: a smaller file that does not arrive completely gives an error in place of a part.
const BEGINNING: usize = 256 << 10;
/// The chunks that wait for a slow client.
const WAITING: usize = 4;

/// Bytes in the type of the library.
pub(super) type Bytes = <PutPayload as IntoIterator>::Item;

/// An open file.
pub(crate) struct Body {
    pub size: u64,
    chunk: Bytes,
    beginning: std::vec::IntoIter<Bytes>,
    rest: mpsc::Receiver<io::Result<Bytes>>,
}

/// Reads the beginning; the rest follows as fast as the reader takes it.
pub(super) async fn start(mut stream: BoxStream<'static, object_store::Result<Bytes>>, size: u64) -> object_store::Result<Body> {
    let (mut beginning, mut read) = (Vec::new(), 0);
    let mut is_complete = false;
    while read < BEGINNING && !is_complete {
        match stream.next().await.transpose()? {
            Some(bytes) => {
                read += bytes.len();
                beginning.push(bytes);
            }
            None => is_complete = true,
        }
    }
    let (sender, rest) = mpsc::channel(WAITING);
    if !is_complete {
        tokio::spawn(forward(stream, sender));
    }
    Ok(Body { size, chunk: Bytes::new(), beginning: beginning.into_iter(), rest })
}

/// Sends the rest to the reader, until it ends or the reader does.
async fn forward(mut stream: BoxStream<'static, object_store::Result<Bytes>>, sender: mpsc::Sender<io::Result<Bytes>>) {
    while let Some(next) = stream.next().await {
        let chunk = next.map_err(|error| {
            let cause = super::Cause::find(&error);
            log_event!(warn, target: "dz", "a file was sent incompletely: the object storage {}; {}", cause.describe(), cause.correction());
            io::Error::other(format!("the object storage {}", cause.describe()))
        });
        let is_last = chunk.is_err();
        if sender.send(chunk).await.is_err() || is_last {
            return;
        }
    }
}

impl AsyncRead for Body {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        while self.chunk.is_empty() {
            self.chunk = match self.beginning.next() {
                Some(chunk) => chunk,
                None => match self.rest.poll_recv(cx) {
                    Poll::Pending => return Poll::Pending,
                    Poll::Ready(Some(chunk)) => chunk?,
                    Poll::Ready(None) => return Poll::Ready(Ok(())),
                },
            };
        }
        let count = self.chunk.len().min(buffer.remaining());
        buffer.put_slice(&self.chunk.split_to(count));
        Poll::Ready(Ok(()))
    }
}
