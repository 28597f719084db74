//! The tests that `dz stubs generate --stories` writes, of an application with services and a language model, of one with tenants, and of
//! one whose stories match transitions and new rows: they compile and pass.

use std::{fs, path::Path, process::Command};

use dz_dsl_file::{SourceMap, analyse, emit::stubs::story};

// It is as the command writes it.
#[rustfmt::skip]
#[path = "story/tests/st_001.rs"]
mod st_001;
// As above.
#[rustfmt::skip]
#[path = "story_of_tenants/tests/st_002.rs"]
mod st_002;
// As above.
#[rustfmt::skip]
#[allow(clippy::single_element_loop, clippy::unnecessary_to_owned, reason = "the generated test has the same form for any number of pages")]
#[path = "story_of_states/tests/st_003.rs"]
mod st_003;
// As above.
#[rustfmt::skip]
#[allow(clippy::single_element_loop, clippy::unnecessary_to_owned, reason = "the generated test has the same form for any number of pages")]
#[path = "story_of_states/tests/st_004.rs"]
mod st_004;

/// The folders of the applications, each with its test.
const APPLICATIONS: [(&str, &str); 4] =
    [("story", "st_001"), ("story_of_tenants", "st_002"), ("story_of_states", "st_003"), ("story_of_states", "st_004")];

#[test]
fn the_tests_are_as_they_are_generated() {
    APPLICATIONS.into_iter().for_each(check_generated);
}

fn check_generated((folder, test): (&str, &str)) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("services").join(folder);
    let declaration = fs::read_to_string(folder.join("app.dsl")).expect("the declaration");
    let analysis = analyse(SourceMap::single("app.dsl", declaration));
    let model = analysis.model.expect("a declaration without errors");
    let file = format!("{test}.rs");
    let of_file = model.stories.iter().find(|it| story::file_name(it) == file).expect("the story");
    let generated = story::create(&model, of_file, "app.dsl");
    let path = folder.join(format!("tests/{test}.rs"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &generated).expect("written");
    }
    assert_eq!(fs::read_to_string(&path).expect("the test"), generated, "UPDATE_EXPECT=1 writes it");
}

#[test]
fn the_applications_start_in_them() {
    for (_, test) in APPLICATIONS {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        let output = command.args([&format!("story::{test}::{test}"), "--exact", "--ignored", "--nocapture"]).output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.contains("1 passed"), "{test}: {text}");
    }
}
