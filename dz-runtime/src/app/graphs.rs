//! Reads graphs into memory and keeps them current, so that no request waits until a whole graph is read.

use std::{sync::Arc, time::Duration};

use rocket::{
    Orbit, Rocket,
    fairing::{Fairing, Info, Kind},
};

use crate::{Caller, blocking::Work, graph::algorithms, plan, state::State};

/// The time from the start to the first read, in which the address is printed and the first requests are answered.
const DELAY: Duration = Duration::from_secs(1);

/// The time between two looks at the graphs.
const INTERVAL: Duration = Duration::from_secs(5);

/// Reads graphs from the start to the shutdown.
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
            let callers: Vec<Caller> = plan::list_callers(state.app, state.clock.now()).into_iter().map(|(_, caller)| caller).collect();
            algorithms::want_graphs(&state, &callers);
            let mut pause = DELAY;
            loop {
                tokio::select! {
                    () = tokio::time::sleep(pause) => {}
                    () = &mut ended => return,
                }
                pause = INTERVAL;
                let shared = state.clone();
                // A refused slot means that the instance is busy or ends; the graphs wait for the next look.
                let _ = state.threads.run(Work::Read, move || algorithms::refresh(&shared)).await;
            }
        });
    }
}
