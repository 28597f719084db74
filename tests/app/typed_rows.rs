//! Typed rows over HTTP, on both engines: the rows of references, many rows by their keys, and transitions with changes.

use dz::{
    Cx, Error, Result, Tx, Uuid,
    access::List,
    serde_json::{Value, json},
};
use rocket::serde::json::Json;
use schema::{bins, tasks};

use crate::client::Client;

dz::dz! {
    app yard "Yard"

    persona lead "Lead"
    persona hand "Hand"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Project "Project":
      id: uuid pk
      name: str(60) required
      open: bool = true
      permit:
        list: role(lead) or open = true
        read: role(lead) or open = true
        create: role(lead)
      audit:
        read: role(hand)

    entity Task "Task":
      id: uuid pk
      title: str(80) required
      project: ref Project
      second_project: ref Project sensitive
      owner: ref User = current_user
      result: text
      status: enum[open, doing, done] = open
      transitions:
        open -> doing
        doing -> done: role(lead) requires result
      permit:
        list: true
        read: true
        create: true
        update: role(lead) or owner = current_user

    entity Bin "Bin":
      id: uuid pk
      code: str(8) required unique
      items: int = 0
      permit:
        list: role(lead)
        read: role(lead)
        create: true
        update: role(lead)

    demo:
      User:
        - name: "Lena", email: "lena@yard.example", password: "leads the whole yard", roles: [lead]
        - name: "Hans", email: "hans@yard.example", password: "a hand in the yard", roles: [hand]
        - name: "Ada", email: "ada@yard.example", password: "keeps the records", roles: [admin]
}

const LEAD: (&str, &str) = ("lena@yard.example", "leads the whole yard");
const HAND: (&str, &str) = ("hans@yard.example", "a hand in the yard");
const ADMIN: (&str, &str) = ("ada@yard.example", "keeps the records");

crate::served_on_both! {
    "yard", app().mount("/typed", rocket::routes![typed]);
    a_reference_is_the_row_that_the_caller_may_read;
    references_of_many_rows_take_one_statement;
    many_rows_are_found_by_their_keys;
    a_transition_with_changes_follows_its_rule;
    the_account_of_the_caller_is_typed;
    several_rows_are_written_all_or_none;
}

#[rocket::post("/<query>", data = "<sent>")]
async fn typed(cx: Cx, query: String, sent: Json<Value>) -> Result<Json<Value>> {
    cx.run(move |tx| answer(tx, &query, &sent)).await.map(Json)
}

fn answer(tx: &mut Tx<'_>, query: &str, sent: &Value) -> Result<Value> {
    let id = |value: &Value| value.as_str().unwrap_or_default().parse::<Uuid>().map_err(Error::internal);
    Ok(match query {
        "project" => json!(task::Task::find(tx, id(&sent["task"])?)?.project(tx)?.map(|project| project.name)),
        "second" => json!(task::Task::find(tx, id(&sent["task"])?)?.second_project(tx)?.map(|project| project.name)),
        "projects" => {
            let all: Vec<task::Task> = tx.load(task::scoped(tx, List)?.order(tasks::title))?;
            let projects = task::Task::load_projects(tx, &all)?;
            let name = |task: &task::Task| Some(projects.get(&task.project_id?)?.name.clone());
            json!(all.iter().map(|task| (task.title.clone(), name(task))).collect::<Vec<_>>())
        }
        "many" => {
            let keys = sent["keys"].as_array().into_iter().flatten().map(id).collect::<Result<Vec<_>>>()?;
            let exist = keys.iter().map(|key| project::Project::exists(tx, *key)).collect::<Result<Vec<_>>>()?;
            json!({ "exist": exist, "found": project::Project::find_many(tx, keys)?.into_iter().map(|it| it.name).collect::<Vec<_>>() })
        }
        "finish" => {
            let task = task::Task::find(tx, id(&sent["task"])?)?;
            let result = sent["result"].as_str().map(str::to_owned);
            let changes = task::TaskChanges { result: result.into(), ..Default::default() };
            let expected = changes.apply_to(&task);
            assert_eq!((&expected.title, task.result.as_ref()), (&task.title, None));
            let done = task.transition_with(tx, task::TaskStatus::Done, changes)?;
            assert_eq!(done.result, expected.result);
            json!([done.status, done.result])
        }
        "me" => {
            let (id, user): (Uuid, user::User) = (tx.caller().user_id()?, tx.caller().user()?);
            assert_eq!(id, user.id);
            json!([user.name, tx.caller().user::<bin::Bin>().is_err()])
        }
        "bins" => {
            let codes = sent["codes"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let stored = bin::NewBin::create_many(tx, codes.map(bin::NewBin::new));
            json!([stored.map(|bins| bins.len()).map_err(|error| error.code), tx.caller().roles > 0])
        }
        "fill" => {
            let bins: Vec<bin::Bin> = tx.load(bin::scoped(tx, List)?.order(bins::code))?;
            let filled = bin::Bin::update_many(tx, &bins, bin::BinChanges { items: Some(5), ..Default::default() })?;
            json!(filled.iter().map(|bin| (&bin.code, bin.items)).collect::<Vec<_>>())
        }
        "upsert" => {
            let code = sent["code"].as_str().unwrap_or_default();
            let new = bin::NewBin { items: sent["items"].as_i64(), ..bin::NewBin::new(code) };
            let bin = new.upsert(tx, bins::code)?;
            json!([bin.code, bin.items])
        }
        other => json!({ "unknown": other }),
    })
}

fn ask(client: &Client, query: &str, sent: &Value) -> crate::client::Answer {
    client.send("POST", &format!("/typed/{query}"), sent)
}

#[track_caller]
fn create(client: &Client, path: &str, row: Value) -> String {
    client.send("POST", path, &row).ok(201).json()["id"].as_str().expect("an id").to_owned()
}

/// The lead, the hand, and an open and a closed project.
fn yard(base: &str) -> (Client, Client, String, String) {
    let [lead, hand] = [LEAD, HAND].map(|who| Client::signed_in(base, who));
    let open = create(&lead, "/api/projects", json!({ "name": "Open" }));
    let closed = create(&lead, "/api/projects", json!({ "name": "Closed", "open": false }));
    (lead, hand, open, closed)
}

fn a_reference_is_the_row_that_the_caller_may_read(base: &str) {
    let (lead, hand, open, closed) = yard(base);
    let of = |project: Value| create(&lead, "/api/tasks", json!({ "title": "Paint", "project": project, "second_project": project }));
    let [in_open, in_closed, alone] = [json!(open), json!(closed), Value::Null].map(of);
    let name = |client: &Client, query: &str, task: &str| ask(client, query, &json!({ "task": task })).ok(200).json();
    assert_eq!(name(&lead, "project", &in_open), "Open");
    assert_eq!(name(&lead, "project", &in_closed), "Closed");
    assert_eq!(name(&lead, "project", &alone), Value::Null);
    assert_eq!(name(&hand, "project", &in_open), "Open");
    assert_eq!(name(&hand, "project", &in_closed), Value::Null, "the rule of the project applies");
    // The hand may not update the task, so that its sensitive reference is empty.
    assert_eq!(name(&lead, "second", &in_open), "Open");
    assert_eq!(name(&hand, "second", &in_open), Value::Null);
    // Reading the row of a reference writes the record that reading the row writes.
    let admin = Client::signed_in(base, ADMIN);
    let records = admin.request("GET", "/admin/audit?entity=Project&action=read", &[("Accept", "application/json")], b"").ok(200).json();
    let of_open = records["items"].as_array().expect("records").iter().filter(|it| it["row_id"] == json!(open)).count();
    assert_eq!(of_open, 1, "{records}");
}

fn references_of_many_rows_take_one_statement(base: &str) {
    let (lead, hand, open, closed) = yard(base);
    for (title, project) in [("Many a", json!(open)), ("Many b", json!(closed)), ("Many c", json!(open)), ("Many d", Value::Null)] {
        create(&lead, "/api/tasks", json!({ "title": title, "project": project }));
    }
    let many = |client: &Client| -> Value {
        let all = ask(client, "projects", &json!({})).ok(200).json();
        all.as_array().expect("tasks").iter().filter(|it| it[0].as_str().is_some_and(|title| title.starts_with("Many"))).cloned().collect()
    };
    assert_eq!(many(&lead), json!([["Many a", "Open"], ["Many b", "Closed"], ["Many c", "Open"], ["Many d", null]]));
    assert_eq!(many(&hand), json!([["Many a", "Open"], ["Many b", null], ["Many c", "Open"], ["Many d", null]]));
}

fn many_rows_are_found_by_their_keys(base: &str) {
    let (lead, hand, open, closed) = yard(base);
    let nothing = "00000000-0000-0000-0000-000000000000";
    let many = |client: &Client| ask(client, "many", &json!({ "keys": [closed, nothing, open, closed] })).ok(200).json();
    assert_eq!(many(&lead), json!({ "exist": [true, false, true, true], "found": ["Closed", "Open"] }));
    assert_eq!(many(&hand), json!({ "exist": [false, false, true, false], "found": ["Open"] }));
}

fn a_transition_with_changes_follows_its_rule(base: &str) {
    let (lead, hand, ..) = yard(base);
    let task = create(&hand, "/api/tasks", json!({ "title": "Mow" }));
    hand.send("POST", &format!("/api/tasks/{task}/transitions/doing"), &json!({})).ok(200);
    let finish = |client: &Client, result: Value| ask(client, "finish", &json!({ "task": task, "result": result }));
    finish(&hand, json!("mown")).problem(403, "TRANSITION_FORBIDDEN");
    finish(&lead, Value::Null).problem(422, "TRANSITION_REQUIRES");
    assert_eq!(hand.get(&format!("/api/tasks/{task}")).ok(200).json()["result"], Value::Null);
    assert_eq!(finish(&lead, json!("mown")).ok(200).json(), json!(["done", "mown"]));
}

fn the_account_of_the_caller_is_typed(base: &str) {
    let [lead, hand] = [LEAD, HAND].map(|who| Client::signed_in(base, who));
    assert_eq!(ask(&lead, "me", &json!({})).ok(200).json(), json!(["Lena", true]));
    assert_eq!(ask(&hand, "me", &json!({})).ok(200).json(), json!(["Hans", true]));
    ask(&Client::new(base), "me", &json!({})).problem(401, "AUTHENTICATION_REQUIRED");
}

fn several_rows_are_written_all_or_none(base: &str) {
    let [lead, hand] = [LEAD, HAND].map(|who| Client::signed_in(base, who));
    let bins = |codes: Value| ask(&lead, "bins", &json!({ "codes": codes })).ok(200).json()[0].clone();
    assert_eq!(bins(json!(["a", "b"])), json!({ "Ok": 2 }));
    // The second one is refused, so that the first one is not stored.
    assert_eq!(bins(json!(["c", "a"])), json!({ "Err": "UNIQUE" }));
    assert_eq!(ask(&lead, "fill", &json!({})).ok(200).json(), json!([["a", 5], ["b", 5]]));
    ask(&hand, "fill", &json!({})).problem(403, "FORBIDDEN");
    let upsert = |who: &Client, code: &str, items: Value| ask(who, "upsert", &json!({ "code": code, "items": items }));
    assert_eq!(upsert(&lead, "a", json!(7)).ok(200).json(), json!(["a", 7]));
    assert_eq!(upsert(&lead, "a", Value::Null).ok(200).json(), json!(["a", 7]), "what it does not name stays");
    assert_eq!(upsert(&lead, "d", json!(1)).ok(200).json(), json!(["d", 1]));
    // The hand may not list bins, so that no row is found.
    upsert(&hand, "a", json!(9)).problem(409, "UNIQUE");
    assert_eq!(lead.get("/api/bins").ok(200).json()["total"], 3);
}
