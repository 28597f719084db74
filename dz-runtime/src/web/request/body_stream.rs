//! Reading of request bodies, limited in size, in time, and in the memory of all bodies.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use multer::bytes::BufMut;
use rocket::{
    Data, Request,
    data::{ByteUnit, DataStream},
    tokio::{
        io::{AsyncRead, AsyncReadExt, ReadBuf},
        sync::{Semaphore, SemaphorePermit},
        time::timeout,
    },
};

use crate::{
    Error, Result,
    config::Config,
    texts::{self, Texts},
};

/// The maximum size of a body that does not count for the shared memory.
const SMALL: usize = 16 << 10;
/// The shared memory of larger bodies, unless the configuration permits bodies of more than an eighth of it.
const SHARED_MEMORY: u64 = 8 << 20;
/// The maximum number of larger bodies that are read at once. During reading, a connection has a buffer of up to 400 KiB beside the
/// memory of the body.
const MAX_ARRIVING: usize = 4;
/// A client that sends nothing for this time gives its slot to another body.
const STALL_TIME: Duration = Duration::from_millis(100);
/// The rest of a refused body is read up to this size and this duration, because a client that sends everything before it reads would get
/// a closed connection in place of the response.
const REST: u64 = 16 << 20;
const REST_TIME: Duration = Duration::from_secs(10);

/// The shared memory of all bodies.
pub(crate) struct Bodies {
    free: AtomicU64,
    slots: Semaphore,
}

/// A share of the memory, which is released when this is dropped.
#[derive(Debug)]
pub(crate) struct HeldMemory {
    bodies: Arc<Bodies>,
    bytes: u64,
}

impl std::fmt::Debug for Bodies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bodies({})", self.free.load(Ordering::Relaxed))
    }
}

impl Bodies {
    pub fn new(config: &Config) -> Arc<Bodies> {
        Bodies::with_bytes(SHARED_MEMORY.max(config.settings.body_limit.saturating_mul(8)))
    }

    pub(crate) fn with_bytes(bytes: u64) -> Arc<Bodies> {
        Arc::new(Bodies { free: AtomicU64::new(bytes), slots: Semaphore::new(MAX_ARRIVING) })
    }

    /// A share, which is empty at first.
    pub(crate) fn hold(self: &Arc<Bodies>) -> HeldMemory {
        HeldMemory { bodies: self.clone(), bytes: 0 }
    }
}

impl HeldMemory {
    /// Reserves more memory.
    ///
    /// # Errors
    /// 503 if no memory is left.
    fn grow(&mut self, more: u64) -> Result<()> {
        let less = |free: u64| free.checked_sub(more);
        if self.bodies.free.fetch_update(Ordering::AcqRel, Ordering::Acquire, less).is_err() {
            let error = Error::new(503, "UNAVAILABLE", "Too many large requests are in progress; try again in a few seconds");
            return Err(Error { retry_after: Some(2), ..error });
        }
        self.bytes += more;
        Ok(())
    }

    /// Reserves memory for a body of which `bytes` are in memory. A small body counts nothing.
    ///
    /// # Errors
    /// 503 if no memory is left.
    pub(crate) fn resize(&mut self, bytes: u64) -> Result<()> {
        let bytes = if bytes > SMALL as u64 { bytes } else { 0 };
        match bytes.checked_sub(self.bytes) {
            Some(more) => self.grow(more),
            None => {
                self.bodies.free.fetch_add(self.bytes - bytes, Ordering::AcqRel);
                self.bytes = bytes;
                Ok(())
            }
        }
    }
}

/// The permission to read a body.
struct ArrivalSlot<'b> {
    bodies: &'b Bodies,
    taken: Option<SemaphorePermit<'b>>,
}

impl<'b> ArrivalSlot<'b> {
    fn new(bodies: &'b Bodies) -> ArrivalSlot<'b> {
        ArrivalSlot { bodies, taken: None }
    }

    /// Reads the next data; a large body waits for a slot.
    async fn read<B: BufMut>(&mut self, incoming: &mut Incoming<'_>, bytes: &mut B) -> io::Result<usize> {
        if incoming.will_be_large() && self.taken.is_none() {
            self.taken = self.bodies.slots.acquire().await.ok();
        }
        match timeout(STALL_TIME, incoming.read_buf(bytes)).await {
            Ok(read) => read,
            Err(_) => {
                self.taken = None;
                incoming.read_buf(bytes).await
            }
        }
    }
}

impl Drop for HeldMemory {
    fn drop(&mut self) {
        self.bodies.free.fetch_add(self.bytes, Ordering::AcqRel);
    }
}

/// A body that is being read.
pub(crate) struct Incoming<'r> {
    stream: DataStream<'r>,
    /// True if the client waits for `100 Continue`, which reading sends.
    waits: bool,
    /// The declared length.
    length: Option<u64>,
    /// The number of bytes that were read.
    arrived: usize,
    /// The texts of the errors.
    language: Option<&'static Texts>,
}

impl<'r> Incoming<'r> {
    pub fn new(request: &Request<'_>, data: Data<'r>) -> Incoming<'r> {
        let length = request.headers().get_one("Content-Length").and_then(|text| text.parse().ok());
        // Rocket reads the beginning of forms before this.
        let is_asked = request.content_type().is_some_and(|kind| kind.is_form());
        let waits = !is_asked && request.headers().get_one("Expect").is_some();
        Incoming { stream: data.open(ByteUnit::max_value()), waits, length, arrived: 0, language: None }
    }

    /// Sets the language of the errors.
    pub fn speak(&mut self, language: Option<&'static Texts>) {
        self.language = language;
    }

    /// True if the body exceeds the smallest buffers.
    pub fn is_large(&self) -> bool {
        self.arrived > SMALL
    }

    /// True if the declared length exceeds them.
    fn will_be_large(&self) -> bool {
        self.arrived >= SMALL || self.length.is_some_and(|length| length > SMALL as u64)
    }

    /// Reads the whole body.
    ///
    /// # Errors
    /// 413 for a body above the limit, 408 after the time limit, 503 if no memory is left, 400 if the body is incomplete.
    pub async fn read_whole(&mut self, bodies: &Arc<Bodies>, config: &Config) -> Result<(Vec<u8>, HeldMemory)> {
        let limit = config.settings.body_limit;
        let language = self.language;
        let detail = move || say!("dz-the-body-is-too-large", "The body is larger than {bytes} bytes", bytes = limit);
        let too_large = || Error::new(413, "TOO_LARGE", texts::with(language, detail));
        if self.length.is_some_and(|length| length > limit) {
            return Err(too_large());
        }
        let reading = async {
            let (mut bytes, mut held, mut turn) = (Vec::<u8>::new(), bodies.hold(), ArrivalSlot::new(bodies));
            loop {
                if bytes.len() == bytes.capacity() {
                    let more = bytes.capacity().clamp(4 << 10, 1 << 20);
                    if bytes.capacity() + more > SMALL {
                        held.grow(more as u64)?;
                    }
                    bytes.reserve_exact(more);
                }
                let read = turn.read(self, &mut bytes).await;
                if read.map_err(|error| Error::bad_request(format!("the body could not be read: {error}")))? == 0 {
                    return Ok((bytes, held));
                }
                if bytes.len() as u64 > limit {
                    return Err(too_large());
                }
            }
        };
        // Limits the time of a client that sends single bytes.
        timeout(config.settings.upload_time, reading).await.unwrap_or_else(|_| Err(timeout_error(language)))
    }

    /// Reads the rest up to a limit, and discards it.
    pub async fn discard(&mut self, bodies: &Bodies) {
        if self.waits {
            return;
        }
        let mut turn = ArrivalSlot::new(bodies);
        let reading = async {
            let mut left = REST;
            while left > 0 {
                let mut rest = [0; 4 << 10];
                match turn.read(self, &mut rest.as_mut_slice()).await {
                    Ok(read @ 1..) => left = left.saturating_sub(read as u64),
                    // The end of the body, or a closed connection.
                    Ok(0) | Err(_) => return,
                }
            }
        };
        let _ = timeout(REST_TIME, reading).await;
    }
}

impl AsyncRead for Incoming<'_> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.waits = false;
        let before = out.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, out);
        self.arrived += out.filled().len() - before;
        read
    }
}

fn timeout_error(language: Option<&'static Texts>) -> Error {
    let detail = || say!("dz-the-request-arrives-too-slowly", "The request arrives too slowly; try again over a better connection");
    Error::new(408, "TIMEOUT", texts::with(language, detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_share_a_memory_limit() {
        let bodies = Bodies::with_bytes(100);
        let (mut one, mut other) = (bodies.hold(), bodies.hold());
        one.grow(60).unwrap();
        let refused = other.grow(41).unwrap_err();
        assert_eq!((refused.status, refused.retry_after), (503, Some(2)));
        other.grow(40).unwrap();
        drop(one);
        other.grow(60).unwrap();
        drop(other);
        assert_eq!(bodies.free.load(Ordering::Relaxed), 100);
    }
}
