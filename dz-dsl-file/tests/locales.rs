//! Files of other languages: their keys, their findings, and the keys that they lack.

use dz_dsl_file::{SourceMap, analyse, locales, model::Model};

const ORCHARD: &str = r#"module orchard

app orchard "Orchard"

entity Tree "Tree":
  id: uuid pk
  kind: enum[apple, pear]=apple
  planted_on: date
  felled_on: date
  invariant: planted_on = null or felled_on = null or felled_on >= planted_on
    message: "A tree is planted before it grows"
  permit:
    list: authenticated
    read: authenticated

surface tree_list "Trees":
  uses entity Tree
  mode: list
  section main:
    field kind "Sort of {fruit}"
    field planted_on
  ux:
    purpose: "All trees"
"#;

fn model(text: &str) -> Model {
    let analysis = analyse(SourceMap::single("orchard.dsl", text));
    analysis.model.unwrap_or_else(|| panic!("{:?}", analysis.diagnostics))
}

#[test]
fn keys_are_declared_names() {
    let texts = locales::texts(&model(ORCHARD));
    let text = |key: &str| texts.iter().find(|(known, _)| known == key).map(|(_, text)| text.as_str());
    for (key, expected) in [
        ("app-title", "Orchard"),
        ("entity-Tree", "Tree"),
        ("entity-Tree-plural", "Trees"),
        ("field-Tree-planted_on", "Planted on"),
        ("value-TreeKind-pear", "Pear"),
        ("invariant-Tree-1", "A tree is planted before it grows"),
        ("surface-tree_list", "Trees"),
        ("surface-tree_list-purpose", "All trees"),
        ("surface-tree_list-label-kind", "Sort of {\"{\"}fruit{\"}\"}"),
    ] {
        assert_eq!(text(key), Some(expected), "{key} in {texts:#?}");
    }
    // A label that is the title of its field has no key of its own.
    assert_eq!(text("surface-tree_list-label-planted_on"), None);
    let mut keys: Vec<&String> = texts.iter().map(|(key, _)| key).collect();
    keys.sort();
    let count = keys.len();
    keys.dedup();
    assert_eq!(keys.len(), count, "a key is given twice");
}

#[test]
fn a_file_gets_the_keys_that_it_lacks() {
    let model = model(ORCHARD);
    let mine = "# My own order\nsurface-tree_list = Bäume\n\nentity-Tree = Baum";
    let german = locales::complete(&model, "de", mine).expect("keys are missing");
    assert!(german.starts_with(&format!("{mine}\n\n## Texts of the declaration\n\n")), "{german}");
    assert!(german.contains("\nentity-Tree-plural = Trees\n") && german.matches("entity-Tree = ").count() == 1, "{german}");
    assert!(!german.contains("dz-"), "German texts of the framework are part of dz");
    assert_eq!(locales::complete(&model, "de", &german), None);
    assert_eq!(locales::check(&model, &german), []);
    let french = locales::complete(&model, "fr", "").expect("keys are missing");
    assert!(french.contains("\ndz-search = Search\n") && french.contains("\ndz-count-rows =\n    { $count ->\n"), "{french}");
    assert_eq!(locales::complete(&model, "fr", &french), None);
    assert_eq!(locales::check(&model, &french), []);
}

#[track_caller]
fn check(file: &str, expected: &[(usize, &str)]) {
    let found = locales::check(&model(ORCHARD), file);
    let found: Vec<(usize, &str)> = found.iter().map(|finding| (finding.line, finding.message.as_str())).collect();
    assert_eq!(found, expected, "{file}");
}

#[test]
fn keys_without_a_text_are_reported_with_their_line() {
    check("# Texts\n\nentity-Treee = Baum\n", &[(3, "no text has the key `entity-Treee`; did you mean `entity-Tree`?")]);
    check("qqqqqqqqqqqqqqqqqqqq = Baum\n", &[(1, "no text has the key `qqqqqqqqqqqqqqqqqqqq`; remove the line")]);
    check("entity-Tree = Baum\nentity-Tree = Busch\n", &[(2, "the key `entity-Tree` is given twice; the last text is shown")]);
    check("dz-edit-label = { $row } ändern\n", &[(1, "the text `dz-edit-label` has no argument `$row`; it is shown in English")]);
    let found = locales::check(&model(ORCHARD), "entity-Tree = Baum\nBaum\n");
    assert_eq!((found.len(), found[0].line), (1, 2), "{found:?}");
    assert!(found[0].message.starts_with("this is not a text of Fluent"), "{found:?}");
    check("", &[]);
}

#[test]
fn findings_have_a_place_in_the_file() {
    let mut files = SourceMap::default();
    let found = locales::diagnose(&model(ORCHARD), &mut files, "locales/de.ftl", "## Ä\n\nentity-Bush = Busch\n");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].rule, files.text(found[0].span)), ("locale-key", "entity-Bush"));
    assert_eq!(files.file(found[0].span.file).line_column(found[0].span.start), (3, 1));
}
