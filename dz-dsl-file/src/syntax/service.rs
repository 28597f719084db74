//! `service`

use super::{
    header, keyed,
    keys::Keys,
    no_children,
    value::{self, ValueField},
};
use crate::{
    Diagnostic, Diagnostics,
    cursor::{Cursor, Name},
    layout::Line,
    token::TokenKind,
};

/// `service NAME "Title":` with its input, output and guarantees.
#[derive(Debug, Clone, PartialEq)]
pub struct Service {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// `kind:`
    pub kind: Option<Name>,
    /// `input:`
    pub input: Vec<ValueField>,
    /// `output:`
    pub output: Vec<ValueField>,
    /// `guarantees:`
    pub guarantees: Vec<Name>,
    /// `stub:`
    pub stub: Option<Name>,
    /// `spec:`
    pub spec: Option<Spec>,
    /// `auth_profile:`
    pub auth: Option<AuthProfile>,
    /// `owner:`
    pub owner: Option<Name>,
}

/// `spec: "https://…"`, `spec: url "https://…"` or `spec: inline "…"`
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// The word before the text, if any.
    pub form: Option<Name>,
    /// The text.
    pub text: Name,
}

/// `auth_profile: NAME option=value …`
#[derive(Debug, Clone, PartialEq)]
pub struct AuthProfile {
    /// Its name.
    pub name: Name,
    /// Its options in order.
    pub options: Vec<(Name, Name)>,
}

pub(crate) const KEYS: &[&str] = &["kind", "input", "output", "guarantees", "stub", "spec", "auth_profile", "owner"];

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Service> {
    let head = header(line, "service", out)?;
    let mut service = Service {
        name: head.name,
        title: head.title,
        kind: None,
        input: Vec::new(),
        output: Vec::new(),
        guarantees: Vec::new(),
        stub: None,
        spec: None,
        auth: None,
        owner: None,
    };
    let mut keys = Keys::new("service", KEYS);
    for child in &line.children {
        let Some(key) = keys.meant(child, out) else { continue };
        match key.text.as_str() {
            "kind" => service.kind = keyed::value(child, out, |cursor| cursor.expect_name("a kind of service")),
            "input" => service.input = value::fields(child, out),
            "output" => service.output = value::fields(child, out),
            "guarantees" => service.guarantees = guarantees(child, out),
            "stub" => service.stub = keyed::value(child, out, |cursor| cursor.expect_name("`python` or `rust`")),
            "spec" => service.spec = keyed::value(child, out, spec),
            "auth_profile" => service.auth = keyed::value(child, out, auth_profile),
            _ => {
                service.owner = keyed::value(child, out, |cursor| {
                    let owner = cursor.name_or_text();
                    if owner.is_none() {
                        cursor.report_unexpected("expected who answers for the service");
                    }
                    owner
                })
            }
        }
    }
    Some(service)
}

fn guarantees(line: &Line, out: &mut Diagnostics) -> Vec<Name> {
    let mut guarantees = Vec::new();
    if let Some(TokenKind::Text(text)) = line.tokens.get(2).map(|token| &token.kind) {
        let found = Diagnostic::error("unexpected-token", line.tokens[2].span, "each guarantee is a line of its own");
        out.push(found.help(format!("write it under `guarantees:`, as `- {text:?}`")));
        return guarantees;
    }
    for child in keyed::block(line, out) {
        no_children(child, out);
        let mut cursor = Cursor::new(child, out);
        let text = if cursor.expect("-") { keyed::text(&mut cursor) } else { None };
        if text.is_none() {
            cursor.skip();
        }
        cursor.finish();
        guarantees.extend(text);
    }
    guarantees
}

fn spec(cursor: &mut Cursor<'_>) -> Option<Spec> {
    let form = cursor.name();
    let text = cursor.text();
    if text.is_none() {
        cursor.report_unexpected("expected an address in quotes");
    }
    Some(Spec { form, text: text? })
}

fn auth_profile(cursor: &mut Cursor<'_>) -> Option<AuthProfile> {
    let mut profile = AuthProfile { name: cursor.expect_name("an authentication method")?, options: Vec::new() };
    while let Some(option) = cursor.name() {
        if !cursor.expect("=") {
            return None;
        }
        let value = cursor.name_or_text();
        if value.is_none() {
            cursor.report_unexpected("expected a value");
        }
        profile.options.push((option, value?));
    }
    Some(profile)
}
