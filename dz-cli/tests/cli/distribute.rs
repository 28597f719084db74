//! `dz schema distribute`: the tables of an application with tenants on a cluster. `UPDATE_EXPECT=1` writes the expected scripts.

use std::{fs, path::PathBuf};

use crate::folder::{Folder, json, out, says};

/// Ports with berths and vessels, with every construct that a cluster concerns.
const PORTS: &str = r#"app ports "Ports"

persona master "Harbour master"

entity Port "Port":
  archetype: tenant
  id: uuid pk
  name: str(80) required unique

entity Limits "Limits":
  archetype: settings
  id: uuid pk
  draught: decimal(6,2) = 12

entity Pilot "Pilot":
  archetype: user
  id: uuid pk

entity Crew "Crew":
  archetype: user_membership
  id: uuid pk

entity Berth "Berth":
  id: uuid pk
  code: str(20) required unique
  state: enum[free, taken, closed] = free
  transitions:
    free -> taken: role(master)
    taken -> free: auto after 2 days
    free -> closed: role(master)
  permit:
    read: role(master)
    create: role(master)
    update: role(master)

entity Vessel "Vessel":
  id: int pk
  imo: str(10) unique
  berth: ref Berth required
  permit:
    read: role(master)
    create: role(master)
"#;

const ENGINES: [&str; 3] = ["citus", "yugabytedb", "cockroachdb"];

#[test]
fn the_scripts_are_as_expected() {
    let folder = Folder::new("distribute", &[("app.dsl", PORTS)]);
    for engine in ENGINES {
        let written = folder.dz(&["schema", "distribute", "--engine", engine]);
        says(&written, 0, &["https://"]);
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/cli/distribute/{engine}.sql"));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, out(&written)).expect("a file");
        }
        assert_eq!(out(&written), fs::read_to_string(&path).unwrap_or_default(), "{}", path.display());
    }
}

#[test]
fn every_row_of_a_tenant_has_the_tenant_in_its_keys() {
    let folder = Folder::new("distribute-keys", &[("app.dsl", PORTS)]);
    for engine in ENGINES {
        let found = json(&folder.dz(&["schema", "distribute", "--engine", engine, "--format", "json"]));
        assert_eq!(found["engine"], engine);
        let tables = found["tables"].as_array().expect("tables");
        let of = |name: &str| tables.iter().find(|it| it["table"] == name).unwrap_or_else(|| panic!("{name} in {found}"));
        for name in ["berths", "vessels", "crews"] {
            assert_eq!((&of(name)["placement"], &of(name)["tenant"]), (&"distributed".into(), &"port".into()), "{engine} {name}");
            assert_eq!(of(name)["key"][0], "port", "{engine} {name}");
        }
        assert_ne!(of("ports")["placement"], "distributed", "{engine}");
        let statements: Vec<&str> =
            found["statements"].as_array().expect("statements").iter().map(|it| it.as_str().expect("a text")).collect();
        // A unique index of a distributed table begins with the tenant, after `((` where it is hashed.
        for index in statements.iter().filter(|it| it.starts_with("CREATE UNIQUE INDEX") && it.contains("ON \"berths\"")) {
            assert!(index.contains("(\"port\""), "{index}");
        }
        for finding in found["unsupported"].as_array().expect("findings") {
            let source = finding["source"].as_str().expect("a source");
            assert!(source.starts_with("https://"), "{finding}");
            assert!(["none", "limited"].contains(&finding["support"].as_str().expect("a level")), "{finding}");
            for text in ["construct", "reason", "instead"] {
                assert!(finding[text].as_str().is_some_and(|it| !it.is_empty()), "{finding}");
            }
            assert!(finding["used_by"].as_array().is_some_and(|it| !it.is_empty()), "{finding}");
        }
    }
}

#[test]
fn each_engine_has_its_own_findings() {
    let folder = Folder::new("distribute-findings", &[("app.dsl", PORTS)]);
    let of = |engine: &str| {
        let found = json(&folder.dz(&["schema", "distribute", "--engine", engine, "--format", "json"]));
        let all = found["unsupported"].as_array().expect("findings").clone();
        all.into_iter().map(|it| (it["construct"].as_str().expect("a text").to_owned(), it)).collect::<std::collections::BTreeMap<_, _>>()
    };
    let (citus, yugabytedb, cockroachdb) = (of("citus"), of("yugabytedb"), of("cockroachdb"));
    assert_eq!(citus["FOR UPDATE SKIP LOCKED over several tenants"]["used_by"], serde_json::json!(["berths"]));
    assert!(citus["primary key without the tenant"]["used_by"].as_array().is_some_and(|it| it.contains(&"berths_pkey".into())));
    assert_eq!(citus["identity columns"]["used_by"], serde_json::json!(["vessels"]));
    assert_eq!(cockroachdb["triggers for statements"]["used_by"], serde_json::json!(["dz_audit_log"]));
    assert_eq!((&cockroachdb["advisory locks"]["support"], &yugabytedb["advisory locks"]["support"]), (&"none".into(), &"limited".into()));
    assert_eq!(
        (&cockroachdb["LISTEN and NOTIFY"]["support"], &yugabytedb["LISTEN and NOTIFY"]["support"]),
        (&"none".into(), &"limited".into())
    );
    assert!(!citus.contains_key("LISTEN and NOTIFY"));
    assert!(cockroachdb["row-level security policies"]["used_by"].as_array().is_some_and(|it| it.contains(&"berths".into())));
}

#[test]
fn what_cannot_be_distributed_is_refused() {
    let folder = Folder::new("distribute-wrong", &[("app.dsl", PORTS)]);
    says(&folder.dz(&["schema", "distribute", "--engine", "citrus"]), 1, &["there is no engine `citrus`; did you mean `citus`?"]);
    let unknown = folder.dz(&["schema", "distribute", "--engine", "mongo"]);
    says(&unknown, 1, &["there is no engine `mongo`; write `citus`, `yugabytedb` or `cockroachdb`"]);
    assert_eq!(out(&unknown), "");
    says(&folder.dz(&["schema", "distribute"]), 2, &["--engine"]);
    let alone = "entity Note:\n  id: uuid pk\n  title: str(80)\n  permit:\n    read: true\n";
    folder.write("app.dsl", alone);
    says(
        &folder.dz(&["schema", "distribute", "--engine", "citus"]),
        1,
        &["the declaration has no tenants, by which tables are distributed", "`archetype: tenant`"],
    );
    folder.write("app.dsl", &alone.replace("str(80)", "sting(80)"));
    says(&folder.dz(&["schema", "distribute", "--engine", "citus"]), 1, &["sting"]);
}

#[test]
fn partitions_of_the_project_are_checked_and_migrated() {
    let settings = |partitions: &str| format!("[project]\ndatabase = \"postgres\"\n{partitions}");
    let folder = Folder::new("partitions", &[("app.dsl", PORTS), ("dz.toml", &settings(""))]);
    says(&folder.dz(&["migrate", "diff", "initial"]), 0, &["creates the table `berths`"]);
    folder.write("dz.toml", &settings("history_partitions = \"month\"\ntenant_partitions = 4\n"));
    says(&folder.dz(&["validate"]), 0, &["0 errors"]);
    says(
        &folder.dz(&["migrate", "diff", "parts", "--online"]),
        1,
        &["`berths` gets other partitions", "write a migration without `--online`"],
    );
    says(
        &folder.dz(&["migrate", "diff", "parts"]),
        0,
        &["locking      divides `berths` into 4 partitions by tenant", "locking      divides `dz_audit_log` into partitions by month"],
    );
    says(&folder.dz(&["migrate", "diff", "--check"]), 0, &["nothing to write"]);

    folder.write("app.dsl", &PORTS.replace("  id: int pk", "  id: slug pk"));
    for command in [&["validate"][..], &["migrate", "diff", "keys"]] {
        says(&folder.dz(command), 1, &["callers choose the key `Vessel.id`", "remove `tenant_partitions` from dz.toml"]);
    }
    folder.write("dz.toml", &settings("history_partitions = \"monthly\"\n"));
    says(&folder.dz(&["validate"]), 1, &["`project.history_partitions` is `\"monthly\"`; write `none` or `month`"]);
}
