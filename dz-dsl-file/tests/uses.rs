//! Names and their declarations: after renaming a declaration and all its uses, the application is correct; and a word that is
//! neither is a word of the language or a name that nothing uses.

mod sweep;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use dz_dsl_file::{Analysis, Diagnostic, Severity, SourceMap, Span, analyse, rules};

fn read(text: &str) -> Analysis {
    analyse(SourceMap::single("app.dsl", text))
}

/// The errors of a text.
fn errors(text: &str) -> Vec<Diagnostic> {
    let mut found = read(text).diagnostics;
    found.retain(|it| it.severity == Severity::Error);
    found
}

/// Every correct text with its name: those of the examples, of the tests, and of the rules.
fn texts() -> Vec<(String, String)> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open: Vec<PathBuf> = vec![here.join("tests"), here.join("../examples")];
    let mut found: Vec<(String, String)> = Vec::new();
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|it| it == "dsl")
                && let Ok(text) = fs::read_to_string(&path)
            {
                found.push((path.display().to_string(), text));
            }
        }
    }
    found.extend(rules().map(|rule| (rule.name.to_owned(), rule.right.to_owned())));
    found.retain(|(_, text)| errors(text).is_empty());
    found.sort();
    found
}

fn at(text: &str, span: Span) -> &str {
    &text[span.start as usize..span.end as usize]
}

/// The text with other words at these places, with the quotes kept.
fn replaced(text: &str, places: &BTreeSet<Span>, new: &str) -> String {
    let mut whole = text.to_owned();
    for span in places.iter().rev() {
        let quoted = at(text, *span).starts_with('"');
        let word = if quoted { format!("\"{new}\"") } else { new.to_owned() };
        whole.replace_range(span.start as usize..span.end as usize, &word);
    }
    whole
}

/// Another name of the same kind that is unused.
fn other(name: &str) -> String {
    let bare = name.trim_matches('"');
    if bare.starts_with(char::is_uppercase) { format!("{bare}Renamed") } else { format!("{bare}_renamed") }
}

/// Each used declaration, with all places of its name.
fn names(text: &str) -> BTreeMap<Span, BTreeSet<Span>> {
    let mut names: BTreeMap<Span, BTreeSet<Span>> = BTreeMap::new();
    for used in read(text).uses {
        names.entry(used.declared).or_insert_with(|| BTreeSet::from([used.declared])).insert(used.at);
    }
    names
}

/// True for a name with a meaning of its own, so that renaming it changes the application: the entity of accounts and a field of it
/// that dz declares itself if the text does not, the entity of tenants (others get a field of its name), and the input of a process
/// that has the name of the triggering row or of a field of it, and the
/// fields by which one region sorts the rows of several entities.
fn is_convention(file: &str, text: &str, declared: Span) -> bool {
    let word = at(text, declared);
    let has_archetype = |archetype: &str| {
        let rest = &text[declared.end as usize..];
        let body = rest.lines().skip(1).take_while(|line| line.starts_with(' '));
        body.map(str::trim).any(|line| line == format!("archetype: {archetype}"))
    };
    let of_accounts = text[..declared.start as usize].rfind("\nentity ").is_some_and(|start| {
        let body = text[start + 1..].lines().skip(1).take_while(|line| line.starts_with(' '));
        body.map(str::trim).any(|line| line == "archetype: user")
    });
    word == "User"
        || has_archetype("user")
        || has_archetype("tenant")
        || of_accounts && ["email", "display_name"].contains(&word)
        || file.ends_with("processes.dsl") && ["Order", "order_id"].contains(&word)
        || file.ends_with("grants.dsl") && ["signed_on", "id"].contains(&word)
}

#[test]
fn a_declaration_and_its_uses_can_be_renamed_together() {
    let (mut broken, mut seen) = (Vec::new(), 0);
    for (name, text) in texts() {
        for (declared, places) in names(&text) {
            if is_convention(&name, &text, declared) {
                continue;
            }
            seen += 1;
            if !sweep::drawn(seen, 8) {
                continue;
            }
            let words: BTreeSet<&str> = places.iter().map(|span| at(&text, *span).trim_matches('"')).collect();
            let found = errors(&replaced(&text, &places, &other(at(&text, declared))));
            if words.len() != 1 || !found.is_empty() {
                let said: Vec<(&str, &str)> = found.iter().map(|it| (it.message.as_str(), it.rule)).collect();
                broken.push(format!("{name}: {words:?} at {} places: {said:?}", places.len()));
            }
        }
    }
    assert!(broken.is_empty(), "{} of {seen}: {broken:#?}", broken.len());
    assert!(seen > 600, "{seen}");
}

/// The name of the currency field begins with that of the amount, so that its uses change if the amount is renamed.
#[test]
fn an_amount_and_its_currency_are_renamed_together() {
    let text = "entity Ware:\n  id: uuid pk\n  price: money\n  invariant: price = null or price_currency != \"XXX\"\n  \
                index price_currency, price\n  permit:\n    read: true\ndemo:\n  Ware:\n    - price: 1, price_currency: \"EUR\"\n";
    assert_eq!(errors(text), []);
    let all = names(text);
    let (declared, places) = all.iter().find(|(declared, _)| at(text, **declared) == "price").expect("a declaration");
    assert_eq!(places.len(), 7, "{places:?}");
    let renamed = replaced(text, places, "cost");
    assert_eq!(renamed.matches("price").count(), 0, "{renamed}");
    assert_eq!(errors(&renamed), []);
    assert!(declared.start < declared.end);
}

/// The words of a text, without strings and comments.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut start = 0;
    for line in text.lines() {
        let mut quoted = false;
        for (at, c) in line.char_indices() {
            let place = start + at;
            match c {
                '"' => quoted = !quoted,
                '#' if !quoted => break,
                c if !quoted && (c.is_alphanumeric() || c == '_') => match found.last_mut() {
                    Some(last) if last.1 == place => last.1 = place + c.len_utf8(),
                    _ => found.push((place, place + c.len_utf8())),
                },
                _ => {}
            }
        }
        start += line.len() + 1;
    }
    found.retain(|(from, _)| !text[*from..].starts_with(|c: char| c.is_ascii_digit()));
    found
}

#[test]
fn a_word_without_meaning_is_wrong_at_its_place_only() {
    let (mut broken, mut seen) = (Vec::new(), 0);
    for (name, text) in texts().into_iter().filter(|(name, _)| name.contains("whole")) {
        let known: BTreeSet<u32> =
            names(&text).into_iter().flat_map(|(declared, places)| places.into_iter().chain([declared])).map(|it| it.start).collect();
        for (start, end) in words(&text) {
            if known.contains(&(start as u32)) {
                continue;
            }
            seen += 1;
            if !sweep::drawn(seen, 8) {
                continue;
            }
            let mut changed = text.clone();
            changed.replace_range(start..end, &other(&text[start..end]));
            let line = changed[..start].matches('\n').count();
            let found = errors(&changed);
            let elsewhere = |it: &&Diagnostic| changed[..it.span.start as usize].matches('\n').count() != line;
            let said: Vec<&str> =
                found.iter().filter(|it| it.rule.contains("unknown")).filter(elsewhere).map(|it| it.message.as_str()).collect();
            if !said.is_empty() && said.len() == found.len() {
                broken.push(format!("{name}:{}: `{}`: {said:?}", line + 1, &text[start..end]));
            }
        }
    }
    assert!(broken.is_empty(), "{} of {seen}: {broken:#?}", broken.len());
    assert!(seen > 900, "{seen}");
}
