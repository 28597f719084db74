//! `import`: a large CSV file in several transactions, with an error in the middle, on both engines.

use std::{fs, path::PathBuf, process::Output, thread::sleep, time::Duration};

use dz::{Engine, serde_json};

use crate::{personal_data::count, server};

dz::dz! {
    app quarry_books "Quarry books"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Load "Load":
      id: uuid pk
      number: int required unique
      tons: decimal(8,2) required
      invariant: tons > 0
        message: "A load weighs something"
      permit:
        list: true
        read: true

    entity Trip "Trip":
      id: uuid pk
      route: str(60) required
      permit:
        list: true
        read: true
}

#[test]
#[ignore = "the tests start it in a process of its own"]
fn child() {
    server::obey(app());
}

#[test]
#[ignore = "the tests start it in a process of its own"]
fn slow_child() {
    let wait = Duration::from_millis(2_500);
    server::obey(app().before_create::<trip::Trip>(move |_, _| {
        sleep(wait);
        Ok(())
    }));
}

#[test]
fn a_long_import_shows_its_progress_unless_a_program_reads_it() {
    let url = server::new_url(Engine::Sqlite, "slow-trips");
    let path = PathBuf::from(server::new_file("slow-trips-file").trim_start_matches("sqlite://")).with_extension("csv");
    fs::write(&path, "route\nQuarry to harbour\n").expect("a file");
    let file = path.to_str().expect("UTF-8");
    let errors = |words: &[&str]| {
        let output = server::command("import_command::slow_child", Engine::Sqlite, &url, words).output().expect("it runs");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(errors(&["import", "Trip", file]).contains("0 rows are stored ("));
    assert!(!errors(&["import", "Trip", file, "--format", "json"]).contains(" s)\n"));
}

fn run(engine: Engine, url: &str, words: &[&str]) -> (bool, String) {
    let Output { status, stdout, stderr } = server::command("import_command::child", engine, url, words).output().expect("it runs");
    (status.success(), String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr))
}

/// A file with 2,500 loads, one of which has this weight.
fn write_file(path: &PathBuf, weight: &str) {
    let rows = (1..=2_500).map(|number| format!("{number},{}\n", if number == 2_201 { weight } else { "1.50" }));
    fs::write(path, format!("\u{feff}number,tons\n{}", rows.collect::<String>())).expect("a file");
}

fn check_import(engine: Engine) {
    let url = server::new_url(engine, "loads");
    let path = PathBuf::from(server::new_file("loads-file").trim_start_matches("sqlite://")).with_extension("csv");
    let file = path.to_str().expect("UTF-8");
    let stored = || count(engine, &url, "SELECT count(*) AS count FROM loads");
    write_file(&path, "-1");
    let (success, text) = run(engine, &url, &["import", "Load", file]);
    assert!(!success && text.contains("row 2202:") && text.contains("A load weighs something") && text.contains("2000 rows"), "{text}");
    assert_eq!(stored(), 2_000, "the transactions before the error are stored");
    // A file whose stored part differs is refused, however long it is.
    for other in ["number,tons\n9001,1.50\n", "number,tons\n"] {
        fs::write(&path, other).expect("a file");
        let (success, text) = run(engine, &url, &["import", "Load", file]);
        assert!(!success && text.contains("has stored 2000 rows") && text.contains("`--restart`"), "{text}");
    }
    let rows = (1..=2_500).filter(|number| *number != 7).map(|number| format!("{number},1.50\n"));
    fs::write(&path, format!("number,tons\n{}", rows.collect::<String>())).expect("a file without a row");
    let (success, text) = run(engine, &url, &["import", "Load", file]);
    assert!(!success && text.contains("now begins with other rows"), "{text}");
    assert_eq!(stored(), 2_000);
    write_file(&path, "2");
    let (success, text) = run(engine, &url, &["import", "Load", file, "--format", "json"]);
    assert!(success && text.contains("continues after 2000 rows"), "{text}");
    let start = text.find("{\"").expect("JSON");
    let report: serde_json::Value = serde_json::Deserializer::from_str(&text[start..]).into_iter().next().expect("JSON").expect("JSON");
    assert_eq!((&report["rows"], &report["created"]), (&2_500.into(), &500.into()), "{report}");
    assert_eq!(stored(), 2_500);
    assert_eq!(count(engine, &url, "SELECT count(*) AS count FROM dz_meta WHERE key LIKE 'import %'"), 0);
    // A complete import leaves no progress, so the same file begins again.
    let (success, text) = run(engine, &url, &["import", "Load", file]);
    assert!(!success && text.contains("row 2:"), "{text}");
    for (words, expected) in [
        (&["import", "Laod", file][..], "did you mean `Load`"),
        (&["import", "Load", "no-such-file.csv"], "no-such-file.csv"),
        (&["import", "Load"], "`import` needs an entity and a file"),
    ] {
        let (success, text) = run(engine, &url, words);
        assert!(!success && text.contains(expected), "{words:?}: {text}");
    }
}

#[test]
fn a_large_file_is_imported_in_parts_on_sqlite() {
    check_import(Engine::Sqlite);
}

#[test]
fn a_large_file_is_imported_in_parts_on_postgres() {
    check_import(Engine::Postgres);
}

/// Two runs at once: the second one takes over, and each row is stored once.
fn check_two_runs(engine: Engine) {
    let url = server::new_url(engine, "trips");
    let path = PathBuf::from(server::new_file("trips-file").trim_start_matches("sqlite://")).with_extension("csv");
    let file = path.to_str().expect("UTF-8");
    // A file without rows, so that the tables exist before the runs.
    fs::write(&path, "route\n").expect("a file");
    let (success, text) = run(engine, &url, &["import", "Trip", file]);
    assert!(success && text.contains("0 rows"), "{text}");
    let rows = (1..=20_000).map(|_| "Quarry to harbour\n");
    fs::write(&path, format!("route\n{}", rows.collect::<String>())).expect("a file");
    let progress = || count(engine, &url, "SELECT count(*) AS count FROM dz_meta WHERE key LIKE 'import Trip %'");
    let (first, second) = std::thread::scope(|scope| {
        let first = scope.spawn(|| run(engine, &url, &["import", "Trip", file]));
        while progress() == 0 && !first.is_finished() {
            sleep(Duration::from_millis(5));
        }
        let second = run(engine, &url, &["import", "Trip", file]);
        (first.join().expect("it ends"), second)
    });
    assert!(second.0, "{}", second.1);
    // A first run that ends before the second one begins is an import of its own.
    let expected = if first.0 { 40_000 } else { 20_000 };
    assert!(first.0 || first.1.contains("another run of the same import has started"), "{}", first.1);
    assert_eq!(count(engine, &url, "SELECT count(*) AS count FROM trips"), expected);
}

#[test]
fn two_runs_at_once_store_each_row_once_on_sqlite() {
    check_two_runs(Engine::Sqlite);
}

#[test]
fn two_runs_at_once_store_each_row_once_on_postgres() {
    check_two_runs(Engine::Postgres);
}
