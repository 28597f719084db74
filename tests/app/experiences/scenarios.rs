//! `seed --scenario`, on both engines.

use dz::Engine;

use crate::server::{command, new_url, obey};

/// The application with the command line of another program.
#[test]
#[ignore = "run by the tests of this file"]
fn gardens() {
    obey(super::app());
}

/// Runs a command, and returns its exit code and its output.
fn run(engine: Engine, url: &str, words: &[&str]) -> (i32, String) {
    let output = command("experiences::scenarios::gardens", engine, url, words).output().expect("the program runs");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code().expect("an exit code"), text)
}

#[test]
fn a_scenario_adds_its_rows_to_the_demo_data() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let url = new_url(engine, "gardens");
        let (code, text) = run(engine, &url, &["seed", "--scenario", "full_season"]);
        assert_eq!(code, 0, "{engine:?}: {text}");
        for line in [
            " rows",
            "Start: /app/plot_list  (Steward)",
            "Sign in: sue@allotments.example / keeps the keys here  (Steward)",
            "Start: /app/-/experience/first_lease  (Gardener)",
            "Sign in: gale@allotments.example / grows the leeks  (Gardener)",
        ] {
            assert!(text.contains(line), "{engine:?}: `{line}` is not in:\n{text}");
        }
        let (code, text) = run(engine, &url, &["seed", "--scenario", "full_season"]);
        assert!(code == 0 && text.contains("in the database already"), "{engine:?}: {text}");
        let (code, text) = run(engine, &url, &["seed", "--scenario", "full_seson"]);
        assert!(code != 0 && text.contains("has no scenario `full_seson`; did you mean `full_season`?"), "{engine:?}: {text}");
        let (code, text) = run(engine, &url, &["seed", "--scenario"]);
        assert!(code != 0 && text.contains("`seed` takes `--scenario NAME`, or nothing"), "{engine:?}: {text}");
        let (code, text) = run(engine, &url, &["user", "list"]);
        assert!(code == 0 && text.contains("gale@allotments.example"), "{engine:?}: {text}");
    }
}
