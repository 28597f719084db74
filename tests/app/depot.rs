//! An application with a field of every kind, for tests of many rows: duplicates, concurrency, files.

use std::{sync::OnceLock, time::Duration};

use diesel::{Connection, RunQueryDsl, pg::PgConnection, sql_query, sqlite::SqliteConnection};
use dz::{
    Engine,
    serde_json::{Value, json},
};

use rocket::serde::json::Json;

use crate::{
    client::{Answer, Client},
    server,
};

dz::dz! {
    app depot "Depot"

    persona keeper "Keeper"
    persona clerk "Clerk"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Shelf "Shelf":
      plural: shelves
      id: int pk
      name: str(40) required unique
      permit:
        list: true
        read: true
        create: role(keeper)
        update: role(keeper)
        delete: role(keeper)

    entity Case "Case":
      id: uuid pk
      name: str(60) required unique
      label: text
      amount: int = 0
      price: decimal(8,2)
      weight: float
      fragile: bool = false
      due: date
      seen: datetime
      extra: json
      mail: email
      cost: decimal(8,2) sensitive
      owner: ref User = current_user
      shelf: ref Shelf
      status: enum[new, packed, sent] = new
      made_at: datetime auto_add
      transitions:
        new -> packed
        packed -> sent: role(keeper)
      permit:
        list: role(keeper) or owner = current_user
        read: role(keeper) or owner = current_user
        create: role(keeper, clerk)
        update: role(keeper) or owner = current_user
        transition: role(keeper) or owner = current_user
        delete: role(keeper)
      forbid:
        delete: status = sent

    entity Wish "Wish":
      plural: wishes
      id: uuid pk
      text: str(60) required
      permit:
        list: true
        read: true
        # dz: allow(anonymous-write) because anybody may wish
        create: anonymous or true

    surface case_list "Cases":
      uses entity Case
      mode: list
      section main:
        field name
        field shelf.name "Shelf"
        field amount
        field status
      ux:
        sort: name
        filter: status
        search: name

    surface case_view "Case":
      uses entity Case
      mode: view

    demo:
      User:
        - name: "Kay", email: "kay@depot.example", password: "keeps the keys", roles: [keeper]
        - name: "Cleo", email: "cleo@depot.example", password: "counts the cases", roles: [clerk]
        - name: "Cora", email: "cora@depot.example", password: "carries the cases", roles: [clerk]
        - name: "Nina", email: "nina@depot.example", password: "has no role yet"
}

pub const KEEPER: (&str, &str) = ("kay@depot.example", "keeps the keys");
pub const CLERK: (&str, &str) = ("cleo@depot.example", "counts the cases");
pub const OTHER_CLERK: (&str, &str) = ("cora@depot.example", "carries the cases");
pub const NOBODY: (&str, &str) = ("nina@depot.example", "has no role yet");

/// Sets the amount of cases by the typed call, and returns their keys.
#[rocket::post("/<amount>", data = "<ids>")]
async fn set_amounts(cx: dz::Cx, amount: i64, ids: Json<Vec<dz::Uuid>>) -> dz::Result<Json<Vec<dz::Uuid>>> {
    let ids = ids.into_inner();
    let set = cx.run(move |tx| {
        let cases = case::Case::find_many(tx, ids.clone())?;
        let changes = case::CaseChanges { amount: Some(amount), ..Default::default() };
        Ok(case::Case::update_many(tx, &cases, changes)?.into_iter().map(|case| case.id).collect())
    });
    set.await.map(Json)
}

/// The application with a slow hook, so that duplicates are concurrent.
fn depot() -> dz::App {
    app().mount("/amounts", rocket::routes![set_amounts]).before_create::<case::Case>(|_, new| {
        if new.name.starts_with("Slow") {
            std::thread::sleep(Duration::from_millis(600));
        }
        Ok(())
    })
}

/// The application on one engine.
pub struct Depot {
    /// The address.
    pub base: String,
    engine: Engine,
    url: String,
}

impl Depot {
    fn start(engine: Engine) -> Depot {
        let url = match engine {
            Engine::Sqlite => {
                let folder = std::env::temp_dir().join(format!("dz-depot-{}", std::process::id()));
                let _ = std::fs::remove_dir_all(&folder);
                std::fs::create_dir_all(&folder).expect("a folder");
                format!("sqlite://{}", folder.join("depot.db").display())
            }
            Engine::Postgres => server::new_database("depot"),
        };
        Depot { base: server::serve(depot(), engine, url.clone()), engine, url }
    }

    pub fn sqlite() -> &'static Depot {
        static AT: OnceLock<Depot> = OnceLock::new();
        AT.get_or_init(|| Depot::start(Engine::Sqlite))
    }

    pub fn postgres() -> &'static Depot {
        static AT: OnceLock<Depot> = OnceLock::new();
        AT.get_or_init(|| Depot::start(Engine::Postgres))
    }

    #[track_caller]
    pub fn signed_in(&self, who: (&str, &str)) -> Client {
        Client::signed_in(&self.base, who)
    }

    /// Creates `count` cases directly in the database, all with the same timestamp; every second one has a date.
    #[track_caller]
    pub fn insert_cases(&self, name: &str, count: usize) {
        let (id, numbers, padded) = match self.engine {
            Engine::Sqlite => {
                let numbers =
                    format!("(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {count} - 1) SELECT i FROM n)");
                ("randomblob(16)", numbers, "printf('%05d', i)")
            }
            Engine::Postgres => {
                ("gen_random_uuid()", format!("(SELECT i FROM generate_series(0, {count} - 1) AS i)"), "lpad(i::text, 5, '0')")
            }
        };
        let (no, day, moment) = match self.engine {
            Engine::Sqlite => ("0", "'2026-01-01'", "(SELECT min(created_at) FROM dz_sessions)"),
            Engine::Postgres => ("FALSE", "DATE '2026-01-01'", "(SELECT min(created_at) FROM dz_sessions)"),
        };
        self.sql(&format!(
            "INSERT INTO cases (id, name, amount, fragile, due, owner, status, made_at, dz_state_since) SELECT {id}, '{name} ' || {padded}, \
             i % 3, {no}, CASE WHEN i % 2 = 0 THEN NULL ELSE {day} END, (SELECT id FROM users ORDER BY email LIMIT 1), 'new', {moment}, {moment} \
             FROM {numbers} AS numbers"
        ));
    }

    /// Runs a statement directly in the database.
    #[track_caller]
    pub fn sql(&self, sql: &str) {
        let done = match self.engine {
            Engine::Sqlite => {
                let path = self.url.trim_start_matches("sqlite://");
                let mut conn = SqliteConnection::establish(path).expect("the database");
                sql_query("PRAGMA busy_timeout = 10000").execute(&mut conn).expect("patience");
                sql_query(sql).execute(&mut conn)
            }
            Engine::Postgres => sql_query(sql).execute(&mut PgConnection::establish(&self.url).expect("the database")),
        };
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
}

/// Creates a case as the client.
#[track_caller]
pub fn create_case(client: &Client, fields: Value) -> Value {
    client.send("POST", "/api/cases", &fields).ok(201).json()
}

/// Creates cases with these names as the client.
#[track_caller]
pub fn create_cases(client: &Client, names: &[&str]) -> Vec<String> {
    names.iter().map(|name| id(&create_case(client, json!({ "name": name })))).collect()
}

#[track_caller]
pub fn id(row: &Value) -> String {
    row["id"].as_str().expect("an id").to_owned()
}

/// A write with an idempotency key.
pub fn send_with_key(client: &Client, path: &str, key: &str, body: &Value) -> Answer {
    let headers = [("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin"), ("Idempotency-Key", key)];
    client.request("POST", path, &headers, body.to_string().as_bytes())
}

/// The number of cases whose name begins with `prefix`.
#[track_caller]
pub fn count(client: &Client, prefix: &str) -> i64 {
    let path = format!("/api/cases?name__startswith={}", crate::client::encode(prefix));
    client.get(&path).ok(200).json()["total"].as_i64().expect("a number")
}

/// Declares a test for each engine from one function.
macro_rules! on_both_depots {
    ($($name:ident;)*) => {
        mod sqlite { $(#[test] fn $name() { super::$name(crate::depot::Depot::sqlite()); })* }
        mod postgres { $(#[test] fn $name() { super::$name(crate::depot::Depot::postgres()); })* }
    };
}
pub(crate) use on_both_depots;
