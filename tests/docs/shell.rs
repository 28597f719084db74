//! Commands in the documentation name programs, subcommands, options, targets and variables that exist.
//!
//! The options of `dz` are checked in `dz-cli`, by the parser of the command itself.

use std::fs;

use crate::{blocks, root};

/// Programs that are not part of this project.
const FOREIGN: &[&str] = &[
    "cat",
    "cp",
    "createdb",
    "curl",
    "docker",
    "export",
    "journalctl",
    "make",
    "mdbook",
    "python3",
    "npx",
    "openapi-python-client",
    "openssl",
    "pg_dump",
    "pg_restore",
    "rm",
    "sqlite3",
    "systemctl",
    "tar",
];

/// The commands of a block: continued lines are joined, and comments and quoted texts are removed.
fn commands(code: &str) -> Vec<String> {
    let joined = code.replace("\\\n", " ");
    let lines = joined.lines().map(|line| line.split(" #").next().unwrap_or_default().trim());
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let parts = lines.map(remove_quotes).collect::<Vec<_>>().join("&&");
    parts.split("&&").map(|part| part.trim().to_owned()).collect()
}

/// A line with `''` for each quoted text.
fn remove_quotes(line: &str) -> String {
    let mut kept = String::new();
    let mut quote = None;
    for c in line.chars() {
        match quote {
            None if matches!(c, '"' | '\'') => {
                quote = Some(c);
                kept.push_str("''");
            }
            None => kept.push(c),
            Some(open) if open == c => quote = None,
            Some(_) => {}
        }
    }
    kept
}

/// The entries of an application's `help`, one text for each.
fn usage() -> Vec<String> {
    let source = fs::read_to_string(root().join("dz-runtime/src/app/command.rs")).expect("the command line");
    let (_, help) = source.split_once("const HELP: &str = \"\\\n").expect("the help");
    let (help, _) = help.split_once("\";").expect("its end");
    let mut entries: Vec<String> = Vec::new();
    for line in help.lines() {
        match line.strip_prefix("  ") {
            Some(first) if !first.starts_with(' ') => entries.push(first.to_owned()),
            Some(more) => entries.last_mut().expect("an entry").push_str(more),
            None => {}
        }
    }
    entries
}

/// The error of a command of an application, if there is one.
fn wrong_app_command(words: &[&str], usage: &[String]) -> Option<String> {
    let plain = words.iter().take_while(|word| word.starts_with(|c: char| c.is_ascii_lowercase())).count();
    let named = |entry: &&String| {
        let known: Vec<&str> = entry.split(" | ").flat_map(|part| part.split_whitespace().take(2)).collect();
        let is_value = |word: &str| word.contains('@') || word.contains("://");
        known.first() == words.first() && (plain < 2 || known.contains(&words[1]) || is_value(words[1]))
    };
    let entries: Vec<&String> = usage.iter().filter(named).collect();
    if entries.is_empty() {
        return Some(format!("`{}` is not a command of an application", words.join(" ")));
    }
    let options = words.iter().map(|word| word.trim_matches(['[', ']'])).filter(|word| word.starts_with("--"));
    let unknown = options.into_iter().find(|option| !entries.iter().any(|entry| entry.contains(option)));
    unknown.map(|option| format!("`{}` has no option `{option}`", words.join(" ")))
}

/// The error of a command of cargo, if there is one.
fn wrong_cargo_command(words: &[&str]) -> Option<String> {
    let value = |flag: &str| words.iter().position(|word| *word == flag).and_then(|at| words.get(at + 1)).copied();
    let folders = fs::read_dir(root()).expect("the root").map(|entry| entry.expect("an entry").path().join("Cargo.toml"));
    let manifests: String = folders
        .chain([root().join("Cargo.toml"), root().join("tests/public-api/Cargo.toml")])
        .filter_map(|path| fs::read_to_string(path).ok())
        .collect();
    let exists = |paths: &[String]| paths.iter().any(|path| root().join(path).exists());
    let package = value("-p").is_none_or(|name| manifests.contains(&format!("name = \"{name}\"")));
    let example = value("--example").is_none_or(|name| exists(&[format!("examples/{name}/main.rs")]));
    let binary = value("--bin").is_none_or(|name| exists(&[format!("benches/src/bin/{name}.rs")]));
    let test = value("--test").is_none_or(|name| {
        let files = ["dz-cli/tests", "dz-dsl-file/tests", "dz-runtime/tests", "ui-tests/tests"];
        let files: Vec<String> =
            files.iter().flat_map(|folder| [format!("{folder}/{name}.rs"), format!("{folder}/{name}/main.rs")]).collect();
        exists(&files) || manifests.contains(&format!("[[test]]\nname = \"{name}\""))
    });
    (!(package && example && binary && test)).then(|| format!("`{}` names something that does not exist", words.join(" ")))
}

/// True if some file of the project reads the variable.
fn is_variable(name: &str) -> bool {
    // Rocket derives the names of its variables from its keys, cargo from the names of profiles.
    if name.starts_with("ROCKET_") || name.starts_with("CARGO_") || ["DATABASE_URL", "TOKEN", "APP_URL"].contains(&name) {
        return true;
    }
    let mut open = ["dz-dsl-file", "dz-reference", "dz-runtime/src", "dz-macros/src", "tests", "benches/src", "fuzz"]
        .map(|it| root().join(it))
        .to_vec();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|it| it == "rs" || it == "sh")
            // This file names variables and reads none.
            && !path.ends_with("docs/shell.rs")
            && fs::read_to_string(&path).is_ok_and(|text| text.contains(name))
        {
            return true;
        }
    }
    // Libraries of tests read them.
    ["UPDATE_EXPECT", "TRYBUILD"].contains(&name)
}

/// The error of a command, if there is one.
fn wrong(command: &str, usage: &[String]) -> Option<String> {
    let mut words: Vec<&str> = command.split_whitespace().collect();
    while let Some((name, _)) = words.first().and_then(|word| word.split_once('=')) {
        if !is_variable(name) {
            return Some(format!("no file reads the variable `{name}`"));
        }
        words.remove(0);
    }
    match words.as_slice() {
        [] | ["dz", ..] => None,
        ["APP", rest @ ..] => wrong_app_command(rest, usage),
        ["cargo", rest @ ..] => wrong_cargo_command(rest),
        [program, ..] if program.contains('/') => (!root().join(program).exists()).then(|| format!("`{program}` does not exist")),
        [program, ..] => (!FOREIGN.contains(program)).then(|| format!("`{program}` is an unknown program")),
    }
}

#[test]
fn commands_exist() {
    let usage = usage();
    assert!(usage.len() > 15, "{usage:?}");
    let mut checked = 0;
    for block in blocks().iter().filter(|block| block.language == "sh") {
        for command in commands(&block.code) {
            checked += 1;
            assert_eq!(wrong(&command, &usage), None, "{}: {command}", block.place);
        }
    }
    assert!(checked > 60, "{checked} commands are fewer than the pages have");
}

#[test]
fn a_wrong_command_is_found() {
    let usage = usage();
    for text in [
        "APP usre list",
        "APP user lsit",
        "APP plan --chek",
        "cargo run --example tsaks",
        "cargo test -p dz-dsl",
        "./tset.sh",
        "crul http://x",
        "DZ_NO_SUCH_VARIABLE=1 cargo test",
    ] {
        assert!(wrong(text, &usage).is_some(), "{text}");
    }
    assert_eq!(commands("a 'x && y' b \\\n  c # d\n# e\n"), ["a '' b    c"]);
}
