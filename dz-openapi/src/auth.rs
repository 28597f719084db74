//! The addresses of accounts and sessions.

use crate::{
    Api,
    json::{Json, object},
    operation::{self, CHANGES, empty_response, json, list, object_of, text, text_object},
};

pub(crate) fn paths(api: &Api) -> Vec<(String, Json)> {
    let mut paths = session_paths();
    if api.tenants {
        let body = object_of(&["tenant"], vec![("tenant", object! {})]);
        let done = json("The account, with its roles in the tenant", me());
        let tenant = operation("tenant", "Switches to another tenant of the account", Some((true, body)), done, CHANGES);
        paths.push(("/auth/tenant".to_owned(), object! { "post" => tenant }));
        paths.extend(invitation_paths());
    }
    paths.extend(account_paths());
    paths.extend(second_factor_paths());
    paths
}

/// Invitations of a tenant.
fn invitation_paths() -> Vec<(String, Json)> {
    let refused: Vec<&str> = CHANGES.iter().copied().chain(["404"]).collect();
    let line = object_of(
        &["id", "email", "personas", "invited_at", "expires_at"],
        vec![
            ("id", text()),
            ("email", text()),
            ("personas", list(text())),
            ("membership", further_fields()),
            ("invited_by", object! { "type" => vec!["string", "null"] }),
            ("invited_at", text()),
            ("expires_at", text()),
        ],
    );
    let waiting = json("Pending invitations", object_of(&["items"], vec![("items", list(line))]));
    let invited = object_of(
        &["email"],
        vec![("email", text()), ("personas", list(text())), ("membership", further_fields()), ("tenant", object! {})],
    );
    let listed = operation("invitations", "Lists the pending invitations of the tenant", None, waiting, &["401", "403", "404", "422"]);
    let invite =
        operation("invite", "Sends an invitation by mail", Some((true, invited)), empty_response("The mail is being sent"), &refused);
    let end =
        operation("endInvitation", "Withdraws an invitation", Some((true, text_object(&["id"]))), empty_response("Withdrawn"), &refused);
    let accepted = object_of(&["token"], vec![("token", text()), ("name", text()), ("password", text()), ("account", further_fields())]);
    let accept = operation(
        "acceptInvitation",
        "Accepts an invitation with the token of its link",
        Some((true, accepted)),
        empty_response("Accepted"),
        &refused,
    );
    vec![
        ("/auth/invitations".to_owned(), object! { "get" => listed, "post" => invite }),
        ("/auth/invitations/end".to_owned(), object! { "post" => end }),
        ("/auth/invite".to_owned(), object! { "post" => accept }),
    ]
}

/// The signed-in account and its sessions.
fn me() -> Json {
    let tenant = object_of(&["id", "name"], vec![("id", object! {}), ("name", text())]);
    object_of(
        &["id", "email", "roles", "tenants", "tenant"],
        vec![("id", object! {}), ("email", text()), ("roles", list(text())), ("tenants", list(tenant)), ("tenant", object! {})],
    )
}

/// Further required fields of an account or a membership, by name.
fn further_fields() -> Json {
    object! { "type" => "object" }
}

fn operation(id: &str, summary: &str, body: Option<(bool, Json)>, done: (&str, Json), refused: &[&str]) -> Json {
    operation::operation("Sign-in", id, summary, body, done, refused)
}

fn session_paths() -> Vec<(String, Json)> {
    let account = object_of(&["id", "email"], vec![("id", object! {}), ("email", text())]);
    let signed_in = object_of(&["account", "roles"], vec![("account", account), ("roles", list(text()))]);
    let login = operation(
        "login",
        "Signs in and sets the session cookie",
        Some((true, object_of(&["email", "password"], vec![("email", text()), ("password", text()), ("code", text())]))),
        json("Signed in", signed_in),
        CHANGES,
    );
    let logout =
        operation("logout", "Ends the session", Some((false, object! { "type" => "object" })), empty_response("Signed out"), CHANGES);
    let me = operation("me", "Reads the signed-in account", None, json("The account, its roles and its tenants", me()), &["401"]);
    let password = operation(
        "password",
        "Changes the password and ends all other sessions",
        Some((true, text_object(&["current", "new"]))),
        empty_response("Changed"),
        CHANGES,
    );
    vec![
        ("/auth/login".to_owned(), object! { "post" => login }),
        ("/auth/logout".to_owned(), object! { "post" => logout }),
        ("/auth/me".to_owned(), object! { "get" => me }),
        ("/auth/password".to_owned(), object! { "post" => password }),
    ]
}

/// The second factor of an account.
fn second_factor_paths() -> Vec<(String, Json)> {
    let post = |id: &str, summary: &str, needed: &[&str], besides: &[&str], done: (&str, Json), also: &str| {
        let refused: Vec<&str> = CHANGES.iter().copied().chain([also]).collect();
        let body = object_of(needed, needed.iter().chain(besides).map(|name| (*name, text())).collect());
        object! { "post" => operation(id, summary, Some((true, body)), done, &refused) }
    };
    let secret = json("The secret, as text and as an address for an authenticator app", text_object(&["secret", "address"]));
    let codes = json("Recovery codes, which are shown once", object_of(&["recovery_codes"], vec![("recovery_codes", list(text()))]));
    let named = [
        ("begin", post("beginFactor", "Creates the secret of a second factor", &[], &["current"], secret, "409")),
        ("confirm", post("confirmFactor", "Confirms a second factor with a code", &["code"], &[], codes, "409")),
        ("remove", post("removeFactor", "Removes the second factor", &["code"], &["current"], empty_response("Removed"), "409")),
        ("reset", post("resetFactor", "Removes the second factor of another account", &["email"], &[], empty_response("Removed"), "404")),
    ];
    named.into_iter().map(|(name, item)| (format!("/auth/factor/{name}"), item)).collect()
}

fn account_paths() -> Vec<(String, Json)> {
    let items = || object_of(&["items"], vec![("items", list(object! { "type" => "object", "required" => vec!["id"] }))]);
    let key = || object_of(&[], vec![("id", text())]);
    let get = |id: &str, summary: &str| object! { "get" => operation(id, summary, None, json("The items", items()), &["401", "403"]) };
    let post = |id: &str, summary: &str, body: (bool, Json), done: &str, also: &str| {
        let refused: Vec<&str> = CHANGES.iter().copied().chain([also]).collect();
        object! { "post" => operation(id, summary, Some(body), empty_response(done), &refused) }
    };
    let register =
        object_of(&["email", "password"], vec![("email", text()), ("password", text()), ("name", text()), ("account", further_fields())]);
    let named = [
        ("sessions", get("sessions", "Lists the sessions of the account")),
        (
            "sessions/end",
            post("endSessions", "Ends the session with this id; without an id, all other sessions", (false, key()), "Ended", "404"),
        ),
        ("tokens", get("tokens", "Lists the API tokens of the account")),
        ("tokens/end", post("endToken", "Revokes an API token", (true, text_object(&["id"])), "Revoked", "404")),
        (
            "forgot",
            post(
                "forgot",
                "Sends a link to set a new password, if the address has an account",
                (true, text_object(&["email"])),
                "Accepted",
                "409",
            ),
        ),
        ("reset", post("reset", "Sets a new password with the token of a link", (true, text_object(&["token", "password"])), "Set", "409")),
        ("verify", post("verify", "Confirms an address with the token of a link", (true, text_object(&["token"])), "Confirmed", "409")),
        (
            "register",
            post(
                "register",
                "Creates an account, if the application allows registration",
                (true, register),
                "The mail is being sent",
                "404",
            ),
        ),
    ];
    named.into_iter().map(|(name, item)| (format!("/auth/{name}"), item)).collect()
}
