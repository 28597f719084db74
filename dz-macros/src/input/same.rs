//! Both macros report the findings of the library, at the same places.

use std::{collections::HashSet, fs, path::Path};

use dz_dsl_file::{
    Diagnostic, Severity, SourceMap, analyse, is_about_the_whole,
    project::{Level, ProjectFile},
    render, rules,
};
use proc_macro2::{Delimiter, LineColumn, Span, TokenStream, TokenTree};

use super::{file, inline};
use crate::report;

/// The examples of all rules and the cases of all fixtures with one file.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = rules().flat_map(|rule| [rule.wrong.to_owned(), rule.right.to_owned()]).collect();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../dz-dsl-file/tests/fixtures")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "dsl") {
                let text = fs::read_to_string(path).expect("a text");
                texts.extend(text.split("# --- case:").map(|case| case.split_once('\n').map_or(case, |(_, text)| text).to_owned()));
            }
        }
    }
    texts.retain(|text| !text.contains("# --- file:"));
    // The annotations of fixtures are comments, and no tokens of Rust.
    let comment = |line: &&str| line.trim_start().starts_with('#') && !line.contains("dz: allow");
    let mut texts: Vec<String> = texts.iter().map(|text| text.split_inclusive('\n').filter(|line| !comment(line)).collect()).collect();
    texts.sort();
    texts.dedup();
    texts
}

/// A message of a build, with the place of its first token.
struct Reported {
    message: String,
    at: LineColumn,
    error: bool,
}

/// The `compile_error!`s and deprecated macros among tokens, in order.
fn collect_reported(tokens: TokenStream, out: &mut Vec<Reported>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        let text = |tree: Option<TokenTree>| tree.and_then(|it| syn::parse2::<syn::LitStr>(it.into()).ok()).map(|it| it.value());
        match at.checked_sub(2).map(|before| &trees[before]) {
            Some(TokenTree::Ident(word)) if word == "compile_error" => {
                let message = text(group.stream().into_iter().next()).expect("a message");
                out.push(Reported { message, at: word.span().start(), error: true });
            }
            _ if group.delimiter() == Delimiter::Brace => {
                // `{ #[deprecated(note = "…")] macro_rules! rule … rule! {} }`
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let note = inner.iter().find_map(|tree| match tree {
                    TokenTree::Group(attribute) => attribute.stream().into_iter().find_map(|tree| match tree {
                        TokenTree::Group(notes) => text(notes.stream().into_iter().last()),
                        _ => None,
                    }),
                    _ => None,
                });
                let place = inner.last().expect("the call of the macro").span().start();
                out.push(Reported { message: note.expect("a note"), at: place, error: false });
            }
            _ => {}
        }
    }
}

/// The messages of a build of a text, by one of the macros.
fn build(sources: SourceMap, place: &dyn report::Place) -> Vec<Reported> {
    let mut found = Vec::new();
    collect_reported(report::diagnostics(&analyse(sources), place, &ProjectFile::default()), &mut found);
    found
}

/// The findings that a build reports.
fn render_text(text: &str) -> (SourceMap, Vec<Diagnostic>) {
    let mut analysis = analyse(SourceMap::single("app.dsl", text));
    analysis.diagnostics.retain(|it| it.severity != Severity::Lint);
    // A build reports warnings about the whole application only if there are no errors.
    let failed = analysis.has_errors();
    analysis.diagnostics.retain(|it| it.severity != Severity::Warning || !failed || !is_about_the_whole(it.rule));
    (analysis.files, analysis.diagnostics)
}

fn is_error(found: &Diagnostic) -> bool {
    found.severity == Severity::Error
}

#[test]
fn dz_reports_the_findings_of_the_library() {
    let (all, mut tried) = (texts(), 0);
    for text in &all {
        let source = format!("dz! {{\n{text}\n}}");
        // A text that is not valid as Rust tokens never reaches a macro.
        let Ok(call) = source.parse::<TokenStream>() else { continue };
        let Some(TokenTree::Group(group)) = call.into_iter().last() else { panic!("a call is a word, a mark and a group") };
        let tokens = group.stream();
        let call = inline::Call { source: source.clone(), start: LineColumn { line: 1, column: 0 } };
        let table = inline::read(&tokens, Some(call)).ok().flatten();
        // The first line contains the brace.
        same(text, &tokens, table.unwrap_or_else(|| panic!("no text of\n{source}")), 1);
        // Inside `macro_rules!` there are only the tokens.
        let bare = !text.contains(['#', '\t']) && !text.contains("//") && !text.starts_with('\n');
        if let Some(table) = inline::read(&tokens, None).ok().flatten().filter(|_| bare) {
            same(text, &tokens, table, 0);
        }
        tried += 1;
    }
    assert!(tried * 10 > all.len() * 9, "{tried} of {} texts are tokens of Rust", all.len());
}

/// Compares the messages of a build with the findings in `text`; `table` is the text of the macro, `offset` lines further down.
#[track_caller]
fn same(text: &str, tokens: &TokenStream, table: inline::Table, offset: usize) {
    let (files, expected) = render_text(text);
    let said = build(SourceMap::single("dz!", table.text.clone()), &table);
    let starts = starts(tokens.clone());
    assert_eq!(said.len(), expected.len(), "findings of\n{text}");
    for (said, found) in said.iter().zip(&expected) {
        let (line, column) = files.file(found.span.file).line_column(found.span.start);
        let mut message = format!("{} [{}]", found.message, found.rule);
        for (span, label) in &found.labels {
            let (line, _) = files.file(span.file).line_column(span.start);
            message.push_str(&format!("\n  note: {label} (line {} of the declaration: `{}`)", line + offset, files.text(*span)));
        }
        message.extend(found.help.iter().map(|help| format!("\n  help: {help}")));
        assert_eq!((&said.message, said.error), (&message, is_error(found)), "of\n{text}");
        let place = (line + 1, column - 1);
        if starts.contains(&place) {
            assert_eq!((said.at.line, said.at.column), place, "the place of {message} in\n{text}");
        }
    }
}

/// The lines and columns at which tokens begin.
fn starts(tokens: TokenStream) -> HashSet<(usize, usize)> {
    let mut found = HashSet::new();
    let mut open = vec![tokens];
    while let Some(tokens) = open.pop() {
        for tree in tokens {
            let start = match &tree {
                TokenTree::Group(group) => group.span_open().start(),
                other => other.span().start(),
            };
            found.insert((start.line, start.column));
            if let TokenTree::Group(group) = tree {
                let close = group.span_close().start();
                found.insert((close.line, close.column));
                open.push(group.stream());
            }
        }
    }
    found
}

#[test]
fn include_dsl_reports_the_findings_of_the_library() {
    let folder = std::env::temp_dir().join(format!("dz-macros-same-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder to write into");
    let path = folder.join("app.dsl");
    for text in texts() {
        fs::write(&path, &text).expect("a file");
        let (sources, read) = file::read(&path, Path::new("app.dsl")).expect("the texts");
        assert_eq!(read, [path.canonicalize().expect("a path")]);
        let said = build(sources, &file::Literal(Span::call_site()));
        let (files, expected) = render_text(&text);
        let expected: Vec<(String, bool)> = expected
            .iter()
            .map(|found| {
                let rendered = render::human(&files, found, render::Colour::Never);
                let (_, snippet) = rendered.split_once('\n').expect("lines");
                (format!("{} [{}]\n{snippet}", found.message, found.rule), is_error(found))
            })
            .collect();
        assert_eq!(said.into_iter().map(|it| (it.message, it.error)).collect::<Vec<_>>(), expected, "of\n{text}");
    }
    fs::remove_dir_all(folder).expect("the folder is removed");
}

/// A lint is a warning of the build if `dz.toml` sets it so, and the compiler's first line contains the name of its rule.
#[test]
fn a_lint_warns_where_the_settings_say_so() {
    let text = "entity Task:\n  id: uuid pk\n  name: str\n  permit:\n    read: true\n    list: true\n";
    let analysis = analyse(SourceMap::single("app.dsl", text));
    let reported = |settings: &ProjectFile| report::diagnostics(&analysis, &file::Literal(Span::call_site()), settings).to_string();
    assert!(!reported(&ProjectFile::default()).contains("str_without_length"));
    let mut settings = ProjectFile::default();
    settings.lints.insert("str-without-length".to_owned(), Level::Warn);
    assert!(reported(&settings).contains("macro_rules ! str_without_length"), "{}", reported(&settings));
}
