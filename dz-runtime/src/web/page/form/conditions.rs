//! Conditions of fields (`when`): a form has a field only if its condition holds for the values in the form.

use crate::{
    Result, Tx, Value,
    def::{AppDef, ColumnDef, EntityDef, Expr, FieldIx},
    record::Row,
    rows,
    web::page::{
        columns,
        form::control::{self, TypedTexts, WritableField},
        variant::Variant,
    },
};

/// The field lines whose condition does not hold. The values are those of the row, or the defaults of a new one, and those of the
/// controls; a value that cannot be parsed is the former one.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn find_hidden(
    tx: &mut Tx<'_>,
    variant: &Variant,
    writable: &[WritableField],
    typed: &TypedTexts,
    row: Option<&Row>,
) -> Result<Vec<&'static ColumnDef>> {
    let conditional: Vec<(&'static ColumnDef, &'static Expr)> =
        variant.columns(tx.app).into_iter().filter_map(|column| Some((column, column.when?))).collect();
    if conditional.is_empty() {
        return Ok(Vec::new());
    }
    let entity = tx.app.entity(variant.surface().entity);
    let mut values = match row {
        Some(row) => row.values.clone(),
        None => initial_values(tx, entity, |tx, at| variant.default(tx, at, entity.field(at))),
    };
    apply_texts(tx.app, &mut values, writable, typed, row);
    let conditions: Vec<&'static Expr> = conditional.iter().map(|(_, when)| *when).collect();
    rows::hide_unseen(tx, entity, &mut values, &conditions)?;
    let holds = rows::evaluate_conditions(tx, entity, &[&values], &conditions)?;
    Ok(conditional.into_iter().zip(holds.into_iter().flatten()).filter(|(_, holds)| !holds).map(|((column, _), _)| column).collect())
}

/// The values of a new row before a user enters any: its defaults.
pub(super) fn initial_values(tx: &Tx<'_>, entity: &'static EntityDef, own: impl Fn(&Tx<'_>, FieldIx) -> Option<Value>) -> Vec<Value> {
    let declared = |at| Some(rows::constant(entity.field(at).default.as_ref()?, entity.field(at).kind, tx.caller(), tx.app));
    (0..).take(entity.fields.len()).map(|at| own(tx, at).or_else(|| declared(at)).unwrap_or_default()).collect()
}

/// Replaces values of a row by those of its controls; a text that is not a value of its field changes nothing.
pub(super) fn apply_texts(app: &'static AppDef, values: &mut [Value], writable: &[WritableField], typed: &TypedTexts, row: Option<&Row>) {
    for of in writable.iter().filter(|of| !of.field.kind.is_file()) {
        let Some(text) = typed.get(of.field.name) else { continue };
        // The date of a timestamp is compared with its whole text, so that an unchanged one keeps its time.
        let kept = row.is_some_and(|row| control::stored_text(app, of, row) == *text);
        if let (false, Ok(value), Some(place)) = (kept, of.parse(app, text), values.get_mut(usize::from(of.at))) {
            *place = value;
        }
    }
}

/// True if the list contains this field line.
pub(crate) fn contains(list: &[&'static ColumnDef], column: &ColumnDef) -> bool {
    list.iter().any(|other| std::ptr::eq(*other, column))
}

/// The names of the fields on which the conditions of some field lines depend.
pub(super) fn controlling_fields(
    entity: &'static EntityDef,
    columns: &[&'static ColumnDef],
    writable: &[WritableField],
) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for when in columns.iter().filter_map(|column| column.when) {
        when.visit(&mut |part| {
            let Expr::Path(path) = part else { return };
            let first = path.first().position_in(entity);
            // A computed field depends on any other field.
            let computed = first.is_some_and(|at| entity.field(at).computed.is_some());
            for of in writable.iter().filter(|of| computed || first == Some(of.at)) {
                if !names.contains(&of.field.name) {
                    names.push(of.field.name);
                }
            }
        });
    }
    names
}

/// True if the browser sent the control of a field: a field with a condition is only sent if the form had it.
pub(crate) fn is_sent(of: &WritableField, form: &[(String, String)]) -> bool {
    let name = format!("{}.shown", of.field.name);
    of.column.when.is_none() || form.iter().any(|(given, _)| *given == name)
}

/// The text of a control that the form did not have: that of the row, or the default of a new one.
pub(crate) fn unsent_text(tx: &Tx<'_>, variant: &Variant, of: &WritableField, row: Option<&Row>) -> String {
    match row {
        Some(row) => control::stored_text(tx.app, of, row),
        None => super::initial_text(tx, variant, of).unwrap_or_default(),
    }
}

impl WritableField {
    /// Parses the text of the control of the field.
    ///
    /// # Errors
    /// The reason for which the text is not a value of the field.
    pub(crate) fn parse(&self, app: &'static AppDef, text: &str) -> std::result::Result<Value, String> {
        match self.is_day_of_time() && text.len() == "2026-03-12".len() {
            true => columns::parse_value(app, self.field, &format!("{text}T00:00")),
            false => columns::parse_value(app, self.field, text),
        }
    }
}
