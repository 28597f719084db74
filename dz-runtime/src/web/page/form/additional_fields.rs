//! Controls for further fields of accounts and memberships.

use crate::{
    Error, Result, Tx,
    accounts::additional_fields::Needed,
    def::FieldDef,
    web::{
        Call,
        page::{
            FormField,
            form::{
                control::{self, Asked, Typed},
                submit,
            },
        },
    },
};

/// The controls of `needed`, with what was typed and what is wrong.
pub fn additional_controls(tx: &mut Tx<'_>, call: &Call, needed: &Needed, error: Option<&Error>) -> Result<Vec<FormField>> {
    let searched = call.form.iter().find(|(name, _)| name == "find").map(|(_, value)| value.as_str());
    let typed: Typed = match error.is_some() || searched.is_some() {
        true => call.form.iter().cloned().collect(),
        false => Typed::new(),
    };
    let mut fields = Vec::new();
    for (_, field) in needed.fields.iter().filter(|(_, field)| !field.is_beside()) {
        let currency = field.currency_in.map(|at| needed.entity.field(at));
        let wrong = |field: &FieldDef| error.and_then(|error| error.field_errors.get(&needed.name(field)));
        let wrong = wrong(field).or_else(|| wrong(currency?)).map(|wrong| submit::sentence(&wrong.join(", ")));
        let name = needed.control(field);
        let is_searched = searched == Some(name.as_str());
        let currency = currency.map(|currency| (currency, needed.control(currency)));
        let asked = Asked { label: field.title, help: None, field, currency, name };
        fields.push(control::asked(tx, &asked, &typed, wrong, is_searched)?);
    }
    Ok(fields)
}
