//! Amounts with a currency in each row: one value in JSON and on pages, two fields in filters, files, rules and Rust, and never one
//! without the other.

use dz::serde_json::{Value, json};

use crate::client::{Answer, Client};

dz::dz! {
    app market "Market"

    persona clerk "Clerk"
    persona guest "Guest"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Stall "Stall":
      id: uuid pk
      name: str(60) required
      rent: money
      stands: bool = true
      permit:
        list: true
        read: true
        create: role(clerk)
        update: role(clerk)

    entity Ware "Ware":
      id: uuid pk
      name: str(60) required
      price: money required
      deposit: money
      margin: money sensitive
      stall: ref Stall
      status: enum[offered, sold] = offered
      paid: money
      dear: computed price * 2 > 0
      transitions:
        offered -> sold: requires paid
      invariant: price > 0
        message: "A ware costs something"
        code: WARE_PRICE
      permit:
        list: role(clerk) or price_currency = "EUR"
        read: role(clerk) or price_currency = "EUR"
        create: role(clerk)
        update: role(clerk)
        delete: role(clerk)

    surface ware_list "Wares":
      uses entity Ware
      mode: list
      section main:
        field name
        field price
        field stall.rent "Rent"
      ux:
        sort: price
        filter: price, price_currency
        for guest:
          hide: price

    surface ware_view "Ware":
      uses entity Ware
      mode: view
      section main:
        field name
        field price
        field deposit

    surface ware_create "New ware":
      uses entity Ware
      mode: create
      section main:
        field name
        field price
        field deposit
        field stall

    surface ware_edit "Edit ware":
      uses entity Ware
      mode: edit
      section main:
        field name
        field price
        field deposit

    demo:
      User:
        - name: "Tilly", email: "tilly@market.example", password: "counts the coins", roles: [clerk]
        - name: "Gus", email: "gus@market.example", password: "looks at the wares", roles: [guest]
      Stall:
        - @corner name: "Corner", rent: 1234.5, rent_currency: "SEK"
      Ware:
        - name: "Lamp", price: 12.5, price_currency: "EUR", stall: @corner
}

const CLERK: (&str, &str) = ("tilly@market.example", "counts the coins");
const GUEST: (&str, &str) = ("gus@market.example", "looks at the wares");

fn market() -> dz::App {
    app().mount("/typed", rocket::routes![reprice, offer])
}

/// Changes only the amount, in Rust.
#[rocket::post("/<id>/<price>")]
async fn reprice(cx: dz::Cx, id: &str, price: &str) -> dz::Result<String> {
    let id = id.parse().map_err(|_| dz::Error::not_found())?;
    let price = price.parse().map_err(|_| dz::Error::not_found())?;
    cx.run(move |tx| {
        let ware = ware::Ware::find(tx, id)?;
        let ware = ware.update(tx, ware::WareChanges { price: Some(price), ..Default::default() })?;
        Ok(format!("{} {} {:?}", ware.price.normalize(), ware.price_currency, ware.deposit_currency))
    })
    .await
}

/// Creates a ware in Rust whose deposit has a currency and no amount.
#[rocket::post("/offer/<code>")]
async fn offer(cx: dz::Cx, code: &str) -> dz::Result<String> {
    let (price, code) = (dz::Decimal::new(995, 2), code.to_owned());
    cx.run(move |tx| {
        let deposit_currency = Some(code.clone()).filter(|code| code == "CHF");
        let new = ware::NewWare { deposit_currency, ..ware::NewWare::new("Rust", price, code.clone()) };
        new.create(tx).map(|ware| format!("{} {}", ware.price.normalize(), ware.price_currency))
    })
    .await
}

crate::served_on_both! {
    "market", market();
    rows_have_the_amount_with_its_currency;
    invalid_amounts_are_explained;
    amounts_are_changed_whole;
    filters_and_orders_know_both_parts;
    bulk_changes_and_transitions_accept_amounts;
    files_have_a_column_for_each_part;
    pages_show_one_value;
    forms_have_one_control;
    concurrent_changes_of_an_amount_do_not_mix;
    rules_ask_for_the_currency;
    rust_has_both_parts;
    the_openapi_document_describes_it;
}

fn money(amount: &str, currency: &str) -> Value {
    json!({ "amount": amount, "currency": currency })
}

#[track_caller]
fn create_row(client: &Client, fields: Value) -> Value {
    client.send("POST", "/api/wares", &fields).ok(201).json()
}

fn path(ware: &Value) -> String {
    format!("/api/wares/{}", ware["id"].as_str().expect("an id"))
}

fn rows_have_the_amount_with_its_currency(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let lamp = clerk.get("/api/wares?name=Lamp&expand=stall").ok(200).json()["items"][0].clone();
    assert_eq!((&lamp["price"], &lamp["deposit"]), (&money("12.50", "EUR"), &Value::Null));
    assert_eq!(lamp["stall"]["rent"], money("1234.50", "SEK"));
    assert_eq!(lamp["stall"].get("rent_currency"), None);
    for (given, currency, shown) in [
        ("3", "JPY", "3"),
        ("3.00", "JPY", "3"),
        ("1.005", "KWD", "1.005"),
        ("12.5", "EUR", "12.50"),
        ("0.0001", "CLF", "0.0001"),
        ("99999999999999.99", "USD", "99999999999999.99"),
    ] {
        let ware = create_row(&clerk, json!({ "name": "Shown", "price": money(given, currency) }));
        assert_eq!(ware["price"], money(shown, currency));
        assert_eq!(ware, clerk.get(&path(&ware)).json());
        assert_eq!((ware.get("price_currency"), ware.get("deposit_currency")), (None, None), "{ware}");
    }
}

fn invalid_amounts_are_explained(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let form = "must be an amount with its currency, such as";
    let wrong = [
        (json!("12.50"), form),
        (json!(12.5), form),
        (json!([12.5, "EUR"]), form),
        (json!(true), form),
        (json!({ "amount": 12.5, "currency": "EUR" }), form),
        (json!({ "amount": "12.50" }), form),
        (json!({ "currency": "EUR" }), form),
        (json!({ "amount": null, "currency": "EUR" }), form),
        (json!({ "amount": "12.50", "currency": null }), form),
        (json!({ "amount": "12.50", "currency": "EUR", "rate": 1 }), form),
        (json!({ "amount": "12.50", "currency": "eur" }), "must be a currency by its code"),
        (json!({ "amount": "12.50", "currency": "EUX" }), "must be a currency by its code"),
        (json!({ "amount": "12.50", "currency": "" }), "must be a currency by its code"),
        (json!({ "amount": "a lot", "currency": "EUR" }), "must be a decimal"),
        (money("12.505", "EUR"), "at most 2 decimals"),
        (money("1.5", "JPY"), "must be a whole number"),
        (money("1.0005", "KWD"), "at most 3 decimals"),
        (money("100000000000000", "EUR"), "at most 14 digits before the point"),
        (Value::Null, "is required"),
    ];
    for (price, told) in wrong {
        let problem = clerk.send("POST", "/api/wares", &json!({ "name": "Wrong", "price": price })).problem(422, "VALIDATION");
        let why = problem["field_errors"]["price"][0].as_str().unwrap_or_default();
        assert!(why.contains(told), "{price}: {problem}");
        assert_eq!(problem["field_errors"].as_object().map(|it| it.len()), Some(1), "{problem}");
    }
    let missing = clerk.send("POST", "/api/wares", &json!({ "name": "Wrong" })).problem(422, "VALIDATION");
    assert_eq!(missing["field_errors"], json!({ "price": ["is required"] }));
    let alone = json!({ "name": "Wrong", "price": money("1", "EUR"), "deposit_currency": "EUR" });
    let problem = clerk.send("POST", "/api/wares", &alone).problem(422, "VALIDATION");
    assert_eq!(problem["field_errors"], json!({ "deposit_currency": ["belongs to an amount: set both in `deposit`"] }));
    clerk.send("POST", "/api/wares", &json!({ "name": "Wrong", "price": money("0", "EUR") })).problem(422, "WARE_PRICE");
    clerk.send("POST", "/api/wares", &json!({ "name": "Wrong", "price": money("-3", "JPY") })).problem(422, "WARE_PRICE");
    assert_eq!(clerk.get("/api/wares?name=Wrong").json()["total"], 0);
}

fn amounts_are_changed_whole(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let ware = create_row(&clerk, json!({ "name": "Changed", "price": money("1", "EUR"), "deposit": money("2", "JPY") }));
    let change = |fields: Value| clerk.send("PATCH", &path(&ware), &fields);
    assert_eq!(change(json!({ "price": money("7.125", "KWD") })).ok(200).json()["price"], money("7.125", "KWD"));
    assert_eq!(change(json!({ "name": "Changed" })).ok(200).json()["price"], money("7.125", "KWD"));
    change(json!({ "price": { "amount": "8" } })).problem(422, "VALIDATION");
    change(json!({ "price": null })).problem(422, "VALIDATION");
    assert_eq!(change(json!({ "deposit": null })).ok(200).json()["deposit"], Value::Null);
    assert_eq!(change(json!({ "deposit": money("5", "EUR") })).ok(200).json()["deposit"], money("5.00", "EUR"));
    // The body of a GET can be PUT back; a member that it leaves out is cleared, with both parts.
    let mut whole = clerk.get(&path(&ware)).json();
    assert_eq!(clerk.send("PUT", &path(&ware), &whole).ok(200).json(), whole);
    whole.as_object_mut().expect("a row").remove("deposit");
    assert_eq!(clerk.send("PUT", &path(&ware), &whole).ok(200).json()["deposit"], Value::Null);
}

fn filters_and_orders_know_both_parts(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    for (name, amount, currency) in
        [("List a", "2", "EUR"), ("List b", "10", "CHF"), ("List c", "9.99", "EUR"), ("List d", "1", "CHF"), ("List e", "300", "JPY")]
    {
        create_row(&clerk, json!({ "name": name, "price": money(amount, currency) }));
    }
    let names = |query: &str| -> Vec<String> {
        let list = clerk.get(&format!("/api/wares?name__startswith=List&{query}")).ok(200).json();
        list["items"].as_array().expect("items").iter().map(|it| it["name"].as_str().expect("a name")[5..].to_owned()).collect()
    };
    assert_eq!(names("sort=price"), ["d", "b", "a", "c", "e"]);
    assert_eq!(names("sort=-price"), ["e", "c", "a", "b", "d"]);
    assert_eq!(names("price_currency=EUR&sort=name"), ["a", "c"]);
    assert_eq!(names("price_currency__in=CHF,JPY&price__gte=10&sort=price"), ["b", "e"]);
    assert_eq!(names("price__lt=2&sort=name"), ["d"]);
    assert_eq!(names("deposit__isnull=true&price=9.99"), ["c"]);
    assert_eq!(names("sort=price_currency,name"), ["b", "d", "a", "c", "e"]);
    clerk.get("/api/wares?price=cheap").problem(400, "BAD_REQUEST");
    clerk.get("/api/wares?margin_currency=EUR").problem(400, "BAD_REQUEST");
}

fn bulk_changes_and_transitions_accept_amounts(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let wares: Vec<Value> =
        (0..2).map(|_| create_row(&clerk, json!({ "name": "Bulk", "price": money("1", "EUR") }))["id"].clone()).collect();
    let bulk = |set: Value| clerk.send("POST", "/api/wares/bulk", &json!({ "action": "update", "ids": wares, "set": set }));
    bulk(json!({ "deposit": money("4", "JPY") })).ok(200);
    assert_eq!(clerk.get("/api/wares?name=Bulk&deposit_currency=JPY").json()["total"], 2);
    bulk(json!({ "deposit": money("4.5", "JPY") })).problem(422, "VALIDATION");
    let move_on = |fields: Value| {
        let path = format!("/api/wares/{}/transitions/sold", wares[0].as_str().expect("an id"));
        clerk.send("POST", &path, &fields)
    };
    move_on(json!({})).problem(422, "TRANSITION_REQUIRES");
    move_on(json!({ "paid": { "amount": "1" } })).problem(422, "VALIDATION");
    assert_eq!(move_on(json!({ "paid": money("150", "JPY") })).ok(200).json()["paid"], money("150", "JPY"));
}

fn files_have_a_column_for_each_part(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let ware = create_row(&clerk, json!({ "name": "Filed", "price": money("12.5", "EUR"), "deposit": money("3", "JPY") }));
    let csv = clerk.get("/api/wares?format=csv&name=Filed").ok(200).body;
    let head = "id,name,price,price_currency,deposit,deposit_currency,margin,margin_currency,";
    assert!(csv.starts_with(head) && csv.contains(",Filed,12.50,EUR,3,JPY,"), "{csv}");
    let page = clerk.get("/app/ware_list?format=csv").ok(200).body;
    assert!(page.starts_with("Name,Price,Price currency,Rent,Rent currency\r\n"), "{page}");
    assert!(page.contains("\r\nLamp,12.50,EUR,1234.50,SEK\r\n") && page.contains("\r\nFiled,12.50,EUR,,\r\n"), "{page}");
    let import = |text: &str| {
        let text = text.replace("ID", ware["id"].as_str().expect("an id"));
        clerk.request("POST", "/api/wares/import", &[("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")], text.as_bytes())
    };
    import("id,price,price_currency\nID,7,JPY\n").ok(200);
    import("name,price,price_currency,deposit,deposit_currency\nFiled anew,1.5,KWD,,\n").ok(200);
    assert_eq!(clerk.get(&path(&ware)).json()["price"], money("7", "JPY"));
    assert_eq!(clerk.get("/api/wares?name=Filed%20anew").json()["items"][0]["price"], money("1.500", "KWD"));
    // An amount without a currency has that of the row.
    import("id,price\nID,8\n").ok(200);
    for (text, field, told) in [
        ("id,price\nID,8.5\n", "price", "must be a whole number"),
        ("id,price,price_currency\nID,8,jpy\n", "price_currency", "must be a currency by its code"),
        ("id,price_currency\nID,\n", "price", "needs a currency in `price_currency`"),
        ("id,deposit\nID,\n", "deposit", "is required together with the currency in `deposit_currency`"),
        ("name,price\nAlone,3\n", "price", "needs a currency in `price_currency`"),
        ("name,price_currency\nAlone,EUR\n", "price", "is required"),
    ] {
        let problem = import(text).problem(422, "VALIDATION");
        assert!(problem.to_string().contains(told) && problem.to_string().contains(&format!("\"{field}\"")), "{text}: {problem}");
    }
    assert_eq!(clerk.get(&path(&ware)).json()["price"], money("8", "JPY"));
}

fn pages_show_one_value(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let ware = create_row(&clerk, json!({ "name": "Paged", "price": money("1234567.5", "EUR"), "deposit": money("3", "JPY") }));
    let list = clerk.get("/app/ware_list?page_size=100").ok(200);
    list.shows(&["1,234,567.50 EUR", "1234.50 SEK", "name=\"price__gte\"", "price_currency"]);
    assert_eq!(list.body.matches(">1,234,567.50 EUR<").count(), 1);
    let id = ware["id"].as_str().expect("an id");
    let view = clerk.get(&format!("/app/ware_view/{id}")).ok(200);
    view.shows(&["1,234,567.50 EUR", "3 JPY"]);
    view.lacks(&["Price currency", "Deposit currency"]);
    // A hidden amount hides its currency, in columns, filters and files.
    let guest = Client::signed_in(base, GUEST);
    let hidden = guest.get("/app/ware_list").ok(200);
    hidden.shows(&["Paged"]);
    hidden.lacks(&["1,234,567.50", "EUR", "price_currency"]);
    assert!(guest.get("/app/ware_list?format=csv").ok(200).body.starts_with("Name,Rent,Rent currency\r\n"));
}

/// The control of an amount in a form.
fn control(form: &Answer, name: &str) -> (String, String) {
    let between = |text: &str, from: &str, to: &str| {
        let rest = text.split_once(from).unwrap_or_else(|| panic!("`{from}` is not in {text}")).1;
        rest.split_once(to).expect("an end").0.to_owned()
    };
    let amount = between(&form.body, &format!("id=\"{name}\" name=\"{name}\" type=\"text\" value=\""), "\"");
    let select = between(&form.body, &format!("<select class=\"dz-select\" name=\"{name}_currency\""), "</select>");
    let chosen = select.split("<option value=\"").find(|it| it.contains(" selected")).map_or("", |it| &it[..3]);
    (amount, chosen.to_owned())
}

fn forms_have_one_control(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let form = clerk.get("/app/ware_create?price_currency=CHF").ok(200);
    form.shows(&["inputmode=\"decimal\"", "aria-label=\"Price currency\"", "EUR – Euro"]);
    form.lacks(&["<label class=\"dz-label\" for=\"price_currency\""]);
    assert_eq!((control(&form, "price"), control(&form, "deposit")), ((String::new(), "CHF".into()), (String::new(), String::new())));
    let send = |price: &str, currency: &str, deposit: &str, beside: &str| {
        let fields =
            [("name", "Formed"), ("price", price), ("price_currency", currency), ("deposit", deposit), ("deposit_currency", beside)];
        clerk.form("/app/ware_create", &fields)
    };
    for (price, currency, told) in [
        ("12.505", "EUR", "at most 2 decimals"),
        ("1.5", "JPY", "Must be a whole number."),
        ("12.50", "", "Choose a currency."),
        ("", "EUR", "Fill this in."),
        ("a lot", "EUR", "Must be a decimal"),
        ("1", "eur", "Must be a currency by its code"),
    ] {
        let refused = send(price, currency, "", "");
        assert_eq!(refused.status, 422, "{price} {currency}: {}", refused.body);
        refused.shows(&[told, "id=\"price-error\""]);
        assert_eq!(control(&refused, "price"), (price.to_owned(), currency.to_owned()));
    }
    // All errors are reported in one response.
    let refused = clerk.form("/app/ware_create", &[("name", ""), ("price", "1.5"), ("price_currency", "JPY")]);
    refused.shows(&["2 fields need a change", "id=\"name-error\"", "Must be a whole number.", "id=\"price-error\""]);
    // Without an amount, its currency is ignored.
    assert_eq!(send("12.50", "EUR", "", "JPY").status, 303);
    let ware = clerk.get("/api/wares?name=Formed").json()["items"][0].clone();
    assert_eq!((&ware["price"], &ware["deposit"]), (&money("12.50", "EUR"), &Value::Null));
    let edit = format!("/app/ware_edit/{}", ware["id"].as_str().expect("an id"));
    let form = clerk.get(&edit).ok(200);
    assert_eq!(control(&form, "price"), ("12.50".to_owned(), "EUR".to_owned()));
    let fields = [("name", "Formed"), ("price", "300"), ("price_currency", "JPY"), ("deposit", "1"), ("deposit_currency", "CHF")];
    assert_eq!(clerk.form(&edit, &fields).status, 303);
    let ware = clerk.get(&path(&ware)).json();
    assert_eq!((&ware["price"], &ware["deposit"]), (&money("300", "JPY"), &money("1.00", "CHF")));
}

fn concurrent_changes_of_an_amount_do_not_mix(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let ware = create_row(&clerk, json!({ "name": "Contested", "price": money("10", "EUR") }));
    let edit = format!("/app/ware_edit/{}", ware["id"].as_str().expect("an id"));
    let hidden: Vec<(String, String)> = clerk
        .get(&edit)
        .ok(200)
        .body
        .split("<input type=\"hidden\" name=\"")
        .skip(1)
        .filter_map(pair)
        .filter(|(name, _)| name != "csrf")
        .collect();
    clerk.send("PATCH", &path(&ware), &json!({ "price": money("10", "USD") })).ok(200);
    let mut fields: Vec<(&str, &str)> = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    fields.extend([("name", "Contested"), ("price", "12.00"), ("price_currency", "EUR"), ("deposit", ""), ("deposit_currency", "")]);
    let stale = clerk.form(&edit, &fields).ok(412);
    stale.shows(&["12.00 EUR", "10.00 USD", "name=\"dz.keep.price\""]);
    stale.lacks(&["dz.keep.price_currency"]);
    assert_eq!(clerk.get(&path(&ware)).json()["price"], money("10.00", "USD"));
}

/// The name and the value of a hidden input.
fn pair(text: &str) -> Option<(String, String)> {
    let (name, rest) = text.split_once("\" value=\"")?;
    Some((name.to_owned(), rest.split_once('"')?.0.to_owned())).filter(|(name, _)| !name.contains('<'))
}

fn rules_ask_for_the_currency(base: &str) {
    let (clerk, guest) = (Client::signed_in(base, CLERK), Client::signed_in(base, GUEST));
    let euro = create_row(&clerk, json!({ "name": "Ruled", "price": money("1", "EUR"), "margin": money("0.5", "EUR") }));
    let krona = create_row(&clerk, json!({ "name": "Ruled", "price": money("1", "SEK") }));
    assert_eq!(guest.get("/api/wares?name=Ruled").json()["total"], 1);
    guest.get(&path(&krona)).problem(404, "NOT_FOUND");
    let seen = guest.get(&path(&euro)).ok(200).json();
    assert_eq!((&seen["price"], &seen["margin"]), (&money("1.00", "EUR"), &Value::Null));
    assert_eq!(clerk.get(&path(&euro)).json()["margin"], money("0.50", "EUR"));
}

fn rust_has_both_parts(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let headers = [("Accept", "application/json"), ("Sec-Fetch-Site", "same-origin")];
    let post = |path: &str| clerk.request("POST", path, &headers, b"");
    let ware = create_row(&clerk, json!({ "name": "Typed", "price": money("1", "JPY") }));
    let id = ware["id"].as_str().expect("an id");
    assert_eq!(post(&format!("/typed/{id}/5")).ok(200).body, "5 JPY None");
    let problem = post(&format!("/typed/{id}/5.5")).problem(422, "VALIDATION");
    assert_eq!(problem["field_errors"], json!({ "price": ["must be a whole number"] }));
    assert_eq!(post("/typed/offer/EUR").ok(200).body, "9.95 EUR");
    for (code, field) in [("JPY", "price"), ("CHF", "deposit"), ("EUX", "price_currency")] {
        let problem = post(&format!("/typed/offer/{code}")).problem(422, "VALIDATION");
        assert_eq!(problem["field_errors"].as_object().map(|it| it.keys().collect::<Vec<_>>()), Some(vec![&field.to_owned()]), "{problem}");
    }
}

fn the_openapi_document_describes_it(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let schemas = clerk.get("/api/openapi.json").ok(200).json()["components"]["schemas"].clone();
    let price = &schemas["Ware"]["properties"]["price"];
    assert_eq!(price["required"], json!(["amount", "currency"]));
    assert_eq!(price["properties"]["currency"]["pattern"], "^[A-Z]{3}$");
    for of in ["Ware", "WareInput", "WareChanges"] {
        let fields = schemas[of]["properties"].as_object().expect("fields");
        assert!(fields.contains_key("price") && !fields.contains_key("price_currency"), "{of}");
    }
    assert!(schemas["WareInput"]["required"].as_array().expect("a list").contains(&json!("price")));
    let filters = &schemas["WareFilters"]["properties"];
    assert_eq!((&filters["price"]["type"], &filters["price_currency"]["type"]), (&json!("string"), &json!("string")));
}
