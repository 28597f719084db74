//! Audit records and who can read them, that they cannot be changed; scopes, and custom actions.

use dz::{
    Engine,
    serde_json::{Value, json},
};

use crate::client::Client;

dz::dz! {
    app vault "Vault"

    persona clerk "Clerk"
    persona boss "Boss"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Paper "Paper":
      id: uuid pk
      title: str(60) required
      owner: ref User = current_user
      remark: text sensitive
      approved: bool = false
      permit:
        list: true
        read: true
        create: role(clerk, boss)
        update: owner = current_user or role(boss)
        delete: role(boss)
        approve: role(boss)
        stamp: role(boss, clerk)
      forbid:
        delete: approved = true
      scope:
        list: owner = current_user
          for: clerk
        list: all
          for: boss
      audit:
        list: role(boss)
        read: owner != current_user
        create
        update
        delete
        approve

    surface paper_view "Paper":
      uses entity Paper
      mode: view

    demo:
      User:
        - name: "Bo", email: "bo@example.com", password: "the boss of it", roles: [boss]
        - name: "Cleo", email: "cleo@example.com", password: "a clerk of it", roles: [clerk]
        - name: "Ada", email: "ada@example.com", password: "sees every log", roles: [admin]
}

const BOSS: (&str, &str) = ("bo@example.com", "the boss of it");
const CLERK: (&str, &str) = ("cleo@example.com", "a clerk of it");
const ADMIN: (&str, &str) = ("ada@example.com", "sees every log");

fn vault() -> dz::App {
    app().action::<paper::Paper>("approve", |tx, paper, sent| {
        paper.update(tx, paper::PaperChanges { approved: Some(true), ..Default::default() })?;
        Ok(sent.get("say").cloned().unwrap_or(Value::Null))
    })
}

/// Serves an application of its own; returns its address and that of its database.
fn site(engine: Engine, name: &str) -> (String, String) {
    let url = match engine {
        Engine::Postgres => crate::server::new_database(name),
        Engine::Sqlite => {
            let folder = std::env::temp_dir().join(format!("dz-app-{name}-{}", std::process::id()));
            let _ = std::fs::remove_dir_all(&folder);
            std::fs::create_dir_all(&folder).expect("a folder");
            format!("sqlite://{}", folder.join("vault.db").display())
        }
    };
    (crate::server::serve(vault(), engine, url.clone()), url)
}

/// Declares a test for each engine, with an application of its own.
macro_rules! on_own_vaults {
    ($($name:ident;)*) => {
        mod sqlite {
            use super::*;
            $(#[test] fn $name() { super::$name(Engine::Sqlite); })*
        }
        mod postgres {
            use super::*;
            $(#[test] fn $name() { super::$name(Engine::Postgres); })*
        }
    };
}

on_own_vaults! {
    actions_and_refusals_are_recorded;
    refused_rows_of_a_bulk_write_are_recorded;
    a_view_page_shows_permitted_actions;
    audit_records_cannot_be_changed;
    scopes_narrow_and_actions_act;
    a_repeated_action_is_executed_once;
    the_matrix_is_for_administrators;
}

fn records(admin: &Client, query: &str) -> Vec<Value> {
    let body = admin.request("GET", &format!("/admin/audit?{query}"), &[("Accept", "application/json")], b"").ok(200).json();
    body["items"].as_array().expect("records").clone()
}

fn paper(client: &Client, title: &str) -> String {
    let row = client.send("POST", "/api/papers", &json!({ "title": title, "remark": "do not tell" })).ok(201).json();
    format!("/api/papers/{}", row["id"].as_str().expect("a key"))
}

fn actions_and_refusals_are_recorded(engine: Engine) {
    let (base, _) = site(engine, "audit_done");
    let [boss, clerk, admin] = [BOSS, CLERK, ADMIN].map(|who| Client::signed_in(&base, who));
    let path = paper(&clerk, "Deed");
    let id = path.rsplit('/').next().expect("a key").to_owned();
    clerk.send("PATCH", &path, &json!({ "title": "Will", "remark": "another" })).ok(200);
    clerk.get(&path).ok(200);
    assert_eq!(records(&admin, "entity=Paper&action=read").len(), 0, "whoever owns a paper reads it unwatched");
    boss.get(&path).ok(200);
    boss.get("/api/papers").ok(200);
    clerk.get("/api/papers").ok(200);
    boss.get("/app/-/pick/papers?q=will").ok(200).shows(&["Will"]);
    clerk.get("/app/-/pick/papers?q=will").ok(200).shows(&["Will"]);
    clerk.delete(&path).problem(403, "FORBIDDEN");
    boss.delete(&path).ok(204);
    let of = |query: &str| records(&admin, query);
    let create = &of("entity=Paper&action=create")[0];
    assert_eq!((&create["email"], &create["row_id"], &create["decision"]), (&json!(CLERK.0), &json!(id), &json!("allowed")));
    assert_eq!((&create["changes"]["title"], &create["changes"]["remark"]), (&json!({ "to": "Deed" }), &json!({ "to": "•••" })));
    let update = &of("entity=Paper&action=update")[0];
    assert_eq!(update["changes"]["title"], json!({ "from": "Deed", "to": "Will" }));
    assert_eq!(update["changes"]["remark"], json!({ "from": "•••", "to": "•••" }));
    assert_eq!(update["rule"], "permit update: owner = current_user or role(boss)");
    assert!(!of("").iter().any(|it| it.to_string().contains("do not tell")));
    let read = of("entity=Paper&action=read");
    assert_eq!((read.len(), &read[0]["email"]), (1, &json!(BOSS.0)));
    let list = of("entity=Paper&action=list");
    let ids: Vec<&Value> = list.iter().map(|it| &it["changes"]).collect();
    assert_eq!(ids, [&json!({ "ids": [id] }); 2], "a list and the options of a picker are one record each, and only for whom it says");
    let deleted = of("entity=Paper&action=delete");
    let decisions: Vec<&Value> = deleted.iter().map(|it| &it["decision"]).collect();
    assert_eq!(decisions, ["allowed", "denied"]);
    assert_eq!(deleted[1]["rule"], "permit delete: role(boss)");
    assert_eq!(deleted[1]["request_id"].as_str().map(str::len), Some(32));
    // Repeated refusals do not fill the log.
    let path = paper(&clerk, "Note");
    (0..30).for_each(|_| assert_eq!(clerk.delete(&path).status, 403));
    assert!(of("entity=Paper&action=delete&decision=denied").len() <= 11);
    admin.get("/admin/audit").ok(200).shows(&["Audit log", "cleo@example.com", "title: Deed → Will", "Denied"]);
    for (client, status) in [(&boss, 403), (&Client::new(&base), 401)] {
        assert_eq!(client.request("GET", "/admin/audit", &[("Accept", "application/json")], b"").status, status);
    }
}

fn refused_rows_of_a_bulk_write_are_recorded(engine: Engine) {
    let (base, _) = site(engine, "vault_bulk");
    let [boss, clerk, admin] = [BOSS, CLERK, ADMIN].map(|who| Client::signed_in(&base, who));
    let key = |address: String| address.rsplit('/').next().unwrap_or_default().to_owned();
    let (theirs, own) = (key(paper(&boss, "of the boss")), key(paper(&clerk, "of the clerk")));
    let answer =
        clerk.send("POST", "/api/papers/bulk", &json!({ "action": "update", "ids": [theirs, own], "set": { "title": "changed" } }));
    let results = answer.ok(200).json()["results"].clone();
    assert_eq!((results[0]["status"].as_u64(), results[1]["status"].as_u64()), (Some(403), Some(200)), "{results}");
    let denied = records(&admin, "decision=denied&action=update");
    assert_eq!(denied.len(), 1, "{denied:?}");
    assert_eq!((&denied[0]["row_id"], &denied[0]["entity"]), (&json!(theirs), &json!("Paper")));
    assert_eq!(records(&admin, "decision=allowed&action=update").len(), 1);
    // A single request has the same result.
    clerk.send("PATCH", &format!("/api/papers/{theirs}"), &json!({ "title": "changed" })).problem(403, "FORBIDDEN");
    let again = records(&admin, "decision=denied&action=update");
    assert_eq!((again.len(), &again[0]["rule"]), (2, &denied[0]["rule"]), "{again:?}");
}

fn a_view_page_shows_permitted_actions(engine: Engine) {
    let (base, _) = site(engine, "vault_acts");
    let (boss, clerk) = (Client::signed_in(&base, BOSS), Client::signed_in(&base, CLERK));
    let address = paper(&boss, "to be approved");
    let page = address.replace("/api/papers/", "/app/paper_view/");
    let shown = boss.get(&page).ok(200);
    shown.shows(&[&format!("action=\"{page}/act\""), "name=\"action\" value=\"approve\"", ">Approve</button>"]);
    assert!(!shown.body.contains("value=\"stamp\""), "nothing handles it");
    assert!(!clerk.get(&page).ok(200).body.contains("/act\""), "the role may not");
    clerk.form(&format!("{page}/act"), &[("action", "approve")]).ok(403);
    boss.form(&format!("{page}/act"), &[("action", "approve"), ("version", "99")]).ok(412).shows(&["has changed since you loaded it"]);
    boss.form(&format!("{page}/act"), &[("action", "delete")]).ok(404);
    boss.get(&format!("{page}/act")).ok(405);
    let done = boss.form(&format!("{page}/act"), &[("action", "approve")]).ok(303);
    assert_eq!(done.header("location"), Some(format!("{page}?done=acted").as_str()));
    assert_eq!(boss.get(&address).ok(200).json()["approved"], true);
}

fn audit_records_cannot_be_changed(engine: Engine) {
    use diesel::{Connection, RunQueryDsl, sql_query};
    let (base, url) = site(engine, "audit_kept");
    let [clerk, admin] = [CLERK, ADMIN].map(|who| Client::signed_in(&base, who));
    paper(&clerk, "Deed");
    let tries = ["UPDATE dz_audit_log SET rule = 'mine'", "DELETE FROM dz_audit_log"];
    let run = |text: &str| match engine {
        Engine::Sqlite => {
            let mut conn = diesel::SqliteConnection::establish(url.trim_start_matches("sqlite://")).expect("the database");
            sql_query("PRAGMA busy_timeout = 5000").execute(&mut conn).expect("patience");
            sql_query(text).execute(&mut conn)
        }
        Engine::Postgres => sql_query(text).execute(&mut diesel::pg::PgConnection::establish(&url).expect("the database")),
    };
    for text in tries {
        let error = run(text).expect_err(text).to_string();
        assert!(error.contains("audit log"), "{error}");
    }
    if engine == Engine::Postgres {
        assert!(run("TRUNCATE dz_audit_log").is_err());
    }
    assert_eq!(records(&admin, "entity=Paper&action=create").len(), 1);
}

fn scopes_narrow_and_actions_act(engine: Engine) {
    let (base, _) = site(engine, "audit_scope");
    let [boss, clerk, admin] = [BOSS, CLERK, ADMIN].map(|who| Client::signed_in(&base, who));
    let (own, other) = (paper(&clerk, "Own"), paper(&boss, "Other"));
    let total = |client: &Client| client.get("/api/papers").ok(200).json()["total"].clone();
    assert_eq!((total(&clerk), total(&boss)), (json!(1), json!(2)));
    // A scope names its personas; other callers are outside of all scopes.
    admin.get("/api/papers").problem(403, "FORBIDDEN");
    let act = |client: &Client, path: &str, action: &str| client.send("POST", &format!("{path}/actions/{action}"), &json!({}));
    act(&clerk, &own, "approve").problem(403, "FORBIDDEN");
    assert_eq!(act(&boss, &own, "approve").ok(200).json()["approved"], true);
    let said = boss.send("POST", &format!("{other}/actions/approve"), &json!({ "say": { "done": 1 } })).ok(200);
    assert_eq!(said.json(), json!({ "done": 1 }));
    act(&boss, &own, "stamp").problem(501, "NOT_IMPLEMENTED");
    act(&boss, &own, "shred").problem(404, "NOT_FOUND");
    act(&boss, &own, "update").problem(404, "NOT_FOUND");
    act(&boss, "/api/papers/00000000-0000-0000-0000-000000000000", "approve").problem(404, "NOT_FOUND");
    assert_eq!(boss.get(&format!("{own}/actions/approve")).status, 405);
    boss.delete(&own).problem(403, "FORBIDDEN");
    let refused = &records(&admin, "entity=Paper&action=delete")[0];
    assert_eq!(refused["rule"], "forbid delete: approved = true");
    assert_eq!(records(&admin, "entity=Paper&action=approve&decision=allowed").len(), 2);
}

fn a_repeated_action_is_executed_once(engine: Engine) {
    let (base, _) = site(engine, "audit_repeated");
    let [boss, admin] = [BOSS, ADMIN].map(|who| Client::signed_in(&base, who));
    let path = paper(&boss, "Repeated");
    let (action, body) = (format!("{path}/actions/approve"), json!({ "say": { "done": 1 } }));
    let act = |key: &str, body: &Value| crate::depot::send_with_key(&boss, &action, key, body);
    assert_eq!(act("answer", &body).ok(200).header("idempotency-replayed"), None);
    let again = act("answer", &body).ok(200);
    assert_eq!((again.json(), again.header("idempotency-replayed")), (json!({ "done": 1 }), Some("true")));
    act("answer", &json!({ "say": 2 })).problem(422, "IDEMPOTENCY_KEY_REUSED");
    // An action without a response of its own returns the row, which a replay reads again.
    assert_eq!(act("row", &json!({})).ok(200).json()["approved"], true);
    boss.send("PATCH", &path, &json!({ "approved": false })).ok(200);
    assert_eq!(act("row", &json!({})).ok(200).json()["approved"], false, "the row is read again");
    assert_eq!(records(&admin, "entity=Paper&action=approve&decision=allowed").len(), 2);
    // A stored response is not repeated to a caller who can no longer read the row.
    boss.delete(&path).ok(204);
    let key = path.rsplit('/').next().expect("a key");
    for repeated in ["answer", "row"] {
        let body = if repeated == "answer" { &body } else { &json!({}) };
        assert_eq!(act(repeated, body).ok(200).json(), json!({ "id": key }), "{repeated}");
    }
}

fn the_matrix_is_for_administrators(engine: Engine) {
    let (base, _) = site(engine, "audit_matrix");
    let [boss, admin] = [BOSS, ADMIN].map(|who| Client::signed_in(&base, who));
    admin.get("/admin/access").ok(200).shows(&["Paper", "approve", "owner = current_user", "never when approved = true"]);
    admin.get("/app/-/account").ok(200).shows(&["href=\"/admin/access\"", "href=\"/admin/audit\""]);
    let matrix = admin.request("GET", "/admin/access", &[("Accept", "application/json")], b"").ok(200).json();
    let rules = matrix["rules"].as_array().expect("rules");
    let list = rules.iter().find(|rule| rule["entity"] == "Paper" && rule["action"] == "list").expect("a rule");
    assert_eq!((&list["callers"]["clerk"], &list["callers"]["boss"]), (&json!("owner = current_user"), &json!(true)));
    assert_eq!((&list["callers"]["authenticated"], &list["callers"]["admin"]), (&json!(false), &json!(false)));
    boss.request("GET", "/admin/access", &[("Accept", "application/json")], b"").problem(403, "FORBIDDEN");
}
