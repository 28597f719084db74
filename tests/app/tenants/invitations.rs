//! Invitations: permissions, mails, and invalid links.

use dz::MailKind;

use super::*;
use crate::{accounts::Site, client::Answer};

/// Declares a test for each engine, with an application of its own.
macro_rules! on_own_sites {
    ($($name:ident;)*) => {
        mod sqlite { $(#[test] fn $name() { super::$name(super::site(dz::Engine::Sqlite, stringify!($name))); })* }
        mod postgres { $(#[test] fn $name() { super::$name(super::site(dz::Engine::Postgres, stringify!($name))); })* }
    };
}

on_own_sites! {
    an_invited_user_becomes_a_member;
    an_account_joins_by_its_own_session;
    no_response_reveals_whether_an_address_has_an_account;
    links_are_single_use_and_expire;
    permissions_to_invite;
    an_unaccepted_membership_has_no_effect;
    an_inviter_without_the_permission_cannot_invite;
    the_command_line_invites;
}

fn site(engine: Engine, name: &str) -> Site {
    let name = &name[..name.len().min(30)];
    Site::with_database(practices(), engine, server::fenced_url(engine, name), json!({}))
}

fn invite(client: &Client, email: &str, personas: &[&str]) -> Answer {
    client.send("POST", "/auth/invitations", &json!({ "email": email, "personas": personas }))
}

fn waiting(client: &Client) -> Vec<Value> {
    client.get("/auth/invitations").ok(200).json()["items"].as_array().expect("items").clone()
}

fn accept(token: &str, site: &Site, name: &str, password: &str) -> Answer {
    Client::new(&site.base).form("/auth/invite", &[("token", token), ("name", name), ("password", password)])
}

fn me(client: &Client) -> Value {
    client.get("/auth/me").ok(200).json()
}

#[track_caller]
fn leads_nowhere(site: &Site, token: &str) {
    let page = Client::new(&site.base).get(&format!("/auth/invite?token={token}"));
    assert_eq!(page.status, 422, "{}", page.body);
    page.shows(&["This invitation is no longer valid", "ask for another one"]);
    assert!(!page.body.contains("name=\"password\"") && !page.body.contains("dz-button"), "{}", page.body);
    let body = json!({ "token": token, "name": "N", "password": "a whole new phrase" });
    let problem = Client::new(&site.base).send("POST", "/auth/invite", &body).problem(422, "VALIDATION");
    assert!(problem["field_errors"]["token"].is_array(), "{problem}");
}

fn an_invited_user_becomes_a_member(site: Site) {
    let ann = Client::signed_in(&site.base, ANN);
    ann.get("/app/visit_list").ok(200).shows(&["href=\"/app/-/invitations\""]);
    ann.get("/app/-/invitations").ok(200).shows(&["Users who are invited to North", "No pending invitations", "value=\"clerk\""]);
    let sent = ann.form("/auth/invitations", &[("email", "New@Vets.example"), ("personas", "clerk")]).ok(303);
    assert_eq!(sent.header("location"), Some("/app/-/invitations?done=invited"));
    ann.get("/app/-/invitations?done=invited").ok(200).shows(&["was sent", "new@vets.example", ">Clerk</span>", "by ann@vets.example"]);
    let mail = site.mail("new@vets.example");
    assert_eq!(mail.kind, MailKind::Invitation);
    assert!(mail.link.starts_with(&format!("{}/auth/invite?token=", site.base)), "{}", mail.link);
    assert!(mail.text.starts_with("ann@vets.example invites you to North at Practices."), "{}", mail.text);

    let path = mail.link.trim_start_matches(&site.base);
    Client::new(&site.base).get(path).ok(200).shows(&["You are invited to North", "new@vets.example", "name=\"password\""]);
    let weak = accept(&mail.token, &site, "Nina", "short").ok(422);
    weak.shows(&["at least 8", "value=\"Nina\""]);
    Client::new(&site.base).send("POST", "/auth/invite", &json!({ "token": mail.token })).problem(422, "VALIDATION");
    let done = accept(&mail.token, &site, "Nina", "walks in by mail").ok(303);
    assert_eq!(done.header("location"), Some("/login?done=invited"));
    Client::new(&site.base).get("/login?done=invited").ok(200).shows(&["You are a member now"]);
    let nina = Client::signed_in(&site.base, ("new@vets.example", "walks in by mail"));
    let is = me(&nina);
    assert_eq!((&is["name"], &is["roles"]), (&json!("Nina"), &json!(["clerk"])));
    assert_eq!(is["tenant"], tenant_of(&ann, "North"));
    assert!(visits(&nina).contains(&"Northern hen".to_owned()));
    leads_nowhere(&site, &mail.token);
    assert_eq!(waiting(&ann), [] as [Value; 0]);

    // The stored row contains the inviter and the time.
    let root = Client::signed_in(&site.base, ROOT);
    let row = root.get(&format!("/api/members?user={}", is["id"].as_str().expect("an id"))).ok(200).json()["items"][0].clone();
    assert_eq!((&row["invited_by"], &row["personas"]), (&me(&ann)["id"], &json!(["clerk"])));
    assert!(row["invited_at"].is_string() && row["accepted_at"].is_string(), "{row}");
    let log = root.get("/admin/audit?action=invite").ok(200);
    log.shows(&["invited new@vets.example as clerk", "accepted, with a new account"]);
    assert!(!log.body.contains(&mail.token), "no log has the link");
}

fn an_account_joins_by_its_own_session(site: Site) {
    let ann = Client::signed_in(&site.base, ANN);
    invite(&ann, "SUE@vets.example", &["clerk"]).ok(204);
    let mail = site.mail(SUE.0);
    assert_eq!(mail.kind, MailKind::Membership);
    let path = mail.link.trim_start_matches(&site.base).to_owned();
    // The link alone creates no membership for another account, and sets no password.
    let nobody = Client::new(&site.base).get(&path).ok(200);
    nobody.shows(&["Sign in as sue@vets.example to join", "/login?next=%2Fauth%2Finvite%3Ftoken%3D"]);
    assert!(!nobody.body.contains("name=\"password\""), "{}", nobody.body);
    let other = json!({ "token": mail.token, "name": "Not Sue", "password": "a whole new phrase" });
    Client::new(&site.base).send("POST", "/auth/invite", &other).problem(401, "AUTHENTICATION_REQUIRED");
    ann.send("POST", "/auth/invite", &other).problem(401, "AUTHENTICATION_REQUIRED");
    let sue = Client::signed_in(&site.base, SUE);
    sue.get(&path).ok(200).shows(&["You are invited to North", ">Join</button>"]);
    let joined = sue.form("/auth/invite", &[("token", &mail.token)]).ok(303);
    assert_eq!(joined.header("location"), Some("/app"));
    assert_eq!(me(&sue)["tenant"], tenant_of(&ann, "North"), "she goes on where she was invited to");
    assert_eq!(me(&sue)["roles"], json!(["clerk"]));
    leads_nowhere(&site, &mail.token);
    // A member who is invited with another persona gets it, in the same membership.
    site.passes(2);
    let root = Client::signed_in(&site.base, ROOT);
    let north = tenant_of(&ann, "North");
    let body = json!({ "email": SUE.0, "personas": ["vet"], "tenant": north });
    root.send("POST", "/auth/invitations", &body).ok(204);
    sue.send("POST", "/auth/invite", &json!({ "token": site.mail(SUE.0).token })).ok(204);
    assert_eq!(me(&sue)["roles"], json!(["clerk", "vet"]));
}

fn no_response_reveals_whether_an_address_has_an_account(site: Site) {
    let ann = Client::signed_in(&site.base, ANN);
    let members = ann.get("/api/members").ok(200).json()["total"].clone();
    let mut answers = Vec::new();
    for email in ["nobody@vets.example", WES.0, BO.0] {
        let by_program = invite(&ann, email, &["clerk"]).ok(204);
        site.passes(2);
        let by_form = ann.form("/auth/invitations", &[("email", email)]).ok(303);
        let line = waiting(&ann).into_iter().find(|it| it["email"] == email).expect("a line");
        let shape: Vec<String> = line.as_object().expect("a line").keys().cloned().collect();
        answers.push((by_program.body, by_form.header("location").map(str::to_owned), shape));
        site.passes(2);
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
    assert_eq!(ann.get("/api/members").ok(200).json()["total"], members, "nothing is made before somebody follows the link");
    // A disabled account gets no mail, and its owner cannot use a link.
    let root = Client::signed_in(&site.base, ROOT);
    let wim = root.get("/api/people?email=wim@vets.example").ok(200).json()["items"][0]["id"].as_str().expect("an id").to_owned();
    root.send("PATCH", &format!("/api/people/{wim}"), &json!({ "is_active": false })).ok(200);
    invite(&ann, "wim@vets.example", &[]).ok(204);
    invite(&ann, "later@vets.example", &[]).ok(204);
    site.mail("later@vets.example");
    assert!(site.mails.lock().expect("mails").iter().all(|mail| mail.to != "wim@vets.example"));
}

fn links_are_single_use_and_expire(site: Site) {
    let ann = Client::signed_in(&site.base, ANN);
    // A later invitation replaces it.
    invite(&ann, "kit@vets.example", &["clerk"]).ok(204);
    let first = site.mail("kit@vets.example");
    let soon = invite(&ann, "kit@vets.example", &[]);
    assert_eq!(soon.header("retry-after"), Some("60"));
    soon.problem(429, "RATE_LIMIT");
    let page = ann.form("/auth/invitations", &[("email", "kit@vets.example")]).ok(429);
    page.shows(&["invited just now", "value=\"kit@vets.example\""]);
    site.passes(2);
    invite(&ann, "kit@vets.example", &[]).ok(204);
    let second = site.mail("kit@vets.example");
    leads_nowhere(&site, &first.token);
    assert_eq!(waiting(&ann).len(), 1);
    // Withdrawn.
    let sue = Client::signed_in(&site.base, SUE);
    let id = json!({ "id": waiting(&ann)[0]["id"] });
    sue.send("POST", "/auth/invitations/end", &id).problem(404, "NOT_FOUND");
    ann.send("POST", "/auth/invitations/end", &id).ok(204);
    ann.send("POST", "/auth/invitations/end", &id).problem(404, "NOT_FOUND");
    ann.send("POST", "/auth/invitations/end", &json!({ "id": "x" })).problem(404, "NOT_FOUND");
    leads_nowhere(&site, &second.token);
    assert_eq!(waiting(&ann), [] as [Value; 0]);
    // A withdrawn invitation counts for the minute between two mails.
    invite(&ann, "kit@vets.example", &[]).problem(429, "RATE_LIMIT");
    site.passes(2);
    // Expired.
    invite(&ann, "kit@vets.example", &[]).ok(204);
    let third = site.mail("kit@vets.example");
    site.passes(7 * 24 * 60 + 1);
    leads_nowhere(&site, &third.token);
    for none in ["", "x", "%00", &"a".repeat(500)] {
        leads_nowhere(&site, none);
    }
    let (ann, root) = (Client::signed_in(&site.base, ANN), Client::signed_in(&site.base, ROOT));
    assert_eq!(waiting(&ann), [] as [Value; 0]);
    // Two concurrent requests: one joins, and one account is created.
    invite(&ann, "kit@vets.example", &["clerk"]).ok(204);
    let token = site.mail("kit@vets.example").token;
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..4).map(|_| scope.spawn(|| accept(&token, &site, "Kit", "walks in by mail").status)).collect();
        tries.into_iter().map(|it| it.join().expect("an answer")).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 303).count(), 1, "{statuses:?}");
    // A pending link does not restore a removed member.
    let kit = Client::signed_in(&site.base, ("kit@vets.example", "walks in by mail"));
    let row = root.get(&format!("/api/members?user={}", me(&kit)["id"].as_str().expect("an id"))).ok(200).json()["items"][0].clone();
    site.passes(2);
    invite(&ann, "kit@vets.example", &["clerk"]).ok(204);
    let again = site.mail("kit@vets.example");
    root.delete(&format!("/api/members/{}", row["id"].as_str().expect("a key"))).ok(204);
    leads_nowhere(&site, &again.token);
    kit.send("POST", "/auth/invite", &json!({ "token": again.token })).problem(422, "VALIDATION");
    assert_eq!(me(&kit)["tenants"], json!([]));
}

fn permissions_to_invite(site: Site) {
    let refused = |client: &Client, status: u16, code: &str| {
        invite(client, "kit@vets.example", &[]).problem(status, code);
        client.get("/auth/invitations").problem(status, code);
        assert_eq!(client.get("/app/-/invitations").status, if status == 401 { 303 } else { status });
    };
    refused(&Client::new(&site.base), 401, "AUTHENTICATION_REQUIRED");
    refused(&working(&site.base, PAM, "North"), 403, "FORBIDDEN");
    refused(&Client::signed_in(&site.base, CY), 403, "FORBIDDEN");
    let ann = Client::signed_in(&site.base, ANN);
    let wrong = |body: Value, field: &str| {
        let problem = ann.send("POST", "/auth/invitations", &body).problem(422, "VALIDATION");
        assert!(problem["field_errors"][field].is_array(), "{body}: {problem}");
    };
    for email in ["", "kit", "kit@", "a\u{0}@vets.example"] {
        wrong(json!({ "email": email }), "email");
    }
    wrong(json!({}), "email");
    // No inviter can give a role that they lack, or an unknown one.
    wrong(json!({ "email": "kit@vets.example", "personas": ["vet"] }), "personas");
    wrong(json!({ "email": "kit@vets.example", "personas": ["clerk", "admin"] }), "personas");
    wrong(json!({ "email": "kit@vets.example", "personas": ["wizard"] }), "personas");
    wrong(json!({ "email": "kit@vets.example", "personas": "clerk" }), "personas");
    wrong(json!({ "email": "kit@vets.example", "role": "admin" }), "role");
    wrong(json!({ "email": "kit@vets.example", "persona": ["clerk"] }), "persona");
    let south = tenant_of(&Client::signed_in(&site.base, SUE), "South");
    wrong(json!({ "email": "kit@vets.example", "tenant": south }), "tenant");
    let page = ann.form("/auth/invitations", &[("email", "kit"), ("personas", "clerk")]).ok(422);
    page.shows(&["value=\"kit\"", "value=\"clerk\" checked", "id=\"email-error\""]);
    assert_eq!(waiting(&ann), [] as [Value; 0]);
    // Each tenant has invitations of its own, also for the same address.
    let sue = Client::signed_in(&site.base, SUE);
    invite(&ann, "kit@vets.example", &[]).ok(204);
    invite(&sue, "kit@vets.example", &["admin"]).ok(204);
    assert_eq!((waiting(&ann).len(), waiting(&sue).len()), (1, 1));
    // Administrators of the system name the tenant.
    let root = Client::signed_in(&site.base, ROOT);
    invite(&root, "joe@vets.example", &[]).problem(422, "VALIDATION");
    let body = json!({ "email": "joe@vets.example", "personas": ["vet"], "tenant": south });
    root.send("POST", "/auth/invitations", &body).ok(204);
    root.send("POST", "/auth/invitations", &json!({ "email": "x@vets.example", "tenant": "nothing" })).problem(422, "VALIDATION");
    assert_eq!(waiting(&sue).len(), 2);
    let listed = root.get(&format!("/auth/invitations?tenant={}", south.as_str().expect("a key"))).ok(200).json();
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(2));
    // A form of another tenant than the current one is refused with a reason.
    let bo = working(&site.base, ANN, "North");
    let late = bo.form("/auth/invitations", &[("csrf", "x.somewhere-else"), ("email", "late@vets.example")]);
    assert_eq!(late.status, 409, "{}", late.body);
    assert_eq!(Client::new(&site.base).request("DELETE", "/auth/invite", &[("Sec-Fetch-Site", "same-origin")], b"").status, 405);
}

fn an_unaccepted_membership_has_no_effect(site: Site) {
    // The address was registered but not confirmed: the values of the registration are removed.
    let root = Client::signed_in(&site.base, ROOT);
    let made = root.send("POST", "/api/people", &json!({ "email": "dee@vets.example", "name": "Not Dee" })).ok(201).json();
    let id = made["id"].as_str().expect("an id");
    site.run(&format!(
        "UPDATE people SET is_active = {}, email_verify_token = 'waits' WHERE email = 'dee@vets.example'",
        site.literal(false)
    ));
    let ann = Client::signed_in(&site.base, ANN);
    invite(&ann, "dee@vets.example", &["clerk"]).ok(204);
    let mail = site.mail("dee@vets.example");
    assert_eq!(mail.kind, MailKind::Invitation);
    accept(&mail.token, &site, "Dee", "dee herself came").ok(303);
    let dee = me(&Client::signed_in(&site.base, ("dee@vets.example", "dee herself came")));
    assert_eq!((&dee["id"], &dee["name"], &dee["roles"]), (&json!(id), &json!("Dee"), &json!(["clerk"])));
}

fn an_inviter_without_the_permission_cannot_invite(site: Site) {
    let (ned, root) = (Client::signed_in(&site.base, ("ned@vets.example", "looks at the north")), Client::signed_in(&site.base, ROOT));
    for email in ["one@vets.example", "two@vets.example"] {
        invite(&ned, email, &[]).ok(204);
    }
    let [one, two] = ["one@vets.example", "two@vets.example"].map(|to| site.mail(to).token);
    let ned_id = me(&ned)["id"].as_str().expect("an id").to_owned();
    let row = root.get(&format!("/api/members?user={ned_id}")).ok(200).json()["items"][0].clone();
    let path = format!("/api/members/{}", row["id"].as_str().expect("a key"));
    root.send("PATCH", &path, &json!({ "personas": [] })).ok(200);
    let refused = accept(&one, &site, "One", "walks in by mail").ok(422);
    refused.shows(&["This invitation is no longer valid"]);
    root.send("PATCH", &path, &json!({ "personas": ["tenant_admin"] })).ok(200);
    accept(&one, &site, "One", "walks in by mail").ok(303);
    root.send("PATCH", &format!("/api/people/{ned_id}"), &json!({ "is_active": false })).ok(200);
    accept(&two, &site, "Two", "walks in by mail").ok(422);
    assert_eq!(root.get("/api/people?email=two@vets.example").ok(200).json()["total"], 0, "nothing is left of it");
}

/// The command line, with a mailer that prints mails.
#[test]
#[ignore = "a test runs it in a process of its own"]
fn program() {
    server::obey(practices().mailer(|mail| {
        println!("mail to {}: {:?} token={}", mail.to, mail.kind, mail.token);
        Ok(())
    }));
}

fn the_command_line_invites(site: Site) {
    let run = |words: &[&str]| {
        let output = site.command("tenants::invitations::program", words).output().expect("the program runs");
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (output.status.success(), said)
    };
    let (done, said) = run(&["user", "invite", "kit@vets.example", "--tenant", "North", "--roles", "clerk, vet"]);
    assert!(done && said.contains("mail to kit@vets.example: Invitation") && said.contains("is invited to North"), "{said}");
    let token = said.split("token=").nth(1).and_then(|it| it.split_whitespace().next()).expect("a token").to_owned();
    for (words, wrong) in [
        (&["user", "invite", "kit@vets.example", "--tenant", "East"][..], "East"),
        (&["user", "invite", "kit", "--tenant", "North"], "`email`"),
        (&["user", "invite", "kat@vets.example", "--tenant", "North", "--roles", "wizard"], "wizard"),
        (&["user", "invite", "kat@vets.example"], "`user invite` needs"),
    ] {
        let (done, said) = run(words);
        assert!(!done && said.contains(wrong), "{words:?}: {said}");
    }
    // It was created by the machine's clock, which is ahead of the test's.
    accept(&token, &site, "Kit", "walks in by mail").ok(303);
    let kit = me(&Client::signed_in(&site.base, ("kit@vets.example", "walks in by mail")));
    assert_eq!(kit["roles"], json!(["clerk", "vet"]));
}
