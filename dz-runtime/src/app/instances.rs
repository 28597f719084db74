//! Records that the instance runs, for the system page, and connects it with the other instances of the database.

use std::sync::Arc;

use rocket::{
    Orbit, Rocket,
    fairing::{Fairing, Info, Kind},
};

use crate::{
    Error, Result,
    blocking::Work,
    output::log_event,
    state::{State, instances::INTERVAL},
};

/// Records the instance from the start to the shutdown.
pub(super) struct RecordInstance(pub(super) Arc<State>);

#[rocket::async_trait]
impl Fairing for RecordInstance {
    fn info(&self) -> Info {
        Info { name: "dz instance", kind: Kind::Liftoff | Kind::Shutdown }
    }

    async fn on_liftoff(&self, rocket: &Rocket<Orbit>) {
        let (state, mut ended) = (self.0.clone(), rocket.shutdown());
        #[cfg(feature = "postgres")]
        state.db.report_as_instance(state.app, state.config.settings.worker);
        tokio::spawn(async move {
            loop {
                // A worker looks for the work that other processes store.
                #[cfg(feature = "postgres")]
                if state.config.settings.worker {
                    let shared = state.clone();
                    report(state.threads.run(Work::Write, move || shared.db.hear_instances(shared.app, true)).await);
                }
                let shared = state.clone();
                report(state.threads.run(Work::Read, move || shared.db.correct_clock(&shared.clock)).await);
                let shared = state.clone();
                let recorded =
                    state.threads.run(Work::Write, move || shared.db.write(&mut |conn| shared.instance.record(conn, shared.now()))).await;
                report(recorded);
                tokio::select! {
                    () = tokio::time::sleep(INTERVAL) => {}
                    () = &mut ended => return,
                }
            }
        });
    }

    async fn on_shutdown(&self, _: &Rocket<Orbit>) {
        let shared = self.0.clone();
        report(self.0.threads.run(Work::Write, move || shared.db.write(&mut |conn| shared.instance.remove(conn))).await);
    }
}

/// The system page is not complete without the record; the instance continues.
fn report(recorded: Result<Result<()>>) {
    if let Err(Error { detail, internal, .. }) = recorded.and_then(|recorded| recorded) {
        log_event!(debug, target: "dz", "the instance was not recorded, does not hear others, or does not know the time of the server: {}", internal.as_deref().unwrap_or(&detail));
    }
}
