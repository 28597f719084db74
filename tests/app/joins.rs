//! Joined queries over HTTP, on both engines: each side keeps its own rules, and values need no wrapper.

use diesel::dsl::count_star;
use dz::{
    Cx, Decimal, Error, Result, Tx, Uuid,
    access::{List, Read},
    serde_json::{Value, json},
};
use rocket::serde::json::Json;
use schema::{berths, cargos, crews, ships};

use crate::client::Client;

dz::dz! {
    app harbour "Harbour"

    persona master "Harbour master"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Berth "Berth":
      id: uuid pk
      code: str(8) required
      fee: decimal(8,2) required sensitive
      limit: int = 1000
      closed: bool = false
      permit:
        list: role(master) or closed = false
        read: role(master) or closed = false
        create: role(master)
        update: role(master)
      audit: [list]

    entity Ship "Ship":
      id: uuid pk
      name: str(40) required
      tons: int required
      berth: ref Berth
      owner: ref User = current_user
      soft_delete
      invariant: berth = null or tons <= berth.limit
        message: "The ship is too heavy for the berth"
        code: TOO_HEAVY
      permit:
        list: role(master) or owner = current_user
        read: role(master) or owner = current_user
        create: true
        update: role(master)
        delete: role(master)

    entity Cargo "Cargo":
      id: uuid pk
      name: str(20) required
      units: int required
      worth: decimal(18,2) required
      permit:
        list: true
        read: true
        create: role(master)

    entity Crew "Crew member":
      id: uuid pk
      ship: ref Ship required
      name: str(40) required
      permit:
        list: true
        read: true
        create: true

    demo:
      User:
        - name: "Mae", email: "mae@harbour.example", password: "counts every mast", roles: [master]
        - name: "Otto", email: "otto@harbour.example", password: "owns two old boats"
        - name: "Ada", email: "ada@harbour.example", password: "reads the whole log", roles: [admin]
}

dz::allow_tables_together! { crews, berths; }

const MASTER: (&str, &str) = ("mae@harbour.example", "counts every mast");
const OWNER: (&str, &str) = ("otto@harbour.example", "owns two old boats");

fn harbour() -> dz::App {
    app().mount("/typed", rocket::routes![run_query])
}

/// Queries of the application, by name.
#[rocket::get("/<query>?<value>")]
async fn run_query(cx: Cx, query: String, value: Option<String>) -> Result<Json<Value>> {
    let value = value.unwrap_or_default();
    cx.read(move |tx| answer(tx, &query, &value)).await.map(Json)
}

fn answer(tx: &mut Tx<'_>, query: &str, value: &str) -> Result<Value> {
    let (ship, berth) = (ship::scoped(tx, List)?, berth::scoped(tx, Read)?);
    let key = || value.parse::<Uuid>().map_err(Error::internal);
    Ok(match query {
        "inner" => {
            let rows: Vec<(ship::Ship, berth::Berth)> = tx.load(ship.inner_join(berth).order(ships::name))?;
            json!(rows.iter().map(|(ship, berth)| (&ship.name, &berth.code)).collect::<Vec<_>>())
        }
        "left" => {
            let rows: Vec<(ship::Ship, Option<berth::Berth>)> = tx.load(ship.left_join(berth).order(ships::name))?;
            json!(rows.iter().map(|(ship, berth)| (&ship.name, berth.as_ref().map(|it| &it.code))).collect::<Vec<_>>())
        }
        "left-columns" => {
            let rows = ship.left_join(berth).order(ships::name).select((ships::name, berths::code.nullable()));
            json!(tx.load::<_, (String, Option<String>)>(rows)?)
        }
        "left-filtered" => {
            let rows = ship.left_join(berth.filter(berths::code.eq(value.to_owned()))).order(ships::name);
            json!(tx.load::<_, (String, Option<String>)>(rows.select((ships::name, berths::code.nullable())))?)
        }
        "tons" => {
            let tons = ships::tons.sum();
            let groups = berth.inner_join(ship).group_by(berths::code).having(tons.gt(5)).order(berths::code);
            json!(tx.load::<_, (String, Option<i64>, i64)>(groups.select((berths::code, ships::tons.sum(), count_star())))?)
        }
        "fees" => json!(tx.first::<_, Option<Decimal>>(ship.inner_join(berth).select(berths::fee.sum()))?),
        "cargo" => {
            let cargo = cargo::scoped(tx, List)?.filter(cargos::name.like(format!("{value}%")));
            json!(tx.first::<_, (Option<i64>, Option<Decimal>)>(cargo.select((cargos::units.sum(), cargos::worth.sum())))?)
        }
        "mean" => json!(tx.first::<_, Option<f64>>(ship.select(ships::tons.avg()))?),
        "dear" => json!(tx.count(ship.inner_join(berth).filter(berths::fee.gt(Decimal::from(10))))?),
        "with-ships" => names(tx, berth.filter_exists(ship.filter(ships::tons.gt(5))))?,
        "without-ships" => names(tx, berth.filter_not_exists(ship))?,
        "chain" => {
            let all = crew::scoped(tx, List)?.inner_join(ship).inner_join_on(berth, ships::berth.eq(berths::id.nullable()));
            let rows: Vec<(crew::Crew, ship::Ship, berth::Berth)> = tx.load(all.order(crews::name))?;
            json!(rows.iter().map(|(crew, ship, berth)| (&crew.name, &ship.name, &berth.code)).collect::<Vec<_>>())
        }
        "first-berth" => {
            // A limit of the other query restricts its own rows.
            let rows = ship.inner_join(berth.order(berths::code).limit(1)).order(ships::name).select(ships::name);
            json!(tx.load::<_, String>(rows)?)
        }
        "page" => {
            let page = tx.load_page::<_, String>(ship.order(ships::tons).select(ships::name), value.parse().unwrap_or(1), 2)?;
            json!([page.rows, page.total, page.page, page.pages])
        }
        "joined-page" => json!(tx.load_page::<_, (ship::Ship, Option<berth::Berth>)>(ship.left_join(berth), 1, 2)?.rows.len()),
        "each" => {
            let mut seen = Vec::new();
            tx.for_each(ship.order(ships::name), |ship: ship::Ship| {
                seen.push(ship.name);
                if seen.len() < 2 { Ok(()) } else { Err(Error::validation("name", "two are enough")) }
            })
            .expect_err("it ends with an error");
            // The connection is usable afterwards.
            json!([seen, tx.exists(ship::scoped(tx, List)?)?])
        }
        "by-key" => json!(tx.load::<_, String>(ship.filter(ships::id.eq(key()?)).select(ships::name))?),
        "by-berth" => json!(tx.count(ship.filter(ships::berth.eq(key()?).or(ships::berth.eq(Some(key()?)))))?),
        "by-keys" => json!(tx.count(ship.filter(ships::id.eq_any([key()?, Uuid::nil()])))?),
        _ => return Err(Error::not_found()),
    })
}

fn names(tx: &mut Tx<'_>, berths: dz::ScopedRows<berths::table>) -> Result<Value> {
    Ok(json!(tx.load::<_, String>(berths.order(berths::code).select(berths::code))?))
}

crate::served_on_both! {
    "harbour", harbour();
    a_join_shows_the_rows_that_both_rules_permit;
    a_left_join_keeps_rows_without_a_visible_row;
    sums_use_visible_values;
    sums_beyond_their_type_are_null;
    an_invariant_reveals_nothing_about_an_invisible_row;
    existence_follows_the_rules_of_the_other_rows;
    a_chain_of_joins_has_three_rules;
    pages_and_streams_of_a_query;
    identifiers_and_decimals_need_no_wrapper;
    the_rows_of_both_sides_are_recorded;
}

/// The master and an owner, after the master created an open and a closed berth, and three ships with crews exist.
fn people(base: &str) -> (Client, Client) {
    static MADE: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());
    let (master, owner) = (Client::signed_in(base, MASTER), Client::signed_in(base, OWNER));
    let mut made = MADE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if !made.iter().any(|at| at == base) {
        let create = |who: &Client, path: &str, row: Value| who.send("POST", path, &row).ok(201).json()["id"].clone();
        let berth =
            |code: &str, fee: &str, closed: bool| create(&master, "/api/berths", json!({ "code": code, "fee": fee, "closed": closed }));
        let (open, closed, _) = (berth("A1", "12.50", false), berth("B2", "8.00", true), berth("C3", "1.00", false));
        for (who, name, tons, berth) in
            [(&owner, "Alma", 5, &open), (&master, "Bora", 20, &open), (&master, "Cato", 30, &closed), (&owner, "Dora", 7, &Value::Null)]
        {
            let ship = create(who, "/api/ships", json!({ "name": name, "tons": tons, "berth": berth }));
            create(who, "/api/crews", json!({ "ship": ship, "name": format!("Mate of {name}") }));
        }
        let sunk = create(&master, "/api/ships", json!({ "name": "Zara", "tons": 99, "berth": open }));
        master.send("DELETE", &format!("/api/ships/{}", sunk.as_str().expect("a key")), &Value::Null).ok(204);
        made.push(base.to_owned());
    }
    (master, owner)
}

#[track_caller]
fn ask(client: &Client, query: &str) -> Value {
    client.get(&format!("/typed/{query}")).ok(200).json()
}

fn a_join_shows_the_rows_that_both_rules_permit(base: &str) {
    let (master, owner) = people(base);
    assert_eq!(ask(&master, "inner"), json!([["Alma", "A1"], ["Bora", "A1"], ["Cato", "B2"]]));
    assert_eq!(ask(&owner, "inner"), json!([["Alma", "A1"]]));
    assert_eq!(ask(&master, "first-berth"), json!(["Alma", "Bora"]));
}

fn a_left_join_keeps_rows_without_a_visible_row(base: &str) {
    let (master, owner) = people(base);
    let all = json!([["Alma", "A1"], ["Bora", "A1"], ["Cato", "B2"], ["Dora", null]]);
    assert_eq!((ask(&master, "left"), ask(&master, "left-columns")), (all.clone(), all));
    let own = json!([["Alma", "A1"], ["Dora", null]]);
    assert_eq!((ask(&owner, "left"), ask(&owner, "left-columns")), (own.clone(), own));
    let filtered = json!([["Alma", null], ["Bora", null], ["Cato", "B2"], ["Dora", null]]);
    assert_eq!(ask(&master, "left-filtered?value=B2"), filtered);
}

fn sums_use_visible_values(base: &str) {
    let (master, owner) = people(base);
    assert_eq!(ask(&master, "tons"), json!([["A1", 25, 2], ["B2", 30, 1]]));
    assert_eq!(ask(&owner, "tons"), json!([]));
    assert_eq!((ask(&master, "fees"), ask(&owner, "fees")), (json!("33.00"), json!(null)));
    assert_eq!((ask(&master, "mean"), ask(&owner, "mean")), (json!(15.5), json!(6.0)));
    assert_eq!((ask(&master, "dear"), ask(&owner, "dear")), (json!(2), json!(0)));
}

fn sums_beyond_their_type_are_null(base: &str) {
    let (master, _) = people(base);
    for (name, units, worth) in [
        ("ore 1", i64::MAX, "9999999999999999.98"),
        ("ore 2", i64::MAX, "0.01"),
        ("gas 1", i64::MIN, "-9999999999999999.99"),
        ("gas 2", -1, "-0.01"),
        ("gas 3", 1, "0.01"),
    ] {
        master.send("POST", "/api/cargos", &json!({ "name": name, "units": units, "worth": worth })).ok(201);
    }
    assert_eq!(ask(&master, "cargo?value=ore"), json!([null, "9999999999999999.99"]));
    assert_eq!(ask(&master, "cargo?value=gas"), json!([i64::MIN, "-9999999999999999.99"]));
    assert_eq!(ask(&master, "cargo?value=gas%202"), json!([-1, "-0.01"]));
    assert_eq!(ask(&master, "cargo?value=none"), json!([null, null]));
    master.send("POST", "/api/cargos", &json!({ "name": "ore 3", "units": -1, "worth": "0.01" })).ok(201);
    assert_eq!(ask(&master, "cargo?value=ore"), json!([null, null]));
}

fn an_invariant_reveals_nothing_about_an_invisible_row(base: &str) {
    let (master, owner) = people(base);
    let berth = |code: &str| master.get(&format!("/api/berths?code={code}")).ok(200).json()["items"][0]["id"].clone();
    let ship = |who: &Client, berth: &Value, tons: i64| {
        let row = json!({ "name": "Oracle", "tons": tons, "berth": berth });
        who.send("POST", "/api/ships", &row)
    };
    let (open, closed) = (berth("A1"), berth("B2"));
    ship(&owner, &open, 5000).problem(422, "TOO_HEAVY");
    ship(&master, &closed, 5000).problem(422, "TOO_HEAVY");
    let errors = |tons| ship(&owner, &closed, tons).problem(422, "REFERENCE")["field_errors"].clone();
    assert_eq!(errors(5), json!({ "berth": ["does not exist or is not visible to you"] }));
    assert_eq!(errors(5), errors(5000));
}

fn existence_follows_the_rules_of_the_other_rows(base: &str) {
    let (master, owner) = people(base);
    assert_eq!((ask(&master, "with-ships"), ask(&owner, "with-ships")), (json!(["A1", "B2"]), json!([])));
    assert_eq!((ask(&master, "without-ships"), ask(&owner, "without-ships")), (json!(["C3"]), json!(["C3"])));
}

fn a_chain_of_joins_has_three_rules(base: &str) {
    let (master, owner) = people(base);
    let all = json!([["Mate of Alma", "Alma", "A1"], ["Mate of Bora", "Bora", "A1"], ["Mate of Cato", "Cato", "B2"]]);
    assert_eq!(ask(&master, "chain"), all);
    assert_eq!(ask(&owner, "chain"), json!([["Mate of Alma", "Alma", "A1"]]));
}

fn pages_and_streams_of_a_query(base: &str) {
    let (master, owner) = people(base);
    assert_eq!(ask(&master, "page?value=1"), json!([["Alma", "Dora"], 4, 1, 2]));
    assert_eq!(ask(&master, "page?value=2"), json!([["Bora", "Cato"], 4, 2, 2]));
    assert_eq!(ask(&master, "page?value=3"), json!([[], 4, 3, 2]));
    assert_eq!(ask(&owner, "page?value=0"), json!([["Alma", "Dora"], 2, 1, 1]));
    assert_eq!(ask(&owner, "joined-page"), json!(2));
    assert_eq!(ask(&master, "each"), json!([["Alma", "Bora"], true]));
}

fn identifiers_and_decimals_need_no_wrapper(base: &str) {
    let (master, owner) = people(base);
    let ships = master.get("/api/ships?sort=name").ok(200).json()["items"].clone();
    let (bora, berth) = (ships[1]["id"].as_str().expect("a key").to_owned(), ships[1]["berth"].as_str().expect("a key").to_owned());
    assert_eq!((ask(&master, &format!("by-key?value={bora}")), ask(&owner, &format!("by-key?value={bora}"))), (json!(["Bora"]), json!([])));
    assert_eq!(ask(&master, &format!("by-keys?value={bora}")), json!(1));
    assert_eq!((ask(&master, &format!("by-berth?value={berth}")), ask(&owner, &format!("by-berth?value={berth}"))), (json!(2), json!(1)));
}

/// With `audit: [list]`, the record of a request contains the rows of a joined table, each once.
fn the_rows_of_both_sides_are_recorded(base: &str) {
    let (master, _) = people(base);
    let admin = Client::signed_in(base, ("ada@harbour.example", "reads the whole log"));
    for (query, berths) in [("inner", 2), ("left", 2), ("first-berth", 1), ("page?value=1", 0)] {
        let answer = master.get(&format!("/typed/{query}")).ok(200);
        let id = answer.header("x-request-id").expect("the number of the request").to_owned();
        let log = admin.request("GET", "/admin/audit?action=list", &[("Accept", "application/json")], b"").ok(200).json();
        let items = log["items"].as_array().expect("items").iter().filter(|it| it["request_id"] == id);
        let recorded: Vec<usize> = items.map(|it| it["changes"]["ids"].as_array().map_or(0, Vec::len)).collect();
        assert_eq!(recorded.iter().sum::<usize>(), berths, "{query}: {recorded:?}");
    }
}
