//! Transitions and invariants, over HTTP, on pages and in Rust, on both engines.

use dz::serde_json::{Value, json};

use crate::client::Client;

dz::dz! {
    app clinic "Clinic"

    persona vet "Vet"
    persona desk "Front desk"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Visit "Visit":
      id: uuid pk
      name: str(60) required
      vet: ref User
      status: enum[planned, arrived, treated, paid, cancelled] = planned
      findings: text
      fee: decimal(8,2) = 0
      discount: decimal(8,2) = 0
      transitions:
        planned -> arrived "Let in"
        arrived -> treated: role(vet) requires findings, vet
        treated -> paid "Take the payment": role(desk)
          guard: fee > 0
          message: "Write the fee first"
        planned, arrived -> cancelled "Call off": role(desk)
        final: paid
        failed: cancelled
      invariant: status != paid or vet != null
        message: "A paid visit has a vet"
        code: PAID_WITHOUT_VET
      invariant: discount <= fee
        message: "The discount is higher than the fee"
        code: DISCOUNT_TOO_HIGH
      invariant: discount >= 0 and fee >= 0
      permit:
        list: true
        read: true
        create: role(desk, vet)
        update: role(desk) or vet = current_user
        transition: role(desk, vet)
      audit: [transition]

    entity Parcel "Parcel":
      id: uuid pk
      name: str(60) required
      state: enum[packed, sent]
      transitions:
        packed -> sent
      access:
        read: true
        write: role(desk)

    surface visit_list "Visits":
      uses entity Visit
      mode: list
      section main:
        field name
        field status
      ux:
        sort: name

    surface visit_view "Visit":
      uses entity Visit
      mode: view

    surface visit_edit "Change visit":
      uses entity Visit
      mode: edit

    demo:
      User:
        - name: "Vera", email: "vera@clinic.example", password: "heals the cats", roles: [vet]
        - name: "Dan", email: "dan@clinic.example", password: "answers the phone", roles: [desk]
        - name: "Olga", email: "olga@clinic.example", password: "owns three dogs"
        - name: "Ada", email: "ada@clinic.example", password: "reads every record", roles: [admin]
      Visit:
        - name: "Rex, long ago", status: treated, findings: "All is well"
}

const VET: (&str, &str) = ("vera@clinic.example", "heals the cats");
const DESK: (&str, &str) = ("dan@clinic.example", "answers the phone");
const ADMIN: (&str, &str) = ("ada@clinic.example", "reads every record");
const OWNER: (&str, &str) = ("olga@clinic.example", "owns three dogs");

crate::served_on_both! {
    "visits", app();
    a_visit_passes_through_its_states;
    undeclared_transitions_are_refused_with_the_declared_ones;
    a_new_row_has_the_initial_state;
    violated_invariants_are_reported_together;
    one_of_two_concurrent_transitions_succeeds;
    pages_offer_permitted_transitions;
    missing_fields_are_shown_beside_the_button;
    final_and_failed_states_have_their_own_look;
}

#[track_caller]
fn create_row(client: &Client, fields: Value) -> String {
    let row = client.send("POST", "/api/visits", &fields).ok(201).json();
    row["id"].as_str().expect("an id").to_owned()
}

fn transition_to(client: &Client, id: &str, state: &str, fields: Value) -> crate::client::Answer {
    client.send("POST", &format!("/api/visits/{id}/transitions/{state}"), &fields)
}

fn a_visit_passes_through_its_states(base: &str) {
    let (vet, desk, owner) = (Client::signed_in(base, VET), Client::signed_in(base, DESK), Client::signed_in(base, OWNER));
    let me = vet.get("/auth/me").json()["id"].clone();
    let id = create_row(&desk, json!({ "name": "Rex" }));
    // Transitions have a rule of their own: the vet can transition a row that they cannot update.
    vet.send("PATCH", &format!("/api/visits/{id}"), &json!({ "name": "Max" })).problem(403, "FORBIDDEN");
    transition_to(&owner, &id, "arrived", json!({})).problem(403, "FORBIDDEN");
    // The required fields of another transition are not accepted.
    transition_to(&vet, &id, "arrived", json!({ "findings": "None yet" })).problem(403, "FORBIDDEN");
    let arrived = transition_to(&vet, &id, "arrived", json!({})).ok(200);
    assert_eq!(arrived.json()["status"], "arrived");
    assert_eq!(arrived.header("etag"), Some("\"2\""));
    transition_to(&desk, &id, "treated", json!({})).problem(403, "TRANSITION_FORBIDDEN");
    let admin = Client::signed_in(base, ADMIN);
    let denied =
        admin.request("GET", "/admin/audit?entity=Visit&decision=denied", &[("Accept", "application/json")], b"").ok(200).json()["items"]
            .clone();
    assert!(denied.as_array().expect("records").iter().any(|it| it["rule"] == "transition arrived -> treated"), "{denied}");
    let missing = transition_to(&vet, &id, "treated", json!({})).problem(422, "TRANSITION_REQUIRES");
    assert_eq!(missing["detail"], "Needs Findings and Vet");
    assert!(missing["field_errors"]["findings"].is_array() && missing["field_errors"]["vet"].is_array(), "{missing}");
    // Required fields of the transition can be set in it; other fields need the update rule.
    transition_to(&vet, &id, "treated", json!({ "findings": "Fleas", "vet": me, "name": "Max" })).problem(403, "FORBIDDEN");
    assert_eq!(transition_to(&vet, &id, "treated", json!({ "findings": "Fleas", "vet": me })).ok(200).json()["findings"], "Fleas");
    let guard = transition_to(&desk, &id, "paid", json!({})).problem(422, "TRANSITION_GUARD");
    assert_eq!(guard["detail"], "Write the fee first");
    // A changed state in a PATCH is also a transition.
    let paid = desk.send("PATCH", &format!("/api/visits/{id}"), &json!({ "status": "paid", "fee": "30.00" })).ok(200).json();
    assert_eq!((paid["status"].as_str(), paid["fee"].as_str()), (Some("paid"), Some("30.00")));
    // Setting the current state is not a transition.
    desk.send("PATCH", &format!("/api/visits/{id}"), &json!({ "status": "paid", "findings": "Fleas, gone" })).ok(200);
}

fn undeclared_transitions_are_refused_with_the_declared_ones(base: &str) {
    let desk = Client::signed_in(base, DESK);
    let id = create_row(&desk, json!({ "name": "Tom" }));
    let refused = transition_to(&desk, &id, "paid", json!({})).problem(409, "TRANSITION_NOT_ALLOWED");
    let detail = refused["detail"].as_str().unwrap_or_default();
    assert!(detail.contains("arrived") && detail.contains("cancelled") && !detail.contains("treated"), "{detail}");
    desk.send("PATCH", &format!("/api/visits/{id}"), &json!({ "status": "treated" })).problem(409, "TRANSITION_NOT_ALLOWED");
    let unknown = transition_to(&desk, &id, "payed", json!({})).problem(422, "VALIDATION");
    assert!(unknown["detail"].as_str().is_some_and(|it| it.contains("`payed`") && it.contains("paid")), "{unknown}");
    transition_to(&desk, "00000000-0000-7000-8000-000000000000", "arrived", json!({})).problem(404, "NOT_FOUND");
    desk.send("POST", "/api/users/x/transitions/gone", &json!({})).problem(404, "NOT_FOUND");
    let get = desk.get(&format!("/api/visits/{id}/transitions/arrived"));
    assert_eq!((get.status, get.header("allow")), (405, Some("POST")));
    // A body of another type, or with another state, is not ignored.
    let address = format!("/api/visits/{id}/transitions/cancelled");
    for (of, body) in [("application/x-www-form-urlencoded", "name=Bello"), ("text/csv", "name\nBello\n")] {
        let headers = [("Content-Type", of), ("Sec-Fetch-Site", "same-origin")];
        desk.request("POST", &address, &headers, body.as_bytes()).problem(415, "UNSUPPORTED_MEDIA_TYPE");
    }
    let other = transition_to(&desk, &id, "cancelled", json!({ "status": "paid" })).problem(422, "VALIDATION");
    assert!(other["field_errors"]["status"].is_array(), "{other}");
    // A row that is sent back has its stored state.
    transition_to(&desk, &id, "cancelled", json!({ "status": "planned" })).ok(200);
    let ended = transition_to(&desk, &id, "arrived", json!({})).problem(409, "TRANSITION_NOT_ALLOWED");
    assert!(ended["detail"].as_str().is_some_and(|it| it.contains("no transition")), "{ended}");
    let stale = desk.request(
        "POST",
        &format!("/api/visits/{id}/transitions/arrived"),
        &[("If-Match", "\"1\""), ("Sec-Fetch-Site", "same-origin")],
        b"",
    );
    stale.problem(412, "STALE");
}

fn a_new_row_has_the_initial_state(base: &str) {
    let desk = Client::signed_in(base, DESK);
    let refused = desk.send("POST", "/api/visits", &json!({ "name": "Kit", "status": "paid" })).problem(409, "TRANSITION_NOT_ALLOWED");
    assert!(refused["field_errors"]["status"].is_array(), "{refused}");
    create_row(&desk, json!({ "name": "Kit", "status": "planned" }));
    // Without a default, the first state is the initial one.
    let parcel = desk.send("POST", "/api/parcels", &json!({ "name": "Bones" })).ok(201).json();
    assert_eq!(parcel["state"], "packed");
    // Demo data and the system create rows in any state.
    let old = desk.get("/api/visits?name=Rex,%20long%20ago").ok(200).json();
    assert_eq!(old["items"][0]["status"], "treated");
}

fn violated_invariants_are_reported_together(base: &str) {
    let desk = Client::signed_in(base, DESK);
    let both =
        desk.send("POST", "/api/visits", &json!({ "name": "Bea", "fee": "-1.00", "discount": "2.00" })).problem(422, "DISCOUNT_TOO_HIGH");
    assert_eq!(both["detail"], "The discount is higher than the fee");
    assert_eq!(both["field_errors"]["discount"].as_array().map(Vec::len), Some(2), "{both}");
    let one = desk.send("POST", "/api/visits", &json!({ "name": "Bea", "fee": "-1.00", "discount": "-1.00" })).problem(422, "INVARIANT");
    assert!(one["field_errors"]["fee"].is_array(), "{one}");
    let id = create_row(&desk, json!({ "name": "Bea", "fee": "5.00", "discount": "5.00" }));
    desk.send("PATCH", &format!("/api/visits/{id}"), &json!({ "fee": "4.99" })).problem(422, "DISCOUNT_TOO_HIGH");
    assert_eq!(desk.get(&format!("/api/visits/{id}")).json()["fee"], "5.00");
    // Also after a transition: the row with its new state is checked.
    let old = desk.get("/api/visits?name=Rex,%20long%20ago").ok(200).json()["items"][0]["id"].as_str().expect("an id").to_owned();
    transition_to(&desk, &old, "paid", json!({ "fee": "10.00" })).problem(422, "PAID_WITHOUT_VET");
    assert_eq!(desk.get(&format!("/api/visits/{old}")).json()["status"], "treated");
}

fn one_of_two_concurrent_transitions_succeeds(base: &str) {
    let desk = Client::signed_in(base, DESK);
    for _ in 0..8 {
        let id = create_row(&desk, json!({ "name": "Twin" }));
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let racers: Vec<_> = ["arrived", "cancelled"]
                .map(|state| (state, id.clone()))
                .into_iter()
                .map(|(state, id)| {
                    scope.spawn(move || {
                        let racer = Client::signed_in(base, DESK);
                        racer
                            .request(
                                "POST",
                                &format!("/api/visits/{id}/transitions/{state}"),
                                &[("If-Match", "\"1\""), ("Sec-Fetch-Site", "same-origin")],
                                b"",
                            )
                            .status
                    })
                })
                .collect();
            racers.into_iter().map(|racer| racer.join().expect("an answer")).collect()
        });
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
        assert_eq!(statuses.iter().filter(|status| **status == 412).count(), 1, "{statuses:?}");
    }
}

fn pages_offer_permitted_transitions(base: &str) {
    let (vet, desk, owner) = (Client::signed_in(base, VET), Client::signed_in(base, DESK), Client::signed_in(base, OWNER));
    let id = create_row(&desk, json!({ "name": "Pia" }));
    let at = format!("/app/visit_view/{id}");
    desk.get(&at).ok(200).shows(&["value=\"arrived\"", "value=\"cancelled\""]);
    let for_vet = vet.get(&at).ok(200);
    assert!(for_vet.body.contains("value=\"arrived\"") && !for_vet.body.contains("value=\"cancelled\""), "{}", for_vet.body);
    assert!(!owner.get(&at).ok(200).body.contains("/move\""));
    let moved = desk.form(&format!("{at}/move"), &[("to", "arrived"), ("version", "1")]);
    assert_eq!((moved.status, moved.header("location")), (303, Some(format!("{at}?done=moved").as_str())));
    let late = desk.form(&format!("{at}/move"), &[("to", "cancelled"), ("version", "1")]);
    assert_eq!(late.status, 412);
    late.shows(&["role=\"alert\"", "Pia"]);
    // An edit form offers the possible next states, and no others.
    let form = desk.get(&format!("/app/visit_edit/{id}")).ok(200).body;
    assert!(form.contains("value=\"arrived\"") && form.contains("value=\"cancelled\"") && !form.contains("value=\"paid\""), "{form}");
}

type Pairs = Vec<(String, String)>;

/// The enabled and the disabled buttons of a page, each with its text.
fn buttons(page: &str) -> (Pairs, Pairs) {
    let text = |html: &str| html.split("</button>").next().and_then(|it| it.rsplit('>').next()).unwrap_or_default().to_owned();
    let open = page.split("name=\"to\" value=\"").skip(1).map(|rest| (rest.split('"').next().unwrap_or_default().to_owned(), text(rest)));
    let closed = page.split("disabled aria-describedby=\"").skip(1).map(|rest| {
        let id = rest.split('"').next().unwrap_or_default();
        let why = page.split(&format!("<span id=\"{id}\">")).nth(1).expect("a reason").split("</span>").next().unwrap_or_default();
        let why = why.split_once('>').map_or(why, |(_, linked)| linked.trim_end_matches("</a>"));
        (text(rest), why.to_owned())
    });
    (open.collect(), closed.collect())
}

fn pairs(of: &[(&str, &str)]) -> Pairs {
    of.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

fn missing_fields_are_shown_beside_the_button(base: &str) {
    let (vet, desk) = (Client::signed_in(base, VET), Client::signed_in(base, DESK));
    let me = vet.get("/auth/me").json()["id"].clone();
    let id = create_row(&desk, json!({ "name": "Ida" }));
    let at = format!("/app/visit_view/{id}");
    let page = |client: &Client| buttons(&client.get(&at).ok(200).body);
    assert_eq!(page(&desk), (pairs(&[("arrived", "Let in"), ("cancelled", "Call off")]), pairs(&[])));
    transition_to(&vet, &id, "arrived", json!({})).ok(200);
    // A required field is missing; a caller without the role does not see the transition.
    assert_eq!(page(&vet), (pairs(&[]), pairs(&[("Treated", "Needs Findings and Vet")])));
    assert_eq!(page(&desk), (pairs(&[("cancelled", "Call off")]), pairs(&[])));
    desk.send("PATCH", &format!("/api/visits/{id}"), &json!({ "findings": "Fleas" })).ok(200);
    assert_eq!(page(&vet), (pairs(&[]), pairs(&[("Treated", "Needs Vet")])));
    desk.send("PATCH", &format!("/api/visits/{id}"), &json!({ "vet": me })).ok(200);
    assert_eq!(page(&vet), (pairs(&[("treated", "Treated")]), pairs(&[])));
    transition_to(&vet, &id, "treated", json!({})).ok(200);
    // The guard fails with its message, on the page and in the write.
    assert_eq!(page(&desk), (pairs(&[]), pairs(&[("Take the payment", "Write the fee first")])));
    assert_eq!(transition_to(&desk, &id, "paid", json!({})).problem(422, "TRANSITION_GUARD")["detail"], "Write the fee first");
    desk.send("PATCH", &format!("/api/visits/{id}"), &json!({ "fee": "9.00" })).ok(200);
    assert_eq!(page(&desk), (pairs(&[("paid", "Take the payment")]), pairs(&[])));
    // The link to a missing value leads to its field, for callers who can set it.
    let id = create_row(&desk, json!({ "name": "Ole", "vet": me }));
    transition_to(&vet, &id, "arrived", json!({})).ok(200);
    vet.get(&format!("/app/visit_view/{id}")).ok(200).shows(&[&format!("<a href=\"/app/visit_edit/{id}#findings\">Needs Findings</a>")]);
    let refused = transition_to(&vet, &id, "cancelled", json!({})).problem(403, "TRANSITION_FORBIDDEN");
    assert_eq!(refused["detail"], "You do not have the role for \"Call off\"");
    desk.get("/app/visit_list").ok(200).shows(&["Let in</button>", "Take the payment</button>", "Call off</button>"]);
}

fn final_and_failed_states_have_their_own_look(base: &str) {
    let desk = Client::signed_in(base, DESK);
    let id = create_row(&desk, json!({ "name": "Zoe" }));
    let look = |id: &str| {
        let page = desk.get(&format!("/app/visit_view/{id}")).ok(200).body;
        let cell = page.split("<dt>Status</dt>").nth(1).expect("a status").split("</dd>").next().unwrap_or_default().to_owned();
        cell.split("data-tone=\"").nth(1).and_then(|it| it.split('"').next()).unwrap_or_default().to_owned()
            + cell.split("#").nth(1).and_then(|it| it.split('"').next()).unwrap_or_default()
    };
    assert_eq!(look(&id), "grays-0");
    transition_to(&desk, &id, "cancelled", json!({})).ok(200);
    // The last value of the enum is the failure, and the one before it the success.
    assert_eq!(look(&id), "grays-x");
    let old = desk.get("/api/visits?name=Rex,%20long%20ago").ok(200).json()["items"][0]["id"].as_str().expect("an id").to_owned();
    assert_eq!(look(&old), "teals-75");
}

#[test]
fn states_list_their_successors() {
    use visit::VisitStatus::{Arrived, Cancelled, Paid, Planned};
    assert_eq!(Planned.successors(), [Arrived, Cancelled]);
    assert!(Planned.can_become(Arrived) && !Planned.can_become(Paid));
    assert!(Paid.successors().is_empty());
    // The typed transition exists and needs a unit of work.
    let _: fn(&visit::Visit, &mut dz::Tx<'_>, visit::VisitStatus) -> dz::Result<visit::Visit> = visit::Visit::transition;
}
