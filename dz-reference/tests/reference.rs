//! The language reference: its pages are those in `docs/language`, it describes every word, and its examples are checked.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use dz_dsl_file::{Severity, SourceMap, analyse, format, project, rules};
use dz_reference::{Claim, examples, gaps, reference};
use expect_test::expect_file;

/// The pages: name of the file, and Markdown.
static PAGES: LazyLock<Vec<(String, String)>> = LazyLock::new(reference);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/language")
}

#[test]
fn the_pages_are_up_to_date() {
    for (file, markdown) in PAGES.iter() {
        expect_file![folder().join(file)].assert_eq(markdown);
    }
    let made: BTreeSet<&str> = PAGES.iter().map(|(file, _)| file.as_str()).collect();
    for entry in fs::read_dir(folder()).expect("the folder of the reference") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        assert!(made.contains(name.as_str()), "docs/language/{name} is not a page of the reference");
    }
}

#[test]
fn every_word_has_an_entry_and_every_entry_a_word() {
    let gaps = gaps();
    assert!(gaps.is_empty(), "{}", gaps.join("\n"));
}

#[test]
fn examples_hold() {
    let mut wrong = Vec::new();
    for (page, example) in examples() {
        let found = analyse(SourceMap::of_example(&example.text)).diagnostics;
        let worse = |least: Severity, rule: &str| {
            found.iter().filter(move |it| it.severity <= least || it.rule == rule).cloned().collect::<Vec<_>>()
        };
        let against = match example.claim {
            Claim::Sound => worse(Severity::Warning, ""),
            Claim::Keeps(rule) => worse(Severity::Error, rule),
            Claim::Breaks(rule) if found.iter().any(|it| it.rule == rule) => Vec::new(),
            Claim::Breaks(rule) => {
                wrong.push(format!("{page}: this does not break {rule}:\n{}", example.text));
                continue;
            }
        };
        wrong.extend(against.iter().map(|it| format!("{page}: {}: {}\n{}", it.rule, it.message, example.shown)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_block_of_code_is_an_example() {
    let known: BTreeSet<(String, String)> =
        examples().into_iter().map(|(page, example)| (page, example.shown.trim_end().to_owned())).collect();
    for (page, markdown) in PAGES.iter() {
        for block in blocks(markdown, "dz") {
            assert!(known.contains(&(page.clone(), block.clone())), "{page} shows what is not an example:\n{block}");
        }
        for block in blocks(markdown, "toml") {
            assert!(project::read(&block).is_ok(), "{page}: {block}");
        }
    }
}

/// The blocks of code in one language.
fn blocks(markdown: &str, language: &str) -> Vec<String> {
    let opening = format!("```{language}\n");
    let parts = markdown.split(&opening).skip(1);
    parts.map(|part| part.split("\n```").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn an_example_for_a_word_has_the_word() {
    for (page, example) in examples() {
        assert!(example.word.is_none_or(|word| example.shown.contains(word)), "{page}: {:?} is not in\n{}", example.word, example.shown);
    }
}

#[test]
fn sound_examples_have_the_layout_of_the_formatter() {
    let mut wrong = Vec::new();
    for (page, example) in examples().into_iter().filter(|(_, example)| example.claim == Claim::Sound) {
        let files = SourceMap::of_example(&example.text);
        let parts: Vec<String> = files.files().map(|(id, _)| format(&files, id).expect("a text that can be laid out")).collect();
        let laid_out = parts.concat();
        let shown = lines(&example.shown);
        let lines = lines(&laid_out);
        let there = match shown.as_slice() {
            [line] => laid_out.contains(line.trim()),
            several => lines.windows(several.len()).any(|lines| dedented(lines) == dedented(several)),
        };
        // An example of an alternative spelling, which the formatter replaces, is exempt.
        let spelling = example.word.is_some_and(|word| laid_out.matches(word).count() < example.text.matches(word).count());
        if !there && !spelling {
            wrong.push(format!("{page}: {}", example.shown));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The lines of a text, without separators.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.trim().starts_with("# --- file: ")).collect()
}

/// The lines without the spaces that all of them begin with.
fn dedented<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let indents = lines.iter().map(|line| line.len() - line.trim_start().len());
    let least = indents.min().unwrap_or_default();
    lines.iter().map(|line| &line[least..]).collect()
}

#[test]
fn links_have_targets() {
    for (page, markdown) in PAGES.iter() {
        for link in markdown.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() { page } else { file };
            let target = PAGES.iter().find(|(name, _)| name == file);
            assert!(
                target.is_some_and(|(_, target)| anchor.is_empty() || anchors(target).contains(anchor)),
                "{page}: {link} leads nowhere"
            );
        }
    }
}

/// The anchors of headings.
fn anchors(markdown: &str) -> BTreeSet<String> {
    let mut code = false;
    let mut found = BTreeSet::new();
    for line in markdown.lines() {
        code ^= line.starts_with("```");
        if let Some(heading) = line.strip_prefix('#').filter(|_| !code) {
            let text = heading.trim_start_matches('#').trim().to_lowercase();
            found.insert(
                text.chars()
                    .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
                    .map(|c| if c == ' ' { '-' } else { c })
                    .collect(),
            );
        }
    }
    found
}

#[test]
fn the_page_of_rules_has_every_rule() {
    let (_, page) = PAGES.iter().find(|(file, _)| file == "rules.md").expect("the page of rules");
    for rule in rules() {
        assert!(page.contains(&format!("### `{}`", rule.name)) && page.contains(&format!("[{}]", rule.name)), "{}", rule.name);
    }
}

/// Words that only messages contain.
const OF_MESSAGES: &[&str] = &["application"];

#[test]
fn every_known_word_is_on_a_page() {
    let told: BTreeSet<String> = PAGES.iter().filter(|(file, _)| file != "rules.md").flat_map(|(_, page)| code_words(page)).collect();
    let mut missing = BTreeSet::new();
    for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../dz-dsl-file/src/syntax")) {
        let text = fs::read_to_string(&path).expect("a source");
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let code = code.join("\n");
        let pieces: Vec<&str> = code.split('"').collect();
        for parts in pieces.windows(3).step_by(2) {
            let [before, literal, after] = parts else { continue };
            let word = !literal.is_empty() && literal.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
            // The first of a pair is the word of other languages for the second.
            let theirs = before.ends_with('(') && *after == ", ";
            let known = told.contains(*literal) || told.contains(&format!("{literal}s")) || OF_MESSAGES.contains(literal);
            if word && !theirs && !known {
                missing.insert(format!("{literal} ({})", path.file_name().unwrap_or_default().to_string_lossy()));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// The words of a page in code spans.
fn code_words(page: &str) -> BTreeSet<String> {
    let fences = blocks(page, "dz").into_iter().chain(blocks(page, "text"));
    let outside: Vec<&str> = page.split("```").step_by(2).collect();
    let spans = outside
        .join("\n")
        .lines()
        .flat_map(|line| line.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>())
        .collect::<Vec<_>>();
    let code: Vec<String> = fences.chain(spans).collect();
    code.join("\n").split(|c: char| !c.is_ascii_alphanumeric() && c != '_').map(str::to_owned).collect()
}

/// Every Rust file below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => found.extend(sources(&path)),
            false => found.push(path),
        }
    }
    found
}
