//! The boundaries between crates and layers, read from manifests and `use` lines.

#[path = "layers/exhaustive.rs"]
mod exhaustive;
#[path = "layers/runtime.rs"]
mod runtime;
#[path = "layers/source.rs"]
mod source;

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder").to_path_buf()
}

/// Every Rust file below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The code of a file, without comments.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Dependencies of a crate on crates of this workspace.
fn own_dependencies(manifest: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(manifest)).expect("a manifest");
    let mut section = String::new();
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']').to_owned();
        } else if section == "dependencies" && line.starts_with("dz") {
            found.push(line.split(['.', ' ', '=']).next().unwrap_or_default().to_owned());
        }
    }
    found
}

#[test]
fn crates_depend_as_the_architecture_says() {
    for (manifest, allowed) in [
        ("dz-graphql/Cargo.toml", &["dz-vocabulary"][..]),
        ("dz-openapi/Cargo.toml", &["dz-vocabulary"]),
        ("dz-settings/Cargo.toml", &[]),
        ("dz-vocabulary/Cargo.toml", &[]),
        ("dz-dsl-file/Cargo.toml", &["dz-graphql", "dz-openapi", "dz-settings", "dz-vocabulary"]),
        ("dz-runtime/Cargo.toml", &["dz-graphql", "dz-openapi", "dz-settings", "dz-vocabulary"]),
        ("dz-macros/Cargo.toml", &["dz-dsl-file", "dz-vocabulary"]),
        ("dz-knowledge/Cargo.toml", &["dz-dsl-file"]),
        ("dz-reference/Cargo.toml", &["dz-dsl-file"]),
        ("dz-eject/Cargo.toml", &["dz-dsl-file"]),
        ("dz-cli/Cargo.toml", &["dz-dsl-file", "dz-eject", "dz-knowledge", "dz-reference"]),
        ("Cargo.toml", &["dz-macros", "dz-runtime"]),
    ] {
        let mut found = own_dependencies(manifest);
        assert!(allowed.is_empty() || !found.is_empty(), "{manifest} was not understood");
        found.retain(|name| !allowed.contains(&name.as_str()));
        assert!(found.is_empty(), "{manifest} depends on {found:?}");
    }
}

#[test]
fn the_command_line_needs_neither_rocket_nor_diesel() {
    let manifest = fs::read_to_string(root().join("dz-cli/Cargo.toml")).expect("a manifest");
    assert!(!manifest.contains("rocket") && !manifest.contains("diesel"));
}

#[test]
fn layers_of_the_language_see_only_what_is_below_them() {
    let src = root().join("dz-dsl-file/src");
    for (layer, forbidden) in [
        ("syntax", &["model", "lower", "rules", "facts"][..]),
        ("model", &["syntax", "lower", "rules", "facts"]),
        ("facts", &["syntax", "lower", "rules"]),
        ("rules", &["syntax", "lower"]),
        ("emit", &["syntax", "lower", "rules", "facts"]),
    ] {
        let mut files = sources(&src.join(layer));
        files.push(src.join(format!("{layer}.rs")));
        for file in files {
            let code = code(&file);
            for word in forbidden {
                let grouped = code.lines().any(|line| line.starts_with(&format!("    {word}::")) || line == format!("    {word},"));
                assert!(!code.contains(&format!("crate::{word}")) && !grouped, "{} sees {word}", file.display());
            }
        }
    }
}

#[test]
fn the_language_and_its_graph_do_no_input_or_output() {
    for file in ["dz-dsl-file/src", "dz-eject/src", "dz-knowledge/src"].into_iter().flat_map(|folder| sources(&root().join(folder))) {
        let code = code(&file);
        for word in ["std::fs", "std::env", "std::net", "proc_macro", "println!"] {
            assert!(!code.contains(word), "{} uses {word}", file.display());
        }
    }
}

/// The folders with the sources of all crates of the workspace except the tests and the benches.
fn crates() -> Vec<String> {
    let entries =
        fs::read_dir(root()).expect("the workspace").map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut folders: Vec<String> = entries.filter(|name| name.starts_with("dz-")).map(|name| format!("{name}/src")).collect();
    folders.push("src".to_owned());
    folders.retain(|folder| root().join(folder).is_dir());
    folders.sort();
    assert!(folders.len() > 10, "{folders:?}");
    folders
}

#[test]
fn every_file_says_what_it_is_for_and_is_one_thing() {
    for folder in crates().into_iter().chain(["examples".to_owned(), "tests".to_owned()]) {
        for file in sources(&root().join(folder)) {
            let text = fs::read_to_string(&file).expect("a file");
            assert!(text.starts_with("//!"), "{} does not begin with a sentence about itself", file.display());
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            assert!(!matches!(name.as_str(), "utils" | "util" | "helpers" | "misc"), "{} has no subject", file.display());
            let is_test = file.components().any(|part| part.as_os_str() == "tests") || name == "tests";
            let lines = text.lines().count();
            assert!(is_test || lines <= 500, "{} has {lines} lines", file.display());
        }
    }
}

#[test]
fn all_crates_have_one_version() {
    for manifest in [
        "dz-graphql",
        "dz-openapi",
        "dz-settings",
        "dz-vocabulary",
        "dz-dsl-file",
        "dz-knowledge",
        "dz-reference",
        "dz-macros",
        "dz-runtime",
        "dz-cli",
        "dz-eject",
    ] {
        let text = fs::read_to_string(root().join(manifest).join("Cargo.toml")).expect("a manifest");
        assert!(text.contains("version.workspace = true"), "{manifest}");
    }
}

/// A new field type must fail to compile in every match on field types, so none of these has a wildcard.
#[test]
fn matches_on_enums_of_dz_are_exhaustive() {
    let (mut wildcards, mut comparisons) = (Vec::new(), Vec::new());
    for folder in crates() {
        for file in sources(&root().join(folder)) {
            let path = file.display().to_string();
            let text = fs::read_to_string(&file).expect("a file");
            // Tests expect one shape.
            let found = if path.contains("/tests") { Default::default() } else { exhaustive::Found::read(&text, &path) };
            wildcards.extend(found.wildcards.into_iter().map(|(line, name)| format!("{path}:{line}: {name}")));
            comparisons.extend(found.comparisons.into_iter().map(|(line, name)| format!("{path}:{line}: {name}")));
        }
    }
    assert!(wildcards.is_empty(), "wildcards in matches on enums of dz: {wildcards:#?}");
    assert!(
        comparisons.is_empty(),
        "field types are compared outside their own file; make the question a method of the type: {comparisons:#?}"
    );
}

/// `println!` and similar macros panic if the output is closed, which would end requests, threads and commands.
#[test]
fn output_is_written_in_one_place() {
    for (folder, place) in [("dz-runtime/src", "output.rs"), ("dz-cli/src", "output.rs")] {
        for path in sources(&root().join(folder)).into_iter().filter(|path| !path.ends_with(place)) {
            for macro_name in ["println!", "eprintln!", " print!", "eprint!", "dbg!", "tracing::error!", "tracing::warn!", "tracing::info!"]
            {
                assert!(!code(&path).contains(macro_name), "{} uses {macro_name}; {folder}/{place} has what to use", path.display());
            }
        }
    }
}

/// Keys and variables that are not declared as settings would have no documentation, and a wrong value would be ignored.
#[test]
fn settings_are_read_in_one_place() {
    let readers = ["env::var", "extract_inner", "find_value", ".extract("];
    let allowed = [
        "dz-runtime/src/config/source.rs",
        "dz-runtime/src/testing/environment.rs",
        // Rocket's own keys.
        "dz-runtime/src/config.rs",
        "dz-runtime/src/app/rocket.rs",
        // Variables that a declaration names.
        "dz-runtime/src/llm/models.rs",
        "dz-runtime/src/adapter/declared.rs",
        // Without its table, the settings of object storage are the variables of Amazon's tools.
        "dz-runtime/src/config/storage.rs",
        // Variables of the C library, which are set for the process that follows.
        "dz-runtime/src/app/allocator.rs",
        // The variable of `dz dev`, which only debug builds read.
        "dz-runtime/src/app/development.rs",
        // Variables of cargo and of terminals.
        "dz-macros/src/manifest.rs",
        "dz-cli/src/output.rs",
        // A report about the variables that an application would read.
        "dz-cli/src/doctor/environment.rs",
        "dz-cli/src/doctor/settings.rs",
        "dz-cli/src/doctor/storage.rs",
        // Sources of credentials that the library of object storage reads.
        "dz-runtime/src/files/bucket.rs",
    ];
    let mut found = Vec::new();
    for folder in ["src", "dz-runtime/src", "dz-macros/src", "dz-cli/src", "dz-settings/src", "dz-vocabulary/src", "dz-openapi/src"] {
        for path in sources(&root().join(folder)) {
            let is_test = path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("db/testing.rs");
            let is_allowed = allowed.iter().any(|place| path == root().join(place));
            let code = code(&path);
            let own = code.split("#[cfg(test)]").next().unwrap_or_default();
            if !is_test && !is_allowed && readers.iter().any(|reader| own.contains(reader)) {
                found.push(path.display().to_string());
            }
        }
    }
    assert!(found.is_empty(), "declare a key with `dz_settings::settings!`, and read it there: {found:#?}");
}

/// A job that waits on a thread of its own for a slot takes that thread from all others.
#[test]
fn blocking_threads_are_taken_in_one_place() {
    let places = ["dz-runtime/src/blocking.rs", "dz-runtime/src/worker.rs"].map(|path| root().join(path));
    let is_test = |path: &Path| path.ends_with("tests.rs");
    for path in sources(&root().join("dz-runtime/src")).into_iter().filter(|path| !places.contains(path) && !is_test(path)) {
        // The tests of a file are at its end.
        let own = code(&path).split("#[cfg(test)]").next().unwrap_or_default().to_owned();
        assert!(!own.contains("spawn_blocking"), "{} takes a blocking thread; `State::threads` has slots for it", path.display());
        let starts = ["thread::spawn", "thread::Builder", "new_multi_thread"].iter().any(|start| own.contains(start));
        // A thread renews the leases of jobs, a service that hangs keeps no other thread, and
        // the output of worker processes is read. A debug build waits for edits of `dz dev` as long as it runs. One thread sends the
        // spans of traces, one each sends and receives the notifications of instances, and one sends requests to a bucket of files.
        // A thread checks each replica, and one whether the database answers; both may wait for it. One prints the progress of a command.
        let allowed = [
            "app/development.rs",
            "accounts/hashers.rs",
            "output/progress.rs",
            "db/notices.rs",
            "db/replicas/watch.rs",
            "web/health.rs",
            "files/bucket.rs",
            "service/threads.rs",
            "service/python/worker.rs",
            "worker/jobs.rs",
            "src/otlp.rs",
        ];
        let is_allowed = allowed.iter().any(|allowed| path.ends_with(allowed));
        assert!(!starts || is_allowed, "{} starts a thread; `State::threads` has slots for work", path.display());
    }
}
