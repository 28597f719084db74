//! Changes of an account's address: the old address is notified, and two forms of one address count as equal.

use dz::{Engine, MailKind, serde_json::json};

use crate::{accounts::Site, client::Client};

dz::dz! {
    app office "Post office"

    persona clerk "Clerk"
    persona chief "Chief"

    entity Person "Person":
      id: uuid pk
      archetype: user
      permit:
        list: role(clerk, admin)
        read: role(clerk, admin) or id = current_user
        update: role(clerk, admin) or id = current_user

    surface person_edit "Person":
      uses entity Person
      mode: edit
      section facts "Facts":
        field name
        field email

    demo:
      Person:
        - email: "cleo@office.example", name: "Cleo", password: "behind the counter", roles: [clerk]
        - email: "una@office.example", name: "Una", password: "waits for a letter"
        - email: "bea@office.example", name: "Bea", password: "opens every parcel", roles: [chief, clerk]
        - email: "ada@office.example", name: "Ada", password: "has all the keys", roles: [admin]
}

const CLEO: (&str, &str) = ("cleo@office.example", "behind the counter");
const UNA: (&str, &str) = ("una@office.example", "waits for a letter");

#[test]
fn an_old_address_is_notified_of_the_new_one_on_sqlite() {
    check_old_address_is_notified(Site::for_app(app(), Engine::Sqlite, "office", json!({})));
}

#[test]
fn an_old_address_is_notified_of_the_new_one_on_postgres() {
    check_old_address_is_notified(Site::for_app(app(), Engine::Postgres, "office", json!({})));
}

fn check_old_address_is_notified(site: Site) {
    let una = Client::signed_in(&site.base, UNA);
    let id = una.get("/auth/me").ok(200).json()["id"].as_str().expect("an id").to_owned();
    let path = format!("/api/people/{id}");
    for wrong in ["no address", "una@ｏffice.example", "una@office.example\u{0}", "cleo@office.example"] {
        let status = una.send("PATCH", &path, &json!({ "email": wrong })).status;
        assert!(matches!(status, 409 | 422), "{wrong}: {status}");
    }
    una.send("PATCH", &path, &json!({ "name": "Una B." })).ok(200);
    una.send("PATCH", &path, &json!({ "email": "UNA@office.example" })).ok(200);
    assert!(site.mails.lock().expect("mails").is_empty(), "nothing has changed so far");
    una.send("PATCH", &path, &json!({ "email": "b@office.example" })).ok(200);
    let mail = site.mail(UNA.0);
    assert_eq!((mail.kind, mail.token.as_str()), (MailKind::AddressChanged, ""));
    assert!(mail.text.contains("The address of your account was changed"), "{}", mail.text);
    Client::signed_in(&site.base, ("b@office.example", UNA.1));
}

#[test]
fn changing_the_address_requires_a_recent_sign_in_on_sqlite() {
    check_recent_sign_in_is_required(Site::for_app(app(), Engine::Sqlite, "office_recent", json!({})));
}

#[test]
fn changing_the_address_requires_a_recent_sign_in_on_postgres() {
    check_recent_sign_in_is_required(Site::for_app(app(), Engine::Postgres, "office_recent", json!({})));
}

fn check_recent_sign_in_is_required(site: Site) {
    let (mut una, cleo) = (Client::signed_in(&site.base, UNA), Client::signed_in(&site.base, CLEO));
    let id = una.get("/auth/me").ok(200).json()["id"].as_str().expect("an id").to_owned();
    let path = format!("/api/people/{id}");
    let patch = |client: &Client, body| client.send("PATCH", &path, &body);
    site.passes(16);
    let problem = patch(&una, json!({ "name": "Una B.", "email": "b@office.example" })).problem(403, "SIGN_IN_AGAIN");
    assert!(problem["field_errors"]["email"].is_array(), "{problem}");
    patch(&cleo, json!({ "email": "b@office.example" })).problem(403, "SIGN_IN_AGAIN");
    assert_eq!(una.get(&path).ok(200).json()["name"], "Una", "nothing was changed");
    // An invalid address, and the unchanged address, require no recent sign-in.
    patch(&una, json!({ "name": "Una B.", "email": "Una@office.example" })).ok(200);
    // The form is shown again, with the entered values.
    let form = una.get(&format!("/app/person_edit/{id}")).ok(200);
    let version = form.body.split("name=\"version\" value=\"").nth(1).and_then(|it| it.split('"').next()).expect("a version");
    let typed = [("version", version), ("name", "Una C."), ("email", "c@office.example")];
    let again = una.form(&format!("/app/person_edit/{id}"), &typed).ok(403);
    again.shows(&["Una C.", "c@office.example", "sign out and in again in another tab"]);
    let signed = una.send("POST", "/auth/login", &json!({ "email": UNA.0, "password": UNA.1 })).ok(200);
    una.keep(&signed);
    una.form(&format!("/app/person_edit/{id}"), &typed).ok(303);
    assert_eq!(una.get(&path).ok(200).json()["email"], "c@office.example");
    site.mail(UNA.0);
}

/// The new address receives the link that resets the password, so a user who changes it can sign in with the roles of the account.
#[test]
fn the_address_of_an_account_with_more_roles_is_changed_by_administrators() {
    let site = Site::for_app(app(), Engine::Sqlite, "office_roles", json!({}));
    let sign_in = |who: &str, password: &str| Client::signed_in(&site.base, (who, password));
    let (cleo, bea, ada) =
        (sign_in(CLEO.0, CLEO.1), sign_in("bea@office.example", "opens every parcel"), sign_in("ada@office.example", "has all the keys"));
    let path = |client: &Client| format!("/api/people/{}", client.get("/auth/me").ok(200).json()["id"].as_str().expect("an id"));
    let moved = |by: &Client, whose: &Client, to: &str| by.send("PATCH", &path(whose), &json!({ "email": to }));
    for whose in [&bea, &ada] {
        let problem = moved(&cleo, whose, "taken@office.example").problem(403, "FORBIDDEN");
        assert_eq!(
            problem["field_errors"]["email"][0],
            "can be changed by an administrator only: the account has roles that you do not have"
        );
        cleo.send("PATCH", &path(whose), &json!({ "name": "Renamed" })).ok(200);
    }
    moved(&bea, &cleo, "c@office.example").ok(200);
    moved(&ada, &bea, "b@office.example").ok(200);
}
