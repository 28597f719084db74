//! Experiences on their pages, on both engines: forms, rows, processes, skipped steps, access, and the state of each account.

mod scenarios;

use std::{
    thread,
    time::{Duration, Instant},
};

use dz::serde_json::{Value, json};

use crate::{
    client::{Answer, Client},
    served_on_both,
};

dz::dz! {
    app allotments "Allotments"

    persona steward "Steward"
    persona gardener "Gardener"
    persona guest "Guest"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      senior: bool = false

    entity Plot "Plot":
      id: uuid pk
      label: str(40) required
      size: int = 100
      keeper: ref User = current_user
      permit:
        list: role(steward) or keeper = current_user
        read: role(steward) or keeper = current_user
        create: role(steward, gardener)
        update: role(steward) or keeper = current_user

    entity Lease "Lease":
      id: uuid pk
      plot: ref Plot required
      fee: decimal(8,2) = 0
      note: str(200)
      event: str(40)
      stamped: bool = false
      invariant: fee >= 0
        message: "A fee is not negative"
      permit:
        list: role(steward, gardener)
        read: role(steward, gardener)
        create: role(steward, gardener)
        update: role(steward, gardener)

    surface plot_new "New plot":
      uses entity Plot
      mode: create
      section main:
        field label
        field size

    surface plot_list "Plots":
      uses entity Plot
      mode: list
      section main:
        field label
      ux:
        sort: label asc

    surface lease_new "New lease":
      uses entity Lease
      mode: create
      section main:
        field plot
        field fee

    surface lease_edit "Change a lease":
      uses entity Lease
      mode: edit
      section main:
        field fee
        field event

    surface lease_view "Lease":
      uses entity Lease
      mode: view
      section main:
        field plot
        field fee
        field note
        field stamped

    process stamping "Stamping":
      trigger: manual
      input:
        lease: ref Lease required
      steps:
        - step stamp:
          effects:
            - update Lease:
              where: id = input.lease
              stamped: true

    process refusing "Refusing":
      trigger: manual
      input:
        lease: ref Lease required
      steps:
        - step stamp:
          effects:
            - update Lease:
              where: id = input.lease
              fee: 0 - 1

    experience first_lease "The first lease":
      access: persona(steward, gardener)
      start at step plot
      context:
        plot: ref Plot
        lease: ref Lease
      step plot "The plot":
        surface plot_new
        saves_to: context.plot
        on success -> step terms
        on cancel -> step overview
      step terms "The terms":
        surface lease_new
        prefill:
          plot: context.plot
          fee: 25
          note: concat("for ", context.plot.label)
        saves_to: context.lease
        on success -> step large
        on back -> step plot
      step large "A large plot":
        surface lease_edit
        when: context.plot.size > 500
        on success -> step stamp
        on back -> step terms
        on skip -> step stamp
      step stamp "The stamp":
        process stamping
        on success -> step check
        on back -> step large
      step check "Check":
        surface lease_view
        on approve -> step overview
        on reject -> step spoil
        on back -> step stamp
      step spoil "A refused stamp":
        process refusing
        on failure -> step overview
      step overview "All plots":
        surface plot_list

    process welcoming "Welcoming":
      trigger: signal joined
      input:
        plot: ref Plot required
      steps:
        - step lease:
          effects:
            - create Lease:
              plot: input.plot
              note: "welcome"

    experience welcome "Welcome":
      context:
        plot: ref Plot
      step plot "The plot":
        surface plot_new
        saves_to: context.plot
        on success -> step greet
      step greet "The welcome":
        process welcoming
        on success -> step plots
      step plots "All plots":
        surface plot_list
        on back -> step greet

    experience inspection "Inspection":
      context:
        plot: ref Plot
      step find "A plot":
        surface plot_new
        saves_to: context.plot
        on success -> step report
      step report "Report":
        surface plot_list
        access: persona(steward)

    demo:
      User:
        - @sue name: "Sue", email: "sue@allotments.example", password: "keeps the keys here", roles: [steward]
        - name: "Gil", email: "gil@allotments.example", password: "grows the beans", roles: [gardener]
        - name: "Gwen", email: "gwen@allotments.example", password: "grows the beans", roles: [gardener]
        - name: "Gus", email: "gus@allotments.example", password: "grows the beans", roles: [gardener]
        - name: "Gina", email: "gina@allotments.example", password: "grows the beans", roles: [gardener]
        - name: "Greg", email: "greg@allotments.example", password: "grows the beans", roles: [gardener]
        - name: "Greta", email: "greta@allotments.example", password: "grows the beans", roles: [gardener]
        - name: "Ned", email: "ned@allotments.example", password: "looks over the fence", roles: [guest]
      Plot:
        - @corner label: "Corner", keeper: @sue

    scenario full_season "A full season":
      description: "Every plot has a lease"
      for persona steward:
        start_route: "/app/plot_list"
      for persona gardener:
        start_route: "/app/-/experience/first_lease"
      demo:
        User:
          - @gale name: "Gale", email: "gale@allotments.example", password: "grows the leeks", roles: [gardener]
        Plot:
          - @meadow label: "Meadow", keeper: @gale
        Lease:
          - plot: @corner, fee: 20
          - plot: @meadow, fee: 30
}

const SUE: (&str, &str) = ("sue@allotments.example", "keeps the keys here");
const NED: (&str, &str) = ("ned@allotments.example", "looks over the fence");
const FIRST: &str = "/app/-/experience/first_lease";

fn gardener(base: &str, name: &str) -> Client {
    Client::signed_in(base, (&format!("{name}@allotments.example"), "grows the beans"))
}

served_on_both! { "allotments", app();
    a_user_goes_through_every_kind_of_step;
    steps_back_and_skipped_steps_keep_the_context;
    a_refused_form_and_an_unknown_event_change_nothing;
    an_experience_continues_on_another_device_and_starts_again;
    access_is_checked_in_the_experience_and_in_each_step;
    a_link_of_another_site_starts_nothing;
    back_starts_no_process_again;
}

/// The current step of a page.
#[track_caller]
fn step(page: &Answer) -> String {
    let (_, rest) = page.body.split_once("data-dz-step=\"").unwrap_or_else(|| panic!("no step in:\n{}", page.body));
    rest.split('"').next().expect("a name").to_owned()
}

/// Posts to an experience; the answer leads back to its address.
#[track_caller]
fn post(client: &Client, pairs: &[(&str, &str)]) {
    let answer = client.form(FIRST, pairs).ok(303);
    assert_eq!(answer.header("location"), Some(FIRST));
}

/// Waits until the process of the current step has ended.
#[track_caller]
fn after_process(client: &Client) -> Answer {
    let start = Instant::now();
    loop {
        let page = client.get(FIRST).ok(200);
        if !matches!(step(&page).as_str(), "stamp" | "spoil") {
            return page;
        }
        assert_eq!(page.header("refresh"), Some("2"), "the page asks again");
        assert!(start.elapsed() < Duration::from_secs(20), "the process did not end");
        thread::sleep(Duration::from_millis(30));
    }
}

fn rows(client: &Client, path: &str) -> Vec<Value> {
    client.get(&format!("{path}?page_size=100")).ok(200).json()["items"].as_array().expect("rows").clone()
}

/// The value of an input or an option of a form.
fn holds(page: &Answer, name: &str, value: &str) -> bool {
    page.body.contains(&format!("name=\"{name}\"")) && page.body.contains(&format!("value=\"{value}\""))
}

/// Reading a step can start its process.
fn a_link_of_another_site_starts_nothing(base: &str) {
    let gina = gardener(base, "gina");
    for path in [FIRST.to_owned(), format!("{FIRST}/plot")] {
        let page = gina.request("GET", &path, &[("Sec-Fetch-Site", "cross-site")], b"").ok(200);
        page.shows(&["Continue", "href=\"/app/-/experience/first_lease\""]);
        page.lacks(&["data-dz-step="]);
    }
    gina.request("GET", FIRST, &[("Sec-Fetch-Site", "same-origin")], b"").ok(200).shows(&["data-dz-step="]);
    let stranger = Client::signed_in(base, NED);
    assert_eq!(stranger.request("GET", FIRST, &[("Sec-Fetch-Site", "cross-site")], b"").status, 403);
}

fn a_user_goes_through_every_kind_of_step(base: &str) {
    let gil = gardener(base, "gil");
    let page = gil.get(FIRST).ok(200);
    assert_eq!(step(&page), "plot");
    page.shows(&["<h1>The plot</h1>", "name=\"event\" value=\"success\"", "name=\"event\" value=\"cancel\"", "aria-current=\"step\""]);
    page.lacks(&["value=\"continue\"", "value=\"back\""]);
    gil.get("/app/plot_list").shows(&["/app/-/experience/first_lease", "The first lease"]);

    post(&gil, &[("label", "Sunny side"), ("size", "900"), ("event", "success")]);
    let page = gil.get(FIRST).ok(200);
    assert_eq!(step(&page), "terms");
    let plot = rows(&gil, "/api/plots")[0]["id"].as_str().expect("an id").to_owned();
    assert!(holds(&page, "plot", &plot) && holds(&page, "fee", "25"), "{}", page.body);
    assert_eq!(gil.get(&format!("{FIRST}/terms")).status, 200);
    assert_eq!(gil.get(&format!("{FIRST}/plot")).status, 404);

    // The values of controls that are not sent, and of fields without a control, are those of the step.
    post(&gil, &[("fee", "40.00")]);
    let page = gil.get(FIRST).ok(200);
    assert_eq!(step(&page), "large");
    assert!(holds(&page, "fee", "40.00"), "{}", page.body);
    let lease = rows(&gil, "/api/leases").into_iter().find(|row| row["plot"] == plot.as_str()).expect("the lease");
    assert_eq!((&lease["note"], &lease["fee"]), (&json!("for Sunny side"), &json!("40.00")));

    // A field of the form can have the name of the parameter.
    let version = page.body.split("name=\"version\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a version");
    let form = [("dz.form", "1"), ("version", version), ("fee", "50.00"), ("event", "harvest")];
    post(&gil, &form);
    let page = after_process(&gil);
    assert_eq!(step(&page), "check");
    page.shows(&["Sunny side", "50.00", "value=\"approve\"", "value=\"reject\"", "value=\"back\""]);
    let id = lease["id"].as_str().expect("an id");
    let lease = gil.get(&format!("/api/leases/{id}")).ok(200).json();
    assert_eq!((&lease["stamped"], &lease["event"]), (&json!(true), &json!("harvest")));

    // A process that fails leads to the step of `failure`.
    post(&gil, &[("event", "reject")]);
    let page = after_process(&gil);
    assert_eq!(step(&page), "overview");
    page.shows(&["Sunny side"]);
    assert_eq!(gil.form(FIRST, &[("event", "success")]).status, 409);
}

fn steps_back_and_skipped_steps_keep_the_context(base: &str) {
    let gwen = gardener(base, "gwen");
    post(&gwen, &[("label", "Shade"), ("size", "50")]);
    post(&gwen, &[("fee", "10.00")]);
    // The plot is small, so that the step `large` is skipped.
    assert_eq!(step(&after_process(&gwen)), "check");
    let plot = rows(&gwen, "/api/plots")[0]["id"].as_str().expect("an id").to_owned();
    let leases = || rows(&gwen, "/api/leases").iter().filter(|row| row["plot"] == plot.as_str()).count();
    // Back passes the process and the skipped step.
    post(&gwen, &[("event", "back")]);
    let page = gwen.get(FIRST).ok(200);
    assert_eq!(step(&page), "terms");
    assert!(holds(&page, "plot", &plot), "the context is kept:\n{}", page.body);
    assert!(!holds(&page, "fee", "10.00"), "the form is new:\n{}", page.body);
    assert_eq!((rows(&gwen, "/api/plots").len(), leases()), (1, 1), "no row was changed");
    post(&gwen, &[("event", "back")]);
    let page = gwen.get(FIRST).ok(200);
    assert_eq!(step(&page), "plot");
    page.lacks(&["value=\"Shade\""]);
    post(&gwen, &[("event", "cancel")]);
    assert_eq!(step(&gwen.get(FIRST).ok(200)), "overview");
}

fn back_starts_no_process_again(base: &str) {
    const WELCOME: &str = "/app/-/experience/welcome";
    let greta = gardener(base, "greta");
    let send = |pairs: &[(&str, &str)]| drop(greta.form(WELCOME, pairs).ok(303));
    let settled = || {
        let start = Instant::now();
        loop {
            let page = greta.get(WELCOME).ok(200);
            if step(&page) != "greet" || page.header("refresh").is_none() {
                return page;
            }
            assert!(start.elapsed() < Duration::from_secs(20), "the process did not end");
            thread::sleep(Duration::from_millis(30));
        }
    };
    let welcomes = || rows(&greta, "/api/leases").iter().filter(|row| row["note"] == "welcome").count();
    // A process that a signal starts elsewhere gets its inputs from the context.
    send(&[("label", "Gate"), ("size", "20")]);
    assert_eq!(step(&settled()), "plots");
    assert_eq!(welcomes(), 1);
    // The step of the process has no step before it, so that the user stays.
    send(&[("event", "back")]);
    assert_eq!(step(&settled()), "plots");
    assert_eq!(welcomes(), 1);
}

fn a_refused_form_and_an_unknown_event_change_nothing(base: &str) {
    let gus = gardener(base, "gus");
    let refused = gus.form(FIRST, &[("label", ""), ("size", "many")]).ok(422);
    assert_eq!(step(&refused), "plot");
    refused.shows(&["value=\"many\"", "aria-invalid=\"true\""]);
    for event in ["approve", "back", "nothing", ""] {
        let answer = gus.form(FIRST, &[("label", "X"), ("event", event)]).ok(409);
        assert_eq!(step(&answer), "plot", "{event}");
    }
    assert!(rows(&gus, "/api/plots").is_empty());
    post(&gus, &[("label", "Wall"), ("size", "5")]);
    let refused = gus.form(FIRST, &[("fee", "-5.00")]).ok(422);
    refused.shows(&["A fee is not negative"]);
    assert_eq!(step(&gus.get(FIRST).ok(200)), "terms");
    assert_eq!(gus.get("/app/-/experience/second_lease").status, 404);
    assert_eq!(gus.form("/app/-/experience/second_lease", &[]).status, 404);
    assert_eq!(gus.form("/app/-/experience/second_lease/restart", &[]).status, 404);
}

fn an_experience_continues_on_another_device_and_starts_again(base: &str) {
    let (phone, laptop) = (gardener(base, "gina"), gardener(base, "gina"));
    let old = phone.get(FIRST).ok(200);
    let at = old.body.split("name=\"dz.at\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a version").to_owned();
    post(&laptop, &[("label", "Hedge"), ("size", "70"), ("dz.at", &at)]);
    assert_eq!(step(&phone.get(FIRST).ok(200)), "terms");
    // A page that shows an earlier step saves nothing.
    let late = phone.form(FIRST, &[("label", "Hedge again"), ("dz.at", &at)]).ok(409);
    assert_eq!(step(&late), "terms");
    assert_eq!(rows(&phone, "/api/plots").len(), 1);
    let again = phone.form(&format!("{FIRST}/restart"), &[]).ok(303);
    assert_eq!(again.header("location"), Some(FIRST));
    assert_eq!(step(&laptop.get(FIRST).ok(200)), "plot");
    assert_eq!(phone.form(FIRST, &[("label", "Late"), ("dz.at", &at)]).status, 409);
    // Each account has a state of its own.
    assert_eq!(step(&Client::signed_in(base, SUE).get(FIRST).ok(200)), "plot");
}

fn access_is_checked_in_the_experience_and_in_each_step(base: &str) {
    let ned = Client::signed_in(base, NED);
    assert_eq!(ned.get(FIRST).status, 403);
    assert_eq!(ned.form(FIRST, &[("label", "Ned's")]).status, 403);
    assert_eq!(ned.form(&format!("{FIRST}/restart"), &[]).status, 403);
    ned.get("/app/-/account").ok(200).lacks(&["first_lease", "inspection"]);
    let anonymous = Client::new(base).get(FIRST);
    assert!(matches!(anonymous.status, 303 | 401), "{}", anonymous.status);
    // Without `access`, the rules of the surface decide.
    assert_eq!(ned.get("/app/-/experience/inspection").status, 403);
    let greg = gardener(base, "greg");
    let inspection = "/app/-/experience/inspection";
    greg.form(inspection, &[("label", "Inspected")]).ok(303);
    assert_eq!(greg.get(inspection).status, 403, "the step is for stewards");
    let sue = Client::signed_in(base, SUE);
    sue.form(inspection, &[("label", "Inspected by Sue")]).ok(303);
    assert_eq!(step(&sue.get(inspection).ok(200)), "report");
}
