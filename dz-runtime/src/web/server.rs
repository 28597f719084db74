//! The state of the web layer: limits of requests, and metadata of providers.

use std::sync::Arc;

use crate::{
    state::State,
    web::{
        api::idempotency::RunningWrites,
        files::upload::UploadSlots,
        health::Readiness,
        request::{body_stream::Bodies, rate_limits::Limits},
        routes::Routes,
    },
};

/// The state of the application with the state of the web layer.
pub(crate) struct Server {
    pub state: Arc<State>,
    /// The addresses that dz answers.
    pub routes: Routes,
    /// The rate limits of clients.
    pub limits: Limits,
    /// The memory of bodies.
    pub bodies: Arc<Bodies>,
    /// Slots for running uploads.
    pub upload_slots: UploadSlots,
    /// The last result of the check whether requests can be served.
    pub readiness: Readiness,
    /// Running writes with an `Idempotency-Key`.
    pub running_writes: RunningWrites,
    /// The schema of GraphQL, created at the first request.
    #[cfg(feature = "graphql")]
    pub graphql: std::sync::OnceLock<crate::graphql::Endpoint>,
    /// The open streams of subscriptions.
    #[cfg(feature = "graphql")]
    pub streams: Arc<crate::web::graphql::subscription::Streams>,
    /// The metadata and keys of providers.
    #[cfg(feature = "oidc")]
    pub oidc: crate::web::auth::oidc::Providers,
}

impl Server {
    pub fn new(state: Arc<State>) -> Server {
        let counts_local = state.config.settings.rate_limits.is_some();
        let limits = Limits::new(state.config.rates, counts_local, &state.clock, state.shared_limits.clone());
        let bodies = Bodies::new(&state.config);
        Server {
            routes: Routes::for_app(state.app),
            state,
            limits,
            bodies,
            upload_slots: UploadSlots::default(),
            readiness: Readiness::default(),
            running_writes: RunningWrites::default(),
            #[cfg(feature = "graphql")]
            graphql: Default::default(),
            #[cfg(feature = "graphql")]
            streams: Default::default(),
            #[cfg(feature = "oidc")]
            oidc: Default::default(),
        }
    }
}
