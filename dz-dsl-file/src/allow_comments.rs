//! Allow comments: `# dz: allow(rule-name) because …` on the line above a construct.

use std::collections::HashMap;

use crate::{Diagnostic, FileId, Severity, SourceFile, SourceMap, Span, diagnostic::near_word, rules, syntax::LineSpan};

struct AllowComment {
    file: FileId,
    /// The first line with content after the comment.
    line: usize,
    /// The bytes that it covers: that line with its block.
    covers: (u32, u32),
    rule: String,
    span: Span,
    used: bool,
}

/// The range of a comment without a line after it.
const NOTHING: (u32, u32) = (1, 0);

impl AllowComment {
    /// True if the comment allows a finding. Errors cannot be allowed.
    fn allows(&self, found: &Diagnostic) -> bool {
        let here = self.file == found.span.file && (self.covers.0..=self.covers.1).contains(&found.span.start);
        here && self.rule == found.rule && found.severity != Severity::Error
    }
}

/// Drops the warnings and lints that a comment allows, and reports comments that allow nothing as lints. `lines` are the
/// lines of each text.
pub(crate) fn apply(files: &SourceMap, lines: &[Vec<LineSpan>], diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut comments: Vec<AllowComment> = files.files().zip(lines).flat_map(|((id, file), lines)| collect(id, file, lines)).collect();
    if comments.is_empty() {
        return diagnostics;
    }
    let failed = diagnostics.iter().any(|it| it.severity == Severity::Error);
    let mut kept = Vec::new();
    for found in diagnostics {
        // The innermost of several comments applies, so that an outer one without effect is reported.
        let comment = comments.iter_mut().filter(|it| it.allows(&found)).min_by_key(|it| it.covers.1 - it.covers.0);
        match comment {
            Some(comment) => comment.used = true,
            None => kept.push(found),
        }
    }
    // If there are errors, many rules are not checked.
    let looked_at = |name: &str| !failed || rules().find(|rule| rule.name == name).is_none_or(|rule| rule.severity == Severity::Error);
    for unused in comments.iter().filter(|it| !it.used && looked_at(&it.rule)) {
        kept.push(unused_comment(unused));
    }
    kept.sort_by_key(|found| (found.span.file, found.span.start, found.span.end));
    kept
}

fn unused_comment(unused: &AllowComment) -> Diagnostic {
    let found = |message: String| Diagnostic::lint("unused-allow-comment", unused.span, message);
    if rules().any(|rule| rule.name == unused.rule) {
        return found(format!("nothing here raises `{}`", unused.rule)).help("remove the comment");
    }
    let unknown = found(format!("there is no rule `{}`", unused.rule));
    match near_word(&unused.rule, rules().map(|rule| rule.name)) {
        Some(near) => unknown.help(format!("did you mean `{near}`?")).replace(unused.span, near),
        None => unknown.help("findings name their rule in square brackets"),
    }
}

fn collect(file: FileId, source: &SourceFile, lines: &[LineSpan]) -> Vec<AllowComment> {
    if !source.text.contains("dz: allow(") {
        return Vec::new();
    }
    let mut comments = Vec::new();
    let mut waiting = 0;
    for (at, (start, line)) in source.lines().enumerate() {
        let trimmed = line.trim();
        let comment = trimmed.strip_prefix('#').or_else(|| trimmed.strip_prefix("//")).map(str::trim_start);
        if let Some(rule) = comment.and_then(|it| it.strip_prefix("dz: allow(")).and_then(|it| it.split(')').next()) {
            let first = start + line.find(rule).unwrap_or(0);
            let span = Span { file, start: first as u32, end: (first + rule.len()) as u32 };
            comments.push(AllowComment { file, line: 0, covers: NOTHING, rule: rule.trim().to_owned(), span, used: false });
        } else if comment.is_none() && !trimmed.is_empty() {
            for comment in &mut comments[waiting..] {
                comment.line = at + 1;
            }
            waiting = comments.len();
        }
    }
    let blocks = blocks(source, lines);
    let physical: Vec<(u32, u32)> = source.lines().map(|(start, line)| (start as u32, (start + line.len()) as u32)).collect();
    for comment in comments.iter_mut().filter(|it| it.line > 0) {
        // A line inside brackets or a continuation line is covered alone.
        comment.covers = blocks.get(&comment.line).copied().unwrap_or_else(|| physical[comment.line - 1]);
    }
    comments
}

/// The byte range of each line of the tree with its block, by the line number.
fn blocks(source: &SourceFile, lines: &[LineSpan]) -> HashMap<usize, (u32, u32)> {
    lines.iter().map(|it| (source.line_column(it.whole.start).0, (it.whole.start, it.whole.end))).collect()
}
