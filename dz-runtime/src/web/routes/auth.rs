//! `/auth/…`: sign-in, sign-out, passwords, the second factor, registration, invitations, sessions and tokens.

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

/// A route under `/auth`. It accepts no API tokens, which cannot change the account.
fn auth_route(method: rocket::http::Method, path: &'static str, about: &'static str, run: Run) -> Route {
    let rate = if method == Get { Class::Read } else { Class::Auth };
    Route { form: Form::Negotiated, rate: Some(rate), tokens: false, strict_query: true, ..Route::new(method, path, about, run) }
}

pub(crate) fn routes(app: &'static AppDef) -> Vec<Route> {
    let mut all = sign_in_routes();
    all.extend(password_routes());
    all.extend(second_factor_routes());
    all.extend(session_routes());
    if app.tenant().is_some() {
        let switch = Run::Unit(tenant::switch);
        all.push(Route { before_factor: true, ..auth_route(Post, "/auth/tenant", "Switch to another tenant", switch) });
    }
    if app.members().is_some() {
        all.extend(member_routes());
    }
    all
}

fn sign_in_routes() -> Vec<Route> {
    vec![
        Route { hashes: true, ..auth_route(Post, "/auth/login", "Sign in", Run::Steps(auth::log_in)) },
        Route { before_factor: true, ..auth_route(Post, "/auth/logout", "Sign out", Run::Unit(auth::log_out)) },
        Route {
            form: Form::Json,
            before_factor: true,
            tokens: true,
            ..auth_route(Get, "/auth/me", "Show the account, its roles and its tenants", Run::Unit(auth::show_me))
        },
        #[cfg(feature = "oidc")]
        provider_route(
            "/auth/oidc/{provider}",
            "Go to a sign-in provider",
            Run::Provider(|server, call| oidc::start_authorization(server, call, call.value(0))),
        ),
        #[cfg(feature = "oidc")]
        provider_route(
            "/auth/oidc/{provider}/callback",
            "Complete a sign-in with a provider",
            Run::Provider(|server, call| oidc::finish_authorization(server, call, call.value(0))),
        ),
    ]
}

/// A route whose request is sent by a provider, which can add parameters.
#[cfg(feature = "oidc")]
fn provider_route(path: &'static str, about: &'static str, run: Run) -> Route {
    Route { rate: Some(Class::Auth), strict_query: false, ..auth_route(Get, path, about, run) }
}

fn password_routes() -> Vec<Route> {
    vec![
        Route { hashes: true, ..auth_route(Post, "/auth/password", "Change the password", Run::Steps(auth::change_password)) },
        auth_route(Get, "/auth/forgot", "Show the form for a forgotten password", Run::Steps(recovery::request_reset)),
        auth_route(Post, "/auth/forgot", "Send a link to set a new password", Run::Steps(recovery::request_reset)),
        auth_route(Get, "/auth/reset", "Show the form for a new password", Run::Steps(recovery::reset_password)),
        Route { hashes: true, ..auth_route(Post, "/auth/reset", "Set a new password", Run::Steps(recovery::reset_password)) },
        auth_route(Get, "/auth/verify", "Show the form that confirms an address", Run::Steps(recovery::verify_address)),
        auth_route(Post, "/auth/verify", "Confirm an address", Run::Steps(recovery::verify_address)),
        auth_route(Post, "/auth/verify/send", "Send the confirmation again", Run::Steps(recovery::send_verification)),
        auth_route(Get, "/auth/register", "Show the form for a new account", Run::Steps(recovery::register)),
        Route { hashes: true, ..auth_route(Post, "/auth/register", "Create an account", Run::Steps(recovery::register)) },
    ]
}

fn second_factor_routes() -> Vec<Route> {
    let manage = |path, about, run| Route { before_factor: true, ..auth_route(Post, path, about, Run::Steps(run)) };
    vec![
        auth_route(Get, "/auth/code", "Show the form for the code of the second factor", Run::Steps(factor::answer_code)),
        auth_route(Post, "/auth/code", "Sign in with the code of the second factor", Run::Steps(factor::answer_code)),
        Route {
            hashes: true,
            ..manage("/auth/factor/begin", "Start to set up a second factor", |state, call| {
                factor::manage(state, call, factor::start_registration)
            })
        },
        manage("/auth/factor/confirm", "Confirm a second factor", |state, call| factor::manage(state, call, factor::confirm_device)),
        Route {
            hashes: true,
            ..manage("/auth/factor/remove", "Remove a second factor", |state, call| factor::manage(state, call, factor::remove_device))
        },
        auth_route(
            Post,
            "/auth/factor/reset",
            "Remove the lost second factor of an account",
            // An administrator without a required second factor can only set it up.
            Run::Steps(|state, call| factor::manage(state, call, |state, call, _| factor::reset_device(state, call))),
        ),
    ]
}

fn session_routes() -> Vec<Route> {
    let list = |path, about, run| Route { form: Form::Json, ..auth_route(Get, path, about, Run::Unit(run)) };
    vec![
        list("/auth/sessions", "List the sessions of the account", |_, tx, call| sessions::run_for_account(tx, call, sessions::list)),
        auth_route(
            Post,
            "/auth/sessions/end",
            "End sessions",
            Run::Unit(|_, tx, call| sessions::run_for_account(tx, call, sessions::end_sessions)),
        ),
        list("/auth/tokens", "List the API tokens of the account", |_, tx, call| {
            sessions::run_for_account(tx, call, sessions::list_tokens)
        }),
        auth_route(
            Post,
            "/auth/tokens/end",
            "Revoke an API token",
            Run::Unit(|_, tx, call| sessions::run_for_account(tx, call, sessions::end_token)),
        ),
    ]
}

fn member_routes() -> Vec<Route> {
    vec![
        Route {
            form: Form::Json,
            ..auth_route(Get, "/auth/invitations", "List pending invitations", Run::Unit(|_, tx, call| invitations::list(tx, call)))
        },
        Route { lists: &["personas"], ..auth_route(Post, "/auth/invitations", "Invite a person", Run::Steps(invitations::invite_by_form)) },
        auth_route(Post, "/auth/invitations/end", "Withdraw an invitation", Run::Unit(|_, tx, call| invitations::withdraw(tx, call))),
        auth_route(Get, "/auth/invite", "Show an invitation", Run::Steps(invitations::answer_invitation)),
        Route { hashes: true, ..auth_route(Post, "/auth/invite", "Accept an invitation", Run::Steps(invitations::answer_invitation)) },
    ]
}
