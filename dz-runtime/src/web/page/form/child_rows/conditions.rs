//! Conditions of fields (`when`) in the rows of a form, as for the row of the form itself.

use super::{ChildRow, ChildRows, Fields, sent};
use crate::{
    Result, Tx, Value,
    def::{ColumnDef, Expr},
    rows,
    web::page::{
        form::{conditions, control::WritableField},
        variant::Variant,
    },
};

impl ChildRows {
    /// Finds the field lines whose condition does not hold, in each row: for its stored values or the defaults, and those of its
    /// controls.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(super) fn find_hidden(&mut self, tx: &mut Tx<'_>, fields: &Fields) -> Result<()> {
        let conditional: Vec<(&'static ColumnDef, &'static Expr)> =
            fields.shown.iter().filter_map(|column| Some((*column, column.when?))).collect();
        if conditional.is_empty() || self.rows.is_empty() {
            return Ok(());
        }
        let mut values: Vec<Vec<Value>> = self.rows.iter().map(|row| self.current_values(tx, fields, row)).collect();
        let wanted: Vec<&'static Expr> = conditional.iter().map(|(_, when)| *when).collect();
        for values in &mut values {
            rows::hide_unseen(tx, fields.entity, values, &wanted)?;
        }
        let values: Vec<&[Value]> = values.iter().map(Vec::as_slice).collect();
        let holds = rows::evaluate_conditions(tx, fields.entity, &values, &wanted)?;
        for (row, holds) in self.rows.iter_mut().zip(holds) {
            row.hidden = conditional.iter().zip(holds).filter(|(_, holds)| !holds).map(|((column, _), _)| *column).collect();
        }
        Ok(())
    }

    /// The values of a row as its controls have them.
    fn current_values(&self, tx: &Tx<'_>, fields: &Fields, row: &ChildRow) -> Vec<Value> {
        let entity = fields.entity;
        let mut values = match &row.state.row {
            Some(stored) => stored.values.clone(),
            None => conditions::initial_values(tx, entity, |_, at| self.parent.clone().filter(|_| at == self.via)),
        };
        conditions::apply_texts(tx.app, &mut values, fields.writable(row), &row.state.typed, row.state.row.as_ref());
        values
    }

    /// The names of the controls on which conditions depend.
    pub fn controlling_names(&self, tx: &Tx<'_>, variant: &Variant) -> Vec<String> {
        let fields = Fields::new(tx, variant, self);
        let of_row = |(at, row): (usize, &ChildRow)| {
            let names = conditions::controlling_fields(fields.entity, &fields.shown, fields.writable(row));
            names.into_iter().map(move |name| sent::control_name(self.section.name, at, name)).collect::<Vec<_>>()
        };
        self.rows.iter().enumerate().flat_map(of_row).collect()
    }
}

impl ChildRow {
    /// True if the field line is not part of the row now.
    pub(super) fn hides(&self, column: &ColumnDef) -> bool {
        conditions::contains(&self.hidden, column)
    }

    /// True if a field with a control is part of the row, and the form sent its control.
    pub(super) fn takes(&self, of: &WritableField, sent: &[(String, String)]) -> bool {
        !self.hides(of.column) && conditions::is_sent(of, sent)
    }
}
