//! Silencers: `# dz: allow(rule-name) because …` on the line above a construct.

use crate::{Diagnostic, FileId, Severity, SourceFile, SourceMap, Span, diagnostic::nearest, rules};

struct Silencer {
    file: FileId,
    /// The first line that holds something after the comment.
    line: usize,
    rule: String,
    span: Span,
    used: bool,
}

/// Drops the warnings and lints that a comment allows; a silencer that silences nothing is a lint.
pub(crate) fn apply(files: &SourceMap, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut silencers: Vec<Silencer> = files.files().flat_map(|(id, file)| collect(id, file)).collect();
    if silencers.is_empty() {
        return diagnostics;
    }
    let failed = diagnostics.iter().any(|it| it.severity == Severity::Error);
    let mut kept = Vec::new();
    for found in diagnostics {
        let line = files.file(found.span.file).line_column(found.span.start).0;
        let silencer = silencers
            .iter_mut()
            .find(|it| it.file == found.span.file && it.rule == found.rule && it.line == line && found.severity != Severity::Error);
        match silencer {
            Some(silencer) => silencer.used = true,
            None => kept.push(found),
        }
    }
    // As long as there are errors, many a rule is not looked at yet.
    let looked_at = |name: &str| !failed || rules().find(|rule| rule.name == name).is_none_or(|rule| rule.severity == Severity::Error);
    for unused in silencers.iter().filter(|it| !it.used && looked_at(&it.rule)) {
        kept.push(unused_silencer(unused));
    }
    kept.sort_by_key(|found| (found.span.file, found.span.start, found.span.end));
    kept
}

fn unused_silencer(unused: &Silencer) -> Diagnostic {
    let found = |message: String| Diagnostic::lint("unused-silencer", unused.span, message);
    if rules().any(|rule| rule.name == unused.rule) {
        return found(format!("nothing here raises `{}`", unused.rule)).help("remove the comment");
    }
    let unknown = found(format!("there is no rule `{}`", unused.rule));
    match nearest(&unused.rule, rules().map(|rule| rule.name)) {
        Some(near) => unknown.help(format!("did you mean `{near}`?")).replace(unused.span, near),
        None => unknown.help("findings name their rule in square brackets"),
    }
}

fn collect(file: FileId, source: &SourceFile) -> Vec<Silencer> {
    if !source.text.contains("dz: allow(") {
        return Vec::new();
    }
    let mut silencers = Vec::new();
    let mut waiting = 0;
    for (at, (start, line)) in source.lines().enumerate() {
        let trimmed = line.trim();
        let comment = trimmed.strip_prefix('#').or_else(|| trimmed.strip_prefix("//")).map(str::trim_start);
        if let Some(rule) = comment.and_then(|it| it.strip_prefix("dz: allow(")).and_then(|it| it.split(')').next()) {
            let first = start + line.find(rule).unwrap_or(0);
            let span = Span { file, start: first as u32, end: (first + rule.len()) as u32 };
            silencers.push(Silencer { file, line: 0, rule: rule.trim().to_owned(), span, used: false });
        } else if comment.is_none() && !trimmed.is_empty() {
            for silencer in &mut silencers[waiting..] {
                silencer.line = at + 1;
            }
            waiting = silencers.len();
        }
    }
    silencers
}
