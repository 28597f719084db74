//! Tests of the shop.

use dz::{Decimal, serde_json::json, testing::TestApp};

use super::shop::{Role, order, order_line, product, shop};

/// An order of three items, and its path.
fn order(app: &TestApp, stock: i64) -> (order::Order, product::Product) {
    let product = app.create(product::NewProduct { price: Decimal::from(7), stock: Some(stock), ..product::fake() });
    let order = app.create(order::fake());
    app.create(order_line::NewOrderLine::new(order.id, product.id, 3_i64));
    (order, product)
}

#[test]
fn a_line_takes_its_items_from_the_stock() {
    let app = TestApp::builder(shop()).without_demo_data().start();
    let (order, product) = order(&app, 5);
    let clerk = app.as_role(Role::Clerk);
    let line = |quantity: i64| json!({ "order": order.id, "product": product.id, "quantity": quantity });
    clerk.post("/api/order_lines", line(3)).assert_problem(422, "OUT_OF_STOCK");
    clerk.post("/api/order_lines", line(2)).assert_status(201);
    assert_eq!(clerk.get(&format!("/api/products/{}", product.id)).member("stock"), 0);
}

#[test]
fn a_payment_stores_its_receipt_once() {
    let app = TestApp::builder(shop()).without_demo_data().start();
    let (order, _) = order(&app, 3);
    let (clerk, pay) = (app.as_role(Role::Clerk), format!("/api/orders/{}/actions/pay", order.id));
    app.as_role(Role::Manager).post(&pay, json!({ "card": "4711" })).assert_status(403);
    clerk.post(&pay, json!({})).assert_problem(422, "VALIDATION").assert_field("card", "is required");
    clerk.post(&pay, json!({ "card": "0000" })).assert_problem(422, "VALIDATION").assert_field("card", "was refused");
    let paid = clerk.post(&pay, json!({ "card": "4711" }));
    assert_eq!(paid.assert_status(200).member("status"), "paid");
    assert!(paid.member("receipt").as_str().is_some_and(|receipt| receipt.starts_with("4-21.00-")), "{}", paid.text());
    clerk.post(&pay, json!({ "card": "4711" })).assert_status(403);
}

#[test]
fn the_report_of_the_day_counts_paid_orders() {
    let app = TestApp::builder(shop()).without_demo_data().at("2031-03-03T12:00:00Z").start();
    let (order, _) = order(&app, 3);
    app.as_role(Role::Clerk).post(&format!("/api/orders/{}/actions/pay", order.id), json!({ "card": "4711" })).assert_status(200);
    app.run_due();
    app.set_time("2031-03-03T23:00:30Z");
    let reports = app.as_role(Role::Manager).get("/api/day_reports").assert_status(200).json();
    assert_eq!(
        (&reports["total"], &reports["items"][0]["orders"], &reports["items"][0]["revenue"]),
        (&json!(1), &json!(1), &json!("21.00"))
    );
}

#[test]
fn the_page_shows_the_stock() {
    let app = TestApp::new(shop());
    let clerk = app.as_role(Role::Clerk);
    let page = clerk.get_page("/stock");
    page.assert_status(200).assert_contains("<a href=\"/stock\" aria-current=\"page\">").assert_contains("Olive oil");
    page.assert_contains("data-tone=\"amber\">Order more</span>").assert_contains("data-label=\"In open orders\"><span data-num>2</span>");
    app.as_user().get_page("/stock").assert_status(403);
}
