//! `dz migrate diff`

use std::fs;

use crate::folder::{Folder, json, out, says};

const SHOP: &str = "app shop \"Shop\"\n\nentity Maker:\n  id: uuid pk\n  name: str(40) required\n  country: str(40)\n  permit:\n    list: true\n    read: true\n";

/// The migrations of a folder, oldest first.
fn migrations(folder: &Folder) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder.0.join("migrations")) else { return Vec::new() };
    let mut names: Vec<String> = entries.map(|it| it.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name != "schema.toml");
    names.sort();
    names
}

fn change(folder: &Folder, from: &str, to: &str) {
    let text = folder.read("app.dsl");
    assert!(text.contains(from), "{from}");
    fs::write(folder.0.join("app.dsl"), text.replace(from, to)).expect("written");
}

#[test]
fn the_first_migration_makes_everything_and_the_second_only_what_is_new() {
    let folder = Folder::new("migrate-first", &[("app.dsl", SHOP)]);
    says(&folder.dz(&["migrate", "diff"]), 0, &["safe", "creates the table `makers`", "wrote migrations/", "_initial"]);
    says(&folder.dz(&["migrate", "diff"]), 0, &["nothing to write"]);
    let [first] = migrations(&folder).try_into().expect("one migration");
    assert!(folder.read(&format!("migrations/{first}/up.sql")).contains("CREATE TABLE \"makers\""));
    assert!(folder.read(&format!("migrations/{first}/down.sql")).contains("DROP TABLE \"makers\""));
    // Another name of the snapshot keeps its content, because a new file takes its place.
    let (snapshot, former) = (folder.read("migrations/schema.toml"), folder.0.join("former.toml"));
    fs::hard_link(folder.0.join("migrations/schema.toml"), &former).expect("a link");
    change(&folder, "country: str(40)", "country: str(40)\n  founded: int required = 1900");
    says(&folder.dz(&["migrate", "diff", "add_founded"]), 0, &["backfill", "adds the column `makers.founded`"]);
    assert_eq!(fs::read_to_string(&former).expect("a file"), snapshot);
    assert_ne!(folder.read("migrations/schema.toml"), snapshot);
    let names = migrations(&folder);
    assert_eq!(names.len(), 2);
    assert!(names[1].ends_with("_add_founded") && names[1] > names[0], "{names:?}");
    let up = folder.read(&format!("migrations/{}/up.sql", names[1]));
    assert!(up.starts_with("-- backfill: adds the column"), "{up}");
    // SQLite rebuilds the table, in a transaction of the script's own.
    assert!(up.contains("PRAGMA foreign_keys=OFF;\nBEGIN IMMEDIATE;\n"), "{up}");
    assert_eq!(folder.read(&format!("migrations/{}/metadata.toml", names[1])), "run_in_transaction = false\n");
}

#[test]
fn destructive_steps_require_an_option() {
    let folder = Folder::new("migrate-destructive", &[("app.dsl", SHOP)]);
    says(&folder.dz(&["migrate", "diff"]), 0, &[]);
    let snapshot = folder.read("migrations/schema.toml");
    change(&folder, "  country: str(40)\n", "  land: str(40)\n");
    let refused = folder.dz(&["migrate", "diff"]);
    says(&refused, 1, &["destructive", "drops the column `makers.country`", "--allow-destructive", "was: old_name"]);
    assert_eq!((migrations(&folder).len(), folder.read("migrations/schema.toml")), (1, snapshot));
    // A rename loses nothing.
    change(&folder, "land: str(40)", "land: str(40) was: country");
    says(&folder.dz(&["migrate", "diff"]), 0, &["renames the column `makers.country` to `land`"]);
    change(&folder, " was: country", "");
    says(&folder.dz(&["migrate", "diff"]), 0, &["nothing to write"]);
    change(&folder, "  land: str(40)\n", "");
    says(&folder.dz(&["migrate", "diff", "--allow-destructive"]), 0, &["destructive", "wrote"]);
    assert_eq!(migrations(&folder).len(), 3);
}

#[test]
fn an_entity_keeps_its_rows_under_another_name() {
    let folder = Folder::new("migrate-entity", &[("app.dsl", SHOP)]);
    says(&folder.dz(&["migrate", "diff"]), 0, &[]);
    change(&folder, "entity Maker:", "entity Firm:\n  was: Maker");
    says(&folder.dz(&["migrate", "diff"]), 0, &["renames the table `makers` to `firms`"]);
}

#[test]
fn programs_get_the_steps_as_json() {
    let folder =
        Folder::new("migrate-json", &[("app.dsl", SHOP), ("dz.toml", "[project]\ndatabase = \"postgres\"\nmigrations = \"db/changes\"\n")]);
    let report = json(&folder.dz(&["migrate", "diff", "--format", "json"]));
    assert_eq!(report["steps"][0]["class"], "safe");
    let written = report["written"].as_str().expect("a path");
    assert!(written.contains("db/changes/"), "{written}");
    let up = fs::read_to_string(folder.0.join(written).join("up.sql")).expect("a script");
    assert!(up.contains("character varying(40)") && up.contains("ADD CONSTRAINT \"dz_roles_account_fkey\""), "{up}");
    let nothing = json(&folder.dz(&["migrate", "diff", "--format", "json"]));
    assert_eq!((nothing["steps"].as_array().map(Vec::len), nothing["written"].is_null()), (Some(0), true));
    // One folder is for one engine.
    says(&folder.dz(&["migrate", "diff", "--database", "sqlite"]), 1, &["for postgres, not for sqlite", "`migrations` in dz.toml"]);
}

#[test]
fn mistakes_are_named_and_write_nothing() {
    let folder = Folder::new("migrate-mistakes", &[("app.dsl", SHOP)]);
    says(&folder.dz(&["migrate", "diff", "Add Due"]), 1, &["`add_due_date`", "`Add Due`"]);
    assert_eq!(migrations(&folder), [""; 0]);
    says(&folder.dz(&["migrate", "diff"]), 0, &[]);
    change(&folder, "country: str(40)", "land: str(40) was: contry");
    says(&folder.dz(&["migrate", "diff"]), 1, &["`Maker.land` has `was: contry`"]);
    change(&folder, "land: str(40) was: contry", "land: strr(40)");
    let refused = folder.dz(&["migrate", "diff"]);
    says(&refused, 1, &["unknown-type", "nothing is written"]);
    assert_eq!(out(&refused), "");
    change(&folder, "land: strr(40)", "country: str(40)");
    fs::remove_file(folder.0.join("migrations/schema.toml")).expect("removed");
    says(&folder.dz(&["migrate", "diff"]), 1, &["schema.toml", "restore it"]);
    fs::write(folder.0.join("migrations/schema.toml"), "database = \"oracle\"\n").expect("written");
    says(&folder.dz(&["migrate", "diff"]), 1, &["schema.toml: line 1", "version control"]);
    assert_eq!(migrations(&folder).len(), 1);
}

#[test]
fn a_shorter_wait_is_a_change_of_behaviour() {
    let text = SHOP.replace(
        "  permit:",
        "  stage: enum[fresh, stale] = fresh\n  soft_delete\n  transitions:\n    fresh -> stale: auto after 14 days\n    stale -> fresh\n  permit:",
    );
    let folder = Folder::new("migrate-timers", &[("app.dsl", &text)]);
    says(&folder.dz(&["migrate", "diff"]), 0, &[]);
    change(&folder, "14 days", "36 hours");
    let sooner = ["behavioural", "changes the state of rows of `makers` sooner from `fresh` to `stale`: after 36 hours, not 14 days"];
    says(&folder.dz(&["migrate", "diff", "hurry"]), 0, &sooner);
    let names = migrations(&folder);
    let up = folder.read(&format!("migrations/{}/up.sql", names[1]));
    assert!(up.contains("-- behavioural: changes the state of rows of `makers` sooner"), "{up}");
    assert!(up.contains("-- due: makers 0 1209600 0 129600 \"stage\" = 'fresh' AND \"deleted_at\" IS NULL\n"), "{up}");
    // A longer delay is in the snapshot too, so that the next one is compared with it.
    change(&folder, "36 hours", "1 month");
    says(
        &folder.dz(&["migrate", "diff"]),
        0,
        &["safe", "changes the state of rows of `makers` later from `fresh` to `stale`: after 1 month, not 36 hours"],
    );
    says(&folder.dz(&["migrate", "diff"]), 0, &["nothing to write"]);
    change(&folder, "1 month", "20 days");
    says(&folder.dz(&["migrate", "diff"]), 0, &["behavioural", "after 20 days, not 1 month"]);
    assert_eq!(migrations(&folder).len(), 4);
}

#[test]
fn a_new_required_field_asks_for_the_value_of_existing_rows() {
    for engine in ["sqlite", "postgres"] {
        let folder = Folder::new(&format!("migrate-default-{engine}"), &[("app.dsl", SHOP)]);
        let dz = |args: &[&str]| folder.dz(&[&["migrate", "diff", "--database", engine], args].concat());
        says(&dz(&[]), 0, &[]);
        change(&folder, "country: str(40)", "country: str(40) required\n  founded: int required # by whom?");
        let question = "existing rows need a value of `Maker.country`, `Maker.founded`: give the field a default in the declaration (`= value`) \
                        or here (`--default Maker.country=value`)";
        says(&dz(&[]), 1, &["nothing is written", question]);
        says(&dz(&["--default", "Maker.founded=1900"]), 1, &["existing rows need a value of `Maker.country`:"]);
        for (value, why) in [
            ("Maker.founded=long ago", "error: `--default Maker.founded=long ago`: "),
            ("Maker.founded=current_user", "error: `--default Maker.founded=current_user`: "),
            ("Maker.founded", "is not ENTITY.FIELD=VALUE"),
            ("Maker.name=x", "`Maker.name` is not a field that becomes required without a default"),
            ("Makr.founded=1", "`Makr.founded` is not a field that becomes required"),
        ] {
            says(&dz(&["--default", value]), 1, &[why]);
        }
        assert_eq!(migrations(&folder).len(), 1);
        // A shell removes the quotes.
        let country = if engine == "sqlite" { "Maker.country=PT" } else { "Maker.country=\"PT\"" };
        let written = dz(&["--default", "Maker.founded=1900", "--default", country]);
        says(
            &written,
            0,
            &["backfill     adds the column `makers.founded`", "makes `makers.country` required, and sets a value where it is null"],
        );
        let up = folder.read(&format!("migrations/{}/up.sql", migrations(&folder)[1]));
        assert!(up.contains("1900") && up.contains("'PT'") && !up.contains("dz: value"), "{up}");
        // The value is that of existing rows alone.
        assert!(!folder.read("app.dsl").contains("1900") && !folder.read("migrations/schema.toml").contains("1900"));
        says(&dz(&[]), 0, &["nothing to write"]);
        change(&folder, "founded: int required", "founded: int required\n  size: int required");
        says(&dz(&["--allow-destructive"]), 0, &["wrote", "write the missing values at `dz: value` in its up.sql"]);
        let up = folder.read(&format!("migrations/{}/up.sql", migrations(&folder)[2]));
        assert!(up.contains("NULL /* dz: value of \"makers\".\"size\" in existing rows */"), "{up}");
    }
}

#[test]
fn a_check_fails_for_a_difference_and_writes_nothing() {
    let folder = Folder::new("migrate-check", &[("app.dsl", SHOP)]);
    let missing = "the declaration has changed since the last migration; write the next one with `dz migrate diff`";
    says(&folder.dz(&["migrate", "diff", "--check"]), 1, &["creates the table `makers`", missing]);
    assert!(!folder.0.join("migrations").exists());
    says(&folder.dz(&["migrate", "diff"]), 0, &[]);
    says(&folder.dz(&["migrate", "diff", "--check"]), 0, &["nothing to write"]);
    // A label is not part of the database.
    change(&folder, "entity Maker:", "entity Maker \"Producer\":");
    says(&folder.dz(&["migrate", "diff", "--check"]), 0, &[]);
    change(&folder, "  country: str(40)\n", "");
    let snapshot = folder.read("migrations/schema.toml");
    says(&folder.dz(&["migrate", "diff", "--check"]), 1, &["destructive  drops the column `makers.country`", missing]);
    let output = folder.dz(&["migrate", "diff", "--check", "--format", "json"]);
    assert_eq!((output.status.code(), json(&output)["steps"][0]["class"].as_str()), (Some(1), Some("destructive")));
    assert_eq!((folder.read("migrations/schema.toml"), migrations(&folder).len()), (snapshot, 1));
    says(&folder.dz(&["migrate", "diff", "--check", "name"]), 2, &["cannot be used with"]);
}

#[test]
fn steps_on_postgres_name_their_locks() {
    let folder = Folder::new("migrate-locks", &[("app.dsl", SHOP), ("dz.toml", "[project]\ndatabase = \"postgres\"\n")]);
    says(&folder.dz(&["migrate", "diff"]), 0, &["creates the table `makers`"]);
    change(&folder, "country: str(40)", "country: str(40) indexed");
    let output = folder.dz(&["migrate", "diff", "--check"]);
    says(&output, 1, &["lock: SHARE, while the index is built: writes wait; with `--online`: `CREATE INDEX CONCURRENTLY`"]);
    let steps = json(&folder.dz(&["migrate", "diff", "--check", "--format", "json"]))["steps"].clone();
    assert_eq!(steps[0]["lock"], "SHARE, while the index is built: writes wait");
    assert_eq!(steps[0]["split"], "`CREATE INDEX CONCURRENTLY`, outside a transaction");
    // SQLite has one writer.
    fs::remove_file(folder.0.join("dz.toml")).expect("removed");
    fs::remove_dir_all(folder.0.join("migrations")).expect("removed");
    let steps = json(&folder.dz(&["migrate", "diff", "--check", "--format", "json"]))["steps"].clone();
    assert!(steps[0].get("lock").is_none(), "{steps}");
    says(&folder.dz(&["migrate", "diff", "--online"]), 1, &["`--online` is for PostgreSQL"]);
}

#[test]
fn an_online_migration_is_written_in_two_halves() {
    let folder = Folder::new("migrate-online", &[("app.dsl", SHOP), ("dz.toml", "[project]\ndatabase = \"postgres\"\n")]);
    says(&folder.dz(&["migrate", "diff", "--online"]), 0, &["creates the table `makers`", "_initial_1_expand"]);
    change(&folder, "  country: str(40)\n", "  land: str(40) indexed was: country\n  founded: int required\n");
    let refused = folder.dz(&["migrate", "diff", "--online", "--allow-destructive"]);
    says(
        &refused,
        1,
        &["nothing is written", "`Maker.founded` needs a value in the rows of the previous version", "`--default Maker.founded=value`"],
    );
    let halves = [
        "while instances of the previous version run:\n",
        "adds the column `makers.land` with the values of `country`",
        "lock: ROW EXCLUSIVE: reads and writes continue; a default or a trigger for new rows, then existing rows in batches",
        "adds the column `makers.founded` with a default",
        "lock: SHARE UPDATE EXCLUSIVE: reads and writes continue; `CREATE INDEX CONCURRENTLY`, outside a transaction",
        "when no instance of the previous version runs:\n",
        "drops the column `makers.country`, whose values `land` has",
        "lock: ACCESS EXCLUSIVE, for an instant",
    ];
    says(&folder.dz(&["migrate", "diff", "land", "--online", "--default", "Maker.founded=1900"]), 0, &halves);
    let names = migrations(&folder);
    let ends: Vec<&str> = names[1..].iter().filter_map(|name| name.split_once('_')).map(|(_, end)| end).collect();
    assert_eq!(ends, ["land_1_expand", "land_2_backfill", "land_3_index", "land_4_end", "land_5_contract"]);
    let read = |at: usize, file: &str| folder.read(&format!("migrations/{}/{file}", names[at]));
    assert!(read(1, "up.sql").contains("ADD COLUMN \"founded\" bigint NOT NULL DEFAULT 1900;"), "{}", read(1, "up.sql"));
    assert!(read(3, "up.sql").contains("CREATE INDEX CONCURRENTLY \"makers_land_idx\""), "{}", read(3, "up.sql"));
    assert!(read(5, "up.sql").starts_with("-- dz: contract\n-- safe: drops the default of `makers.founded`"), "{}", read(5, "up.sql"));
    assert!(read(5, "up.sql").contains("ALTER TABLE \"makers\" DROP COLUMN \"country\";"), "{}", read(5, "up.sql"));
    for (at, in_transaction) in [(1, true), (2, false), (3, false), (4, true), (5, true)] {
        assert_eq!(folder.0.join(format!("migrations/{}/metadata.toml", names[at])).exists(), !in_transaction, "{}", names[at]);
    }
    says(&folder.dz(&["migrate", "diff"]), 0, &["nothing to write"]);
    // A dropped field loses its values in the second half.
    change(&folder, "  founded: int required\n", "");
    says(&folder.dz(&["migrate", "diff", "--online"]), 1, &["drops the column `makers.founded` with its values", "--allow-destructive"]);
    let report = json(&folder.dz(&["migrate", "diff", "--online", "--allow-destructive", "--format", "json"]));
    let half = |at: usize| report["steps"][at]["half"].as_str().map(str::to_owned);
    assert_eq!((half(0).as_deref(), half(1).as_deref()), (Some("expand"), Some("contract")));
    assert_eq!(report["migrations"].as_array().map(Vec::len), Some(2));
    assert_eq!(report["written"], report["migrations"][0]);
}
