//! The worker of a serving application: it starts with Rocket and ends before it.

use rocket::{
    Orbit, Rocket,
    fairing::{Fairing, Info, Kind},
};

use crate::worker::Worker;

#[rocket::async_trait]
impl Fairing for Worker {
    fn info(&self) -> Info {
        Info { name: "dz worker", kind: Kind::Liftoff | Kind::Shutdown }
    }

    async fn on_liftoff(&self, rocket: &Rocket<Orbit>) {
        self.start(|| rocket.shutdown());
    }

    async fn on_shutdown(&self, _: &Rocket<Orbit>) {
        self.stop().await;
    }
}
