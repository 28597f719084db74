//! `llm_config`

use crate::{
    Diagnostics, Span,
    cursor::{Cursor, Name},
    layout::Line,
    syntax::{body_colon, keyed, keys::Keys, no_children, process::number},
};

/// `llm_config:`, the configuration of all language models.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The keyword.
    pub span: Span,
    /// `default_model:`
    pub default_model: Option<Name>,
    /// `rate_limits:` models and requests per minute.
    pub rate_limits: Vec<(Name, Name)>,
    /// `logging:` the logged parts, each with its place.
    pub logging: Vec<(Name, bool)>,
    /// `budget_alert_usd:`
    pub budget_alert: Option<Name>,
}

pub(crate) const KEYS: &[&str] = &["default_model", "rate_limits", "logging", "budget_alert_usd"];
pub(crate) const LOGGING: &[&str] = &["log_prompts", "log_completions", "redact_pii"];

pub(crate) fn parse(line: &Line, out: &mut Diagnostics) -> Config {
    let span = line.tokens[0].span;
    let mut cursor = Cursor::new(line, out);
    cursor.take();
    body_colon(&mut cursor, line);
    cursor.finish();
    let mut config = Config { span, default_model: None, rate_limits: Vec::new(), logging: Vec::new(), budget_alert: None };
    let mut keys = Keys::new("llm_config", KEYS);
    for child in &line.children {
        let Some(key) = keys.meant(child, out) else { continue };
        match key.text.as_str() {
            "default_model" => config.default_model = keyed::value(child, out, |cursor| cursor.expect_name("a language model")),
            "rate_limits" => config.rate_limits = rate_limits(child, out),
            "logging" => config.logging = logging(child, out),
            _ => config.budget_alert = keyed::value(child, out, number),
        }
    }
    config
}

fn rate_limits(line: &Line, out: &mut Diagnostics) -> Vec<(Name, Name)> {
    let mut limits = Vec::new();
    for child in keyed::block(line, out) {
        no_children(child, out);
        let mut cursor = keyed::entry(child, out);
        let model = cursor.expect_name("a language model");
        let limit = if model.is_some() && cursor.expect(":") { number(&mut cursor) } else { None };
        if limit.is_none() {
            cursor.skip();
        }
        cursor.finish();
        limits.extend(model.zip(limit));
    }
    limits
}

/// `logging: true`, or a line for each part that can be logged.
fn logging(line: &Line, out: &mut Diagnostics) -> Vec<(Name, bool)> {
    if keyed::has_value(line) {
        let span = line.tokens[0].span;
        let flag = keyed::value(line, out, keyed::truth);
        let both = ["log_prompts", "log_completions"].map(|key| Name { text: key.to_owned(), span });
        return flag.map_or_else(Vec::new, |flag| both.map(|key| (key, flag)).to_vec());
    }
    let mut keys = Keys::new("logging", LOGGING);
    let mut flags = Vec::new();
    for child in keyed::block(line, out) {
        let Some(key) = keys.meant(child, out) else { continue };
        flags.extend(keyed::value(child, out, keyed::truth).map(|flag| (key, flag)));
    }
    flags
}
