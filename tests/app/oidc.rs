//! Sign-in with an OpenID Connect provider, which the test starts and which can send forged responses.

mod provider;

use std::sync::OnceLock;

use dz::{
    Clock, Engine,
    serde_json::{Value, json},
};
use provider::{CLIENT, Provider, SECRET, Sent, Signed};

use crate::client::{Answer, Client, encode};

dz::dz! {
    app guild "Guild"

    persona master "Master"

    entity Smith "Smith":
      id: uuid pk
      name: str(60) required
      archetype: user
      permit:
        list: role(master)
        read: role(master) or id = current_user
        update: role(master)

    demo:
      Smith:
        - email: "mo@guild.example", name: "Mo", password: "holds the hammer", roles: [master, admin], email_verified: true
        - email: "ada@guild.example", name: "Ada", password: "sparks and cinders", email_verified: true
        - email: "kit@guild.example", name: "Kit", password: "not yet confirmed"
}

const MO: (&str, &str) = ("mo@guild.example", "holds the hammer");
const ADA: (&str, &str) = ("ada@guild.example", "sparks and cinders");

/// The application, with its provider and its clock.
struct Site {
    base: String,
    provider: Provider,
    clock: Clock,
}

/// One that creates and links accounts, one that does neither, and one whose clock the test sets.
const SITES: [(&str, bool); 3] = [("guild_open", true), ("guild_closed", false), ("guild_late", true)];

fn site(engine: Engine, of: &str) -> &'static Site {
    static STARTED: [OnceLock<Site>; 6] = [const { OnceLock::new() }; 6];
    let at = SITES.iter().position(|(name, _)| *name == of).expect("a site");
    let open = SITES[at].1;
    STARTED[usize::from(engine == Engine::Postgres) * 3 + at].get_or_init(|| {
        let provider = Provider::start();
        let clock = Clock::stopped(chrono::Utc::now());
        let known = |issuer: &str, label: &str| {
            json!({ "issuer": issuer, "client_id": CLIENT, "client_secret": SECRET, "label": label, "link_by_email": open })
        };
        let settings = json!({
            "registration": open,
            "rate_limits": { "auth": 0 },
            "oidc": { "acme": known(provider.issuer(), "Acme"), "other": known(provider.issuer(), "Other"), "gone": known("http://127.0.0.1:9", "Gone") },
        });
        let url = crate::server::new_url(engine, of);
        Site { base: crate::server::serve_with(app().clock(clock.clone()), engine, url, settings), provider, clock }
    })
}

/// A browser during an authorization request.
struct Away {
    client: Client,
    errand: String,
    sent: Sent,
}

impl Site {
    #[track_caller]
    fn away(&self, next: &str) -> Away {
        let mut client = Client::new(&self.base);
        let answer = client.get(&format!("/auth/oidc/acme?next={}", encode(next))).ok(303);
        let address = answer.header("location").expect("an address").to_owned();
        assert!(address.starts_with(&format!("{}/authorize?", self.provider.issuer())), "{address}");
        client.keep(&answer);
        let cookie = answer.header("set-cookie").expect("a cookie").to_owned();
        assert!(cookie.starts_with("dz_authorization=") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
        Away { errand: client.cookie.clone().expect("a cookie"), client, sent: Sent::parse(&address) }
    }

    /// Returns with a code for these claims.
    fn back(&self, away: &Away, claims: Value, signed: Signed) -> Answer {
        let code = self.provider.code(&away.sent, claims, signed, 200);
        away.client.get(&format!("/auth/oidc/acme/callback?code={code}&state={}", away.sent.get("state")))
    }

    /// A complete sign-in of an honest user.
    fn round(&self, subject: &str, email: &str) -> Answer {
        let away = self.away("");
        let claims = self.provider.claims(&away.sent, subject, email);
        self.back(&away, claims, Signed::Well)
    }
}

/// The session of a response.
#[track_caller]
fn session(site: &Site, answer: &Answer) -> Client {
    let mut client = Client::new(&site.base);
    client.cookie = answer.cookies().into_iter().find(|it| it.starts_with("dz_session=") && it.len() > 20);
    assert!(client.cookie.is_some(), "no session: {} {}", answer.status, answer.body);
    client
}

/// Checks that no user is signed in, and that the page shows the error.
#[track_caller]
fn check_refusal(answer: &Answer, status: u16, words: &str) {
    assert_eq!(answer.status, status, "{}", answer.body);
    assert!(!answer.cookies().iter().any(|it| it.starts_with("dz_session=")), "{:?}", answer.cookies());
    answer.shows(&[words, "type=\"password\""]);
}

macro_rules! on_both {
    ($($name:ident, $of:literal;)*) => {
        mod sqlite { $(#[test] fn $name() { super::$name(super::site(dz::Engine::Sqlite, $of)); })* }
        mod postgres { $(#[test] fn $name() { super::$name(super::site(dz::Engine::Postgres, $of)); })* }
    };
}

on_both! {
    a_complete_sign_in, "guild_open";
    forged_tokens_are_refused, "guild_open";
    an_authorization_request_belongs_to_one_browser_and_is_single_use, "guild_open";
    accounts_are_linked_if_both_sides_confirmed_the_address, "guild_open";
    a_foreign_registration_of_an_address_is_replaced, "guild_open";
    a_disabled_account_stays_disabled, "guild_open";
    unknown_identities_are_refused_without_registration, "guild_closed";
    an_unavailable_provider_does_not_block_other_sign_ins, "guild_closed";
    redirects_and_other_sites_are_refused, "guild_open";
    an_authorization_request_expires, "guild_late";
}

fn a_complete_sign_in(site: &Site) {
    let page = Client::new(&site.base).get("/login?next=%2Fapp%2Fuser_list").ok(200);
    page.shows(&["Sign in with Acme", "/auth/oidc/acme?next=%2Fapp%2Fuser_list"]);
    let away = site.away("/app/-/account");
    for (name, value) in [("response_type", "code"), ("client_id", CLIENT), ("code_challenge_method", "S256")] {
        assert_eq!(away.sent.get(name), value);
    }
    assert_eq!(away.sent.get("redirect_uri"), format!("{}/auth/oidc/acme/callback", site.base));
    assert!(away.sent.get("scope").split(' ').any(|scope| scope == "openid"));
    let claims = site.provider.claims(&away.sent, "bee", "bee@guild.example");
    let answer = site.back(&away, claims, Signed::Well).ok(303);
    assert_eq!(answer.header("location"), Some("/app/-/account"));
    assert!(answer.cookies().iter().any(|it| it.starts_with("dz_authorization=;") || it == "dz_authorization="), "the request has ended");
    let first = session(site, &answer);
    let me = first.get("/auth/me").ok(200).json();
    assert_eq!((&me["email"], &me["roles"], &me["name"]), (&json!("bee@guild.example"), &json!([]), &json!("bee")));

    // The subject identifies the user, whatever its address is; the previous session of the browser ends.
    let mut away = site.away("");
    away.client.cookie = Some(format!("{}; {}", away.errand, first.cookie.clone().expect("a session")));
    let claims = site.provider.claims(&away.sent, "bee", "moved@guild.example");
    let again = site.back(&away, claims, Signed::Well).ok(303);
    assert_eq!(again.header("location"), Some("/app"));
    let second = session(site, &again);
    assert_eq!(second.get("/auth/me").ok(200).json()["id"], me["id"]);
    assert_ne!(first.cookie, second.cookie);
    first.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");

    let log = Client::signed_in(&site.base, MO).get("/admin/audit?action=sign_in").ok(200);
    log.shows(&["oidc acme: made", "oidc acme: known"]);
}

fn forged_tokens_are_refused(site: &Site) {
    type Lie = (&'static str, fn(&mut Value), Signed);
    let lies: [Lie; 13] = [
        ("nonce of another", |it| it["nonce"] = json!("somebody else's"), Signed::Well),
        ("no nonce", |it| drop(it.as_object_mut().map(|it| it.remove("nonce"))), Signed::Well),
        ("another audience", |it| it["aud"] = json!("another-app"), Signed::Well),
        ("a second audience", |it| it["aud"] = json!([CLIENT, "another-app"]), Signed::Well),
        ("another issuer", |it| it["iss"] = json!("https://evil.example"), Signed::Well),
        ("too old", |it| it["exp"] = json!(chrono::Utc::now().timestamp() - 3_600), Signed::Well),
        ("without an end", |it| drop(it.as_object_mut().map(|it| it.remove("exp"))), Signed::Well),
        ("nobody", |it| it["sub"] = json!(""), Signed::Well),
        ("another access token", |it| it["at_hash"] = json!("bm90IHRoaXMgb25lLi4u"), Signed::Well),
        ("another key", |_| {}, Signed::ByAnother),
        ("no signature", |_| {}, Signed::Not),
        ("a shared secret", |_| {}, Signed::BySecret),
        ("no text", |it| it["sub"] = json!(["ada"]), Signed::Well),
    ];
    for (name, lie, signed) in lies {
        let away = site.away("");
        let mut claims = site.provider.claims(&away.sent, "liar", "ada@guild.example");
        lie(&mut claims);
        let answer = site.back(&away, claims, signed);
        assert_eq!(answer.status, 403, "{name}: {}", answer.body);
        check_refusal(&answer, 403, "could not be verified");
    }
    // A response of another issuer, a refusal, a response without a code, and one with an invalid code.
    let away = site.away("");
    let claims = site.provider.claims(&away.sent, "liar", "liar@guild.example");
    let code = site.provider.code(&away.sent, claims.clone(), Signed::Well, 200);
    let state = away.sent.get("state").to_owned();
    let iss = encode("https://evil.example");
    check_refusal(&away.client.get(&format!("/auth/oidc/acme/callback?code={code}&state={state}&iss={iss}")), 403, "could not be verified");
    let away = site.away("");
    let state = away.sent.get("state");
    check_refusal(&away.client.get(&format!("/auth/oidc/acme/callback?error=access_denied&state={state}")), 403, "did not sign you in");
    let away = site.away("");
    check_refusal(&away.client.get(&format!("/auth/oidc/acme/callback?state={}", away.sent.get("state"))), 403, "could not be verified");
    let away = site.away("");
    check_refusal(
        &away.client.get(&format!("/auth/oidc/acme/callback?code=made-up&state={}", away.sent.get("state"))),
        403,
        "did not sign you in",
    );
    let away = site.away("");
    let code = site.provider.code(&away.sent, claims, Signed::Well, 500);
    let answer = away.client.get(&format!("/auth/oidc/acme/callback?code={code}&state={}", away.sent.get("state")));
    check_refusal(&answer, 403, "did not sign you in");
}

fn an_authorization_request_belongs_to_one_browser_and_is_single_use(site: &Site) {
    // A code of another user: the browser has no authorization request, or another one (login CSRF).
    let (away, victim) = (site.away(""), site.away(""));
    let claims = site.provider.claims(&away.sent, "mallory", "mallory@guild.example");
    let code = site.provider.code(&away.sent, claims.clone(), Signed::Well, 200);
    let state = away.sent.get("state");
    let callback = format!("/auth/oidc/acme/callback?code={code}&state={state}");
    check_refusal(&Client::new(&site.base).get(&callback), 400, "Start again here");
    check_refusal(&victim.client.get(&callback), 400, "Start again here");
    // The own state with the code of another request: the PKCE verifier does not match.
    let mixed = format!("/auth/oidc/acme/callback?code={code}&state={}", victim.sent.get("state"));
    check_refusal(&victim.client.get(&mixed), 403, "did not sign you in");

    // Repeated, at another provider, with two states, and expired.
    let away = site.away("");
    let claims = site.provider.claims(&away.sent, "cleo", "cleo@guild.example");
    session(site, &site.back(&away, claims.clone(), Signed::Well).ok(303));
    check_refusal(&site.back(&away, claims.clone(), Signed::Well), 400, "Start again here");
    let away = site.away("");
    let code = site.provider.code(&away.sent, claims.clone(), Signed::Well, 200);
    let state = away.sent.get("state");
    check_refusal(&away.client.get(&format!("/auth/oidc/other/callback?code={code}&state={state}")), 400, "Start again here");
    check_refusal(&away.client.get(&format!("/auth/oidc/acme/callback?code={code}&state={state}&state={state}")), 400, "Start again here");
    for broken in ["dz_authorization=", "dz_authorization=a.b.c", "dz_authorization=AAAA.1.acme.", "dz_authorization=%00"] {
        let mut client = Client::new(&site.base);
        client.cookie = Some(broken.to_owned());
        check_refusal(&client.get(&format!("/auth/oidc/acme/callback?code={code}&state={state}")), 400, "Start again here");
    }
    // A changed start time gives another state.
    let parts: Vec<&str> = away.errand.split('.').collect();
    let later = format!("{}.{}.{}.{}", parts[0], site.clock.now().timestamp() + 30, parts[2], parts[3]);
    let mut client = Client::new(&site.base);
    client.cookie = Some(later);
    check_refusal(&client.get(&format!("/auth/oidc/acme/callback?code={code}&state={state}")), 400, "Start again here");
}

fn accounts_are_linked_if_both_sides_confirmed_the_address(site: &Site) {
    let ada = Client::signed_in(&site.base, ADA).get("/auth/me").ok(200).json()["id"].clone();
    let away = site.away("");
    let mut claims = site.provider.claims(&away.sent, "ada at acme", "Ada@Guild.example");
    claims["email_verified"] = json!(false);
    check_refusal(&site.back(&away, claims, Signed::Well), 403, "not verified your address");
    let away = site.away("");
    let mut claims = site.provider.claims(&away.sent, "ada at acme", "ada@guild.example");
    claims.as_object_mut().expect("claims").remove("email_verified");
    check_refusal(&site.back(&away, claims, Signed::Well), 403, "not verified your address");
    // Here Kit's address is not confirmed.
    check_refusal(&site.round("kit at acme", "kit@guild.example"), 403, "has an account here already");
    let linked = session(site, &site.round("ada at acme", "Ada@Guild.example").ok(303));
    assert_eq!(linked.get("/auth/me").ok(200).json()["id"], ada);
    // The password is unchanged, and from now on the subject is sufficient.
    Client::signed_in(&site.base, ADA);
    let again = session(site, &site.round("ada at acme", "elsewhere@guild.example").ok(303));
    assert_eq!(again.get("/auth/me").ok(200).json()["id"], ada);
}

fn a_foreign_registration_of_an_address_is_replaced(site: &Site) {
    let stranger = Client::new(&site.base);
    let body = json!({ "email": "dee@guild.example", "name": "Not Dee", "password": "waiting for dee to come" });
    stranger.send("POST", "/auth/register", &body).ok(204);
    let dee = session(site, &site.round("dee", "dee@guild.example").ok(303));
    assert_eq!(dee.get("/auth/me").ok(200).json()["email"], "dee@guild.example");
    stranger.send("POST", "/auth/login", &body).problem(401, "AUTHENTICATION_REQUIRED");
}

fn a_disabled_account_stays_disabled(site: &Site) {
    let eve = session(site, &site.round("eve", "eve@guild.example").ok(303));
    let id = eve.get("/auth/me").ok(200).json()["id"].as_str().expect("an id").to_owned();
    let mo = Client::signed_in(&site.base, MO);
    mo.send("PATCH", &format!("/api/smiths/{id}"), &json!({ "is_active": false })).ok(200);
    eve.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    check_refusal(&site.round("eve", "eve@guild.example"), 403, "You have no account here");
    check_refusal(&site.round("eve again", "eve@guild.example"), 403, "You have no account here");
}

fn unknown_identities_are_refused_without_registration(site: &Site) {
    for (subject, email) in [("fay", "fay@guild.example"), ("ada at acme", "ada@guild.example")] {
        check_refusal(&site.round(subject, email), 403, "You have no account here");
    }
    let mo = Client::signed_in(&site.base, MO);
    assert_eq!(mo.get("/api/smiths").ok(200).json()["total"], 3, "nobody was added");
    mo.get("/admin/audit?action=sign_in&decision=denied").ok(200).shows(&["oidc acme: unknown"]);
}

fn an_unavailable_provider_does_not_block_other_sign_ins(site: &Site) {
    let answer = Client::new(&site.base).get("/auth/oidc/gone?next=%2Fapp%2F-%2Faccount");
    check_refusal(&answer, 503, "Gone does not respond");
    answer.shows(&["name=\"next\" value=\"/app/-/account\""]);
    Client::signed_in(&site.base, ADA).get("/auth/me").ok(200);
    assert_eq!(Client::new(&site.base).get("/auth/oidc/nobody").status, 404);
}

fn redirects_and_other_sites_are_refused(site: &Site) {
    for elsewhere in ["https://evil.example", "//evil.example", "/\\evil.example"] {
        let away = site.away(elsewhere);
        let claims = site.provider.claims(&away.sent, "gil", "gil@guild.example");
        let answer = site.back(&away, claims, Signed::Well).ok(303);
        assert_eq!(answer.header("location"), Some("/app"), "{elsewhere}");
    }
    let client = Client::new(&site.base);
    let answer = client.request("GET", "/auth/oidc/acme?next=%2Fapp", &[("Sec-Fetch-Site", "cross-site")], b"").ok(303);
    assert_eq!(answer.header("location"), Some("/login?next=%2Fapp"));
    assert!(answer.header("set-cookie").is_none());
    assert_eq!(client.request("POST", "/auth/oidc/acme", &[("Sec-Fetch-Site", "same-origin")], b"").status, 405);
    let token = [("Authorization", "Bearer dz_nothing")];
    client.request("GET", "/auth/oidc/acme", &token, b"").ok(403);
}

fn an_authorization_request_expires(site: &Site) {
    let away = site.away("");
    site.clock.advance(chrono::TimeDelta::minutes(11));
    let claims = site.provider.claims(&away.sent, "gil", "gil@guild.example");
    check_refusal(&site.back(&away, claims, Signed::Well), 400, "Start again here");
}
