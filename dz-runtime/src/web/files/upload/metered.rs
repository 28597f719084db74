//! The body of a form, of which the parser holds a limited part.
//!
//! The parser keeps everything that is available until it finds the next part, or the end of the headers of a part. A sender without
//! an account could exhaust the memory with a body in which it finds neither.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
};

use rocket::tokio::io::{AsyncRead, ReadBuf};

/// The largest number of bytes that the parser holds without a result.
const MOST_HELD: usize = 512 << 10;
/// After this number of bytes the parser is asked for a result.
const STEP: usize = 64 << 10;

/// The number of bytes that were read since the last result of the parser.
#[derive(Debug, Clone, Default)]
pub(super) struct Buffered(Arc<AtomicUsize>);

impl Buffered {
    /// Sets that the parser has returned a result.
    pub fn release(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// A body.
pub(super) struct Metered<R> {
    body: R,
    held: Buffered,
    /// The bytes since the parser was asked for a result.
    step: usize,
}

impl<R> Metered<R> {
    pub fn new(body: R, held: Buffered) -> Metered<R> {
        Metered { body, held, step: 0 }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Metered<R> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.held.0.load(Ordering::Relaxed) > MOST_HELD {
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidData, "the form has no part where one must begin")));
        }
        // The parser returns what it has when the body waits.
        if self.step >= STEP {
            self.step = 0;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let before = out.filled().len();
        let read = Pin::new(&mut self.body).poll_read(cx, out);
        let count = out.filled().len() - before;
        self.step += count;
        self.held.0.fetch_add(count, Ordering::Relaxed);
        read
    }
}

#[cfg(test)]
mod tests {
    use multer::Multipart;
    use rocket::tokio::runtime::Builder;

    use super::*;

    /// An endless body of one byte after its beginning.
    struct Endless {
        start: &'static [u8],
        sent: Arc<AtomicUsize>,
    }

    impl AsyncRead for Endless {
        fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
            let count = out.remaining().min(8 << 10);
            let start = self.start.get(..count.min(self.start.len())).unwrap_or_default();
            out.put_slice(start);
            self.start = self.start.get(start.len()..).unwrap_or_default();
            out.put_slice(&vec![b'a'; count - start.len()]);
            self.sent.fetch_add(count, Ordering::Relaxed);
            Poll::Ready(Ok(()))
        }
    }

    #[test]
    fn a_body_without_a_part_is_refused_before_it_fills_the_memory() {
        let runtime = Builder::new_current_thread().build().expect("a runtime");
        for start in [&b""[..], b"--x\r\nA: "] {
            let sent = Arc::new(AtomicUsize::new(0));
            let body = Metered::new(Endless { start, sent: sent.clone() }, Buffered::default());
            let mut parts = Multipart::with_reader(body, "x");
            let refused = runtime.block_on(parts.next_field()).expect_err("a refusal");
            assert!(
                std::error::Error::source(&refused).is_some_and(|cause| cause.to_string().contains("where one must begin")),
                "{refused:?}"
            );
            assert!(sent.load(Ordering::Relaxed) < 2 * MOST_HELD, "{sent:?}");
        }
    }

    #[test]
    fn a_long_part_is_read_in_pieces() {
        let runtime = Builder::new_current_thread().build().expect("a runtime");
        let (held, sent) = (Buffered::default(), Arc::new(AtomicUsize::new(0)));
        let start = b"--x\r\nContent-Disposition: form-data; name=\"it\"\r\n\r\n";
        let mut parts = Multipart::with_reader(Metered::new(Endless { start, sent }, held.clone()), "x");
        runtime.block_on(async {
            let mut part = parts.next_field().await.expect("a part").expect("a part");
            held.release();
            let mut size = 0;
            while size < 8 * MOST_HELD {
                let chunk = part.chunk().await.expect("a piece").expect("a piece");
                held.release();
                assert!(chunk.len() <= MOST_HELD);
                size += chunk.len();
            }
        });
    }
}
