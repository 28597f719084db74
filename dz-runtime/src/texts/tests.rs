//! The catalogues of dz have the texts of the code.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use super::{Texts, with};

/// Every file with this extension below a folder, without tests.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("tests") {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|it| it == extension) && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
    found
}

/// Reads a string literal, and returns its content and the text after it.
fn literal(text: &str) -> Option<(String, &str)> {
    let text = text.trim_start().strip_prefix('"')?;
    let mut content = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((content, &text[at + 1..])),
            '\\' => content.extend(letters.next().map(|(_, escaped)| escaped)),
            _ => content.push(letter),
        }
    }
    None
}

/// A text of the code in the format of Fluent.
fn to_fluent(text: &str) -> String {
    let mut fluent = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let end = rest[at..].find('}').map_or(rest.len(), |end| at + end);
        let _ = write!(fluent, "{}{{ ${} }}", &rest[..at], &rest[at + 1..end]);
        rest = &rest[end + 1..];
    }
    fluent + rest
}

/// The texts of the code by their ids, in the format of Fluent.
fn texts_of_code() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    for path in files(&root.join("src"), "rs").into_iter().chain(files(&root.join("templates"), "html")) {
        let code = fs::read_to_string(&path).expect("a file");
        let code = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        for call in code.split("say!(").skip(1) {
            let Some((id, rest)) = literal(call) else { continue };
            let rest = rest.trim_start().trim_start_matches(',').trim_start();
            let text = if rest.starts_with('"') {
                let (text, _) = literal(rest).expect("a text");
                format!(" {}", to_fluent(&text))
            } else {
                let (_, rest) = rest.split_once(';').expect("two texts");
                let (one, rest) = literal(rest).expect("the singular");
                let (other, _) = literal(rest.trim_start().trim_start_matches(',')).expect("the plural");
                let (one, other) = (to_fluent(&one), to_fluent(&other));
                format!("\n    {{ $count ->\n        [one] {one}\n       *[other] {other}\n    }}")
            };
            let known = all.insert(id.clone(), text.clone());
            assert!(known.is_none_or(|known| known == text), "{} gives `{id}` another text", path.display());
            assert!(id.starts_with("dz-"), "`{id}` does not begin with `dz-`");
        }
    }
    all
}

fn catalogue(tag: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../dz-vocabulary/locales/{tag}.ftl"))
}

#[test]
fn the_english_catalogue_has_the_texts_of_the_code() {
    let mut expected =
        "# The texts of dz in English, collected from the code. A file `locales/<language>.ftl` of an application can replace them.\n\n"
            .to_owned();
    texts_of_code().iter().for_each(|(id, text)| writeln!(expected, "{id} ={text}").expect("a line"));
    expect_test::expect_file![catalogue("en")].assert_eq(&expected);
}

/// The ids of a catalogue, each with the names of its arguments.
fn arguments(tag: &str) -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string(catalogue(tag)).expect("a file");
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut current = None;
    for line in text.lines() {
        if let Some((id, _)) = line.split_once(" =").filter(|_| line.starts_with("dz-")) {
            assert!(all.insert(id.to_owned(), BTreeSet::new()).is_none(), "`{id}` is twice in {tag}");
            current = Some(id.to_owned());
        }
        let names = line.split('$').skip(1).map(|rest| rest.split(' ').next().unwrap_or_default().to_owned());
        if let Some(of) = current.as_ref().and_then(|id| all.get_mut(id)) {
            of.extend(names);
        }
    }
    all
}

#[test]
fn every_catalogue_has_every_text_with_no_other_argument() {
    let english = arguments("en");
    for (tag, _) in dz_vocabulary::text_key::CATALOGUES {
        let own = arguments(tag);
        let missing: Vec<_> = english.keys().filter(|id| !own.contains_key(*id)).collect();
        let unknown: Vec<_> = own.keys().filter(|id| !english.contains_key(*id)).collect();
        assert!(missing.is_empty() && unknown.is_empty(), "{tag} lacks {missing:?}, and {unknown:?} are no texts of the code");
        for (id, names) in &own {
            let more: Vec<_> = names.difference(&english[id]).collect();
            assert!(more.is_empty(), "{tag}: `{id}` has no argument {more:?}");
        }
        let text = fs::read_to_string(catalogue(tag)).expect("a file");
        assert!(fluent_syntax::parser::parse(text.as_str()).is_ok(), "{tag} is not in the format of Fluent");
    }
}

fn german(catalogue: &str) -> &'static Texts {
    Box::leak(Box::new(Texts::new("de", &[catalogue])))
}

#[test]
fn a_text_that_cannot_be_formatted_is_english() {
    let plural = "dz-count-rows =\n    { $count ->\n        [one] Einer\n       *[other] { $count } Einträge\n    }\n";
    let texts = german(&format!("dz-search = Suchen\ndz-edit-label = {{ $nothing }} bearbeiten\nno text\n{plural}"));
    let label = "Ann";
    let shown = with(Some(texts), || {
        let edit = say!("dz-edit-label", "Edit {label}", label = label);
        (say!("dz-search", "Search"), say!("dz-find", "Find"), edit, super::count_rows(1), super::count_rows(2))
    });
    assert_eq!(shown, ("Suchen", "Find", "Edit Ann".to_owned(), "Einer".to_owned(), "2 Einträge".to_owned()));
    assert_eq!((say!("dz-search", "Search"), super::count_rows(1)), ("Search", "1 row".to_owned()));
}

#[test]
fn a_panic_ends_the_use_of_a_language() {
    let texts = german("dz-search = Suchen\n");
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| with(Some(texts), || panic!("a panic of this test"))));
    assert!(panicked.is_err());
    assert_eq!(say!("dz-search", "Search"), "Search");
}
