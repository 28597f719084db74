//! The maximum number of statements of each address, on both engines: equal for forty rows and for twelve, unless the request writes the
//! rows.
//!
//! diesel reports each statement of a connection. Statements that start and end transactions are not counted, and neither are those of
//! background threads, which tell other processes of changes at times of their own. The worker uses the same database where it runs, so
//! the minimum of several tries counts.

#[allow(dead_code, reason = "written for the tests of the application too")]
#[path = "../app/client.rs"]
mod client;
#[path = "../../examples/tasks/fieldwork.rs"]
mod fieldwork;
mod graphs;
mod processes;
mod routes;
#[allow(dead_code, unused_imports, unused_macros, reason = "written for the tests of the application too")]
#[path = "../app/server.rs"]
mod server;
mod session;
mod table;
mod tenants;
#[path = "../../examples/clinic/clinic.rs"]
mod vets;

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use diesel::connection::{InstrumentationEvent, set_default_instrumentation};

/// The statements of all connections of this process.
static RUN: AtomicU64 = AtomicU64::new(0);

/// Their texts, while they are recorded.
static TEXTS: Mutex<Option<Vec<String>>> = Mutex::new(None);

/// Counts the statements of all new connections.
fn count() {
    set_default_instrumentation(|| {
        Some(Box::new(|event: InstrumentationEvent<'_>| {
            if let InstrumentationEvent::StartQuery { query, .. } = event {
                let text = query.to_string();
                let frame = ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "SET ", "PRAGMA"];
                if !is_background() && !frame.iter().any(|word| text.starts_with(word)) {
                    RUN.fetch_add(1, Ordering::SeqCst);
                    TEXTS.lock().unwrap_or_else(PoisonError::into_inner).iter_mut().for_each(|texts| texts.push(text.clone()));
                }
            }
        }))
    })
    .expect("nobody else counts");
}

/// True on a thread of the application that serves no request; the names of these threads start with the same word.
fn is_background() -> bool {
    thread::current().name().is_some_and(|name| name.starts_with("dz "))
}

/// The statements of `work`: the minimum of a few tries, each with another request of the same kind.
fn statements(mut work: impl FnMut()) -> u64 {
    let counted = |work: &mut dyn FnMut()| {
        let before = RUN.load(Ordering::SeqCst);
        work();
        RUN.load(Ordering::SeqCst) - before
    };
    (0..3).map(|_| counted(&mut work)).min().unwrap_or_default()
}

/// The texts of the statements of `work`.
fn texts_of(work: impl FnOnce()) -> Vec<String> {
    *TEXTS.lock().unwrap_or_else(PoisonError::into_inner) = Some(Vec::new());
    work();
    TEXTS.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default()
}

#[test]
fn every_address_keeps_its_budget() {
    count();
    for engine in [dz::Engine::Sqlite, dz::Engine::Postgres] {
        routes::keep(engine);
        graphs::keep(engine);
        tenants::keep(engine);
        processes::keep(engine);
    }
}
