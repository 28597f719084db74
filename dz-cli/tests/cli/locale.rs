//! `dz locale extract` adds missing keys, and `dz validate` reports keys that no text has.

use crate::folder::{Folder, json, says};

const BAKERY: &str = r#"
app bakery "Bakery"

entity Loaf "Loaf":
  id: uuid pk
  grain: enum[rye, wheat]=rye
  permit:
    list: authenticated
    read: authenticated

surface loaf_list "Loaves":
  uses entity Loaf
  mode: list
"#;

#[test]
fn missing_keys_are_added_to_the_file_of_a_language() {
    let folder = Folder::new("locale-extract", &[("app.dsl", BAKERY)]);
    says(&folder.dz(&["locale", "extract"]), 1, &["has no file of a language", "dz locale extract de"]);
    says(&folder.dz(&["locale", "extract", "German"]), 1, &["`German` is not the name of a language"]);
    says(&folder.dz(&["locale", "extract", "de"]), 0, &["written", "de.ftl", "keys added"]);
    let file = folder.read("locales/de.ftl");
    assert!(file.contains("\nentity-User-plural = Users\n") && file.contains("\nvalue-LoafGrain-rye = Rye\n"), "{file}");
    says(&folder.dz(&["locale", "extract"]), 0, &["kept"]);
    let mine = file.replace("entity-Loaf = Loaf\n", "entity-Loaf = Brot\n").replace("value-LoafGrain-rye = Rye\n", "");
    std::fs::write(folder.0.join("locales/de.ftl"), &mine).expect("a file");
    let found = json(&folder.dz(&["locale", "extract", "--format", "json"]));
    assert_eq!((found["files"][0]["status"].as_str(), found["files"][0]["added"].as_u64()), (Some("updated"), Some(1)), "{found}");
    let file = folder.read("locales/de.ftl");
    assert!(file.starts_with(&mine) && file.ends_with("\nvalue-LoafGrain-rye = Rye\n"), "{file}");
}

#[test]
fn a_key_without_a_text_is_a_warning() {
    let folder = Folder::new("locale-check", &[("app.dsl", BAKERY), ("locales/de.ftl", "entity-Loaf = Brot\nentity-Loav = Brot\n")]);
    says(&folder.dz(&["validate"]), 0, &["[locale-key]", "de.ftl:2:1", "no text has the key `entity-Loav`; did you mean `entity-Loaf`?"]);
    says(&folder.dz(&["lint"]), 0, &["[locale-key]"]);
    says(&folder.dz(&["explain", "locale-key"]), 0, &["locale-key (warning)", "a key that no text has"]);
    std::fs::write(folder.0.join("dz.toml"), "[lints]\nlocale-key = \"deny\"\n").expect("a file");
    says(&folder.dz(&["validate"]), 1, &["error[locale-key]"]);
    std::fs::write(folder.0.join("dz.toml"), "[project]\nlocales = \"texts\"\n").expect("a file");
    says(&folder.dz(&["validate"]), 0, &["0 errors, 0 warnings"]);
}
