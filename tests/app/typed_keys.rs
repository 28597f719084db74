//! Typed keys, on both engines: rows, references, filters, routes, forms and actions.

use std::collections::HashMap;

use dz::{
    Cx, Id, Result, Tx, Uuid,
    access::{List, Read},
    serde_json::{Value, json},
};
use rocket::serde::json::Json;

use crate::client::Client;

mod quay {
    dz::include_dsl!("typed_keys/app.dsl", keys = "typed");
}

use quay::{
    dock::{Dock, NewDock},
    flag::{Flag, NewFlag},
    schema::{docks, vessels},
    user::User,
    vessel::{self, NewVessel, Vessel, VesselChanges},
};

dz::alias! { sisters = Vessel; }

const PILOT: (&str, &str) = ("pia@quay.example", "reads every chart");
const MASTER: (&str, &str) = ("ole@quay.example", "owns one old boat");

dz::action_input! {
    /// Another vessel, whose name becomes the name.
    pub struct Rename {
        like: Id<Vessel> = "Like",
    }
}

fn app() -> dz::App {
    quay::app().mount("/typed", rocket::routes![sail, by_dock, by_flag, own, with_sisters]).typed_action::<Vessel, Rename, ()>(
        "rename",
        |tx, vessel, input| {
            let name = Vessel::find(tx, input.like)?.name;
            vessel.update(tx, VesselChanges { name: Some(name), ..Default::default() }).map(drop)
        },
    )
}

/// Creates a fleet, and reads it through every function with a key.
fn fleet(tx: &mut Tx<'_>) -> Result<Value> {
    let flag: Flag = NewFlag::new(Id::new("no".to_owned()), "Norway").create(tx)?;
    let dock: Dock = NewDock::new("North").create(tx)?;
    let old = NewVessel { flag_id: Some(flag.code.clone()), dock_id: Some(dock.number), ..NewVessel::new("Ada") }.create(tx)?;
    let new = NewVessel { sister_id: Some(old.id), ..NewVessel::new("Bea") }.create(tx)?;
    let new = new.update(tx, VesselChanges { flag_id: Some(&flag.code).cloned().into(), ..Default::default() })?;
    let me: Id<User> = tx.caller().user_id()?;
    let masters: HashMap<Id<User>, User> = Vessel::load_masters(tx, &[old.clone(), new.clone()])?;
    let sisters: Vec<Vessel> = tx.load(vessel::scoped(tx, List)?.filter(vessels::sister.eq(old.id)))?;
    let both =
        tx.count(vessel::scoped(tx, List)?.filter(vessels::id.eq_any([old.id, new.id]).and(vessels::flag.eq(Some(flag.code.clone())))))?;
    let docked = vessel::scoped(tx, List)?.inner_join(quay::dock::scoped(tx, Read)?).select((vessels::id, docks::number));
    let docked: Vec<(Id<Vessel>, Id<Dock>)> = tx.load(docked)?;
    let in_docks = quay::dock::scoped(tx, Read)?.select(docks::number.nullable());
    let in_docks = tx.count(vessel::scoped(tx, List)?.filter(vessels::dock.eq_any(in_docks)))?;
    let found = Vessel::find_many(tx, [new.id, old.id])?;
    let known = (Vessel::exists(tx, old.id)?, Vessel::exists(tx, Id::new(Uuid::nil()))?, masters.contains_key(&me));
    old.clone().delete(tx)?;
    let restored = Vessel::restore(tx, old.id)?;
    Ok(json!({
        "master": new.master_id == me, "flag": new.flag(tx)?.map(|flag| flag.name), "sisters": sisters.len(), "both": both,
        "docked": docked == [(old.id, dock.number)], "in_docks": in_docks, "found": found[0] == new && restored == old, "known": known,
        "vessel": new.id, "dock": dock.number, "code": flag.code,
    }))
}

#[rocket::post("/sail")]
async fn sail(cx: Cx) -> Result<Json<Value>> {
    cx.run(fleet).await.map(Json)
}

#[rocket::get("/docks/<dock>?<than>")]
async fn by_dock(cx: Cx, dock: Id<Dock>, than: Option<Id<Dock>>) -> Result<String> {
    let name = cx.read(move |tx| Dock::find(tx, dock).map(|dock| dock.name)).await?;
    Ok(format!("{name} {} {}", dock, than.is_some_and(|than| dock > than)))
}

#[rocket::get("/flags/<flag>")]
async fn by_flag(cx: Cx, flag: Id<Flag>) -> Result<String> {
    let again = rocket::uri!("/typed", by_flag(&flag)).to_string();
    cx.read(move |tx| Flag::find(tx, flag.clone()).map(|flag| format!("{} {again}", flag.name))).await
}

/// A key that a program sends as text.
#[rocket::get("/own/<text>")]
async fn own(cx: Cx, text: String) -> Result<String> {
    cx.read(move |tx| {
        let id: Id<Vessel> = text.parse()?;
        Ok(Vessel::find(tx, id)?.name)
    })
    .await
}

/// Vessels with their sisters, in every kind of query.
fn read_sisters(tx: &mut Tx<'_>) -> Result<Value> {
    let sister = || vessels::sister.eq(sisters::field(vessels::id).nullable());
    let inner = vessel::scoped(tx, List)?.inner_join_on(sisters::scoped(tx, Read)?, sister());
    let inner: Vec<(Vessel, Vessel)> = tx.load(inner.order(vessels::name))?;
    let left = vessel::scoped(tx, List)?.left_join_on(sisters::scoped(tx, Read)?, sister()).filter(vessels::tons.is_not_null());
    let left: Vec<(String, Option<String>)> =
        tx.load(left.order(vessels::name).select((vessels::name, sisters::field(vessels::name).nullable())))?;
    let known = vessel::scoped(tx, List)?.filter_exists_on(sisters::scoped(tx, Read)?, sister());
    let unknown =
        vessel::scoped(tx, List)?.filter_not_exists_on(sisters::scoped(tx, Read)?, sister()).filter(vessels::sister.is_not_null());
    let most = vessel::scoped(tx, List)?.select(vessels::tons.max()).single_value();
    let heaviest: Vec<String> = tx.load(vessel::scoped(tx, List)?.filter(vessels::tons.eq(most.clone())).select(vessels::name))?;
    let beside: Vec<(String, Option<i64>)> =
        tx.load(vessel::scoped(tx, List)?.filter(vessels::tons.lt(most.clone())).order(vessels::name).select((vessels::name, most)))?;
    let names = |rows: Vec<Vessel>| rows.into_iter().map(|row| row.name).collect::<Vec<_>>();
    Ok(json!({
        "inner": inner.iter().map(|(own, sister)| (&own.name, &sister.name)).collect::<Vec<_>>(), "left": left,
        "known": names(tx.load(known.order(vessels::name))?), "unknown": names(tx.load(unknown)?),
        "heaviest": heaviest, "beside": beside,
    }))
}

#[rocket::get("/sisters")]
async fn with_sisters(cx: Cx) -> Result<Json<Value>> {
    cx.read(read_sisters).await.map(Json)
}

crate::served_on_both! {
    "quay", app();
    every_function_takes_and_returns_typed_keys;
    a_text_that_is_not_a_key_is_404;
    an_action_takes_a_typed_key;
    both_sides_of_a_join_with_itself_have_the_rules;
}

/// The fleet, once for each engine.
fn build_fleet(base: &str) -> Value {
    static MADE: std::sync::Mutex<Vec<(String, Value)>> = std::sync::Mutex::new(Vec::new());
    let mut made = MADE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some((_, fleet)) = made.iter().find(|(at, _)| at == base) {
        return fleet.clone();
    }
    let fleet = Client::signed_in(base, PILOT).send("POST", "/typed/sail", &Value::Null).ok(200).json();
    made.push((base.to_owned(), fleet.clone()));
    fleet
}

fn every_function_takes_and_returns_typed_keys(base: &str) {
    let fleet = build_fleet(base);
    let expected = json!({
        "master": true, "flag": "Norway", "sisters": 1, "both": 2, "docked": true, "in_docks": 1, "found": true, "known": [true, false, true],
        "vessel": fleet["vessel"], "dock": 1, "code": "no",
    });
    assert_eq!(fleet, expected);
    let pilot = Client::signed_in(base, PILOT);
    assert_eq!(pilot.get("/typed/docks/1?than=0").ok(200).body, "North 1 true");
    assert_eq!(pilot.get("/typed/flags/no").ok(200).body, "Norway /typed/flags/no");
}

fn a_text_that_is_not_a_key_is_404(base: &str) {
    let key = build_fleet(base)["vessel"].clone();
    let key = key.as_str().expect("a key");
    let (pilot, master) = (Client::signed_in(base, PILOT), Client::signed_in(base, MASTER));
    assert_eq!(pilot.get(&format!("/typed/own/{key}")).ok(200).body, "Bea");
    master.get(&format!("/typed/own/{key}")).ok(404);
    pilot.get("/typed/own/bea").ok(404);
}

fn an_action_takes_a_typed_key(base: &str) {
    let key = build_fleet(base)["vessel"].clone();
    let pilot = Client::signed_in(base, PILOT);
    let second = pilot.send("POST", "/api/vessels", &json!({ "name": "Cia" })).ok(201).json();
    let path = format!("/api/vessels/{}/actions/rename", second["id"].as_str().expect("a key"));
    pilot.send("POST", &path, &json!({ "like": "bea" })).ok(422);
    pilot.send("POST", &path, &json!({ "like": key })).ok(200);
    assert_eq!(pilot.get(&format!("/api/vessels/{}", second["id"].as_str().expect("a key"))).ok(200).json()["name"], "Bea");
}

fn both_sides_of_a_join_with_itself_have_the_rules(base: &str) {
    let (pilot, master) = (Client::signed_in(base, PILOT), Client::signed_in(base, MASTER));
    let create = |who: &Client, row: Value| who.send("POST", "/api/vessels", &row).ok(201).json()["id"].clone();
    let small = create(&master, json!({ "name": "Ole small", "tons": 3 }));
    let large = create(&master, json!({ "name": "Ole large", "tons": 8, "sister": small }));
    let navy = create(&pilot, json!({ "name": "Pia navy", "tons": 90, "sister": large }));
    // The master cannot see this sister.
    let path = format!("/api/vessels/{}", small.as_str().expect("a key"));
    pilot.send("PATCH", &path, &json!({ "sister": navy })).ok(200);
    let expected = json!({
        "inner": [["Ole large", "Ole small"]], "left": [["Ole large", "Ole small"], ["Ole small", null]], "known": ["Ole large"],
        "unknown": ["Ole small"], "heaviest": ["Ole large"], "beside": [["Ole small", 8]],
    });
    assert_eq!(master.get("/typed/sisters").ok(200).json(), expected);
    let all = pilot.get("/typed/sisters").ok(200).json();
    assert_eq!(all["left"], json!([["Ole large", "Ole small"], ["Ole small", "Pia navy"], ["Pia navy", "Ole large"]]));
    assert_eq!((&all["heaviest"], &all["unknown"]), (&json!(["Pia navy"]), &json!([])));
}
