//! Amounts of money in JSON, on pages, in files and in Rust, with exact digits on both engines.

use dz::serde_json::{Value, json};

use crate::client::Client;

dz::dz! {
    app till "Till":
      currency: EUR

    persona clerk "Clerk"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Ware "Ware":
      id: uuid pk
      name: str(60) required unique
      price: money(EUR) required
      deposit: money = 0
      abroad: money(JPY)
      tip: money(KWD) sensitive
      quantity: int = 1
      lines: has_many Line cascade
      total: computed price * quantity + deposit
      third: computed price / 3
      sold: computed sum(lines.paid)
      dearest: computed max(lines.paid)
      dear: computed price >= 99.50
      invariant: price > 0 and deposit < price
        message: "A ware costs something, and more than its deposit"
        code: WARE_PRICE
      permit:
        list: price < 1000000 or role(clerk)
        read: true
        create: role(clerk)
        update: role(clerk)
        delete: role(clerk)

    entity Line "Line":
      id: uuid pk
      ware: belongs_to Ware required
      paid: money(EUR) required
      permit:
        list: true
        read: true
        create: role(clerk)

    surface ware_list "Wares":
      uses entity Ware
      mode: list
      section main:
        field name
        field price
        field total
        field abroad
      ux:
        sort: price desc
        filter: price

    surface ware_view "Ware":
      uses entity Ware
      mode: view
      section main:
        field name
        field price
        field third

    surface ware_create "New ware":
      uses entity Ware
      mode: create
      section main:
        field name
        field price
        field deposit
        field abroad

    demo:
      User:
        - name: "Tilly", email: "tilly@till.example", password: "counts the coins", roles: [clerk]
      Ware:
        - name: "Lamp", price: 1234.5, deposit: 0.05
}

const CLERK: (&str, &str) = ("tilly@till.example", "counts the coins");

fn till() -> dz::App {
    app().mount("/typed", rocket::routes![raise]).before_create::<line::Line>(|_, new| match new.paid.is_sign_negative() {
        true => Err(dz::Error::validation("paid", "is given back elsewhere")),
        false => Ok(()),
    })
}

/// Raises a price by a cent, in Rust.
#[rocket::post("/<id>")]
async fn raise(cx: dz::Cx, id: &str) -> dz::Result<String> {
    let id = id.parse().map_err(|_| dz::Error::not_found())?;
    cx.run(move |tx| {
        let ware = ware::Ware::find(tx, id)?;
        let price = ware.price + dz::Decimal::new(1, 2);
        let ware = ware.update(tx, ware::WareChanges { price: Some(price), ..Default::default() })?;
        Ok(format!("{} {:?}", ware.price, ware.total(tx)?.map(|total| total.to_string())))
    })
    .await
}

crate::served_on_both! {
    "till", till();
    amounts_say_their_currency;
    invalid_amounts_are_explained;
    amounts_are_computed_to_the_last_digit;
    lists_sort_and_filter_amounts_by_number;
    pages_and_files_show_and_take_amounts;
}

fn euro(amount: &str) -> Value {
    json!({ "amount": amount, "currency": "EUR" })
}

#[track_caller]
fn create_row(client: &Client, fields: Value) -> Value {
    client.send("POST", "/api/wares", &fields).ok(201).json()
}

fn amounts_say_their_currency(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let lamp = clerk.get("/api/wares?name=Lamp").ok(200).json()["items"][0].clone();
    assert_eq!((&lamp["price"], &lamp["deposit"], &lamp["abroad"]), (&euro("1234.50"), &euro("0.05"), &Value::Null));
    let yen = json!({ "amount": "300", "currency": "JPY" });
    let dinar = json!({ "amount": "1.005", "currency": "KWD" });
    let ware = create_row(&clerk, json!({ "name": "Fan", "price": euro("9999999999999999.99"), "abroad": yen, "tip": dinar }));
    assert_eq!((&ware["price"], &ware["abroad"], &ware["tip"]), (&euro("9999999999999999.99"), &yen, &dinar));
    assert_eq!(ware["deposit"], euro("0.00"));
    let at = format!("/api/wares/{}", ware["id"].as_str().expect("an id"));
    let mut whole = clerk.get(&at).json();
    // The body of a GET can be PUT back; null clears an optional amount.
    clerk.send("PUT", &at, &whole).ok(200);
    whole["abroad"] = Value::Null;
    assert_eq!(clerk.send("PUT", &at, &whole).ok(200).json()["abroad"], Value::Null);
    assert_eq!(clerk.send("PATCH", &at, &json!({ "price": euro("10") })).ok(200).json()["price"], euro("10.00"));
    let told = clerk.request("POST", &format!("/typed/{}", ware["id"].as_str().expect("an id")), &[("Sec-Fetch-Site", "same-origin")], b"");
    assert_eq!(told.ok(200).body, r#"10.01 Some("10.01")"#);
    let schema = clerk.get("/api/openapi.json").ok(200).json();
    let price = schema["components"]["schemas"]["Ware"]["properties"]["price"].clone();
    assert_eq!(price["properties"]["currency"], json!({ "const": "EUR" }), "{price}");
    clerk.delete(&at).ok(204);
}

fn invalid_amounts_are_explained(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let wrong = [
        (json!("12.50"), "must be an amount such as"),
        (json!(12.5), "must be an amount such as"),
        (json!({ "amount": 12.5, "currency": "EUR" }), "must be an amount such as"),
        (json!({ "amount": "12.50" }), "must be an amount such as"),
        (json!({ "currency": "EUR" }), "must be an amount such as"),
        (json!({ "amount": "12.50", "currency": "USD" }), "must be an amount in EUR, not in USD"),
        (json!({ "amount": "12.50", "currency": "eur" }), "must be an amount in EUR"),
        (json!({ "amount": "12.50", "currency": "EUR", "rate": 1 }), "must be an amount such as"),
        (json!({ "amount": "a lot", "currency": "EUR" }), "must be a decimal"),
        (euro("12.505"), "at most 2 decimals"),
        (euro("10000000000000000"), "before the point"),
        (json!([1]), "must be an amount such as"),
    ];
    for (price, told) in wrong {
        let problem = clerk.send("POST", "/api/wares", &json!({ "name": "Wrong", "price": price })).problem(422, "VALIDATION");
        let why = problem["field_errors"]["price"][0].as_str().unwrap_or_default();
        assert!(why.contains(told), "{price}: {why}");
    }
    let yen = json!({ "name": "Wrong", "price": euro("1"), "abroad": { "amount": "1.5", "currency": "JPY" } });
    let problem = clerk.send("POST", "/api/wares", &yen).problem(422, "VALIDATION");
    assert_eq!(problem["field_errors"]["abroad"], json!(["must be a whole number"]));
    clerk.send("POST", "/api/wares", &json!({ "name": "Wrong", "price": euro("0") })).problem(422, "WARE_PRICE");
    clerk.send("POST", "/api/wares", &json!({ "name": "Wrong", "price": euro("1"), "deposit": euro("1") })).problem(422, "WARE_PRICE");
    assert_eq!(clerk.get("/api/wares?name=Wrong").json()["total"], 0);
}

fn amounts_are_computed_to_the_last_digit(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let ware = create_row(&clerk, json!({ "name": "Chair", "price": euro("0.10"), "quantity": 3, "deposit": euro("0.05") }));
    assert_eq!((&ware["total"], &ware["third"], &ware["sold"]), (&euro("0.35"), &euro("0.03"), &euro("0.00")));
    assert_eq!(ware["dear"], false);
    for paid in ["0.10", "0.20", "1000000000000000.30"] {
        clerk.send("POST", "/api/lines", &json!({ "ware": ware["id"], "paid": euro(paid) })).ok(201);
    }
    clerk.send("POST", "/api/lines", &json!({ "ware": ware["id"], "paid": euro("-1") })).problem(422, "VALIDATION");
    let ware = clerk.get(&format!("/api/wares/{}", ware["id"].as_str().expect("an id"))).json();
    assert_eq!((&ware["sold"], &ware["dearest"]), (&euro("1000000000000000.60"), &euro("1000000000000000.30")));
    // Half a cent is rounded up.
    let half = create_row(&clerk, json!({ "name": "Stool", "price": euro("99.50") }));
    assert_eq!((&half["third"], &half["dear"]), (&euro("33.17"), &json!(true)));
}

fn lists_sort_and_filter_amounts_by_number(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    for (name, price) in [("List a", "2.00"), ("List b", "10.00"), ("List c", "9.99")] {
        create_row(&clerk, json!({ "name": name, "price": euro(price) }));
    }
    let names = |query: &str| -> Vec<String> {
        let list = clerk.get(&format!("/api/wares?name__startswith=List&{query}")).ok(200).json();
        list["items"].as_array().expect("items").iter().map(|it| it["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names("sort=price"), ["List a", "List c", "List b"]);
    assert_eq!(names("sort=-total"), ["List b", "List c", "List a"]);
    assert_eq!(names("price__gt=9.99"), ["List b"]);
    assert_eq!(names("price=9.99"), ["List c"]);
    assert_eq!(names("total__lte=2&sort=name"), ["List a"]);
    assert_eq!(names("price__in=2,10.00&sort=name"), ["List a", "List b"]);
    clerk.get("/api/wares?price=9.999").problem(400, "BAD_REQUEST");
    clerk.get("/api/wares?price=cheap").problem(400, "BAD_REQUEST");
    clerk.get("/api/wares?tip__gt=1").problem(400, "BAD_REQUEST");
}

fn pages_and_files_show_and_take_amounts(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    clerk.get("/app/ware_list").ok(200).shows(&["1234.50 EUR"]);
    let form = clerk.get("/app/ware_create").ok(200);
    form.shows(&["In EUR, at most 2 decimals.", "In JPY, without decimals.", "inputmode=\"decimal\""]);
    let fields = |price: &'static str| [("name", "From a form"), ("price", price), ("deposit", "0"), ("abroad", "")];
    let refused = clerk.form("/app/ware_create", &fields("12.505"));
    assert_eq!(refused.status, 422);
    refused.shows(&["at most 2 decimals", "value=\"12.505\""]);
    assert_eq!(clerk.form("/app/ware_create", &fields("12.50")).status, 303);
    let ware = clerk.get("/api/wares?name=From%20a%20form").json()["items"][0].clone();
    assert_eq!(ware["price"], euro("12.50"));
    clerk.get(&format!("/app/ware_view/{}", ware["id"].as_str().expect("an id"))).ok(200).shows(&["12.50 EUR", "4.17 EUR"]);
    // An export can be imported.
    let csv = clerk.get("/api/wares?format=csv&name=From%20a%20form").ok(200).body;
    assert!(csv.contains(",12.50,0.00,"), "{csv}");
    let import = |price: &str| {
        let text = format!("id,price,deposit\n{},{price},0.00\n", ware["id"].as_str().expect("an id"));
        clerk.request("POST", "/api/wares/import", &[("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")], text.as_bytes())
    };
    import("13.25").ok(200);
    assert_eq!(clerk.get("/api/wares?name=From%20a%20form").json()["items"][0]["price"], euro("13.25"));
    import("13.255").problem(422, "VALIDATION");
}
