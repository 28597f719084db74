//! CHECK constraints, limited to the SQL of the oldest supported databases.

use dz_dsl_file::emit::schema::Engine;

use crate::schema;

#[test]
fn checks_use_what_old_databases_have_and_admit_null() {
    let text = "
entity Thing:
  id: uuid pk
  name: str(20)
  words: text
  number: int
  share: float
  price: decimal(8, 2)
  cost: money
  flag: bool
  day: date
  at: datetime
  kind: enum[a, b]
  data: json
  scan: file
  mail: email
  site: url
  zone: timezone
  part: ref Thing
  invariant: number = null or number > 3 or name in [\"x\", \"y\"] or flag or day < \"2026-01-01\" or length(words) > 2 or not (kind = a)
  unique name where flag = true and kind in [a] and number >= 1
  permit:
    list: true
    read: true
";
    let sql = schema(text).sql(Engine::Sqlite);
    // SQLite 3.37 introduced STRICT; no other word is younger than 3.9.
    let known = ["CHECK", "COALESCE", "IN", "length", "json_valid", "KEY", "REFERENCES", "AND", "OR", "NOT", "ON", "WHERE"];
    let lines = sql.lines().filter(|line| line.contains("CHECK (") || line.contains("INDEX "));
    let mut checks = 0;
    for line in lines {
        checks += 1;
        for (at, _) in line.match_indices('(') {
            let word = line[..at].trim_end().rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
            assert!(word.is_empty() || known.contains(&word), "`{word}` in {line}");
        }
        for (at, _) in line.match_indices("json_valid(") {
            let column = line[at + "json_valid(".len()..].split(')').next().expect("a column");
            assert!(line[..at].ends_with(&format!("{column} IS NULL OR ")), "{line}");
        }
    }
    assert!(checks > 15, "{sql}");
}
