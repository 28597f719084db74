//! docs/configuration.md is generated from the declarations of the keys; `UPDATE_EXPECT=1` writes it.

use std::fmt::Write as _;

use dz_dsl_file::project::ProjectFile;
use dz_settings::{Key, Settings as _};
use expect_test::expect_file;

use crate::config::Settings;

const RUNTIME: &str = "\
# Configuration

This page lists every key of the configuration: the keys of a running application, and those of `dz.toml`, which a build and the commands read.
It is generated from the declarations of the keys.

An application reads Rocket's configuration: `Rocket.toml` (or the file that `ROCKET_CONFIG` names), then the environment.
The keys of dz are in the table `dz` of a profile:

```toml
[default]
address = \"127.0.0.1\"
port = 8000

[default.dz]
pool_size = 16
registration = true

[release.dz]
public_url = \"https://tasks.example.com\"
```

In the environment the same table is `ROCKET_DZ`: `ROCKET_DZ='{pool_size=16}'`.
The profile is `debug` in a debug build and `release` in a release build; `ROCKET_PROFILE` names another.
An application with an unknown key or an invalid value does not start; the message names the key, the value and the accepted values.
An empty text has the same meaning as no key.
";

const VARIABLES: &str = "
## Environment variables

These variables take precedence over their keys.
A list in a variable is separated by commas.
In the name of a variable, `<NAME>` is the name of the provider in capitals, with `_` for `-`.

| Variable | Key |
|---|---|
";

const PROJECT: &str = "
## `dz.toml`

`dz.toml` is in the folder of `Cargo.toml`.
The macros and the [command](cli.md) read it.

```toml
[project]
database = \"sqlite\"           # or \"postgres\"
keys = \"typed\"                # keys in Rust are `Id<Task>`; without this line they are `Uuid`
migrations = \"migrations\"     # the folder of migrations
locales = \"locales\"           # the folder of the texts in other languages
templates = \"templates\"       # the folder of your own templates

[lints]
dead-surface = \"warn\"         # \"allow\", \"warn\" or \"deny\", for each rule
```

`include_dsl!(\"app.dsl\", migrations = \"db/shop\")` replaces `database`, `keys`, `migrations`, `locales`, `templates`, `history_partitions` or `tenant_partitions` (as texts) for one application of a package.
";

/// A table of keys, and then the tables that are their values.
fn write_table(page: &mut String, heading: &str, path: &str, keys: &[Key]) {
    let _ = write!(page, "\n{heading} `[{path}]`\n\n| Key | Value | Default | Meaning |\n|---|---|---|---|\n");
    for Key { name, accepted, default, documentation, .. } in keys {
        let default = default.as_deref().unwrap_or("required");
        let _ = writeln!(page, "| `{name}` | {} | {default} | {documentation} |", without_article(accepted));
    }
    for key in keys.iter().filter(|key| !key.keys.is_empty()) {
        write_table(page, "###", &table_path(path, key), &key.keys);
    }
}

fn table_path(path: &str, key: &Key) -> String {
    let several = if key.accepted == "a table" { "" } else { ".<name>" };
    format!("{path}.{}{several}", key.name)
}

fn without_article(accepted: &str) -> &str {
    ["a ", "an ", "the "].iter().find_map(|article| accepted.strip_prefix(article)).unwrap_or(accepted)
}

fn write_variables(page: &mut String, path: &str, keys: &[Key]) {
    for key in keys {
        if let Some(variable) = key.variable {
            let _ = writeln!(page, "| `{variable}` | `{path}.{}` |", key.name);
        }
        write_variables(page, &table_path(path, key), &key.keys);
    }
}

#[test]
fn the_page_lists_every_key() {
    let keys = Settings::keys();
    let mut page = RUNTIME.to_owned();
    write_table(&mut page, "##", "default.dz", &keys);
    page.push_str(VARIABLES);
    write_variables(&mut page, "dz", &keys);
    page.push_str(PROJECT);
    for key in ProjectFile::keys() {
        if key.keys.is_empty() {
            let _ = write!(page, "\n### `[{}]`\n\n{}\n", key.name, key.documentation);
        } else {
            write_table(&mut page, "###", key.name, &key.keys);
        }
    }
    expect_file!["../../../../docs/configuration.md"].assert_eq(&page);
}

/// Every key has a sentence, which ends with a full stop.
#[test]
fn every_key_is_documented() {
    let mut open = [Settings::keys(), ProjectFile::keys()].concat();
    assert!(open.len() > 20);
    let mut examples = Vec::new();
    while let Some(key) = open.pop() {
        // The example of an address is one that this key would have.
        if let Some(example) = key.accepted.split('`').find(|part| part.starts_with("http")) {
            assert!(!examples.contains(&example.to_owned()), "{}: {example} is the example of another key", key.name);
            examples.push(example.to_owned());
        }
        assert!(key.documentation.ends_with('.'), "{}: {}", key.name, key.documentation);
        assert!(key.default.as_deref() != Some(""), "{} has no default", key.name);
        open.extend(key.keys);
    }
}
