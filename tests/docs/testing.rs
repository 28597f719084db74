//! The examples of docs/testing.md, which are also tests.

use dz::{TimeDelta, serde_json::json, testing::TestApp};

dz::dz! {
    app bakery "Bakery"

    persona baker "Baker"
    persona clerk "Clerk"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Cake "Cake":
      id: uuid pk
      name: str(60) required
      tiers: int = 1
      permit:
        list: true
        read: true

    entity Order "Order":
      id: uuid pk
      cake: ref Cake required
      owner: ref User = current_user
      note: str(120)
      state: enum[open, expired, baked] = open
      permit:
        list: role(baker) or owner = current_user
        read: role(baker) or owner = current_user
        create: role(clerk)
        update: role(baker)
      transitions:
        open -> baked: role(baker)
        open -> expired: auto after 3 days

    demo:
      Cake:
        - @nut name: "Nut cake"
      User:
        - @cora name: "Cora", email: "cora@bakery.example", password: "flour and butter", roles: [clerk]
      Order:
        - cake: @nut, owner: @cora
}

/// The application with its subscriber.
fn application() -> dz::App {
    app().on::<order::Order>(dz::Event::Created, |_, _| Ok(()))
}

#[test]
fn a_clerk_sees_own_orders() {
    let app = TestApp::new(application());
    let cora = app.sign_in("cora@bakery.example");
    assert_eq!(cora.get("/api/orders").assert_status(200).member("total"), 1);
    let other = app.as_role(Role::Clerk);
    assert_eq!(other.get("/api/orders").assert_status(200).member("total"), 0);
}

#[test]
fn an_order_names_a_cake() {
    let app = TestApp::new(application());
    let clerk = app.as_role(Role::Clerk);
    clerk.post("/api/orders", json!({ "note": "soon" })).assert_problem(422, "VALIDATION").assert_field("cake", "is required");
    app.anonymous().post("/api/orders", json!({})).assert_problem(401, "AUTHENTICATION_REQUIRED");
}

#[test]
fn an_order_expires_after_three_days() {
    let app = TestApp::builder(application()).without_demo_data().at("2026-03-01T08:00:00Z").start();
    let order = app.create(order::NewOrder { note: Some("for Sunday".into()), ..order::fake() });
    app.advance(TimeDelta::days(3));
    let stored = app.tx_as_system(|tx| order::Order::find(tx, order.id)).unwrap();
    assert_eq!(stored.state, order::OrderState::Expired);
}

#[test]
fn a_baker_finishes_an_order() {
    let app = TestApp::new(application());
    let (baker, order) = (app.as_role(Role::Baker), app.create(order::fake()));
    let baked = app.tx_as(&baker, |tx| order::Order::find(tx, order.id)?.transition(tx, order::OrderState::Baked)).unwrap();
    assert_eq!(baked.state, order::OrderState::Baked);
}

#[test]
fn an_order_has_an_event() {
    let app = TestApp::new(application());
    let order = app.create(order::fake());
    assert_eq!(app.events::<order::Order>()[0].row.id, order.id);
    assert_eq!(app.mails(), []);
}
