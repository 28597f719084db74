//! Findings as compile errors and warnings of the user's crate.

use dz_dsl_file::{
    Analysis, Diagnostic, Severity, is_about_the_whole, locales,
    model::Model,
    project::{Level, ProjectFile},
    render,
};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote_spanned;

use crate::manifest::Package;

/// Shows a byte range to the user.
pub(crate) trait Place {
    /// Spans of the first and the last token of a range.
    fn spans(&self, start: usize, end: usize) -> (Span, Span);
    /// True if the spans do not show the text, so that the message must.
    fn snippet(&self) -> bool;
}

/// Reports all findings; lints are silent in a build unless `dz.toml` sets another level.
pub(crate) fn diagnostics(analysis: &Analysis, place: &dyn Place, settings: &ProjectFile) -> TokenStream {
    let mut tokens = TokenStream::new();
    for found in &analysis.diagnostics {
        let level = settings.lints.get(found.rule);
        let severity = match (found.severity, level) {
            (Severity::Error, _) => Severity::Error,
            (_, Some(Level::Deny)) => Severity::Error,
            (_, Some(Level::Allow)) | (Severity::Lint, None) => continue,
            // The compiler shows warnings first, so warnings about the whole model are only reported if there is one.
            (Severity::Warning, None) if analysis.has_errors() && is_about_the_whole(found.rule) => continue,
            _ => Severity::Warning,
        };
        let message = message(analysis, found, place);
        let (first, last) = place.spans(found.span.start as usize, found.span.end as usize);
        tokens.extend(if severity == Severity::Error { error(&message, first, last) } else { warning(found.rule, &message, first) });
    }
    tokens
}

/// Warnings about the files of other languages.
pub(crate) fn locales(model: &Model, place: &dyn Place, package: &Package) -> TokenStream {
    if package.settings.lints.get(locales::RULE) == Some(&Level::Allow) {
        return TokenStream::new();
    }
    let (span, _) = place.spans(0, 0);
    let mut tokens = TokenStream::new();
    for (_, path) in &package.locales {
        let name = path.strip_prefix(&package.root).unwrap_or(path).display();
        match std::fs::read_to_string(path) {
            Ok(text) => tokens.extend(locales::check(model, &text).iter().map(|found| {
                let message = format!("{name}:{}: {} [{}]", found.line, found.message, locales::RULE);
                warning(locales::RULE, &message, span)
            })),
            Err(why) => tokens.extend(error(&format!("{name} cannot be read: {why}"), span, span)),
        }
    }
    tokens
}

fn message(analysis: &Analysis, found: &Diagnostic, place: &dyn Place) -> String {
    if place.snippet() {
        let rendered = render::human(&analysis.files, found, render::Colour::Never);
        // The compiler writes its own first line.
        let snippet = rendered.split_once('\n').map_or("", |(_, rest)| rest);
        return format!("{} [{}]\n{snippet}", found.message, found.rule);
    }
    let mut message = format!("{} [{}]", found.message, found.rule);
    for (span, label) in &found.labels {
        let (line, _) = analysis.files.file(span.file).line_column(span.start);
        message.push_str(&format!("\n  note: {label} (line {line} of the declaration: `{}`)", analysis.files.text(*span)));
    }
    if let Some(help) = &found.help {
        message.push_str(&format!("\n  help: {help}"));
    }
    message
}

/// A `compile_error!` over a range: its path has the first span, its group the last.
pub(crate) fn error(message: &str, first: Span, last: Span) -> TokenStream {
    let mut literal = Literal::string(message);
    literal.set_span(last);
    let mut group = Group::new(Delimiter::Brace, TokenTree::from(literal).into());
    group.set_span(last);
    let punct = |c, spacing| {
        let mut punct = Punct::new(c, spacing);
        punct.set_span(first);
        TokenTree::from(punct)
    };
    let mut tokens = TokenStream::new();
    for word in ["core", "compile_error"] {
        tokens.extend([punct(':', Spacing::Joint), punct(':', Spacing::Alone), Ident::new(word, first).into()]);
    }
    tokens.extend([punct('!', Spacing::Alone), group.into()]);
    tokens
}

/// A warning. Stable Rust has no warnings of macros with a text of their own; the nearest is the use of an item that is deprecated
/// with this text. For a deprecated macro, the compiler shows the bare name of the call, so the macro gets the name of the rule.
fn warning(rule: &str, message: &str, span: Span) -> TokenStream {
    let name = Ident::new(&rule.replace('-', "_"), span);
    quote_spanned! {span=>
        const _: () = {
            #[deprecated(note = #message)]
            macro_rules! #name { () => {} }
            #name! {}
        };
    }
}
