//! The knowledge of dz: every entry is complete, its declaration is valid, and its relations lead to concepts.

use std::{
    collections::{BTreeSet, HashMap},
    fs,
    path::Path,
};

use dz_dsl_file::{SourceMap, analyse, vocabulary::words_of};
use dz_knowledge::{Entry, OPERATIONS, Part, entries};

fn entries_of(part: Part) -> impl Iterator<Item = &'static Entry> {
    entries().iter().filter(move |it| it.part == part)
}

#[test]
fn every_file_is_an_entry() {
    for (folder, part) in [("concepts", Part::Concept), ("inference", Part::Inference)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("knowledge").join(folder);
        let files = fs::read_dir(path).expect("a folder").map(|it| it.expect("a file").path());
        let files: BTreeSet<String> = files.map(|it| it.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
        let names: BTreeSet<String> = entries_of(part).map(|it| it.name.to_owned()).collect();
        assert_eq!(files, names);
    }
}

#[test]
fn there_are_enough_entries() {
    assert!(entries_of(Part::Concept).count() >= 60);
    assert!(entries_of(Part::Concept).filter(|it| it.category == "pattern").count() >= 24);
    assert!(entries_of(Part::Inference).count() >= 60);
}

#[test]
fn every_example_is_valid_without_a_finding() {
    for entry in entries() {
        assert!(entry.example.contains("entity "), "{} has no example", entry.name);
        let analysis = analyse(SourceMap::of_example(entry.example));
        let found: Vec<&str> = analysis.diagnostics.iter().map(|it| it.message.as_str()).collect();
        assert!(found.is_empty() && analysis.model.is_some(), "{}: {found:?}", entry.name);
    }
}

#[test]
fn every_entry_is_complete() {
    let concepts: BTreeSet<&str> = entries_of(Part::Concept).map(|it| it.name).collect();
    for entry in entries() {
        assert!(!entry.title.is_empty() && entry.text.len() > 40, "{} has no text", entry.name);
        assert!(!entry.concepts.is_empty(), "{} relates to no concept", entry.name);
        for name in &entry.concepts {
            assert!(concepts.contains(name) && *name != entry.name, "{} relates to `{name}`", entry.name);
        }
    }
    for entry in entries_of(Part::Concept) {
        assert!(!entry.aliases.is_empty() && !entry.category.is_empty(), "{}", entry.name);
    }
    for entry in entries_of(Part::Inference) {
        assert!(entry.triggers.len() >= 3, "{}", entry.name);
    }
}

#[test]
fn no_alias_belongs_to_two_concepts() {
    let mut owners: HashMap<String, &str> = HashMap::new();
    for entry in entries_of(Part::Concept) {
        let names = entry.aliases.iter().map(|it| it.to_lowercase().replace([' ', '-'], "_")).chain([entry.name.to_owned()]);
        for name in names.collect::<BTreeSet<_>>() {
            let other = owners.insert(name.clone(), entry.name);
            assert_eq!(other, None, "`{name}` belongs to {} too", entry.name);
        }
    }
}

#[test]
fn every_construct_of_the_language_is_a_concept() {
    let concepts: BTreeSet<&str> = entries_of(Part::Concept).map(|it| it.name).collect();
    let missing: Vec<&str> = words_of("construct").into_iter().filter(|it| !concepts.contains(it)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The row of each operation in the documentation names its parameters.
#[test]
fn every_operation_is_documented() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/knowledge.md");
    let page = fs::read_to_string(page).expect("a page");
    for operation in OPERATIONS {
        let row = page.lines().find(|line| line.starts_with('|') && line.contains(&format!("`{}`", operation.name)));
        let row = row.unwrap_or_else(|| panic!("no row for `{}`", operation.name));
        for parameter in operation.parameters {
            assert!(row.contains(&format!("`{}`", parameter.name)), "{}: {row}", parameter.name);
        }
    }
}
