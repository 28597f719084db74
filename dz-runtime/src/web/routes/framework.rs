//! Routes of the framework: the sign-in page, assets, reports of browsers, health and the OpenAPI document.

use rocket::http::Method::{Get, Post};

use super::{Form, Route, Run, policy_reports};
#[cfg(all(feature = "graphql", debug_assertions))]
use crate::web::graphiql;
#[cfg(feature = "graphql")]
use crate::web::request::rate_limits::Class;
use crate::{
    Error,
    def::AppDef,
    web::{api::Operation, auth, health, page},
};

pub(crate) fn routes(app: &'static AppDef) -> Vec<Route> {
    let embedded = |route: Route| Route { rate: None, is_routine: true, ..route };
    let asset = Run::Embedded(|state, call| {
        let found = page::asset(state.app, state.config.settings.markup, call.value(0), call.value(1), call.gzip);
        found.ok_or_else(Error::not_found)
    });
    let report = Run::Embedded(|_, call| Ok(policy_reports::log_reports(call)));
    let live = Run::Embedded(|_, _| Ok(health::report_live()));
    let ready = Run::Server(|server, _| Ok(health::ready(server)));
    let mut all = vec![
        embedded(Route { form: Form::Json, ..Route::new(Get, "/health/live", "Report that the process responds", live) }),
        embedded(Route { form: Form::Json, ..Route::new(Get, "/health/ready", "Report whether requests can be served", ready) }),
        embedded(Route::new(Get, "/-/assets/{hash}/{name}", "Read a stylesheet, a script or a font", asset)),
        Route::new(Post, "/-/reports", "Report a violation of the content security policy", report),
        Route::new(Get, "/login", "Show the sign-in page", Run::Steps(|state, call| Ok(auth::show_sign_in(state, call)))),
        Route { form: Form::Json, ..Route::new(Get, "/api/openapi.json", "Describe the API as OpenAPI", Run::Api(Operation::Describe)) },
    ];
    #[cfg(feature = "graphql")]
    all.extend(graphql());
    #[cfg(all(feature = "graphql", debug_assertions))]
    all.extend(graphiql());
    all.extend(page::routes(app));
    all
}

/// `/graphql`. A request counts as a read until its document is known.
#[cfg(feature = "graphql")]
fn graphql() -> [Route; 2] {
    let route = |method, about| Route {
        form: Form::Json,
        strict_query: true,
        rate: Some(Class::Read),
        ..Route::new(method, "/graphql", about, Run::GraphQl)
    };
    [route(Get, "Run a GraphQL query"), route(Post, "Run a GraphQL operation")]
}

/// `/graphiql`, which release builds do not contain.
#[cfg(all(feature = "graphql", debug_assertions))]
fn graphiql() -> [Route; 2] {
    let route = |path, about, run| Route { rate: None, is_routine: true, ..Route::new(Get, path, about, run) };
    [
        route("/graphiql", "Show the GraphQL editor", Run::Embedded(|_, _| Ok(graphiql::show_editor()))),
        route("/graphiql/{name}", "Read a file of the GraphQL editor", Run::Embedded(|_, call| graphiql::show_file(call))),
    ]
}
