//! The test that `dz stubs generate --stories` writes, of an application with services and a language model: it compiles and passes.

use std::{fs, path::Path, process::Command};

use dz_dsl_file::{SourceMap, analyse, emit::stubs::story};

// It is as the command writes it.
#[rustfmt::skip]
#[path = "story/tests/st_001.rs"]
mod st_001;

/// The folder of the application.
fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("services/story")
}

#[test]
fn the_test_is_as_it_is_generated() {
    let declaration = fs::read_to_string(folder().join("app.dsl")).expect("the declaration");
    let analysis = analyse(SourceMap::single("app.dsl", declaration));
    let model = analysis.model.expect("a declaration without errors");
    let generated = story::create(&model, model.stories.first().expect("a story"), "app.dsl");
    let path = folder().join("tests/st_001.rs");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &generated).expect("written");
    }
    assert_eq!(fs::read_to_string(&path).expect("the test"), generated, "UPDATE_EXPECT=1 writes it");
}

#[test]
fn an_application_with_services_and_a_language_model_starts_in_it() {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    let output = command.args(["story::st_001::st_001", "--exact", "--ignored", "--nocapture"]).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}
