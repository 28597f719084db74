//! Every generated CHECK admits null where the column does, also with the functions of older SQLite libraries.

use diesel::{RunQueryDsl, select, sql_types};
use dz_dsl_file::{SourceMap, analyse, emit::schema as language};

use crate::{
    Engine,
    db::{Conn, testing::each_engine},
};

diesel::define_sql_function! {
    fn json_valid(text: sql_types::Nullable<sql_types::Text>) -> sql_types::Bool;
}

/// A column of every type that may be null, and conditions on them.
const DECLARED: &str = "
app things \"Things\"
enum Level ordered \"Level\":
  low
  high
entity Thing:
  id: int pk
  name: str(20)
  words: text
  number: int
  share: float
  price: decimal(8, 2)
  long: decimal(28, 2)
  cost: money
  fee: money(EUR)
  flag: bool
  day: date
  at: datetime
  kind: enum[a, b]
  level: Level
  data: json
  scan: file
  mail: email
  site: url
  zone: timezone
  part: ref Thing
  invariant: number = null or number > 3 or name in [\"x\", \"y\"] or flag or day < \"2026-01-01\" or length(words) > 2 or not (kind = a)
  invariant: not (price > 3 and number < 2)
  unique name where flag = true and kind in [a] and number >= 1
  permit:
    list: true
    read: true
";

fn schema() -> language::Schema {
    let mut sources = SourceMap::default();
    sources.add("app.dsl", DECLARED);
    let analysis = analyse(sources);
    language::Schema::from_model(&analysis.model.unwrap_or_else(|| panic!("{:#?}", analysis.diagnostics)))
}

/// Replaces `json_valid` on a connection by that of SQLite before 3.41, which is false for null.
fn make_old(conn: &mut Conn) {
    let Some(sqlite) = conn.sqlite() else { return };
    let valid = |text: Option<String>| text.is_some_and(|text| serde_json::from_str::<serde_json::Value>(&text).is_ok());
    json_valid_utils::register_impl(sqlite, valid).expect("a function");
    let of_null: bool = select(json_valid(None::<String>)).get_result(sqlite).expect("a value");
    assert!(!of_null, "the connection has the older function");
}

#[test]
fn a_row_of_nulls_passes_every_check() {
    each_engine(|db| {
        let engine = if db.engine() == Engine::Sqlite { language::Engine::Sqlite } else { language::Engine::Postgres };
        db.run_without_transaction(&mut |conn| {
            make_old(conn);
            let sql = schema().sql(engine);
            if db.engine() == Engine::Sqlite {
                let strict = sql.replace("\"data\" IS NULL OR json_valid", "json_valid");
                assert_ne!(strict, sql);
                conn.script(&strict).expect("tables");
                conn.script("INSERT INTO things (id) VALUES (1)").expect_err("a check that does not admit null refuses the row");
                super::migrations::catalogue::clear(conn);
            }
            conn.script(&sql).expect("tables");
            conn.script("INSERT INTO things (id) VALUES (1)").expect("a row of nulls");
            conn.script("INSERT INTO things (id, number, data) VALUES (2, 5, '{}'); UPDATE things SET number = NULL, data = NULL")
                .expect("fields are cleared");
            conn.script("UPDATE things SET kind = 'c'").expect_err("a value that the check refuses");
            if db.engine() == Engine::Sqlite {
                conn.script("UPDATE things SET data = 'x'").expect_err("no JSON");
                let whole = super::migrations::catalogue::texts(conn, "PRAGMA integrity_check", 1);
                assert_eq!(whole, [["ok"]]);
            }
            Ok(())
        })
        .unwrap();
    });
}
