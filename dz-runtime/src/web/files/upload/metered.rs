//! The body of a form, of which the parser holds a limited part.
//!
//! The parser keeps everything that is available until it finds the next part, or the end of the headers of a part. A sender without
//! an account could exhaust the memory with a body in which it finds neither.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use rocket::tokio::io::{AsyncRead, ReadBuf};

use crate::{
    Result,
    web::request::body_stream::{Bodies, HeldMemory},
};

/// The largest number of bytes that the parser holds without a result.
const MOST_HELD: usize = 128 << 10;
/// After this number of bytes the parser is asked for a result.
const STEP: usize = 64 << 10;

/// The bytes of a form in memory: the texts of its parts, and what was read since the last result of the parser. Both count for the
/// memory of all bodies, because a sender without an account can send them; what the parser holds of a permitted file does not.
#[derive(Debug, Clone)]
pub(super) struct Buffered(Arc<Mutex<HeldBytes>>);

#[derive(Debug)]
struct HeldBytes {
    memory: HeldMemory,
    texts: u64,
    waiting: usize,
    is_permitted: bool,
}

impl HeldBytes {
    fn count(&mut self) -> Result<()> {
        let waiting = if self.is_permitted { 0 } else { self.waiting as u64 };
        self.memory.resize(self.texts.saturating_add(waiting))
    }
}

impl Buffered {
    pub fn new(bodies: &Arc<Bodies>) -> Buffered {
        Buffered(Arc::new(Mutex::new(HeldBytes { memory: bodies.hold(), texts: 0, waiting: 0, is_permitted: false })))
    }

    fn lock_bytes(&self) -> MutexGuard<'_, HeldBytes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets that the parser has returned a result.
    pub fn release(&self) {
        let mut held = self.lock_bytes();
        held.waiting = 0;
        // Less memory is never refused.
        let _ = held.count();
    }

    /// Counts bytes of the text of a part.
    ///
    /// # Errors
    /// 503 if no memory is left.
    pub fn add_text(&self, bytes: u64) -> Result<()> {
        let mut held = self.lock_bytes();
        held.texts = held.texts.saturating_add(bytes);
        held.count()
    }

    /// Sets that the caller can upload files, whose number is limited.
    pub fn permit(&self) {
        self.lock_bytes().is_permitted = true;
    }

    /// The memory of the texts, which remains in use as long as they.
    pub fn into_memory(self, bodies: &Arc<Bodies>) -> HeldMemory {
        self.release();
        std::mem::replace(&mut self.lock_bytes().memory, bodies.hold())
    }

    /// Counts bytes that the parser gets.
    fn add_waiting(&self, bytes: usize) -> Result<()> {
        let mut held = self.lock_bytes();
        held.waiting = held.waiting.saturating_add(bytes);
        held.count()
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
        if self.held.lock_bytes().waiting > MOST_HELD {
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
        match self.held.add_waiting(count) {
            Ok(()) => read,
            Err(full) => Poll::Ready(Err(io::Error::other(full.detail))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

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
            let body = Metered::new(Endless { start, sent: sent.clone() }, Buffered::new(&Bodies::with_bytes(8 << 20)));
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
    fn texts_and_waiting_bytes_count_for_the_memory_of_bodies() {
        let bodies = Bodies::with_bytes(1 << 20);
        let forms = [(); 3].map(|()| Buffered::new(&bodies));
        forms.iter().for_each(|form| form.add_text(16 << 10).expect("a small form"));
        forms[0].add_text(600 << 10).expect("memory is left");
        assert_eq!(forms[1].add_text(600 << 10).expect_err("no memory").status, 503);
        forms[2].add_waiting(300 << 10).expect("memory is left");
        forms[2].release();
        forms[2].permit();
        forms[2].add_waiting(4 << 20).expect("a permitted file");
        let [first, ..] = forms;
        let memory = first.into_memory(&bodies);
        assert!(format!("{bodies:?}").contains(&((1 << 20) - (616 << 10)).to_string()), "{bodies:?}");
        drop(memory);
        assert!(format!("{bodies:?}").contains(&(1 << 20).to_string()), "{bodies:?}");
    }

    #[test]
    fn a_long_part_is_read_in_pieces() {
        let runtime = Builder::new_current_thread().build().expect("a runtime");
        let (held, sent) = (Buffered::new(&Bodies::with_bytes(8 << 20)), Arc::new(AtomicUsize::new(0)));
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
