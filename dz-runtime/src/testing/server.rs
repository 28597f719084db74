//! The application, which handles requests without a socket.

use std::{collections::BTreeMap, sync::Arc};

use rocket::{
    fairing::AdHoc,
    http::{Header, Method},
    local::blocking::Client,
};

use super::{
    graphql,
    query::{self, NextQuery},
    world::World,
};
use crate::{App, Clock, Engine, Error, Result, db::Database, state::State, web::cookies::OwnCookie};

/// A request.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub method: &'static str,
    pub path: String,
    /// JSON, or form pairs if the address is a page.
    pub body: String,
}

/// An answer.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub status: u16,
    pub location: String,
    pub body: String,
}

impl Answer {
    /// Converts the response of a form to that of the API: a redirect to a page is a success, and one to the sign-in page a 401.
    pub fn as_of_api(&self) -> Answer {
        let status = match self.status {
            303 if self.location.starts_with("/login") => 401,
            303 => 200,
            other => other,
        };
        Answer { status, ..self.clone() }
    }
}

/// The application with an empty database of its own.
pub(super) struct TestServer {
    client: Client,
    pub state: Arc<State>,
    pub engine: Engine,
    pub next: NextQuery,
}

impl TestServer {
    /// # Errors
    /// If the application cannot start.
    pub fn start(app: App, engine: Engine, url: String, clock: Clock) -> Result<TestServer> {
        let figment = rocket::Config::figment()
            .select(rocket::Config::DEBUG_PROFILE)
            .merge(("log_level", "off"))
            .merge(("ip_header", false))
            .merge(("cli_colors", false))
            .merge(("dz.worker", false));
        let next = NextQuery::default();
        let known = next.clone();
        let app = app
            .mount("/", query::route())
            .attach(AdHoc::on_ignite("the queries of the proof", |rocket| async move { rocket.manage(known) }));
        let (rocket, state) = app.engine(engine).database_url(url).figment(figment).clock(clock).rocket_with_state()?;
        let client = Client::untracked(rocket).map_err(|error| Error::internal(format!("the application does not start: {error}")))?;
        Ok(TestServer { client, state, engine, next })
    }

    pub fn db(&self) -> &Database {
        &self.state.db
    }

    /// Replaces all rows by a world; returns the sessions of its accounts.
    ///
    /// # Errors
    /// If the database refuses it.
    pub fn store_world(&self, world: &World) -> Result<BTreeMap<String, String>> {
        super::store::store_world(self.db(), world, self.state.now())
    }

    /// Sends a request with a session, like a browser on a page of the application.
    pub fn send(&self, request: &Request, session: Option<&str>) -> Answer {
        let method: Method = request.method.parse().unwrap_or(Method::Get);
        let mut local = self.client.req(method, request.path.clone());
        local.add_header(Header::new("Sec-Fetch-Site", "same-origin"));
        if let Some(token) = session {
            local.add_header(Header::new("Cookie", format!("{}={token}", OwnCookie::Session.name(&self.state.config))));
        }
        if !request.body.is_empty() {
            let form = !request.path.starts_with("/api") && request.path != graphql::PATH;
            local.add_header(Header::new("Content-Type", if form { "application/x-www-form-urlencoded" } else { "application/json" }));
            local.set_body(&request.body);
        }
        let response = local.dispatch();
        let location = response.headers().get_one("Location").unwrap_or_default().to_owned();
        Answer { status: response.status().code, location, body: response.into_string().unwrap_or_default() }
    }
}
