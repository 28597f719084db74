//! Computed fields over HTTP, on pages and in Rust, on both engines.

use dz::{
    Utc,
    serde_json::{Value, json},
};

use crate::client::Client;

dz::dz! {
    app workshop "Workshop"

    persona clerk "Clerk"
    persona guest "Guest"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Order "Order":
      id: uuid pk
      number: str(20) required unique
      opened: date optional = today
      closed: bool = false
      discount: decimal(5,2) = 0
      lines: has_many Line cascade
      age_days: computed days_since(opened)
      total: computed sum(lines.amount)
      positions: computed count(lines)
      waiting: computed count(lines where done = false)
      mean: computed avg(lines.amount)
      overdue: computed closed = false and age_days > 30
      net: computed total - discount
      heading: computed concat(number, " of ", if closed: "old" else: "now")
      invariant: net >= 0 or positions = 0
        message: "The discount is higher than the total"
        code: DISCOUNT_TOO_HIGH
      permit:
        list: true
        read: role(clerk) or overdue = false
        create: role(clerk)
        update: role(clerk)
        delete: role(clerk)

    entity Line "Line":
      id: uuid pk
      order: belongs_to Order required
      label: str(60) required
      quantity: int = 1
      price: decimal(8,2) = 0
      weight: float
      done: bool = false
      amount: computed quantity * price
      load: computed weight * quantity
      of_order: computed order.total
      permit:
        list: role(clerk)
        read: role(clerk)
        create: role(clerk)
        update: role(clerk)
        delete: role(clerk)

    surface order_list "Orders":
      uses entity Order
      mode: list
      section main:
        field number
        field heading
        field age_days "Age"
        field total
        field overdue
      ux:
        sort: total desc
        filter: overdue, total
        search: number, heading

    surface order_view "Order":
      uses entity Order
      mode: view
      section main:
        field number
        field age_days "Age"
        field total
        field net
      section lines "Lines":
        uses entity Line
        field label
        field amount
        field order.total "Of the order"

    surface order_edit "Change order":
      uses entity Order
      mode: edit
      section main:
        field number
        field opened
        field discount
        field age_days "Age days"
        field heading

    surface order_create "New order":
      uses entity Order
      mode: create

    demo:
      User:
        - name: "Clara", email: "clara@workshop.example", password: "counts the screws", roles: [clerk]
        - name: "Gus", email: "gus@workshop.example", password: "looks around here", roles: [guest]
}

const CLERK: (&str, &str) = ("clara@workshop.example", "counts the screws");
const GUEST: (&str, &str) = ("gus@workshop.example", "looks around here");

/// The application, with a route in Rust that reads an order's computed fields and relation.
fn workshop() -> dz::App {
    app().mount("/typed", rocket::routes![read_order])
}

#[rocket::get("/<number>")]
async fn read_order(cx: dz::Cx, number: String) -> dz::Result<String> {
    cx.run(move |tx| {
        let found: Vec<order::Order> = tx.load(order::scoped(tx, dz::access::List)?.filter(schema::orders::number.eq(number.clone())))?;
        let order = found.into_iter().next().ok_or_else(dz::Error::not_found)?;
        let labels: Vec<String> = order.lines(tx)?.into_iter().map(|line| line.label).collect();
        Ok(format!("{:?} {:?} {labels:?}", order.total(tx)?, order.overdue(tx)?))
    })
    .await
}

crate::served_on_both! {
    "workshop", workshop();
    every_read_computes;
    a_computed_field_is_not_written;
    lists_sort_filter_and_search_computed_fields;
    rules_and_invariants_use_computed_fields;
    pages_show_computed_fields;
    rust_reads_computed_fields;
}

/// The date `days` days ago.
fn ago(days: i64) -> String {
    (0..days).fold(Utc::now().date_naive(), |day, _| day.pred_opt().expect("a day")).to_string()
}

/// An order opened `days` days ago, with lines of quantity and price.
#[track_caller]
fn order(client: &Client, number: &str, days: i64, lines: &[(i64, &str)]) -> String {
    let opened = ago(days);
    let made = client.send("POST", "/api/orders", &json!({ "number": number, "opened": opened })).ok(201).json();
    let id = made["id"].as_str().expect("an id").to_owned();
    for (at, (quantity, price)) in lines.iter().enumerate() {
        let line = json!({ "order": id, "label": format!("{number}-{at}"), "quantity": quantity, "price": price, "weight": 0.5 });
        client.send("POST", "/api/lines", &line).ok(201);
    }
    id
}

fn every_read_computes(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let opened = ago(40);
    let made = clerk.send("POST", "/api/orders", &json!({ "number": "R1", "opened": opened })).ok(201).json();
    assert_eq!((&made["total"], &made["positions"], &made["mean"]), (&json!("0.00"), &json!(0), &Value::Null));
    assert_eq!((&made["age_days"], &made["overdue"], &made["heading"]), (&json!(40), &json!(true), &json!("R1 of now")));
    let id = made["id"].as_str().expect("an id");
    let line = |quantity: i64, price: &str, done: bool| json!({ "order": id, "label": "x", "quantity": quantity, "price": price, "weight": 0.5, "done": done });
    let first = clerk.send("POST", "/api/lines", &line(3, "1.25", false)).ok(201).json();
    assert_eq!((&first["amount"], &first["load"], &first["of_order"]), (&json!("3.75"), &json!(1.5), &json!("3.75")));
    clerk.send("POST", "/api/lines", &line(2, "0.50", true)).ok(201);
    clerk.send("POST", "/api/lines", &line(1, "99999.99", true)).ok(201);
    let read = clerk.get(&format!("/api/orders/{id}")).ok(200).json();
    let whole = json!({ "total": "100004.74", "positions": 3, "waiting": 1, "mean": "33334.913333", "net": "100004.74", "age_days": 40 });
    for (name, value) in whole.as_object().expect("an object") {
        assert_eq!(&read[name], value, "{name}");
    }
    let listed = clerk.get("/api/orders?number=R1").ok(200).json();
    assert_eq!(listed["items"][0], read);
    let changed = clerk.send("PATCH", &format!("/api/orders/{id}"), &json!({ "discount": "4.74", "closed": true })).ok(200).json();
    assert_eq!((&changed["net"], &changed["overdue"], &changed["heading"]), (&json!("100000.00"), &json!(false), &json!("R1 of old")));
    let expanded = clerk.get(&format!("/api/lines?order={id}&expand=order&sort=amount")).ok(200).json();
    assert_eq!(expanded["items"][0]["order"]["net"], "100000.00");
    assert_eq!(expanded["items"][2]["amount"], "99999.99");
    let children = clerk.get(&format!("/api/orders/{id}?expand=lines")).ok(200).json();
    let amounts: Vec<&str> = children["lines"].as_array().expect("lines").iter().filter_map(|line| line["amount"].as_str()).collect();
    assert_eq!(amounts, ["3.75", "1.00", "99999.99"]);
}

fn a_computed_field_is_not_written(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let id = order(&clerk, "W1", 3, &[(2, "2.00")]);
    let at = format!("/api/orders/{id}");
    let whole = clerk.get(&at).ok(200).json();
    let same = clerk.send("PUT", &at, &whole).ok(200);
    assert_eq!((same.header("etag"), same.json()), (Some("\"1\""), whole));
    clerk.send("PATCH", &at, &json!({ "total": "4", "age_days": 3 })).ok(200);
    for wrong in [json!({ "total": "4.01" }), json!({ "age_days": 4 }), json!({ "overdue": true }), json!({ "heading": null })] {
        let problem = clerk.send("PATCH", &at, &wrong).problem(422, "VALIDATION");
        let name = wrong.as_object().and_then(|it| it.keys().next()).expect("a name");
        assert_eq!(problem["field_errors"][name], json!(["is computed"]), "{problem}");
    }
    let made = clerk.send("POST", "/api/orders", &json!({ "number": "W2", "total": "4.00" })).problem(422, "VALIDATION");
    assert_eq!(made["field_errors"]["total"], json!(["is computed"]), "{made}");
    clerk.send("POST", "/api/orders", &json!({ "number": "W2", "total": null })).ok(201);
}

fn lists_sort_filter_and_search_computed_fields(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    order(&clerk, "S1", 1, &[(1, "9.00")]);
    order(&clerk, "S2", 50, &[(1, "10.00"), (1, "0.01")]);
    order(&clerk, "S3", 31, &[(1, "-2.00")]);
    order(&clerk, "S4", 30, &[]);
    let numbers = |query: &str| -> Vec<String> {
        let list = clerk.get(&format!("/api/orders?number__startswith=S&{query}")).ok(200).json();
        list["items"].as_array().expect("items").iter().map(|it| it["number"].as_str().expect("a number").to_owned()).collect()
    };
    assert_eq!(numbers("sort=total"), ["S3", "S4", "S1", "S2"], "as numbers, not as text");
    assert_eq!(numbers("sort=-total"), ["S2", "S1", "S4", "S3"]);
    assert_eq!(numbers("sort=mean,number"), ["S4", "S3", "S2", "S1"], "null is the smallest value");
    assert_eq!(numbers("sort=-age_days"), ["S2", "S3", "S4", "S1"]);
    assert_eq!(numbers("sort=heading&page=2&page_size=3"), ["S4"]);
    assert_eq!(numbers("total__gt=9&sort=number"), ["S2"]);
    assert_eq!(numbers("total__lte=0&sort=number"), ["S3", "S4"]);
    assert_eq!(numbers("total=10.01"), ["S2"]);
    assert_eq!(numbers("total__in=9,10.01&sort=number"), ["S1", "S2"]);
    assert_eq!(numbers("overdue=true&sort=number"), ["S2", "S3"]);
    assert_eq!(numbers("mean__isnull=true"), ["S4"]);
    assert_eq!(numbers("waiting__ne=1&sort=number"), ["S2", "S4"]);
    assert_eq!(numbers("search=s3%20OF"), ["S3"]);
    let lines = clerk.get("/api/lines?order.total=10.01&sort=-order.net,label").ok(200).json();
    assert_eq!((lines["total"].clone(), &lines["items"][0]["label"]), (json!(2), &json!("S2-0")));
    // A caller cannot sort by unreadable values: a guest can read no lines, and no overdue orders.
    let guest = Client::signed_in(base, GUEST);
    guest.get("/api/lines?sort=amount").problem(403, "FORBIDDEN");
    clerk.get("/api/orders?sort=totall").problem(400, "BAD_REQUEST");
}

fn rules_and_invariants_use_computed_fields(base: &str) {
    let (clerk, guest) = (Client::signed_in(base, CLERK), Client::signed_in(base, GUEST));
    let (old, new) = (order(&clerk, "A1", 31, &[]), order(&clerk, "A2", 30, &[(2, "1.50")]));
    guest.get(&format!("/api/orders/{old}")).problem(404, "NOT_FOUND");
    // A readable computed field includes values of unreadable rows.
    assert_eq!(guest.get(&format!("/api/orders/{new}")).ok(200).json()["total"], "3.00");
    let refused = clerk.send("PATCH", &format!("/api/orders/{new}"), &json!({ "discount": "3.01" })).problem(422, "DISCOUNT_TOO_HIGH");
    assert_eq!(refused["detail"], "The discount is higher than the total");
    clerk.send("PATCH", &format!("/api/orders/{new}"), &json!({ "discount": "3.00" })).ok(200);
}

fn pages_show_computed_fields(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let id = order(&clerk, "P1", 45, &[(3, "1111.50")]);
    let list = clerk.get("/app/order_list?number__startswith=P&sort=-total&overdue=true").ok(200);
    list.shows(&["P1 of now", "3334.50", ">45<", ">Overdue<", "aria-sort=\"descending\"", "name=\"total__gte\""]);
    assert!(!clerk.get("/app/order_list?overdue=false").ok(200).body.contains("P1 of now"));
    clerk.get(&format!("/app/order_view/{id}")).ok(200).shows(&["Net", "3334.50", "P1-0", "Of the order"]);
    let edit = clerk.get(&format!("/app/order_edit/{id}")).ok(200);
    edit.shows(&["Age days", "P1 of now"]);
    assert!(!edit.body.contains("name=\"total\"") && !edit.body.contains("name=\"age_days\""), "{}", edit.body);
    assert!(!clerk.get("/app/order_create").ok(200).body.contains("Age days"));
    let saved = clerk.form(&format!("/app/order_edit/{id}"), &[("number", "P2"), ("version", "1"), ("opened", ""), ("discount", "1")]);
    assert_eq!(saved.status, 303, "{}", saved.body);
    assert_eq!(clerk.get(&format!("/api/orders/{id}")).json()["age_days"], Value::Null);
}

fn rust_reads_computed_fields(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    order(&clerk, "T1", 3, &[(1, "1.10"), (1, "2.20")]);
    let told = clerk.get("/typed/T1").ok(200).body;
    assert_eq!(told, "Some(3.30) Some(false) [\"T1-0\", \"T1-1\"]");
}
