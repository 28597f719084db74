//! Services.

use std::collections::HashMap;

use super::{Lowering, collect, values};
use crate::{
    Diagnostic,
    cursor::Name,
    model::{Adapter, AuthProfile, Service, ServiceId, ServiceKind, Spec, SpecForm},
    syntax::{File, Item, service as written},
};

pub(super) fn lower(it: &mut Lowering<'_>, files: &[File]) {
    let mut seen = HashMap::new();
    for item in files.iter().flat_map(|file| &file.items) {
        let Item::Service(service) = item else { continue };
        if !collect::first(it, &mut seen, "service", &service.name) {
            continue;
        }
        let lowered = lower_service(it, service);
        it.callable.services.insert(lowered.name.clone(), ServiceId(it.services.len()));
        it.services.push(lowered);
    }
}

fn lower_service(it: &mut Lowering<'_>, service: &written::Service) -> Service {
    let name = &service.name.text;
    let external = service.spec.is_some() || service.auth.is_some() || service.owner.is_some();
    let usual = if external { ServiceKind::Integration } else { ServiceKind::DomainLogic };
    if let (true, Some(stub)) = (external, &service.stub) {
        it.out.push(
            Diagnostic::error("not-allowed-here", stub.span, format!("`{name}` is a service of another system, so it has no stub"))
                .help("remove `stub`, or remove `spec`, `auth_profile` and `owner`"),
        );
    }
    Service {
        name: name.clone(),
        title: collect::title(&service.title, &service.name),
        kind: service.kind.as_ref().and_then(|kind| it.word("unknown-value", "kind of service", kind)).unwrap_or(usual),
        input: values::fields(it, &service.input, &format!("{name}_input")),
        output: values::fields(it, &service.output, &format!("{name}_output")),
        guarantees: service.guarantees.iter().map(|it| it.text.clone()).collect(),
        stub: service.stub.as_ref().and_then(|stub| it.word("unknown-value", "language of a stub", stub)),
        adapter: external.then(|| Adapter {
            spec: service.spec.as_ref().and_then(|spec| lower_spec(it, spec)),
            auth: service.auth.as_ref().and_then(|auth| lower_auth(it, auth)),
            owner: service.owner.as_ref().map(|owner| owner.text.clone()),
        }),
        span: service.name.span,
    }
}

fn lower_spec(it: &mut Lowering<'_>, spec: &written::Spec) -> Option<Spec> {
    let form = match &spec.form {
        Some(form) => it.word("unknown-value", "form of a spec", form)?,
        None => SpecForm::Url,
    };
    if form == SpecForm::Url {
        url(it, &spec.text)?;
    }
    Some(Spec { form, text: spec.text.text.clone() })
}

/// Checks a web address.
pub(super) fn url(it: &mut Lowering<'_>, text: &Name) -> Option<String> {
    let rest = text.text.strip_prefix("https://").or_else(|| text.text.strip_prefix("http://"));
    if rest.is_none_or(|rest| rest.is_empty() || rest.contains(char::is_whitespace)) {
        let found = Diagnostic::error("unknown-value", text.span, "this is not a web address");
        it.out.push(found.help("write an address such as \"https://api.example.com\""));
        return None;
    }
    Some(text.text.clone())
}

fn lower_auth(it: &mut Lowering<'_>, auth: &written::AuthProfile) -> Option<AuthProfile> {
    let mut seen = HashMap::new();
    let mut options = Vec::new();
    for (name, value) in &auth.options {
        if collect::first(it, &mut seen, "option", name) {
            options.push((name.text.clone(), value.text.clone()));
        }
    }
    Some(AuthProfile { kind: it.word("unknown-value", "authentication method", &auth.name)?, options })
}
