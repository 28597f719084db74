//! Every block of code in the documentation is checked by the rules of its language.

use std::{collections::BTreeMap, fs};

use dz::{
    rocket::figment::{
        Figment,
        providers::{Format, Toml},
        value::Value,
    },
    serde_json,
};
use dz_dsl_file::{
    Severity, SourceMap, analyse,
    project::read,
    render::{Colour, human},
};

use crate::{Block, blocks, page, root};

/// Languages without a check: output and protocols, and files of programs that the tests do not install.
const SHOWN: &[&str] = &["text", "http", "sql", "ini", "nginx", "haproxy", "caddyfile", "dockerfile", "graphql", "lua"];

#[test]
fn every_block_has_a_language_that_is_checked() {
    // `tests/clients.sh` checks the blocks in TypeScript.
    let checked = ["rust", "dz", "toml", "sh", "json", "ts", "html"];
    for block in blocks() {
        let known = checked.contains(&block.language.as_str()) || SHOWN.contains(&block.language.as_str());
        assert!(known, "{}: no check for blocks of the language `{}`", block.place, block.language);
    }
}

/// A block of Rust names the compiled file that contains it, line by line.
#[test]
fn rust_is_part_of_a_file_that_is_compiled() {
    for Block { place, code, source, .. } in blocks().into_iter().filter(|block| block.language == "rust") {
        let source = source.unwrap_or_else(|| panic!("{place}: write `<!-- from path -->` above the block"));
        let is_compiled = ["examples/", "tests/app/", "tests/docs/", "tests/templates/"].iter().any(|folder| source.starts_with(folder));
        assert!(is_compiled, "{place}: `{source}` is not compiled here");
        let file = fs::read_to_string(root().join(&source)).unwrap_or_else(|error| panic!("{place}: {source}: {error}"));
        assert!(file.contains(&code), "{place}: {source} does not contain this block");
    }
}

/// A block in HTML is a template that a test serves; the file can lack the last line feed.
#[test]
fn html_is_a_template_that_is_compiled() {
    for Block { place, code, source, .. } in blocks().into_iter().filter(|block| block.language == "html") {
        let source = source.unwrap_or_else(|| panic!("{place}: write `<!-- from path -->` above the block"));
        assert!(source.starts_with("tests/templates/"), "{place}: `{source}` is no template of the tests");
        let file = fs::read_to_string(root().join(&source)).unwrap_or_else(|error| panic!("{place}: {source}: {error}"));
        assert_eq!(file.trim_end(), code.trim_end(), "{place} is not {source}");
    }
}

#[test]
fn declarations_validate() {
    // The blocks of the tutorial are steps, which `tutorial.rs` checks together.
    let alone = |block: &Block| block.language == "dz" && !block.place.starts_with("docs/tutorial.md:");
    for Block { place, code, source, .. } in blocks().into_iter().filter(alone) {
        let analysis = analyse(SourceMap::single("app.dsl", code.clone()));
        let found = analysis.diagnostics.iter().filter(|it| it.severity != Severity::Lint);
        let found: Vec<String> = found.map(|it| human(&analysis.files, it, Colour::Never)).collect();
        assert!(analysis.model.is_some() && found.is_empty(), "{place}:\n{}", found.join("\n"));
        if let Some(source) = source {
            assert_eq!(fs::read_to_string(root().join(&source)).expect("a file"), code, "{place} is not {source}");
        }
    }
}

#[test]
fn json_can_be_read() {
    for block in blocks().into_iter().filter(|block| block.language == "json") {
        serde_json::from_str::<serde_json::Value>(&block.code).unwrap_or_else(|error| panic!("{}: {error}", block.place));
    }
}

/// The keys of each table in docs/configuration.md, which a test of the runtime generates from the code: `default.dz.pool_size`.
fn configuration_keys() -> Vec<String> {
    let mut table = String::new();
    let mut keys = Vec::new();
    for line in page("docs/configuration.md").text.lines() {
        if line.starts_with('#') {
            table =
                line.split_once("`[").and_then(|(_, rest)| rest.split_once(']')).map_or_else(String::new, |(table, _)| table.to_owned());
        } else if let (false, Some(row)) = (table.is_empty(), line.strip_prefix("| `")) {
            keys.push(format!("{table}.{}", row.split('`').next().unwrap_or_default()));
        }
    }
    keys
}

/// Fails for a key that the page does not list. The name of a provider or an intent is not a key.
fn check_keys(place: &str, table: &str, value: &Value, keys: &[String]) {
    for (key, value) in value.as_dict().into_iter().flatten() {
        let path =
            if matches!(table, "default.dz.oidc" | "default.dz.intents") { format!("{table}.<name>") } else { format!("{table}.{key}") };
        let listed = keys.iter().any(|known| *known == path || known.starts_with(&format!("{path}.")));
        assert!(listed, "{place}: docs/configuration.md has no key `{path}`");
        check_keys(place, &path, value, keys);
    }
}

/// Configuration and manifests use keys that exist.
#[test]
fn toml_has_keys_that_exist() {
    let keys = configuration_keys();
    assert!(keys.len() > 15, "{keys:?}");
    for Block { place, code, .. } in blocks().into_iter().filter(|block| block.language == "toml") {
        let table = Figment::from(Toml::string(&code)).extract::<BTreeMap<String, Value>>();
        let table = table.unwrap_or_else(|error| panic!("{place}: {error}"));
        for (name, value) in &table {
            match name.as_str() {
                // Those of Helix are the editor's own.
                "dependencies" | "dev-dependencies" | "grammar" | "language" | "language-server" => {}
                "project" | "lints" | "theme" | "ejection" => {
                    read(&code).unwrap_or_else(|error| panic!("{place}: {error}"));
                }
                "default" | "debug" | "release" => {
                    if let Some(dz) = value.find_ref("dz") {
                        check_keys(&place, "default.dz", dz, &keys);
                    }
                }
                other => panic!("{place}: no check for the table `{other}`"),
            }
        }
    }
}

/// The manifest in the README lists what the code beside it needs.
#[test]
fn the_manifest_of_the_readme_is_complete() {
    let blocks = page("README.md").blocks();
    let of = |language: &str| blocks.iter().filter(|it| it.language == language).map(|it| it.code.as_str()).collect::<String>();
    let (code, manifest) = (of("rust"), of("toml"));
    // The expansion of a declaration names `diesel`.
    let mut needed = vec!["dz", "diesel"];
    for name in ["rocket", "chrono", "serde", "serde_json", "uuid", "tracing"] {
        let path = format!("{name}::");
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
        if code.match_indices(&path).any(|(at, _)| !code[..at].ends_with(is_part)) {
            needed.push(name);
        }
    }
    for name in &needed {
        assert!(manifest.contains(&format!("\n{name} = ")), "the manifest lacks `{name}`");
    }
    assert!(needed.contains(&"rocket"), "the example has a route");
}

/// The error in the README is what the language reports for the declaration above it.
#[test]
fn the_error_of_the_readme_is_reported() {
    let blocks = page("README.md").blocks();
    let declaration = blocks.iter().find(|block| block.language == "dz").expect("a declaration");
    let shown = blocks.iter().find(|block| block.code.starts_with("error[")).expect("an error");
    let wrong = declaration.code.replacen("or employee = ", "or emploee = ", 1);
    let analysis = analyse(SourceMap::single("app.dsl", wrong));
    let errors = analysis.diagnostics.iter().filter(|it| it.severity == Severity::Error);
    let others: Vec<&str> = analysis.diagnostics.iter().filter(|it| it.severity != Severity::Error).map(|it| it.rule).collect();
    assert_eq!(others, [""; 0], "no other finding");
    let found: Vec<String> = errors.map(|it| human(&analysis.files, it, Colour::Never)).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].trim_end(), shown.code.trim_end());
}
