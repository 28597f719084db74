//! `llm_model`

use crate::{
    Diagnostics,
    cursor::{Cursor, Name},
    layout::Line,
    syntax::{PresentKeys, header, keyed, keys::Keys, process::number},
};

/// `llm_model NAME "Title":` with its address and its costs.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmModel {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// `provider:`
    pub provider: Option<Name>,
    /// `model_id:`
    pub model_id: Option<Name>,
    /// `tier:`
    pub tier: Option<Name>,
    /// `max_tokens:`
    pub max_tokens: Option<Name>,
    /// `base_url:`
    pub base_url: Option<Name>,
    /// `api_key_env:`
    pub api_key_env: Option<Name>,
    /// `cost_per_1k_input:`
    pub cost_input: Option<Name>,
    /// `cost_per_1k_output:`
    pub cost_output: Option<Name>,
    /// The present keys.
    pub present: PresentKeys,
}

pub(crate) const KEYS: &[&str] =
    &["provider", "model_id", "tier", "max_tokens", "base_url", "api_key_env", "cost_per_1k_input", "cost_per_1k_output"];

pub(crate) fn parse(line: &Line, out: &mut Diagnostics) -> Option<LlmModel> {
    let head = header(line, "language model", out)?;
    let mut model = LlmModel {
        name: head.name,
        title: head.title,
        provider: None,
        model_id: None,
        tier: None,
        max_tokens: None,
        base_url: None,
        api_key_env: None,
        cost_input: None,
        cost_output: None,
        present: PresentKeys::default(),
    };
    let mut keys = Keys::new("llm_model", KEYS);
    for child in &line.children {
        let Some(key) = keys.meant(child, out) else { continue };
        match key.text.as_str() {
            "provider" => model.provider = keyed::value(child, out, |cursor| cursor.expect_name("a provider")),
            "model_id" => model.model_id = keyed::value(child, out, model_id),
            "tier" => model.tier = keyed::value(child, out, |cursor| cursor.expect_name("`fast`, `balanced` or `quality`")),
            "max_tokens" => model.max_tokens = keyed::value(child, out, number),
            "base_url" => model.base_url = keyed::value(child, out, keyed::text),
            "api_key_env" => model.api_key_env = keyed::value(child, out, model_id),
            "cost_per_1k_input" => model.cost_input = keyed::value(child, out, number),
            _ => model.cost_output = keyed::value(child, out, number),
        }
    }
    model.present = keys.into_present();
    Some(model)
}

/// `gpt-4o-mini`, or a text in quotes.
fn model_id(cursor: &mut Cursor<'_>) -> Option<Name> {
    let id = cursor.compound(&["-", ".", "/"]).or_else(|| cursor.text());
    if id.is_none() {
        cursor.report_unexpected("expected a name or a text in quotes");
    }
    id
}
