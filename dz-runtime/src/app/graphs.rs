//! Keeps the graphs in memory current, so that no request waits until a whole graph is read again.

use std::{sync::Arc, time::Duration};

use rocket::{
    Orbit, Rocket,
    fairing::{Fairing, Info, Kind},
};

use crate::{blocking::Work, graph::algorithms, state::State};

/// The time between two looks at the graphs.
const INTERVAL: Duration = Duration::from_secs(5);

/// Reads graphs again from the start to the shutdown.
pub(super) struct KeepGraphs(pub(super) Arc<State>);

#[rocket::async_trait]
impl Fairing for KeepGraphs {
    fn info(&self) -> Info {
        Info { name: "dz graphs", kind: Kind::Liftoff }
    }

    async fn on_liftoff(&self, rocket: &Rocket<Orbit>) {
        let (state, mut ended) = (self.0.clone(), rocket.shutdown());
        if state.app.entities.iter().all(|entity| entity.edge.is_none()) {
            return;
        }
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    () = tokio::time::sleep(INTERVAL) => {}
                    () = &mut ended => return,
                }
                let shared = state.clone();
                // A refused slot means that the instance is busy or ends; the graphs wait for the next look.
                let _ = state.threads.run(Work::Read, move || algorithms::refresh(&shared)).await;
            }
        });
    }
}
