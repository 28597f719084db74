//! The form for the input of a typed action.

use serde_json::Value as Json;

use crate::{
    Error, Result, Tx, Value, access,
    def::ValueDef,
    rows, signature,
    web::{
        Call, Reply,
        page::{
            Answer, Document, FieldError, FormField, FormPage, FormSection, Link, Shell, columns,
            form::{
                control::{self, ControlSpec, TypedTexts},
                submit::to_sentence,
            },
            list::bulk,
            shell::PageKind,
            variant::Variant,
        },
    },
};

/// The name of the control of an input, which differs from the other parameters of the form.
fn control_name(input: &ValueDef) -> String {
    format!("input-{}", input.name())
}

/// The input that the form sent.
pub(super) fn read(tx: &Tx<'_>, call: &Call, inputs: &'static [ValueDef]) -> Result<Json> {
    let text_of = |name: &str| {
        let sent = call.form.iter().find(|(sent, _)| sent.strip_prefix("input-") == Some(name));
        sent.map(|(_, text)| text.as_str())
    };
    signature::from_texts(tx.app, inputs, text_of)
}

/// Shows the form: empty, or as it was sent with the errors.
pub(super) fn show(
    tx: &mut Tx<'_>,
    call: &Call,
    variant: &Variant,
    key: &Value,
    action: &'static str,
    error: Option<&Error>,
) -> Result<Reply> {
    let surface = variant.surface();
    let entity = tx.app.entity(surface.entity);
    let grant = tx.ask::<access::Read>(entity)?.narrow_to(variant.within());
    let row = rows::read(tx, &grant, key, &[])?;
    let label = variant.load_label(tx, &row)?;
    let is_sent = call.form.iter().any(|(name, _)| name == "input");
    let typed: TypedTexts = if is_sent { call.form.iter().cloned().collect() } else { TypedTexts::new() };
    let mut fields: Vec<FormField> = Vec::new();
    for input in tx.hooks.find_inputs(entity.ix, action) {
        let wrong = error.and_then(|error| error.field_errors.get(input.name())).map(|texts| to_sentence(&texts.join(", ")));
        let name = control_name(input);
        let spec = ControlSpec {
            name,
            label: input.field.title,
            help: None,
            field: &input.field,
            widget: None,
            conditional: false,
            currency: None,
            selects_only: true,
        };
        fields.push(control::build_field(tx, &spec, &typed, wrong, false)?);
    }
    let errors = fields.iter().filter_map(|field| {
        let message = field.error.clone()?;
        Some(FieldError { id: field.name.clone(), label: field.label.clone(), message })
    });
    let errors: Vec<FieldError> = errors.collect();
    let view = columns::row_address(surface, key);
    let title = columns::to_words(action);
    // After the refusal of a changed row, the form belongs to the row as it is now.
    let is_stale = error.is_some_and(|error| error.status == 412);
    let sent = call.form.iter().find(|(name, _)| name == "version").filter(|_| !is_stale);
    let version = sent.map_or_else(|| row.version.to_string(), |(_, sent)| sent.clone());
    let page = FormPage {
        title: title.clone(),
        purpose: None,
        notice: None,
        primary: None,
        crumbs: vec![Link::new(view.clone(), label)],
        action: format!("{view}/act"),
        hidden: vec![("csrf", call.csrf.clone()), ("version", version), ("action", action.to_owned()), ("input", "1".to_owned())],
        was: Vec::new(),
        problem: error.filter(|_| errors.is_empty()).map(|error| to_sentence(&bulk::refusal_text(entity, error))),
        errors,
        conflicts: Vec::new(),
        sections: vec![FormSection { id: "input".to_owned(), title: None, note: None, fields, rows: None }],
        links: Vec::new(),
        controls: String::new(),
        submit: title.clone(),
        submit_event: None,
        submits: Vec::new(),
        submit_and_new: None,
        back: None,
        cancel: view,
    };
    let content = page.content().map_err(Error::internal)?;
    let shell = Shell::app(tx, call, title, PageKind::Form, Some(surface));
    Ok(Answer::<Document>::document(shell.render(&content)?).reply(error.map_or(200, |error| error.status), call.markup))
}
