//! Addresses of accounts: the owner of the old one is told of a change, and none looks like another one to a mail server.

use dz::{Engine, MailKind, serde_json::json};

use crate::{accounts::Site, client::Client};

dz::dz! {
    app office "Post office"

    persona clerk "Clerk"

    entity Person "Person":
      id: uuid pk
      archetype: user
      permit:
        list: role(clerk)
        read: role(clerk) or id = current_user
        update: role(clerk) or id = current_user

    demo:
      Person:
        - email: "cleo@office.example", name: "Cleo", password: "behind the counter", roles: [clerk]
        - email: "una@office.example", name: "Una", password: "waits for a letter"
}

const UNA: (&str, &str) = ("una@office.example", "waits for a letter");

#[test]
fn an_old_address_is_told_of_the_new_one_on_sqlite() {
    an_old_address_is_told_of_the_new_one(Site::of(app(), Engine::Sqlite, "office", json!({})));
}

#[test]
fn an_old_address_is_told_of_the_new_one_on_postgres() {
    an_old_address_is_told_of_the_new_one(Site::of(app(), Engine::Postgres, "office", json!({})));
}

fn an_old_address_is_told_of_the_new_one(site: Site) {
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
    assert_eq!((mail.kind, mail.token.as_str()), (MailKind::Moved, ""));
    assert!(mail.text.contains("another address now"), "{}", mail.text);
    Client::signed_in(&site.base, ("b@office.example", UNA.1));
}
