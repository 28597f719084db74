//! `/auth/…`: signing in and out, passwords, the second factor, registration, invitations, sessions and tokens.

use rocket::http::Method::{Get, Post};

use super::{Form, Route, Run};
#[cfg(feature = "oidc")]
use crate::web::auth::oidc;
use crate::{
    def::AppDef,
    web::{
        auth::{self, invitations, recovery, second_factor as factor, sessions, tenant},
        request::rate_limits::Class,
    },
};

/// A route under `/auth`. API tokens do not answer for the account itself.
fn route(method: rocket::http::Method, path: &'static str, about: &'static str, run: Run) -> Route {
    let rate = if method == Get { Class::Read } else { Class::Auth };
    Route { form: Form::Negotiated, rate: Some(rate), tokens: false, strict_query: true, ..Route::new(method, path, about, run) }
}

pub(crate) fn routes(app: &'static AppDef) -> Vec<Route> {
    let mut all = sign_in();
    all.extend(passwords());
    all.extend(second_factor());
    all.extend(sessions_and_tokens());
    if app.tenant().is_some() {
        let switch = Run::Unit(tenant::switch);
        all.push(Route { before_factor: true, ..route(Post, "/auth/tenant", "Go on in another tenant", switch) });
    }
    if app.members().is_some() {
        all.extend(members());
    }
    all
}

fn sign_in() -> Vec<Route> {
    vec![
        Route { hashes: true, ..route(Post, "/auth/login", "Sign in", Run::Steps(auth::login)) },
        Route { before_factor: true, ..route(Post, "/auth/logout", "Sign out", Run::Unit(auth::logout)) },
        Route {
            form: Form::Json,
            before_factor: true,
            tokens: true,
            ..route(Get, "/auth/me", "Show the account, its roles and its tenants", Run::Unit(|state, tx, _| auth::me(tx, state)))
        },
        #[cfg(feature = "oidc")]
        from_provider(
            "/auth/oidc/{provider}",
            "Go to a sign-in provider",
            Run::Provider(|server, call| oidc::begin(server, call, call.value(0))),
        ),
        #[cfg(feature = "oidc")]
        from_provider(
            "/auth/oidc/{provider}/callback",
            "Complete a sign-in with a provider",
            Run::Provider(|server, call| oidc::finish(server, call, call.value(0))),
        ),
    ]
}

/// A request that asks a provider. A provider may add parameters of its own.
#[cfg(feature = "oidc")]
fn from_provider(path: &'static str, about: &'static str, run: Run) -> Route {
    Route { rate: Some(Class::Auth), strict_query: false, ..route(Get, path, about, run) }
}

fn passwords() -> Vec<Route> {
    vec![
        Route { hashes: true, ..route(Post, "/auth/password", "Change the password", Run::Steps(auth::password)) },
        route(Get, "/auth/forgot", "Ask for a link to a new password", Run::Steps(recovery::forgot)),
        route(Post, "/auth/forgot", "Send a link to a new password", Run::Steps(recovery::forgot)),
        route(Get, "/auth/reset", "Ask for a new password", Run::Steps(recovery::reset)),
        Route { hashes: true, ..route(Post, "/auth/reset", "Set a new password", Run::Steps(recovery::reset)) },
        route(Get, "/auth/verify", "Ask to confirm an address", Run::Steps(recovery::verify)),
        route(Post, "/auth/verify", "Confirm an address", Run::Steps(recovery::verify)),
        route(Post, "/auth/verify/send", "Send the confirmation again", Run::Steps(recovery::send_verification)),
        route(Get, "/auth/register", "Ask for a new account", Run::Steps(recovery::register)),
        Route { hashes: true, ..route(Post, "/auth/register", "Make a new account", Run::Steps(recovery::register)) },
    ]
}

fn second_factor() -> Vec<Route> {
    let manage = |path, about, run| Route { before_factor: true, ..route(Post, path, about, Run::Steps(run)) };
    vec![
        route(Get, "/auth/code", "Ask for the code of the second factor", Run::Steps(factor::code)),
        route(Post, "/auth/code", "Sign in with the code of the second factor", Run::Steps(factor::code)),
        Route {
            hashes: true,
            ..manage("/auth/factor/begin", "Begin to set up a second factor", |state, call| factor::manage(state, call, factor::begin))
        },
        manage("/auth/factor/confirm", "Confirm a second factor", |state, call| factor::manage(state, call, factor::confirm)),
        Route {
            hashes: true,
            ..manage("/auth/factor/remove", "Remove a second factor", |state, call| factor::manage(state, call, factor::remove))
        },
        manage("/auth/factor/reset", "Remove the lost second factor of an account", |state, call| {
            factor::manage(state, call, |state, call, _| factor::reset(state, call))
        }),
    ]
}

fn sessions_and_tokens() -> Vec<Route> {
    let list = |path, about, run| Route { form: Form::Json, ..route(Get, path, about, Run::Unit(run)) };
    vec![
        list("/auth/sessions", "List the sessions of the account", |_, tx, call| sessions::of_caller(tx, call, sessions::list)),
        route(Post, "/auth/sessions/end", "End sessions", Run::Unit(|_, tx, call| sessions::of_caller(tx, call, sessions::end_sessions))),
        list("/auth/tokens", "List the API tokens of the account", |_, tx, call| sessions::of_caller(tx, call, sessions::tokens)),
        route(Post, "/auth/tokens/end", "End an API token", Run::Unit(|_, tx, call| sessions::of_caller(tx, call, sessions::end_token))),
    ]
}

fn members() -> Vec<Route> {
    vec![
        Route {
            form: Form::Json,
            ..route(Get, "/auth/invitations", "List open invitations", Run::Unit(|_, tx, call| invitations::list(tx, call)))
        },
        Route { lists: &["personas"], ..route(Post, "/auth/invitations", "Invite a person", Run::Steps(invitations::invite_by_form)) },
        route(Post, "/auth/invitations/end", "Withdraw an invitation", Run::Unit(|_, tx, call| invitations::withdraw(tx, call))),
        route(Get, "/auth/invite", "Show an invitation", Run::Steps(invitations::invited)),
        Route { hashes: true, ..route(Post, "/auth/invite", "Accept an invitation", Run::Steps(invitations::invited)) },
    ]
}
