//! Slots for work on blocking threads. A request that waits for a slot holds no thread. The queue has a limit, and a request that
//! finds it full is refused at once.

use std::{
    any::Any,
    sync::{
        Arc,
        atomic::{AtomicU16, Ordering},
    },
    thread::available_parallelism,
    time::Duration,
};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit},
    task::spawn_blocking,
    time::timeout,
};

use crate::{Engine, Error, Result};

/// The maximum time that a request waits for a slot.
const MAX_WAIT: Duration = Duration::from_secs(5);
/// Refused requests get a `Retry-After` of 2 seconds or more, spread over this many values.
const RETRY_SPREAD: u16 = 4;
/// The maximum number of requests that wait for the database.
const QUEUE: usize = 1_024;
/// The maximum number of graphs that are read at the same time, and of requests that wait to read one.
const MAX_GRAPHS: usize = 4;
const GRAPH_QUEUE: usize = 64;
/// The maximum number of requests that wait for a password hash; each of them gets a slot within two seconds.
const HASHING_QUEUE: usize = 64;
/// The maximum number of concurrent requests to providers.
#[cfg(feature = "oidc")]
const PROVIDERS: usize = 8;

/// The purpose of a blocking thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// A read from the database.
    Read,
    /// A read of a graph from the database, with memory for its edges.
    Graph,
    /// A query of GraphQL, which can consist of many statements.
    #[cfg(feature = "graphql")]
    GraphQl,
    /// A write to the database.
    Write,
    /// A password hash, which needs a processor for tens of milliseconds, and 19 MiB.
    Hash,
    /// A request to a provider over the network.
    #[cfg(feature = "oidc")]
    Provider,
}

/// The slots of an application.
pub(crate) struct Threads {
    refusing: Semaphore,
    read: Slots,
    graph: Slots,
    #[cfg(feature = "graphql")]
    graphql: Slots,
    write: Slots,
    hash: Slots,
    #[cfg(feature = "oidc")]
    provider: Slots,
}

/// The number of concurrent password hashes. Half of the processors stay free for other requests, and there are at most two, so that a
/// flood of sign-ins stays within 64 MB.
pub(crate) fn hash_concurrency() -> usize {
    (available_parallelism().map_or(1, usize::from) / 2).clamp(1, 2)
}

impl Threads {
    /// One slot for each connection of readers and writers; each replica has as many connections as the primary.
    pub fn new(engine: Engine, connections: u32, replicas: usize) -> Threads {
        let connections = usize::try_from(connections).unwrap_or(1);
        // SQLite has one writer; the second slot lets the next job start at once.
        let writers = if engine == Engine::Sqlite { 2 } else { connections };
        let database = "Too many requests are in progress; try again in a few seconds";
        Threads {
            refusing: Semaphore::new(1),
            read: Slots::new(connections * (1 + replicas), QUEUE, database),
            // Few, so that graphs that are loaded leave connections and memory for other requests.
            graph: Slots::new((connections / 4).clamp(1, MAX_GRAPHS), GRAPH_QUEUE, database),
            // Half of the connections, so that long queries leave connections for pages and the JSON API.
            #[cfg(feature = "graphql")]
            graphql: Slots::new((connections / 2).max(1), QUEUE, database),
            write: Slots::new(writers, QUEUE, database),
            hash: Slots::new(hash_concurrency(), HASHING_QUEUE, "Too many users are signing in; try again in a few seconds"),
            #[cfg(feature = "oidc")]
            provider: Slots::new(PROVIDERS, HASHING_QUEUE, "Too many users are signing in; try again in a few seconds"),
        }
    }

    fn slots(&self, work: Work) -> &Slots {
        match work {
            Work::Read => &self.read,
            Work::Graph => &self.graph,
            #[cfg(feature = "graphql")]
            Work::GraphQl => &self.graphql,
            Work::Write => &self.write,
            Work::Hash => &self.hash,
            #[cfg(feature = "oidc")]
            Work::Provider => &self.provider,
        }
    }

    /// Checks that the queue has room for a request.
    ///
    /// # Errors
    /// 503 with `Retry-After` if the queue is full.
    pub fn check_capacity(&self, work: Work) -> Result<()> {
        let slots = self.slots(work);
        if slots.places.available_permits() == 0 { Err(slots.refusal_error()) } else { Ok(()) }
    }

    /// Waits until earlier refusals are sent, which takes only as long as the processor needs for them.
    pub async fn wait_to_refuse(&self) -> Option<SemaphorePermit<'_>> {
        self.refusing.acquire().await.ok()
    }

    /// Runs a job on a blocking thread.
    ///
    /// # Errors
    /// 503 with `Retry-After` if the queue is full or no slot is released in time.
    pub async fn run<T: Send + 'static>(&self, work: Work, job: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let slots = self.slots(work);
        slots.acquire(slots.reserve_place()?).await?.run(job).await
    }

    /// As [`run`](Threads::run), for a further job of a response that has started: it waits without a limit.
    pub async fn run_next<T: Send + 'static>(&self, work: Work, job: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        Slot { _place: None, _permit: self.slots(work).permit().await? }.run(job).await
    }
}

/// Slots of one kind, with their queue.
pub(crate) struct Slots {
    /// Permits for running and waiting jobs.
    places: Arc<Semaphore>,
    permits: Arc<Semaphore>,
    max_wait: Duration,
    refusal: &'static str,
    refused: AtomicU16,
}

/// A place in the queue.
pub(crate) type Place = OwnedSemaphorePermit;

/// A slot, which is released when this value is dropped.
pub(crate) struct Slot {
    _place: Option<Place>,
    _permit: OwnedSemaphorePermit,
}

impl Slots {
    pub fn new(count: usize, queue: usize, refusal: &'static str) -> Slots {
        Slots {
            places: Arc::new(Semaphore::new(count + queue)),
            permits: Arc::new(Semaphore::new(count)),
            max_wait: MAX_WAIT,
            refusal,
            refused: AtomicU16::default(),
        }
    }

    /// The number of places that no job has.
    #[cfg(feature = "testing")]
    pub fn count_free_places(&self) -> usize {
        self.places.available_permits()
    }

    /// Reserves a place in the queue.
    ///
    /// # Errors
    /// 503 if it is full.
    pub fn reserve_place(&self) -> Result<Place> {
        self.places.clone().try_acquire_owned().map_err(|_| self.refusal_error())
    }

    /// Waits in the queue for a slot.
    ///
    /// # Errors
    /// 503 if none is released in time.
    async fn acquire(&self, place: Place) -> Result<Slot> {
        match timeout(self.max_wait, self.permit()).await {
            Ok(permit) => Ok(Slot { _place: Some(place), _permit: permit? }),
            Err(_) => Err(self.refusal_error()),
        }
    }

    /// Runs a job without a waiting request; it waits for its slot without a limit.
    pub async fn run_later(&self, place: Place, job: impl FnOnce() + Send + 'static) -> Result<()> {
        Slot { _place: Some(place), _permit: self.permit().await? }.run(job).await
    }

    async fn permit(&self) -> Result<OwnedSemaphorePermit> {
        self.permits.clone().acquire_owned().await.map_err(Error::internal)
    }

    fn refusal_error(&self) -> Error {
        // The values are spread, so that refused clients do not return at the same time.
        let later = self.refused.fetch_add(1, Ordering::Relaxed) % RETRY_SPREAD;
        Error { retry_after: Some(2 + later), ..Error::new(503, "UNAVAILABLE", self.refusal) }
    }
}

impl Slot {
    /// The slot is released when the job ends, also if the request was cancelled before.
    async fn run<T: Send + 'static>(self, job: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let work = move || {
            let done = job();
            drop(self);
            done
        };
        spawn_blocking(work).await.map_err(Error::internal)
    }
}

/// Converts a panic of a job into an error that is logged and has no internals in its response.
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(panic) => Err(Error::internal(format_args!("panic: {}", panic_text(panic.as_ref())))),
    }
}

/// The message of a panic.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default()
}

/// Waits for a future on a blocking thread of the worker, or in a command, which has no async runtime.
pub(crate) fn block_on<F: Future>(future: F) -> Result<F::Output> {
    match tokio::runtime::Handle::try_current() {
        Ok(handle) => Ok(handle.block_on(future)),
        Err(_) => Ok(tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::internal)?.block_on(future)),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use tokio::task::yield_now;

    use super::*;

    /// Runs a test with one blocking thread more than there are slots for hashing.
    fn on_few_threads(test: impl Future<Output = ()>) {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_all().max_blocking_threads(hash_concurrency() + 1).build().unwrap().block_on(test);
    }

    #[test]
    fn waiting_jobs_hold_no_thread() {
        on_few_threads(async {
            let threads = Arc::new(Threads::new(Engine::Postgres, 8, 0));
            let at_once = hash_concurrency();
            let mut ends = Vec::new();
            let mut jobs = Vec::new();
            for n in 0..at_once + HASHING_QUEUE {
                let (end, ended) = channel::<()>();
                if n < at_once {
                    ends.push(end);
                }
                let threads = threads.clone();
                // The first ones work until they are ended; the others end as soon as they begin.
                jobs.push(tokio::spawn(async move {
                    threads
                        .run(Work::Hash, move || {
                            let _ = ended.recv();
                        })
                        .await
                }));
            }
            while threads.hash.places.available_permits() > 0 {
                yield_now().await;
            }
            assert_eq!(threads.run(Work::Read, || 7).await.unwrap(), 7);
            assert!(threads.check_capacity(Work::Read).is_ok() && threads.check_capacity(Work::Hash).is_err());
            let refused = threads.run(Work::Hash, || ()).await.unwrap_err();
            assert_eq!((refused.status, refused.retry_after), (503, Some(3)));
            assert_eq!(threads.run(Work::Hash, || ()).await.unwrap_err().retry_after, Some(4));
            drop(ends);
            for job in jobs {
                job.await.unwrap().unwrap();
            }
            threads.run(Work::Hash, || ()).await.unwrap();
        });
    }

    #[test]
    fn a_cancelled_request_holds_its_slot_until_the_job_ends() {
        on_few_threads(async {
            let slots = Slots::new(1, 0, "busy");
            let (end, ended) = channel::<()>();
            let slot = slots.acquire(slots.reserve_place().unwrap()).await.unwrap();
            let given_up = timeout(
                Duration::from_millis(20),
                slot.run(move || {
                    let _ = ended.recv();
                }),
            )
            .await;
            assert!(given_up.is_err() && slots.reserve_place().is_err());
            drop(end);
            while slots.reserve_place().is_err() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        });
    }

    #[test]
    fn a_wait_for_a_slot_has_a_timeout() {
        on_few_threads(async {
            let slots = Slots { max_wait: Duration::from_millis(20), ..Slots::new(1, 1, "busy") };
            let _slot = slots.acquire(slots.reserve_place().unwrap()).await.unwrap();
            assert_eq!(slots.acquire(slots.reserve_place().unwrap()).await.map(drop).unwrap_err().status, 503);
        });
    }
}
