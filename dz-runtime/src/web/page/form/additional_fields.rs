//! Controls of additional fields of accounts and memberships.

use crate::{
    Error, Result, Tx,
    accounts::additional_fields::AdditionalFields,
    def::FieldDef,
    web::{
        Call,
        page::{
            FormField,
            form::{
                control::{self, ControlSpec, TypedTexts},
                submit,
            },
        },
        request::form_parameters,
    },
};

/// The controls of `needed`, with the entered texts and the errors.
pub fn build_controls(tx: &mut Tx<'_>, call: &Call, needed: &AdditionalFields, error: Option<&Error>) -> Result<Vec<FormField>> {
    let searched = form_parameters::find(&call.form, form_parameters::FIND);
    let typed: TypedTexts = match error.is_some() || searched.is_some() {
        true => call.form.iter().cloned().collect(),
        false => TypedTexts::new(),
    };
    let mut fields = Vec::new();
    for (_, field) in needed.fields.iter().filter(|(_, field)| !field.is_currency_of_amount()) {
        let currency = field.currency_in.map(|at| needed.entity.field(at));
        let wrong = |field: &FieldDef| error.and_then(|error| error.field_errors.get(&needed.name(field)));
        let wrong = wrong(field).or_else(|| wrong(currency?)).map(|wrong| submit::to_sentence(&wrong.join(", ")));
        let name = needed.control_name(field);
        let is_searched = searched == Some(name.as_str());
        let currency = currency.map(|currency| (currency, needed.control_name(currency)));
        let asked =
            ControlSpec { label: field.title, help: None, field, widget: None, conditional: false, currency, name, selects_only: true };
        fields.push(control::build_field(tx, &asked, &typed, wrong, is_searched)?);
    }
    Ok(fields)
}
