//! Properties of every text, correct or not: tests check them for their texts, and `fuzz/` for generated texts.

use dz_dsl_file::{
    Diagnostic, Diagnostics, FileId, Severity, SourceMap, Span, analyse, format,
    layout::{Line, layout},
    lexer::{Prose, lex},
    render, syntax,
};

/// Panics if a text does not have the property.
type Law = fn(&str);

/// Each property, by the name of its target in `fuzz/`.
#[allow(dead_code, reason = "each crate that shares this file holds some of them")]
pub const ALL: [(&str, Law); 4] = [("lexer", lexer), ("parser", parser), ("formatter", formatter), ("checks", checks)];

/// A text as a map of one.
fn single(text: &str) -> (SourceMap, FileId) {
    let files = SourceMap::single("t", text);
    let file = files.files().next().map(|(id, _)| id).expect("a file");
    (files, file)
}

/// A span is inside its text and splits no character.
#[track_caller]
fn in_text(files: &SourceMap, span: Span, what: &str) {
    let text = files.file(span.file).text.as_str();
    let (start, end) = (span.start as usize, span.end as usize);
    assert!(start <= end && text.get(start..end).is_some(), "{what}: {start}..{end} is not a place in\n{text:?}");
}

/// Every place of a finding is valid, and each format can show it.
#[track_caller]
fn findings(files: &SourceMap, found: &[Diagnostic]) {
    for it in found {
        in_text(files, it.span, it.rule);
        it.labels.iter().for_each(|(span, _)| in_text(files, *span, it.rule));
        it.suggestion.iter().for_each(|edit| in_text(files, edit.span, it.rule));
        assert!(!it.message.is_empty(), "{} says nothing", it.rule);
        render::short(files, it);
        render::human(files, it, render::Colour::Never);
    }
    let places: Vec<(FileId, u32)> = found.iter().map(|it| (it.span.file, it.span.start)).collect();
    assert!(places.is_sorted(), "findings are in the order of the text: {places:?}");
}

/// Tokens are inside the text, in order; the text between them is blank, a comment, or reported.
pub fn lexer(text: &str) {
    let (files, file) = single(text);
    let prose = |word: &str| if word == "question" { Prose::Everywhere } else { Prose::Nowhere };
    let mut out = Diagnostics::default();
    let lines = lex(file, text, prose, &mut out);
    findings(&files, &out.into_sorted());
    let mut end = 0;
    for token in lines.iter().flat_map(|line| &line.tokens) {
        in_text(&files, token.span, &token.describe());
        assert!(token.span.start >= end, "{} begins before the one in front of it ends, in\n{text:?}", token.describe());
        end = token.span.end;
    }
    let count = lines.iter().map(|line| line.tokens.len()).sum::<usize>();
    let kept: usize = layout(lines, &mut Diagnostics::default()).iter().map(tokens).sum();
    assert_eq!(count, kept, "tokens that the tree of lines has, of\n{text:?}");
}

/// The tokens of a line and of those under it.
fn tokens(line: &Line) -> usize {
    line.tokens.len() + line.children.iter().map(tokens).sum::<usize>()
}

/// A text and its beginnings can be parsed, and findings have valid places.
pub fn parser(text: &str) {
    let (files, _) = single(text);
    let (parsed, out) = syntax::parse(&files);
    assert_eq!(parsed.len(), 1);
    findings(&files, &out.into_sorted());
}

/// Formatting a formatted text changes nothing; the text keeps its meaning and its findings.
pub fn formatter(text: &str) {
    let Ok(once) = laid_out(text) else { return };
    let twice = laid_out(&once).unwrap_or_else(|refusal| panic!("{refusal}\nof\n{once}\nfrom\n{text}"));
    assert_eq!(once, twice, "the second time, from\n{text}");
    let (before, after) = (meaning(text), meaning(&once));
    let differs = before.lines().zip(after.lines()).find(|(before, after)| before != after);
    assert!(before == after, "what is meant by\n{text}\nis not what is meant by\n{once}\n{differs:?}");
}

/// A text gives a model or an error, and its findings are inside it.
pub fn checks(text: &str) {
    let (files, _) = single(text);
    let analysis = analyse(files);
    findings(&analysis.files, &analysis.diagnostics);
    let failed = analysis.diagnostics.iter().any(|it| it.severity == Severity::Error);
    assert_eq!(analysis.model.is_none(), failed, "there is a model exactly when there is no error, of\n{text:?}");
}

/// The formatted text, or the reason for a refusal.
pub fn laid_out(text: &str) -> Result<String, String> {
    let (files, file) = single(text);
    format(&files, file).map_err(|found| found.iter().map(|it| render::short(&files, it) + "\n").collect())
}

/// The syntax, the model and the findings of a text, without places.
fn meaning(text: &str) -> String {
    let files = SourceMap::single("t", text);
    let (mut parsed, out) = syntax::parse(&files);
    parsed.iter_mut().for_each(|file| file.lines.clear());
    let analysis = analyse(files);
    // The columns of a line with errors decide its level, and the formatter changes columns: for a text with errors, only the findings
    // of the parser are compared.
    let findings = if analysis.model.is_some() { analysis.diagnostics } else { out.into_sorted() };
    let mut found: Vec<String> = findings
        .iter()
        // A comment applies to one line, and a long list can become several lines; ambiguous texts become unambiguous.
        .filter(|it| !matches!(it.rule, "unused-allow-comment" | "ambiguous-duration"))
        .map(|it| format!("{} {}\n", it.rule, it.message))
        .collect();
    // Two findings in one string can have the same place after formatting, and are then one.
    found.sort();
    found.dedup();
    without_places(&format!("{parsed:#?}\n{:#?}\n", analysis.model)) + &found.concat()
}

/// The text of a value without its spans.
fn without_places(debug: &str) -> String {
    let mut lines = debug.lines();
    let mut kept = String::new();
    while let Some(line) = lines.next() {
        if line.ends_with("Span {") {
            lines.by_ref().find(|line| line.trim_start().starts_with('}'));
        } else {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}
