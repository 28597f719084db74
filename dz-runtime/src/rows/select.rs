//! The columns of an entity in a `SELECT`, and the conversion of a result to a row.

use dz_vocabulary::column_of_field;

use super::{Row, keyset::OrderKey};
use crate::{
    Value,
    access::{self, Action as _},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit, is_local},
    },
    def::{EntityDef, FieldIx},
};

/// The positions of the fields that have a column.
pub(super) fn stored_fields(entity: &'static EntityDef) -> impl Iterator<Item = FieldIx> {
    (0..).zip(entity.fields).filter(|(_, field)| field.is_stored()).map(|(at, _)| at)
}

/// The alias of the table of a statement.
pub(crate) const ROW: &str = "t";

/// Which values of a row are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// The values that are visible to the caller: sensitive fields are null if the caller may not update the row.
    Masked,
    /// All values except secrets, for rules and hooks.
    Whole,
    /// As [`View::Whole`], but a computed field that depends on other rows is null. A statement that writes the row returns these
    /// values; see [`load_computed`](super::read::load_computed).
    Returned,
}

/// The selected columns, in order.
pub(super) struct Columns {
    pub(super) sql: Statement,
    pub(super) kinds: Vec<BindKind>,
    fields: Vec<usize>,
    width: usize,
}

impl Columns {
    /// All columns of an entity whose table has the alias, and its version last.
    pub(super) fn all(emit: &Emit<'_>, entity: &'static EntityDef, alias: &str, view: View) -> Columns {
        Columns::with_fields(emit, entity, alias, view, None)
    }

    /// As [`all`](Columns::all), but only for the key and the fields of `only`, if given; the others are null.
    pub(super) fn with_fields(emit: &Emit<'_>, entity: &'static EntityDef, alias: &str, view: View, only: Option<&[FieldIx]>) -> Columns {
        let mut columns = Columns { sql: Statement::new(), kinds: Vec::new(), fields: Vec::new(), width: entity.fields.len() };
        let masked = view == View::Masked && entity.fields.iter().any(|field| field.sensitive);
        let sensitive_condition = if masked { access::row_condition(emit, entity, access::Update::NAME, alias) } else { Condition::Always };
        let is_selected = |at: usize| at == usize::from(entity.pk) || only.is_none_or(|only| only.iter().any(|it| usize::from(*it) == at));
        for (at, field) in entity.fields.iter().enumerate().filter(|(at, field)| !field.secret && is_selected(*at)) {
            let Some(kind) = BindKind::from_kind(field.kind, emit.app) else { continue };
            if view == View::Returned && field.computed.is_some_and(|expr| !is_local(expr, emit.app)) {
                continue;
            }
            match &sensitive_condition {
                Condition::Rows(condition) if field.sensitive => {
                    let value = emit.field_value(entity, field, alias);
                    columns.sql.push("CASE WHEN ").append(condition.clone()).push(" THEN ").append(value).push(" END, ");
                }
                Condition::Never if field.sensitive => continue,
                _ if field.computed.is_some() => {
                    columns.sql.append(emit.field_value(entity, field, alias)).push(", ");
                }
                Condition::Always | Condition::Never | Condition::Rows(_) => {
                    columns.sql.column(alias, field.name).push(", ");
                }
            }
            columns.kinds.push(kind);
            columns.fields.push(at);
        }
        columns.sql.column(alias, "dz_version");
        columns.kinds.push(BindKind::Int);
        columns
    }

    /// The position of a sort key among the selected columns, if it is a stored column.
    pub(super) fn position(&self, entity: &'static EntityDef, key: &OrderKey) -> Option<usize> {
        let stored = |at: &usize| {
            let field = &entity.fields[*at];
            !field.sensitive && field.computed.is_none() && key.sql.text() == column(ROW, field.name)
        };
        self.fields.iter().copied().find(stored)
    }

    /// Converts a row of the result; further columns become `extra`.
    pub(super) fn row(&self, answer: Vec<Value>) -> Row {
        let mut answer = answer.into_iter();
        let mut values = vec![Value::Null; self.width];
        for at in &self.fields {
            if let (Some(slot), Some(value)) = (values.get_mut(*at), answer.next()) {
                *slot = value;
            }
        }
        let version = match answer.next() {
            Some(Value::Int(version)) => version,
            _ => 0,
        };
        Row { values, version, extra: answer.collect() }
    }
}

/// A quoted column of an alias.
pub(super) fn column(alias: &str, name: &str) -> String {
    format!("\"{alias}\".\"{}\"", column_of_field(name))
}

/// The `WHERE` clause of a condition; `None` if no row can match.
pub(super) fn where_rows(condition: Condition) -> Option<Statement> {
    match condition {
        Condition::Always => Some(Statement::new()),
        Condition::Never => None,
        Condition::Rows(sql) => {
            let mut clause = Statement::new();
            clause.push(" WHERE ").append(sql);
            Some(clause)
        }
    }
}
