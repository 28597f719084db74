//! What the project is built from: licences, where it comes from, and what must not be part of it.

use std::{env, process::Command};

use dz::serde_json::{self, Value};

/// Licences of which one must be enough.
const LICENCES: &[&str] = &["MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "Zlib", "Unicode-3.0", "Unlicense", "0BSD"];
/// Crates with a licence of another kind, which are part of tests alone or are not changed by us.
const OTHERWISE: &[(&str, &str)] = &[("webdriver", "MPL-2.0"), ("webpki-roots", "CDLA-Permissive-2.0")];
/// Other ways to do what dz does already, or to load what it does not ship.
const BANNED: &[&str] = &["openssl", "openssl-sys", "native-tls", "md5", "sha1", "serde_yaml"];
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The crates that are built on this machine, with every feature.
fn packages() -> Vec<Value> {
    let host = Command::new("rustc").arg("-vV").output().expect("rustc");
    let host =
        String::from_utf8_lossy(&host.stdout).lines().find_map(|line| line.strip_prefix("host: ").map(str::to_owned)).expect("a host");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--format-version", "1", "--locked", "--offline", "--all-features", "--filter-platform", &host]);
    let output = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let whole: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    whole["packages"].as_array().expect("packages").clone()
}

/// True when one of the listed licences is enough for each part of the expression.
fn is_free(expression: &str) -> bool {
    let plain = expression.replace('/', " OR ").replace(['(', ')'], " ");
    let one_of =
        |part: &str| part.split(" OR ").any(|name| LICENCES.contains(&name.trim().split(" WITH ").next().unwrap_or_default().trim()));
    plain.split(" AND ").all(one_of)
}

#[test]
fn licences_sources_and_bans() {
    let packages = packages();
    assert!(packages.len() > 50, "{} packages are too few to tell", packages.len());
    for package in &packages {
        let (name, licence) = (package["name"].as_str().unwrap_or_default(), package["license"].as_str().unwrap_or("none"));
        assert!(is_free(licence) || OTHERWISE.contains(&(name, licence)), "{name} has the licence {licence}");
        let source = &package["source"];
        assert!(source.is_null() || source == REGISTRY, "{name} comes from {source}");
        assert!(!BANNED.contains(&name), "{name} must not be part of dz");
    }
}

#[test]
fn expressions_of_licences() {
    assert!(is_free("MIT OR Apache-2.0") && is_free("Apache-2.0/MIT") && is_free("(MIT OR Apache-2.0) AND Unicode-3.0"));
    assert!(is_free("Apache-2.0 WITH LLVM-exception OR GPL-3.0"));
    assert!(!is_free("GPL-3.0") && !is_free("MIT AND GPL-2.0") && !is_free("none"));
}
