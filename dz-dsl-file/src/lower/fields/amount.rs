//! `money` without a currency in its declaration: an amount, and beside it the field with the currency of each row.

use super::super::Lowering;
use crate::{
    Diagnostic, Span,
    model::{Auto, EntityId, Field, FieldId, FieldType, OnDelete, Unique},
    names,
    syntax::field::{self as written, ModifierKind},
};

/// The suffix of the name of the currency field.
const ENDING: &str = "_currency";

/// The name of the currency field of an amount.
pub(super) fn currency_name(amount: &str) -> String {
    format!("{amount}{ENDING}")
}

/// Adds the currency field of the amount `at`.
pub(super) fn with_currency(it: &mut Lowering<'_>, id: EntityId, at: FieldId, field: &written::Field) {
    incomparable(it, field);
    let amount = &it.entities[id.0].fields[at.0];
    let name = currency_name(&amount.name);
    let currency = Field {
        title: names::humanise(&name),
        ty: FieldType::Currency { amount: at },
        required: amount.required,
        unique: Unique::No,
        auto: Auto::No,
        default: None,
        sensitive: amount.sensitive,
        secret: false,
        identity: false,
        searchable: false,
        indexed: false,
        was: amount.was.as_ref().map(|was| currency_name(was)),
        computed: None,
        on_delete: OnDelete::Restrict,
        span: amount.span,
        end: amount.span,
        name,
    };
    if let Some(other) = it.written[id.0].iter().find(|other| other.name.text == currency.name) {
        it.out.push(
            Diagnostic::error(
                "duplicate-name",
                other.name.span,
                format!("`{}` is the name of a field that dz adds: the currency of an amount", currency.name),
            )
            .label(field.name.span, "this amount has a currency of its own in each row")
            .help(format!("remove it, or declare one currency for all rows: `{}: money(EUR)`", field.name.text)),
        );
        return;
    }
    let position = it.entities[id.0].fields.len();
    it.field_names[id.0].insert(currency.name.clone(), position);
    it.entities[id.0].fields.push(currency);
}

/// Reports modifiers that compare amounts without their currencies.
fn incomparable(it: &mut Lowering<'_>, field: &written::Field) {
    let name = &field.name.text;
    for modifier in &field.modifiers {
        let help = match modifier.kind {
            ModifierKind::Unique | ModifierKind::UniqueWhereSet => {
                format!("remove it, or write a line of its own: `unique {name}, {name}{ENDING}`")
            }
            ModifierKind::Indexed => format!("remove it, or write a line of its own: `index {name}{ENDING}, {name}`"),
            ModifierKind::Pk
            | ModifierKind::Required
            | ModifierKind::Optional
            | ModifierKind::AutoAdd
            | ModifierKind::AutoUpdate
            | ModifierKind::Sensitive
            | ModifierKind::Searchable
            | ModifierKind::Was(_)
            | ModifierKind::Default(_) => continue,
        };
        it.out.push(
            Diagnostic::error("not-allowed-here", modifier.name.span, format!("`{}` does not apply to the currency", modifier.name.text))
                .label(field.ty.name.span, "each row has a currency of its own")
                .help(help)
                .replace(modifier.name.span, ""),
        );
    }
}

/// Reports the default of an amount without a currency.
pub(super) fn no_default(it: &mut Lowering<'_>, span: Span) {
    it.out.push(
        Diagnostic::error(
            "bad-default",
            span,
            "an amount cannot have a default if each row has its own currency, because a number names none",
        )
        .help("remove it, or declare one currency for all rows: `money(EUR)`"),
    );
}
