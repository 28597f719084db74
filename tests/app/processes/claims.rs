//! Claims of human tasks: who can claim, decide and release a task, over the JSON API and on the pages.

use dz::serde_json::{Value, json};

use super::wait_for;
use crate::{
    client::{Answer, Client},
    server::served_on_both,
};

dz::dz! {
    app laundry "Laundry"

    persona washer "Washer"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Load "Load":
      id: uuid pk
      name: str(60) required
      washer: ref User
      status: enum[dirty, clean] = dirty
      transitions:
        dirty -> clean
      permit:
        list: role(washer)
        read: role(washer)
        create: role(washer)
        update: role(washer)

    surface load_view "Load":
      uses entity Load
      mode: view
      section main:
        field name
        field status

    process washing "Washing":
      trigger: entity Load created
      steps:
        - step choose:
          condition: trigger.entity.washer = null
          on_true: shared
          on_false: own
        - step shared "Wash the load":
          human_task:
            surface: load_view
            assignee_role: washer
            outcomes:
              - done "Done":
                goto: complete
                sets:
                  status -> clean
              - skipped "Skipped":
                goto: complete
        - step own "Wash your load":
          human_task:
            surface: load_view
            assignee: trigger.entity.washer
            outcomes:
              - done "Done":
                goto: complete

    demo:
      User:
        - name: "Ada", email: "ada@laundry.example", password: "owns the machines", roles: [admin]
        - name: "Bo", email: "bo@laundry.example", password: "sorts the colours", roles: [washer]
        - name: "Cy", email: "cy@laundry.example", password: "irons the shirts", roles: [washer]
        - name: "Di", email: "di@laundry.example", password: "only looks at it", roles: []
}

const ADA: (&str, &str) = ("ada@laundry.example", "owns the machines");
const BO: (&str, &str) = ("bo@laundry.example", "sorts the colours");
const CY: (&str, &str) = ("cy@laundry.example", "irons the shirts");
const DI: (&str, &str) = ("di@laundry.example", "only looks at it");

served_on_both! { "laundry", app();
    a_claimed_task_is_decided_by_its_claimer_only;
    the_claimer_or_an_administrator_releases_a_task;
    a_task_of_one_account_needs_no_claim;
    a_task_is_claimed_on_its_page;
    an_administrator_releases_a_task_on_the_page_of_its_run;
    a_step_is_skipped_over_the_api;
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// The open task of a new load, as this client sees it.
fn new_task(client: &Client, name: &str, washer: Option<&Value>) -> Value {
    let load = client.send("POST", "/api/loads", &json!({ "name": name, "washer": washer })).ok(201).json();
    wait_for("a task", || task_of(client, &load["id"]))
}

fn task_of(client: &Client, load: &Value) -> Option<Value> {
    let tasks = client.get("/api/-/tasks").ok(200).json()["tasks"].clone();
    tasks.as_array().expect("tasks").iter().find(|task| task["row"]["id"] == *load).cloned()
}

fn post(client: &Client, task: &Value, verb: &str) -> Answer {
    client.send("POST", &format!("/api/-/tasks/{}/{verb}", text(&task["id"])), &json!({}))
}

fn decide(client: &Client, task: &Value, outcome: &str) -> Answer {
    client.send("POST", &format!("/api/-/tasks/{}", text(&task["id"])), &json!({ "outcome": outcome }))
}

fn a_claimed_task_is_decided_by_its_claimer_only(base: &str) {
    let (bo, cy) = (Client::signed_in(base, BO), Client::signed_in(base, CY));
    let task = new_task(&bo, "shirts", None);
    assert_eq!((&task["claimed_by"], &task["claimed_at"]), (&Value::Null, &Value::Null));
    let claimed = post(&bo, &task, "claim").ok(200).json();
    assert_eq!((&claimed["id"], &claimed["claimed_by"]["label"]), (&task["id"], &json!("Bo")), "{claimed}");
    assert!(claimed["claimed_at"].is_string() && claimed["claimed_by"]["id"].is_string(), "{claimed}");
    assert_eq!(post(&bo, &task, "claim").ok(200).json(), claimed, "a repeated claim changes nothing");
    // The task remains in the inbox of the others, who read who has claimed it.
    let seen = task_of(&cy, &task["row"]["id"]).expect("a visible task");
    assert_eq!(seen["claimed_by"], claimed["claimed_by"]);
    for refused in [post(&cy, &task, "claim"), decide(&cy, &task, "done")] {
        let problem = refused.problem(409, "CONFLICT");
        assert!(text(&problem["detail"]).contains("Bo has claimed this task"), "{problem}");
    }
    decide(&bo, &task, "done").ok(200);
    let path = format!("/api/loads/{}", text(&task["row"]["id"]));
    wait_for("the outcome", || (bo.get(&path).json()["status"] == "clean").then_some(()));
    for closed in [post(&bo, &task, "claim"), post(&bo, &task, "release"), decide(&cy, &task, "done")] {
        closed.problem(409, "CONFLICT");
    }
    // A decision needs no claim.
    let other = new_task(&bo, "trousers", None);
    decide(&cy, &other, "done").ok(200);
}

fn the_claimer_or_an_administrator_releases_a_task(base: &str) {
    let [ada, bo, cy, di] = [ADA, BO, CY, DI].map(|account| Client::signed_in(base, account));
    let task = new_task(&bo, "curtains", None);
    for other in [&ada, &di] {
        post(other, &task, "claim").problem(404, "NOT_FOUND");
    }
    post(&di, &task, "release").problem(404, "NOT_FOUND");
    post(&Client::new(base), &task, "claim").problem(401, "AUTHENTICATION_REQUIRED");
    assert_eq!(post(&cy, &task, "release").ok(200).json()["claimed_by"], Value::Null, "an unclaimed task stays as it is");
    post(&bo, &task, "claim").ok(200);
    post(&cy, &task, "release").problem(403, "FORBIDDEN");
    assert_eq!(post(&bo, &task, "release").ok(200).json()["claimed_by"], Value::Null);
    post(&cy, &task, "claim").ok(200);
    decide(&bo, &task, "skipped").problem(409, "CONFLICT");
    // Another account takes the task over after an administrator has released it.
    assert_eq!(post(&ada, &task, "release").ok(200).json()["claimed_by"], Value::Null);
    assert_eq!(post(&bo, &task, "claim").ok(200).json()["claimed_by"]["label"], "Bo");
    decide(&bo, &task, "skipped").ok(200);
    ada.get("/admin/audit").ok(200).shows(&["task_claim", "task_release"]);
    let unknown = json!({ "id": dz::Uuid::now_v7().to_string() });
    post(&ada, &unknown, "release").problem(404, "NOT_FOUND");
    bo.send("POST", &format!("/api/-/tasks/{}/claim", text(&task["id"])), &json!({ "by": "Cy" })).problem(422, "VALIDATION");
}

fn a_task_of_one_account_needs_no_claim(base: &str) {
    let bo = Client::signed_in(base, BO);
    let me = bo.get("/auth/me").ok(200).json();
    let task = new_task(&bo, "own towels", Some(&me["id"]));
    let problem = post(&bo, &task, "claim").problem(409, "CONFLICT");
    assert!(text(&problem["detail"]).contains("needs no claim"), "{problem}");
    let page = bo.get(&format!("/app/-/inbox/{}", text(&task["id"]))).ok(200);
    page.shows(&["name=\"outcome\" value=\"done\""]);
    page.lacks(&["Claim task"]);
    decide(&bo, &task, "done").ok(200);
}

fn a_task_is_claimed_on_its_page(base: &str) {
    let (bo, cy) = (Client::signed_in(base, BO), Client::signed_in(base, CY));
    let task = new_task(&bo, "sheets", None);
    let address = format!("/app/-/inbox/{}", text(&task["id"]));
    bo.get(&address).ok(200).shows(&["Claim task", "value=\"done\""]);
    let claimed = bo.form(&format!("{address}/claim"), &[]);
    assert_eq!((claimed.status, claimed.header("location")), (303, Some(address.as_str())));
    let own = bo.get(&address).ok(200);
    own.shows(&["Claimed by Bo", "Release task", "value=\"done\""]);
    own.lacks(&["Claim task"]);
    cy.get("/app/-/inbox").ok(200).shows(&[&format!("data-dz-task=\"{}\"", text(&task["id"])), "claimed by Bo"]);
    let foreign = cy.get(&address).ok(200);
    foreign.shows(&["Claimed by Bo"]);
    foreign.lacks(&["name=\"outcome\"", "Release task", "Claim task"]);
    for refused in [cy.form(&address, &[("outcome", "done")]), cy.form(&format!("{address}/claim"), &[])] {
        assert_eq!(refused.status, 409);
        refused.shows(&["Bo has claimed this task"]);
    }
    assert_eq!(cy.form(&format!("{address}/release"), &[]).status, 403);
    assert_eq!(bo.form(&format!("{address}/release"), &[]).status, 303);
    assert_eq!(cy.form(&address, &[("outcome", "done")]).status, 303);
}

fn an_administrator_releases_a_task_on_the_page_of_its_run(base: &str) {
    let (ada, bo) = (Client::signed_in(base, ADA), Client::signed_in(base, BO));
    let task = new_task(&bo, "tablecloth", None);
    post(&bo, &task, "claim").ok(200);
    let (run, release) = (format!("/app/-/runs/{}", text(&task["run"])), format!("/app/-/inbox/{}/release", text(&task["id"])));
    ada.get(&run).ok(200).shows(&["Claimed tasks", "claimed by Bo", &format!("action=\"{release}\"")]);
    let released = ada.form(&release, &[]);
    assert_eq!((released.status, released.header("location")), (303, Some(run.as_str())));
    ada.get(&run).ok(200).lacks(&["Claimed tasks"]);
    assert_eq!(task_of(&bo, &task["row"]["id"]).expect("a task")["claimed_by"], Value::Null);
}

fn a_step_is_skipped_over_the_api(base: &str) {
    let (ada, bo) = (Client::signed_in(base, ADA), Client::signed_in(base, BO));
    let task = new_task(&bo, "napkins", None);
    let path = format!("/api/-/runs/{}/skip", text(&task["run"]));
    bo.send("POST", &path, &json!({ "step": "shared" })).problem(403, "FORBIDDEN");
    ada.send("POST", &path, &json!({})).problem(422, "VALIDATION");
    ada.send("POST", &path, &json!({ "step": 1 })).problem(422, "VALIDATION");
    ada.send("POST", &path, &json!({ "step": "unknown" })).problem(404, "NOT_FOUND");
    ada.send("POST", &path, &json!({ "step": "choose" })).problem(409, "CONFLICT");
    let run = ada.send("POST", &path, &json!({ "step": "shared" })).ok(200).json();
    assert_eq!(run["id"], task["run"]);
    assert!(task_of(&bo, &task["row"]["id"]).is_none(), "the task of a skipped step is closed");
    post(&bo, &task, "claim").problem(409, "CONFLICT");
    ada.get("/admin/audit").ok(200).shows(&["run_skip"]);
}
