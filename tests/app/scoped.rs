//! Diesel queries over HTTP, on both engines: they return what the API returns, and cannot reach anything else.

use diesel::dsl::count_star;
use dz::{
    Cx, Error, Result, Tx,
    access::{Create, List, Read, Update},
    serde_json::{Value, json},
};
use rocket::serde::json::Json;
use schema::{parts, vaults};

use crate::client::Client;

dz::dz! {
    app stock "Stock"

    persona keeper "Keeper"
    persona clerk "Clerk"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Vault "Vault":
      id: uuid pk
      word: str(40) required
      permit:
        list: role(keeper)
        read: role(keeper)
        create: role(keeper)

    entity Part "Part":
      id: uuid pk
      name: str(40) required
      pin: str(8) sensitive
      price: decimal(8,2) required sensitive
      weight: int required
      vault: ref Vault
      owner: ref User = current_user
      hidden: bool = false
      permit:
        list: (hidden = false and (owner.name = "Kay" or owner.name = "Cleo")) or role(keeper)
        read: hidden = false or role(keeper)
        create: true
        update: role(keeper) or owner = current_user
      audit: [list]

    demo:
      User:
        - name: "Kay", email: "kay@stock.example", password: "counts every part", roles: [keeper]
        - name: "Cleo", email: "cleo@stock.example", password: "types every label", roles: [clerk]
        - name: "Rae", email: "rae@stock.example", password: "reads the whole log", roles: [admin]
}

const KEEPER: (&str, &str) = ("kay@stock.example", "counts every part");
const CLERK: (&str, &str) = ("cleo@stock.example", "types every label");

fn stock() -> dz::App {
    app().mount("/typed", rocket::routes![run_query])
}

/// Queries of the application, by name.
#[rocket::get("/<query>?<value>")]
async fn run_query(cx: Cx, query: String, value: Option<String>) -> Result<Json<Value>> {
    let value = value.unwrap_or_default();
    cx.read(move |tx| answer(tx, &query, &value)).await.map(Json)
}

fn answer(tx: &mut Tx<'_>, query: &str, value: &str) -> Result<Value> {
    let seen = part::scoped(tx, List)?;
    let value = value.to_owned();
    Ok(match query {
        "rows" => json!(tx.load::<_, part::Part>(seen.order(parts::name))?),
        "pins" => json!(tx.load::<_, (String, Option<String>)>(seen.order(parts::name).select((parts::name, parts::pin)))?),
        "with-pin" => json!(tx.count(seen.filter(parts::pin.eq(value)))?),
        "like-pin" => json!(tx.count(seen.filter(parts::pin.like(value)))?),
        "without-pin" => json!(tx.count(seen.filter(!parts::pin.is_not_null()))?),
        "other-pin" => json!(tx.count(seen.filter(parts::pin.ne(value).or(parts::weight.lt(0))))?),
        "one-of-pins" => json!(tx.count(seen.filter(parts::pin.eq_any([value])))?),
        "by-pin" => json!(tx.load::<_, String>(seen.order(parts::pin.desc()).then_order_by(parts::name).select(parts::name))?),
        "by-price" => json!(tx.load::<_, String>(seen.order((parts::price.desc(), parts::name)).select(parts::name))?),
        "groups" => {
            json!(tx.load::<_, (Option<String>, i64)>(seen.group_by(parts::pin).select((parts::pin, count_star())).order(parts::pin))?)
        }
        "pins-apart" => json!(tx.count(seen.select(parts::pin).distinct())?),
        "last-pin" => json!(tx.first::<_, Option<String>>(seen.select(parts::pin.max()))?.flatten()),
        "first" => json!(tx.first::<_, String>(seen.order(parts::name.desc()).select(parts::name))?),
        "pages" => json!([tx.count(seen.clone().limit(2))?, tx.count(seen.clone().offset(1))?, tx.count(seen.limit(0))?]),
        "in-vaults" => {
            let word = vaults::word.eq(value);
            json!(tx.count(seen.filter(parts::vault.eq_any(vault::scoped(tx, Read)?.filter(word).select(vaults::id.nullable()))))?)
        }
        "same-weight" => {
            let pinned = part::scoped(tx, Read)?.filter(parts::pin.eq(value)).select(parts::weight);
            json!(tx.count(seen.filter(parts::weight.eq_any(pinned)))?)
        }
        "for-create" => json!(tx.count(part::scoped(tx, Create)?)?),
        "for-update" => json!(tx.load::<_, String>(part::scoped(tx, Update)?.order(parts::name).select(parts::name))?),
        "divided" => json!(tx.count(seen.filter((parts::weight / (parts::weight - 42)).ge(-1_000)))?),
        "forged-column" => json!(tx.load::<_, String>(user::scoped(tx, List)?.select(Forged::new()))?),
        _ => return Err(Error::not_found()),
    })
}

/// A column that the application declares itself.
struct Digest;

impl dz::__private::table::ColumnDef<schema::users::table> for Digest {
    type SqlType = dz::sql_types::Text;
    type Position = dz::__private::table::place::P31;
    const NAME: &'static str = "password_hash";
}

type Forged = dz::__private::table::Column<schema::users::table, Digest>;

crate::served_on_both! {
    "stock", stock();
    scoped_queries_return_the_rows_of_the_api;
    a_masked_value_does_not_leak;
    queries_count_what_they_load;
    no_action_reveals_unreadable_rows;
    other_tables_are_reached_by_their_own_rules;
    a_row_outside_the_rule_is_not_evaluated;
    a_column_without_a_rule_is_rejected;
    rows_of_a_query_are_recorded_as_a_list;
}

/// A keeper and a clerk, after the keeper created two parts and a hidden one, and the clerk one.
fn people(base: &str) -> (Client, Client) {
    static MADE: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());
    let (keeper, clerk) = (Client::signed_in(base, KEEPER), Client::signed_in(base, CLERK));
    let mut made = MADE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if !made.iter().any(|at| at == base) {
        let vault = keeper.send("POST", "/api/vaults", &json!({ "word": "open sesame" })).ok(201).json()["id"].clone();
        for row in [
            json!({ "name": "Axle", "pin": "1111", "price": "9.50", "weight": 7, "vault": vault }),
            json!({ "name": "Bolt", "pin": "4711", "price": "1.25", "weight": 8, "vault": vault }),
            json!({ "name": "Cog", "pin": "9999", "price": "99.00", "weight": 42, "vault": vault, "hidden": true }),
        ] {
            keeper.send("POST", "/api/parts", &row).ok(201);
        }
        clerk.send("POST", "/api/parts", &json!({ "name": "Dial", "pin": "2222", "price": "3.00", "weight": 9 })).ok(201);
        made.push(base.to_owned());
    }
    (keeper, clerk)
}

#[track_caller]
fn ask(client: &Client, query: &str) -> Value {
    client.get(&format!("/typed/{query}")).ok(200).json()
}

/// A scoped query masks values as the API does, also required ones.
fn scoped_queries_return_the_rows_of_the_api(base: &str) {
    let (keeper, clerk) = people(base);
    for (who, own) in [(&keeper, "4711"), (&clerk, "2222")] {
        let api = who.get("/api/parts?sort=name&page_size=100").ok(200).json()["items"].clone();
        let rows = ask(who, "rows");
        let fields = |rows: &Value, names: [&str; 4]| -> Vec<Vec<Value>> {
            rows.as_array().expect("rows").iter().map(|row| names.map(|name| row[name].clone()).to_vec()).collect()
        };
        let names = ["name", "pin", "price", "weight"];
        assert_eq!(fields(&rows, names), fields(&api, names));
        let pins: Vec<Value> = fields(&api, names).into_iter().map(|row| json!([row[0], row[1]])).collect();
        assert_eq!(ask(who, "pins"), json!(pins));
        assert!(rows.to_string().contains(own), "{rows}");
    }
    assert_eq!(ask(&clerk, "pins"), json!([["Axle", null], ["Bolt", null], ["Dial", "2222"]]));
    assert_eq!(prices(&clerk), json!([null, null, "3.00"]));
}

/// The prices that a client sees.
fn prices(client: &Client) -> Value {
    ask(client, "rows").as_array().expect("rows").iter().map(|row| row["price"].clone()).collect()
}

/// A filter, a sort, a group and an aggregate over a sensitive column use the masked value.
fn a_masked_value_does_not_leak(base: &str) {
    let (keeper, clerk) = people(base);
    let both = |query: &str| (ask(&keeper, query), ask(&clerk, query));
    assert_eq!(both("with-pin?value=4711"), (json!(1), json!(0)));
    assert_eq!(both("with-pin?value=2222"), (json!(1), json!(1)));
    assert_eq!(both("like-pin?value=47%25"), (json!(1), json!(0)));
    assert_eq!(both("one-of-pins?value=4711"), (json!(1), json!(0)));
    assert_eq!(both("without-pin"), (json!(0), json!(2)));
    assert_eq!(both("other-pin?value=4711"), (json!(3), json!(1)));
    assert_eq!(both("same-weight?value=4711"), (json!(1), json!(0)));
    assert_eq!(both("pins-apart"), (json!(4), json!(2)));
    assert_eq!(both("last-pin"), (json!("9999"), json!("2222")));
    let groups = ask(&clerk, "groups");
    assert_eq!(groups.as_array().map(Vec::len), Some(2), "{groups}");
    assert!(groups.to_string().contains("[null,2]") && groups.to_string().contains(r#"["2222",1]"#), "{groups}");
    // Rows with null are ordered by their names.
    for query in ["by-pin", "by-price"] {
        let order = ask(&clerk, query);
        let masked: Vec<&Value> = order.as_array().expect("names").iter().filter(|name| **name != "Dial").collect();
        assert_eq!(masked, ["Axle", "Bolt"], "{order}");
    }
    assert_eq!(ask(&keeper, "by-price"), json!(["Cog", "Axle", "Dial", "Bolt"]));
}

fn queries_count_what_they_load(base: &str) {
    let (keeper, clerk) = people(base);
    assert_eq!((ask(&keeper, "pages"), ask(&clerk, "pages")), (json!([2, 3, 0]), json!([2, 2, 0])));
    assert_eq!((ask(&keeper, "first"), ask(&clerk, "first")), (json!("Dial"), json!("Dial")));
}

/// Every caller may create any part, and that does not reveal one.
fn no_action_reveals_unreadable_rows(base: &str) {
    let (keeper, clerk) = people(base);
    assert_eq!((ask(&keeper, "for-create"), ask(&clerk, "for-create")), (json!(4), json!(3)));
    assert_eq!(ask(&clerk, "for-update"), json!(["Dial"]));
}

/// A subquery has its own rules.
fn other_tables_are_reached_by_their_own_rules(base: &str) {
    let (keeper, clerk) = people(base);
    assert_eq!(ask(&keeper, "in-vaults?value=open%20sesame"), json!(3));
    clerk.get("/typed/in-vaults?value=open%20sesame").ok(403).lacks(&["open sesame"]);
    Client::new(base).get("/typed/rows").problem(401, "AUTHENTICATION_REQUIRED");
}

/// The hidden part has the weight that makes the division fail, which only callers who see it find out.
fn a_row_outside_the_rule_is_not_evaluated(base: &str) {
    let (_, clerk) = people(base);
    assert_eq!(ask(&clerk, "divided"), json!(3));
}

fn a_column_without_a_rule_is_rejected(base: &str) {
    let (keeper, _) = people(base);
    let answer = keeper.get("/typed/forged-column");
    assert_eq!(answer.status, 500, "{}", answer.body);
    answer.lacks(&["argon2"]);
}

fn rows_of_a_query_are_recorded_as_a_list(base: &str) {
    let (_, clerk) = people(base);
    let admin = Client::signed_in(base, ("rae@stock.example", "reads the whole log"));
    let all: Vec<String> = clerk.get("/api/parts?sort=-name&page_size=100").ok(200).json()["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|item| item["id"].as_str().expect("a key").to_owned())
        .collect();
    let records = |query: &str| -> Vec<Vec<String>> {
        let answer = clerk.get(&format!("/typed/{query}")).ok(200);
        let id = answer.header("x-request-id").expect("the number of the request").to_owned();
        let log = admin.request("GET", "/admin/audit?action=list", &[("Accept", "application/json")], b"").ok(200).json();
        let items = log["items"].as_array().expect("items").iter().filter(|it| it["request_id"] == id);
        let ids =
            |it: &Value| it["changes"]["ids"].as_array().expect("keys").iter().map(|id| id.as_str().expect("a key").to_owned()).collect();
        items.map(ids).collect()
    };
    let sorted = |mut keys: Vec<Vec<String>>| {
        keys.iter_mut().for_each(|keys| keys.sort());
        keys
    };
    let mut whole = all.clone();
    whole.sort();
    // A row, a group, and an aggregate over all rows.
    for query in ["rows", "pins", "groups", "last-pin"] {
        assert_eq!(sorted(records(query)), [whole.clone()], "{query}");
    }
    assert_eq!(records("first"), [vec![all[0].clone()]]);
    // A count is not a list of rows.
    assert_eq!(records("for-create"), [[""; 0]; 0]);
}
