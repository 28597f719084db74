//! Accounts and memberships with additional required fields: inviters give those of the membership, new users those of their account.

use dz::{Engine, serde_json::json};

use crate::{accounts::Site, client::Client, server};

dz::dz! {
    app studios "Studios":
      multi_tenant: true

    persona potter "Potter"

    entity Studio "Studio":
      id: uuid pk
      name: str(60) required
      archetype: tenant
      permit:
        list: role(admin)
        read: role(admin) or id = current_user.tenant

    entity Artist "Artist":
      id: uuid pk
      archetype: user
      phone: str(30) required
      permit:
        list: role(admin)
        read: role(admin) or id = current_user
        create: role(admin)
        update: role(admin)

    entity Seat "Seat":
      id: uuid pk
      archetype: user_membership
      wheel: ref Wheel required
      rank: enum[junior, senior] required
      fee: money required
      code: str(12) required sensitive
      permit:
        list: role(admin, tenant_admin)
        read: role(admin, tenant_admin) or user = current_user
        create: role(admin, tenant_admin)
        update: role(admin, tenant_admin)
        delete: role(admin, tenant_admin)

    entity Wheel "Wheel":
      id: uuid pk
      name: str(40) required
      permit:
        list: role(potter, tenant_admin, admin)
        read: role(potter, tenant_admin, admin)
        create: role(tenant_admin, admin)

    demo:
      Studio:
        - @north name: "North"
        - @south name: "South"
      Artist:
        - @root email: "root@studio.example", name: "Root", password: "over all the studios", roles: [admin], phone: "1"
        - @ann email: "ann@studio.example", name: "Ann", password: "throws in the north", phone: "2"
        - @sue email: "sue@studio.example", name: "Sue", password: "throws in the south", phone: "3"
      Wheel:
        - @n1 studio: @north, name: "Northern wheel"
        - @s1 studio: @south, name: "Southern wheel"
      Seat:
        - studio: @north, user: @ann, personas: [potter, tenant_admin], accepted_at: now, wheel: @n1, rank: senior, fee: 1.00, fee_currency: "EUR", code: "n"
        - studio: @south, user: @sue, personas: [potter], accepted_at: now, wheel: @s1, rank: senior, fee: 1.00, fee_currency: "EUR", code: "s"
}

const ROOT: (&str, &str) = ("root@studio.example", "over all the studios");
const ANN: (&str, &str) = ("ann@studio.example", "throws in the north");
const SUE: (&str, &str) = ("sue@studio.example", "throws in the south");
const NEW: (&str, &str) = ("new@studio.example", "walks in by mail");

/// The command line of the application, in a process of its own.
#[test]
#[ignore = "the other tests run it, with the words in its environment"]
fn program() {
    server::obey(app());
}

macro_rules! on_own_sites {
    ($($name:ident;)*) => {
        mod sqlite { $(#[test] fn $name() { super::$name(super::site(dz::Engine::Sqlite, stringify!($name))); })* }
        mod postgres { $(#[test] fn $name() { super::$name(super::site(dz::Engine::Postgres, stringify!($name))); })* }
    };
}

on_own_sites! {
    programs_invite_with_the_fields_of_a_membership;
    pages_ask_for_the_fields;
    new_users_fill_in_what_accounts_need;
    the_command_line_gives_the_fields_of_a_membership;
}

fn site(engine: Engine, name: &str) -> Site {
    Site::with_database(app(), engine, server::fenced_url(engine, &name[..name.len().min(30)]), json!({ "registration": true }))
}

fn wheel(name: &str, client: &Client) -> String {
    let found = client.get("/api/wheels").ok(200).json();
    let found = found["items"].as_array().expect("items").iter().find(|it| it["name"] == name).expect("the wheel");
    found["id"].as_str().expect("a key").to_owned()
}

fn programs_invite_with_the_fields_of_a_membership(site: Site) {
    let (root, ann) = (Client::signed_in(&site.base, ROOT), Client::signed_in(&site.base, ANN));
    let invite = |membership: dz::serde_json::Value| {
        ann.send("POST", "/auth/invitations", &json!({ "email": NEW.0, "personas": ["potter"], "membership": membership }))
    };
    // All errors are in one response.
    let wrong = ann.send("POST", "/auth/invitations", &json!({ "email": "new", "personas": ["thrower"] })).problem(422, "VALIDATION");
    let names: Vec<&String> = wrong["field_errors"].as_object().expect("errors").keys().collect();
    assert_eq!(names, ["email", "membership.code", "membership.fee", "membership.rank", "membership.wheel", "personas"]);
    let whole = |wheel: &str| json!({ "wheel": wheel, "rank": "junior", "fee": { "amount": "12.50", "currency": "EUR" }, "code": "k-7" });
    let own = wheel("Northern wheel", &ann);
    let mut unknown = whole(&own);
    unknown["personas"] = json!(["admin"]);
    assert!(invite(unknown).problem(422, "VALIDATION")["field_errors"]["membership.personas"].is_array());
    // A wheel of another tenant looks like an unknown one.
    let south = wheel("Southern wheel", &Client::signed_in(&site.base, SUE));
    for other in [south.as_str(), "0199aaaa-0000-7000-8000-000000000000"] {
        let wrong = invite(whole(other)).problem(422, "VALIDATION");
        assert_eq!(wrong["field_errors"], json!({ "membership.wheel": ["names no row that you can see"] }));
    }
    invite(whole(&own)).ok(204);
    let listed = ann.get("/auth/invitations").ok(200).json();
    let kept = &listed["items"][0]["membership"];
    assert_eq!((&kept["wheel"], &kept["rank"]), (&json!(own), &json!("junior")));
    assert!(kept["code"].is_null(), "sensitive fields are not listed: {listed}");
    // The new user gives the field of the account, and the membership has the values of the inviter.
    let token = site.mail(NEW.0).token;
    let accept = |body: dz::serde_json::Value| Client::new(&site.base).send("POST", "/auth/invite", &body);
    let wrong = accept(json!({ "token": token, "name": "Nia", "password": "short" })).problem(422, "VALIDATION");
    let names: Vec<&String> = wrong["field_errors"].as_object().expect("errors").keys().collect();
    assert_eq!(names, ["account.phone", "password"]);
    accept(json!({ "token": token, "name": "Nia", "password": NEW.1, "account": { "phone": "555" } })).ok(204);
    let id = Client::signed_in(&site.base, NEW).get("/auth/me").ok(200).json()["id"].as_str().expect("a key").to_owned();
    assert_eq!(root.get(&format!("/api/artists/{id}")).ok(200).json()["phone"], "555");
    let seat = root.get(&format!("/api/seats?user={id}")).ok(200).json()["items"][0].clone();
    assert_eq!(
        (&seat["rank"], &seat["fee"], &seat["code"]),
        (&json!("junior"), &json!({ "amount": "12.50", "currency": "EUR" }), &json!("k-7"))
    );
    assert_eq!(seat["wheel"].as_str().or(seat["wheel"]["id"].as_str()), Some(own.as_str()), "{seat}");
    // An invitation from before the additional field was required.
    let late = ("late@studio.example", "comes a year later");
    ann.send("POST", "/auth/invitations", &json!({ "email": late.0, "membership": whole(&own) })).ok(204);
    let token = site.mail(late.0).token;
    site.run("UPDATE dz_invitations SET membership = NULL");
    let wrong = accept(json!({ "token": token, "password": late.1, "account": { "phone": "556" } })).problem(422, "VALIDATION");
    assert!(
        wrong["field_errors"]["token"].is_array() && wrong["detail"].as_str().is_some_and(|it| it.contains("another invitation")),
        "{wrong}"
    );
}

fn pages_ask_for_the_fields(site: Site) {
    let ann = Client::signed_in(&site.base, ANN);
    let page = ann.get("/app/-/invitations").ok(200);
    page.shows(&["name=\"membership-rank\"", "name=\"membership-fee\"", "name=\"membership-fee_currency\"", "Northern wheel"]);
    assert!(!page.body.contains("Southern wheel"));
    let own = wheel("Northern wheel", &ann);
    let form = [
        ("email", NEW.0),
        ("personas", "potter"),
        ("membership-wheel", own.as_str()),
        ("membership-rank", "senior"),
        ("membership-fee", "3.00"),
        ("membership-fee_currency", "EUR"),
    ];
    let refused = ann.form("/auth/invitations", &form).ok(422);
    refused.shows(&["id=\"membership-code-error\"", "Is required.", "value=\"3.00\""]);
    let whole: Vec<_> = form.into_iter().chain([("membership-code", "k-8")]).collect();
    ann.form("/auth/invitations", &whole).ok(303);
    let token = site.mail(NEW.0).token;
    let visitor = Client::new(&site.base);
    visitor.get(&format!("/auth/invite?token={token}")).ok(200).shows(&["name=\"account-phone\"", ">Phone<"]);
    let typed = [("token", token.as_str()), ("name", "Nia"), ("password", NEW.1)];
    visitor.form("/auth/invite", &typed).ok(422).shows(&["id=\"account-phone-error\"", "value=\"Nia\""]);
    let typed: Vec<_> = typed.into_iter().chain([("account-phone", "556")]).collect();
    visitor.form("/auth/invite", &typed).ok(303);
    let seats = ann.get("/api/seats?rank=senior").ok(200).json();
    assert_eq!(seats["total"], 2, "{seats}");
}

fn new_users_fill_in_what_accounts_need(site: Site) {
    let visitor = Client::new(&site.base);
    visitor.get("/auth/register").ok(200).shows(&["name=\"account-phone\""]);
    let typed = [("email", NEW.0), ("name", "Nia"), ("password", NEW.1)];
    visitor.form("/auth/register", &typed).ok(422).shows(&["id=\"account-phone-error\"", "value=\"new@studio.example\""]);
    let long = "5".repeat(31);
    let typed_with = |phone| typed.into_iter().chain([("account-phone", phone)]).collect::<Vec<_>>();
    visitor.form("/auth/register", &typed_with(&long)).ok(422).shows(&["id=\"account-phone-error\"", long.as_str()]);
    visitor.form("/auth/register", &typed_with("557")).ok(303);
    let root = Client::signed_in(&site.base, ROOT);
    assert_eq!(root.get(&format!("/api/artists?email={}", NEW.0)).ok(200).json()["items"][0]["phone"], "557");
    // A registration accepts the required fields, and no others.
    let body = json!({ "email": "two@studio.example", "password": NEW.1, "account": { "phone": "1", "is_active": true } });
    assert!(visitor.send("POST", "/auth/register", &body).problem(422, "VALIDATION")["field_errors"]["account.is_active"].is_array());
}

fn the_command_line_gives_the_fields_of_a_membership(site: Site) {
    let run = |words: &[&str]| {
        let output = site.command("tenants::membership_fields::program", words).output().expect("the program runs");
        (output.status.success(), format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
    };
    let root = Client::signed_in(&site.base, ROOT);
    let wheel = format!("wheel={}", wheel("Northern wheel", &Client::signed_in(&site.base, ANN)));
    let member = ["--member", wheel.as_str(), "--member", "rank=junior", "--member", "fee=2.00", "--member", "fee_currency=EUR"];
    let with = |words: &[&'static str], member: &[&str]| -> (bool, String) {
        let words: Vec<&str> = words.iter().copied().chain(member.iter().copied()).collect();
        run(&words)
    };
    let invite = ["user", "invite", "kit@studio.example", "--tenant", "North", "--roles", "potter"];
    let create = ["user", "create", "kat@studio.example", "--set", "phone=9", "--tenant", "North"];
    let grant = ["user", "grant", "root@studio.example", "potter", "--tenant", "North"];
    for words in [&invite[..], &create, &grant] {
        let (done, said) = with(words, &member);
        assert!(!done && said.contains("membership.code"), "{words:?}: {said}");
        let (done, said) = with(words, &["--member", "desk=4"]);
        assert!(!done && said.contains("`desk`") && said.contains("`wheel`"), "{words:?}: {said}");
        let whole: Vec<&str> = member.into_iter().chain(["--member", "code=k"]).collect();
        let (done, said) = with(words, &whole);
        assert!(done, "{words:?}: {said}");
    }
    assert_eq!(root.get("/api/seats?rank=junior").ok(200).json()["total"], 2);
}
