//! What a client learns about a row that it may not read, from the rule of a write and from a form with a condition: nothing.

use dz::{
    Engine,
    serde_json::{Value, json},
};

use crate::{client::Client, server};

dz::dz! {
    app ledger "Ledger"

    persona chief "Chief"
    persona clerk "Clerk"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Budget "Budget":
      id: uuid pk
      name: str(60) required
      amount: int required
      permit:
        list: role(chief)
        read: role(chief)
        create: role(chief)

    entity Order "Order":
      id: uuid pk
      title: str(60) required
      note: str(60)
      budget: ref Budget
      small: bool = true
      permit:
        list: role(chief, clerk)
        read: role(chief, clerk)
        create: role(chief) or (role(clerk) and (budget = null or budget.amount < 100) and small)
        update: role(chief) or (role(clerk) and (budget = null or budget.amount < 100) and small)
        delete: role(chief)

    surface order_create "New order":
      uses entity Order
      mode: create
      section main:
        field title
        field budget
        field note when: budget.amount < 100

    demo:
      User:
        - name: "Cora", email: "cora@ledger.example", password: "counts every cent", roles: [chief]
        - name: "Kurt", email: "kurt@ledger.example", password: "writes every order", roles: [clerk]
}

const CORA: (&str, &str) = ("cora@ledger.example", "counts every cent");
const KURT: (&str, &str) = ("kurt@ledger.example", "writes every order");

/// Two budgets, one on each side of the limit of the rule, and a key without a row.
fn budgets(cora: &Client) -> [String; 3] {
    let make = |amount: i64| {
        let row = cora.send("POST", "/api/budgets", &json!({ "name": "B", "amount": amount })).ok(201).json();
        row["id"].as_str().expect("a key").to_owned()
    };
    [make(5), make(5000), "00000000-0000-4000-8000-000000000000".to_owned()]
}

#[test]
fn a_rule_reveals_nothing_about_an_invisible_row() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let base = server::serve(app(), engine, server::new_url(engine, "ledger"));
        let (cora, kurt) = (Client::signed_in(&base, CORA), Client::signed_in(&base, KURT));
        let wanted = json!({ "budget": ["does not exist or is not visible to you"] });
        let own = kurt.send("POST", "/api/orders", &json!({ "title": "Own" })).ok(201).json();
        let path = format!("/api/orders/{}", own["id"].as_str().expect("a key"));
        for budget in budgets(&cora) {
            let row = |more: Value| {
                let mut row = json!({ "title": "Probe", "budget": budget });
                row.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
                row
            };
            let created = kurt.send("POST", "/api/orders", &row(json!({}))).problem(422, "REFERENCE");
            assert_eq!(created["field_errors"], wanted, "{engine:?}");
            let changed = kurt.send("PATCH", &path, &json!({ "budget": budget })).problem(422, "REFERENCE");
            assert_eq!(changed["field_errors"], wanted, "{engine:?}");
            // Also if another part of the rule is false.
            kurt.send("POST", "/api/orders", &row(json!({ "small": false }))).problem(422, "REFERENCE");
        }
        // A rule that reads only the row itself names the fields that it reads.
        let refused = kurt.send("POST", "/api/orders", &json!({ "title": "Large", "small": false })).problem(403, "FORBIDDEN");
        assert_eq!(refused["field_errors"], json!({ "small": ["is not allowed in your rows"] }));
        assert_eq!(refused["detail"], "You may not store this order with these values: Small");
    }
}

#[test]
fn the_condition_of_a_form_field_reveals_nothing_about_an_invisible_row() {
    let base = server::serve(app(), Engine::Sqlite, server::new_url(Engine::Sqlite, "ledger_form"));
    let (cora, kurt) = (Client::signed_in(&base, CORA), Client::signed_in(&base, KURT));
    let [small, large, _] = budgets(&cora);
    let has_note = |client: &Client, budget: &str| {
        // Without a title the form is shown again.
        let form = client.form("/app/order_create", &[("title", ""), ("budget", budget)]).ok(422);
        form.body.contains("name=\"note\"")
    };
    assert_eq!((has_note(&cora, &small), has_note(&cora, &large)), (true, false));
    assert_eq!((has_note(&kurt, &small), has_note(&kurt, &large)), (false, false));
}
