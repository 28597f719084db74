//! The pages of runs and of human tasks.

use chrono::TimeDelta;
use dz::{Engine, serde_json::json, testing::TestResponse};

use super::{ADA, Farm, VITO, on_both, text};

on_both! {
    runs_are_listed_filtered_and_paged;
    a_form_starts_a_process;
    a_run_is_shown_with_its_flow_and_its_attempts;
    a_run_is_controlled_on_its_page;
    the_inbox_shows_tasks_whose_rows_are_visible;
}

/// The number of elements with an attribute.
fn count(page: &TestResponse, attribute: &str) -> usize {
    page.text().matches(attribute).count()
}

fn runs_are_listed_filtered_and_paged(engine: Engine) {
    let farm = Farm::new(engine);
    let waiting = farm.start("slow", json!({}));
    for part in 0..23 {
        farm.start("ordering", json!({ "part": format!("part {part}") }));
    }
    let page = |query: &str| {
        let page = farm.admin().get_page(&format!("/app/-/runs{query}"));
        page.assert_status(200);
        page
    };
    let first = page("");
    assert_eq!((count(&first, " data-dz-run=\""), count(&first, "data-dz-status=\"completed\"")), (20, 20));
    assert!(!first.text().contains(&waiting));
    // Each order starts another process, so there are 47 runs.
    assert_eq!([page("?page=2"), page("?page=3"), page("?page=9")].map(|it| count(&it, " data-dz-run=\"")), [20, 7, 7]);
    assert_eq!(count(&page("?page_size=50"), " data-dz-run=\""), 47);
    page("?page=3").assert_contains(&format!("data-dz-run=\"{waiting}\" data-dz-status=\"waiting\""));
    assert_eq!(count(&page("?process=ordering"), " data-dz-run=\""), 20);
    assert_eq!(count(&page("?process=ordering&page=2"), " data-dz-run=\""), 3);
    assert_eq!(count(&page("?status=waiting"), " data-dz-run=\""), 1);
    assert_eq!(count(&page("?process=ordering&status=failed"), " data-dz-run=\""), 0);
    page("?process=ordering").assert_contains("page=2&#38;page_size=20&#38;process=ordering");
    let rows = farm.admin().request("GET", "/app/-/runs?page=2&page_size=20").header("HX-Request", "true").send();
    rows.assert_status(200);
    assert!(count(&rows, " data-dz-run=\"") == 20 && !rows.text().contains("<main"), "{}", rows.text());
    assert_eq!(farm.engineer().get_page("/app/-/runs").status(), 403);
    assert_eq!(farm.engineer().get_page(&format!("/app/-/runs/{waiting}")).status(), 403);
    page("").assert_contains("href=\"/app/-/runs\"");
    assert!(!farm.engineer().get_page("/app/-/account").text().contains("href=\"/app/-/runs\""));
}

fn a_form_starts_a_process(engine: Engine) {
    let farm = Farm::new(engine);
    farm.admin()
        .get_page("/app/-/runs")
        .assert_contains("name=\"process\" value=\"ordering\"")
        .assert_lacks("name=\"process\" value=\"inspecting\"");
    let fields = [("process", "ordering"), ("input.part", "door"), ("input.count", "3"), ("input.kind", "")];
    let started = farm.admin().submit("/app/-/runs", &fields);
    assert_eq!(started.status(), 303);
    let address = started.header("Location").expect("an address").to_owned();
    let id = address.strip_prefix("/app/-/runs/").expect("the page of the run");
    assert_eq!(farm.run(id)["input"], json!({ "part": "door", "count": 3, "kind": null }));
    let wrong = farm.admin().submit("/app/-/runs", &[("process", "ordering"), ("input.part", ""), ("input.count", "some")]);
    wrong.assert_status(422);
    wrong.assert_contains("value=\"some\"").assert_contains("aria-invalid=\"true\"");
    assert_eq!(farm.admin().submit("/app/-/runs", &[("process", "inspecting")]).status(), 404);
    farm.start("once", json!({}));
    assert_eq!(farm.admin().submit("/app/-/runs", &[("process", "once")]).status(), 409);
    assert_eq!(farm.engineer().submit("/app/-/runs", &fields).status(), 403);
    let foreign = farm.admin().request("POST", "/app/-/runs").form(&fields).from_another_site().send();
    assert_eq!(foreign.status(), 403);
}

fn a_run_is_shown_with_its_flow_and_its_attempts(engine: Engine) {
    let farm = Farm::new(engine);
    farm.cranes.fail("top", 1);
    let id = farm.start("building", json!({ "last": "top" }));
    let address = format!("/app/-/runs/{id}");
    let page = farm.admin().get_page(&address);
    page.assert_status(200);
    for (name, status) in [("base", "completed"), ("mast", "completed"), ("pause", "waiting"), ("top", "pending")] {
        page.assert_contains(&format!("data-dz-step=\"{name}\" data-dz-status=\"{status}\""));
    }
    assert_eq!(count(&page, "data-dz-step="), 4, "one element for each step");
    page.assert_contains("<svg")
        .assert_contains(&format!("action=\"{address}/retry\""))
        .assert_contains(&format!("action=\"{address}/cancel\""));
    page.assert_contains("order of base").assert_contains("&#34;what&#34;: &#34;mast&#34;");
    farm.advance(TimeDelta::hours(1));
    let page = farm.admin().get_page(&address);
    page.assert_contains("data-dz-step=\"top\" data-dz-status=\"failed\"").assert_contains("There is no crane");
    page.assert_contains("undo_mast").assert_contains("NO_CRANE");
    for unknown in [format!("/app/-/runs/{}", dz::Uuid::now_v7()), "/app/-/runs/7".to_owned()] {
        assert_eq!(farm.admin().get_page(&unknown).status(), 404);
    }
    let lifted = farm.start("lift_fast", json!({}));
    farm.admin().get_page(&format!("/app/-/runs/{lifted}")).assert_contains("data-dz-step=\"slow\" data-dz-status=\"cancelled\"");
}

fn a_run_is_controlled_on_its_page(engine: Engine) {
    let farm = Farm::new(engine);
    let id = farm.start("building", json!({ "last": "broken top" }));
    let address = format!("/app/-/runs/{id}");
    let post = |what: &str, fields: &[(&str, &str)]| {
        let answer = farm.admin().submit(&format!("{address}/{what}"), fields);
        farm.settle();
        (answer.status(), answer.header("Location").map(str::to_owned))
    };
    let done = (303, Some(address.clone()));
    assert_eq!(post("retry", &[]).0, 409);
    assert_eq!(post("skip", &[("step", "top")]).0, 409);
    assert_eq!(post("skip", &[("step", "pause")]), done);
    assert_eq!(farm.run(&id)["status"], "failed");
    assert_eq!(post("cancel", &[]).0, 409);
    assert_eq!(post("retry", &[]), done);
    assert_eq!(farm.run(&id)["status"], "waiting");
    assert_eq!(post("cancel", &[]), done);
    assert_eq!(farm.run(&id)["status"], "cancelled");
    let queued = farm.start("queued", json!({}));
    let signal = |fields: &[(&str, &str)]| farm.admin().submit(&format!("/app/-/runs/{queued}/signal"), fields).status();
    assert_eq!([signal(&[("signal", "og")]), signal(&[("signal", "go"), ("payload", "{")])], [404, 422]);
    assert_eq!(signal(&[("signal", "go"), ("payload", "{\"wind\": 3}")]), 303);
    farm.settle();
    assert_eq!(farm.run(&queued)["steps"][0]["output"], json!({ "payload": { "wind": 3 } }));
    for what in ["retry", "cancel", "skip", "signal"] {
        assert_eq!(farm.engineer().submit(&format!("{address}/{what}"), &[]).status(), 403, "{what}");
        let nobody = format!("/app/-/runs/{}/{what}", dz::Uuid::now_v7());
        assert_eq!(farm.admin().submit(&nobody, &[("signal", "go"), ("step", "top")]).status(), 404, "{what}");
    }
    farm.app.sign_in(ADA.0).get_page("/admin/audit").assert_contains("run_cancel");
}

fn the_inbox_shows_tasks_whose_rows_are_visible(engine: Engine) {
    let farm = Farm::new(engine);
    let edda = farm.engineer();
    assert!(!edda.get_page("/app/-/account").text().contains("href=\"/app/-/inbox\""), "no link without a task");
    for name in ["plain", "plain"] {
        let turbine = farm.turbine(name);
        edda.patch(&format!("/api/turbines/{turbine}"), json!({ "status": "stopped" })).assert_status(200);
    }
    farm.settle();
    let inbox = edda.get_page("/app/-/inbox");
    inbox.assert_status(200);
    assert_eq!((count(&inbox, " data-dz-task=\""), count(&inbox, "Look at it")), (2, 2));
    inbox.assert_contains("plain").assert_contains("<time");
    edda.get_page("/app/-/account").assert_contains("href=\"/app/-/inbox\"").assert_contains("<span class=\"dz-count\">2</span>");
    for other in [farm.admin(), farm.app.sign_in(VITO.0)] {
        assert!(!other.get_page("/app/-/account").text().contains("href=\"/app/-/inbox\""));
        assert_eq!(count(&other.get_page("/app/-/inbox"), " data-dz-task=\""), 0);
    }
    let tasks = edda.get("/api/-/tasks").json();
    let id = text(&tasks["tasks"][0]["id"]);
    let address = format!("/app/-/inbox/{id}");
    let page = edda.get_page(&address);
    page.assert_contains("Is it really fine?").assert_contains("name=\"outcome\" value=\"again\"");
    assert_eq!(count(&page, &format!("action=\"{address}\"")), 1, "one form");
    assert_eq!(edda.submit(&address, &[("outcome", "wrong")]).status(), 422);
    assert_eq!(edda.submit(&address, &[("outcome", "nothing")]).status(), 422);
    let decided = edda.submit(&address, &[("outcome", "fine")]);
    assert_eq!((decided.status(), decided.header("Location")), (303, Some("/app/-/inbox")));
    assert_eq!(edda.submit(&address, &[("outcome", "fine")]).status(), 409);
    assert_eq!(farm.admin().submit(&address, &[("outcome", "fine")]).status(), 404);

    // The task of a deleted row is not in the inbox.
    let row = text(&tasks["tasks"][1]["row"]["id"]);
    edda.delete(&format!("/api/turbines/{row}")).assert_status(204);
    farm.settle();
    assert_eq!(count(&edda.get_page("/app/-/inbox"), " data-dz-task=\""), 0);
    assert!(!edda.get_page("/app/-/account").text().contains("href=\"/app/-/inbox\""));
}
