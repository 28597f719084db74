//! The threads that hash passwords. Each thread owns its memory and keeps it, because an allocator returns little memory that many
//! threads allocate and free. The threads have a lower priority than those that answer requests.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, LazyLock, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

use argon2::Block;

use crate::{blocking::hash_concurrency, output::log_event};

type Job = Box<dyn FnOnce(&mut Vec<Block>) + Send>;

/// The added niceness of the threads. On busy processors, a thread that answers a request gets nine times the processor time of one that
/// hashes.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// The threads of the process.
pub(super) static HASHERS: LazyLock<Hashers> = LazyLock::new(|| Hashers::start(hash_concurrency()));

pub(super) struct Hashers {
    jobs: Sender<Job>,
}

impl Hashers {
    fn start(count: usize) -> Hashers {
        let (jobs, waiting) = channel::<Job>();
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..count {
            let waiting = waiting.clone();
            if let Err(error) = thread::Builder::new().name("dz-hasher".to_owned()).spawn(move || hash(&waiting)) {
                log_event!(error, target: "dz::http", "a thread that hashes passwords was not started: {error}");
            }
        }
        Hashers { jobs }
    }

    /// Runs `work` in the memory of one of the threads, and waits for it; `None` if no thread could be started. Requests have a slot
    /// before they call this; commands and demo data can wait.
    pub fn run<T: Send + 'static>(&self, work: impl FnOnce(&mut Vec<Block>) -> T + Send + 'static) -> Option<T> {
        let (done, is_done) = channel();
        let job = move |memory: &mut Vec<Block>| drop(done.send(catch_unwind(AssertUnwindSafe(|| work(memory)))));
        self.jobs.send(Box::new(job)).ok()?;
        Some(is_done.recv().ok()?.unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

fn hash(waiting: &Mutex<Receiver<Job>>) {
    if let Err(error) = lower_priority() {
        log_event!(info, target: "dz::http", "passwords are hashed with the priority of requests: {error}");
    }
    let mut memory = Vec::new();
    loop {
        let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        job(&mut memory);
    }
}

/// Lowers the priority of this thread. Only Linux has a priority for each thread.
fn lower_priority() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::nice(NICENESS)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{sync::Barrier, time::Duration};

    use super::*;

    #[test]
    fn memory_is_reused_and_bounded() {
        let hashers = Hashers::start(2);
        // Both threads take a job before either job ends.
        let both = Arc::new(Barrier::new(2));
        let first = || {
            let both = both.clone();
            hashers.run(move |memory| {
                both.wait();
                memory.resize(64, Block::new());
                memory.as_ptr() as usize
            })
        };
        let mut owned = thread::scope(|scope| [scope.spawn(first), scope.spawn(first)].map(|it| it.join().unwrap().unwrap()));
        owned.sort_unstable();
        assert_ne!(owned[0], owned[1]);
        thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    let at = hashers.run(|memory| {
                        thread::sleep(Duration::from_millis(1));
                        (memory.as_ptr() as usize, memory.len())
                    });
                    let (at, length) = at.unwrap();
                    assert!(owned.contains(&at) && length == 64, "a job is done in memory of its own");
                });
            }
        });
    }

    #[test]
    fn a_panic_ends_its_job_alone() {
        let hashers = Hashers::start(1);
        let panics = catch_unwind(AssertUnwindSafe(|| hashers.run(|_| panic!("this job panics"))));
        assert!(panics.is_err());
        assert_eq!(hashers.run(|_| 7), Some(7));
    }

    /// Niceness is the 19th value of `stat` of a thread; the first values are its id and, in brackets, its name.
    #[cfg(target_os = "linux")]
    #[test]
    fn requests_have_priority_over_hashing() {
        let niceness = || -> i32 {
            let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
            stat.rsplit_once(')').unwrap().1.split_whitespace().nth(16).unwrap().parse().unwrap()
        };
        let own = niceness();
        assert_eq!(Hashers::start(1).run(move |_| niceness()), Some((own + NICENESS).min(19)));
        assert_eq!(niceness(), own, "the other threads keep theirs");
    }
}
