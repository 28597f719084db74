//! `app` and its keys.

use super::{Lowering, collect};
use crate::{
    Diagnostic, Span,
    cursor::Name,
    diagnostic::{list_first, near_word},
    model::{App, Currency},
    suggestion::same,
    syntax::{File, Item},
};

/// The application without an `app` declaration.
pub(super) fn without() -> App {
    App {
        name: "app".to_owned(),
        title: "Application".to_owned(),
        description: None,
        timezone: "UTC".to_owned(),
        locale: "en".to_owned(),
        hue: 262,
        currency: None,
        multi_tenant: false,
        registration: None,
        span: None,
        extra: Vec::new(),
    }
}

pub(super) fn lower(it: &mut Lowering<'_>, files: &[File]) {
    let mut seen: Option<Span> = None;
    for item in files.iter().flat_map(|file| &file.items) {
        let Item::App(app) = item else { continue };
        if let Some(span) = seen {
            it.out.push(
                Diagnostic::error("duplicate-name", app.name.span, "the application is declared twice")
                    .label(span, "first declared here")
                    .help("keep one of the two"),
            );
            continue;
        }
        seen = Some(app.name.span);
        it.app.name = app.name.text.clone();
        it.app.title = collect::title(&app.title, &app.name);
        it.app.span = Some(app.name.span);
        for (key, value) in &app.keys {
            app_key(it, key, value);
        }
    }
}

fn app_key(it: &mut Lowering<'_>, key: &Name, value: &Name) {
    match key.text.as_str() {
        "description" => it.app.description = Some(value.text.clone()),
        "default_locale" => locale(it, value),
        "timezone" => {
            if super::literal::is_timezone(&value.text) {
                it.app.timezone = value.text.clone();
            } else {
                let found = Diagnostic::error("unknown-value", value.span, format!("unknown time zone `{}`", value.text));
                it.out.push(match super::literal::near_timezone(&value.text) {
                    Some(near) => {
                        found.help(format!("did you mean \"{near}\"?")).replace(value.span, near.spelled_as(|near| format!("\"{near}\"")))
                    }
                    None => found.help("write an IANA name such as \"Europe/Lisbon\""),
                });
            }
        }
        "theme" => theme(it, value),
        "currency" => currency(it, value),
        "multi_tenant" => {
            let said = yes_or_no(it, key, value);
            it.app.multi_tenant = said.unwrap_or_default();
            it.one_tenant = (said == Some(false)).then_some(value.span);
        }
        "registration" => it.app.registration = yes_or_no(it, key, value),
        _ => it.app.extra.push((key.text.clone(), value.text.clone())),
    }
}

/// A language with an optional script and region, such as `en`, `de-CH`, `zh-Hant-TW`.
fn locale(it: &mut Lowering<'_>, value: &Name) {
    let tag = value.text.replace('_', "-");
    let mut parts = tag.split('-');
    let letters = |part: &str| part.bytes().all(|b| b.is_ascii_alphabetic());
    let language = parts.next().is_some_and(|part| matches!(part.len(), 2 | 3) && letters(part));
    let rest = parts.all(|part| match part.len() {
        2 | 4 => letters(part) || part.bytes().all(|b| b.is_ascii_digit()),
        3 => part.bytes().all(|b| b.is_ascii_digit()),
        5..=8 => part.bytes().all(|b| b.is_ascii_alphanumeric()),
        _ => false,
    });
    if language && rest {
        it.app.locale = tag;
        return;
    }
    it.out.push(
        Diagnostic::error("unknown-value", value.span, format!("`{}` is not a language tag", value.text))
            .help("write a language, and a region where it matters: `en`, `de-CH`"),
    );
}

fn currency(it: &mut Lowering<'_>, value: &Name) {
    if let Some(currency) = Currency::from_code(&value.text) {
        it.app.currency = Some(currency);
        return;
    }
    let upper = value.text.to_uppercase();
    let found = Diagnostic::error("unknown-value", value.span, format!("`{}` is not a currency", value.text));
    it.out.push(match Currency::from_code(&upper) {
        Some(_) => found.help(format!("write `{upper}`")).replace(value.span, same(upper)),
        None => found.help("write its code of three letters, such as `EUR`"),
    });
}

fn yes_or_no(it: &mut Lowering<'_>, key: &Name, value: &Name) -> Option<bool> {
    match value.text.as_str() {
        "true" => Some(true),
        "false" => Some(false),
        other => {
            let found = Diagnostic::error("unknown-value", value.span, format!("`{}` is true or false, not `{other}`", key.text));
            it.out.push(match near_word(other, ["true", "false"]) {
                Some(near) => found.help(format!("did you mean `{near}`?")).replace(value.span, near),
                None => found.help(format!("write `{}: true` or `{}: false`", key.text, key.text)),
            });
            None
        }
    }
}

pub(crate) const THEMES: &[(&str, u16)] =
    &[("blue", 250), ("teal", 200), ("green", 150), ("amber", 72), ("red", 25), ("violet", 300), ("pink", 350)];

/// The hue that a text names: a number from 0 to 359, or the name of a theme.
pub(crate) fn find_hue(text: &str) -> Option<u16> {
    let named = THEMES.iter().find(|(name, _)| *name == text).map(|(_, hue)| *hue);
    named.or_else(|| text.parse().ok().filter(|hue| *hue < 360))
}

fn theme(it: &mut Lowering<'_>, value: &Name) {
    if let Some(hue) = find_hue(&value.text) {
        it.app.hue = hue;
        return;
    }
    let names: Vec<&str> = THEMES.iter().map(|(name, _)| *name).collect();
    let found = Diagnostic::error("unknown-value", value.span, format!("`{}` is not a theme", value.text));
    it.out.push(match near_word(&value.text, names.iter().copied()) {
        Some(near) => found.help(format!("did you mean `{near}`?")).replace(value.span, near),
        None => found.help(format!("write a hue from 0 to 359, or one of {}", list_first(&names))),
    });
}
