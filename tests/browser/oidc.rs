//! Sign-in with a provider, which is another site for the browser.

use std::sync::OnceLock;

use dz::{Engine, serde_json::json};

use crate::{
    browser::Browser,
    provider::{CLIENT, Provider, SECRET, VISITOR},
    server,
};

/// The example with a configured provider, on an engine.
fn base_url(engine: Engine) -> &'static str {
    static AT: [OnceLock<String>; 2] = [const { OnceLock::new() }; 2];
    AT[usize::from(engine == Engine::Postgres)].get_or_init(|| {
        // The application is at 127.0.0.1, so cookies and policies apply as between two sites.
        let provider = Provider::start_as("localhost");
        let acme = json!({ "issuer": provider.issuer(), "client_id": CLIENT, "client_secret": SECRET, "label": "Acme" });
        let settings = json!({ "registration": true, "oidc": { "acme": acme } });
        server::serve_with(crate::fieldwork::fieldwork(), engine, server::new_url(engine, "browsed_oidc"), settings)
    })
}

macro_rules! on_both {
    ($($name:ident;)*) => {
        mod sqlite { $(#[test] fn $name() { super::$name(super::base_url(dz::Engine::Sqlite)); })* }
        mod postgres { $(#[test] fn $name() { super::$name(super::base_url(dz::Engine::Postgres)); })* }
    };
}

on_both! {
    a_sign_in_at_a_provider_returns_to_the_requested_page;
    a_failed_sign_in_at_a_provider_is_explained_and_can_be_repeated;
}

/// Opens the sign-in page and continues to the provider.
#[track_caller]
fn open_provider(base: &str) -> Browser {
    let browser = Browser::open(base);
    browser.goto("/app/-/account");
    browser.arrives("/login?next=%2Fapp%2F-%2Faccount");
    start_sign_in(&browser);
    browser
}

#[track_caller]
fn start_sign_in(browser: &Browser) {
    browser.click("a[href^='/auth/oidc/acme']");
    browser.arrives("/authorize");
    assert_eq!(browser.js("return location.hostname"), "localhost");
}

fn a_sign_in_at_a_provider_returns_to_the_requested_page(base: &str) {
    let browser = open_provider(base);
    browser.click("#agree");
    browser.arrives("/app/-/account");
    assert!(browser.text("main").contains(VISITOR), "{}", browser.text("main"));
    let kept = browser.js("return document.cookie");
    assert_eq!(kept, "", "no script sees a cookie");
    // The authorization request is complete, and the session remains.
    browser.goto("/app/-/account");
    assert_eq!(browser.at(), "/app/-/account");
    // Messages about missing resources of the provider do not count.
    let own: Vec<String> = browser.complaints().into_iter().filter(|it| it.starts_with(base)).collect();
    assert_eq!(own, [] as [String; 0]);
    // After a sign-out the user can sign in again, with the same account.
    browser.click("main form[action='/auth/logout'] button");
    browser.arrives("/login");
    browser.goto("/app/-/account");
    start_sign_in(&browser);
    browser.click("#agree");
    browser.arrives("/app/-/account");
    assert!(browser.text("main").contains(VISITOR), "{}", browser.text("main"));
}

fn a_failed_sign_in_at_a_provider_is_explained_and_can_be_repeated(base: &str) {
    for (way, words) in [("decline", "Acme did not sign you in"), ("astray", "Start again here")] {
        let browser = open_provider(base);
        browser.click(&format!("#{way}"));
        browser.arrives("/auth/oidc/acme/callback");
        assert_eq!(browser.text("h1"), "Sign in", "{way}");
        assert!(browser.text("[role=alert]").contains(words), "{way}: {}", browser.text("[role=alert]"));
        assert_eq!(browser.js("return document.querySelector('#password[aria-invalid]') === null"), true, "no field is wrong");
        browser.is_seen_everywhere(&format!("provider-{way}"));
        // The status of the response is a message of the browser itself.
        let others: Vec<String> = browser.complaints().into_iter().filter(|it| !it.contains("status of 4")).collect();
        assert_eq!(others, [] as [String; 0], "{way}");
        // The user is not signed in; a second attempt from that page leads to the requested page.
        start_sign_in(&browser);
        browser.click("#agree");
        browser.arrives("/app/-/account");
        browser.goto("/app/-/account");
        assert!(browser.text("main").contains(VISITOR), "{way}: {}", browser.text("main"));
    }
}
