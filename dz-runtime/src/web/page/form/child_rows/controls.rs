//! The rows of other entities in a form, for its template.

use super::{ChildRow, ChildRows, Fields, key_text, sent};
use crate::{
    Result, Tx,
    def::ColumnDef,
    web::page::{
        FormField, FormRow, FormRows, columns,
        form::control::{self, ControlSpec, TypedTexts, WritableField},
        variant::Variant,
        view::transitions,
    },
};

impl ChildRows {
    /// The rows with their controls; `None` if there are none, and the caller cannot add any.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub fn build(&self, tx: &mut Tx<'_>, variant: &Variant, searched: Option<&str>) -> Result<Option<FormRows>> {
        let fields = Fields::new(tx, variant, self);
        let can_add = fields.can_add(tx, self);
        if self.rows.is_empty() && !can_add {
            return Ok(None);
        }
        let mut rows = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            rows.push(self.build_row(tx, &fields, row, at, searched)?);
        }
        let thing = columns::lower_title(fields.entity.title);
        Ok(Some(FormRows {
            name: sent::section_name(self.section.name),
            add: (can_add && rows.len() < sent::MOST_SENT).then(|| say!("dz-add-thing", "Add {thing}", thing = thing)),
            note: self.more_than_shown.map(|total| say!("dz-showing", "Showing {shown} of {total}", shown = rows.len(), total = total)),
            rows,
        }))
    }

    fn build_row(&self, tx: &mut Tx<'_>, fields: &Fields, row: &ChildRow, at: usize, searched: Option<&str>) -> Result<FormRow> {
        let name = format!("{}-{at}", sent::section_name(self.section.name));
        let mut hidden = vec![(name.clone(), row.key.as_ref().map_or_else(|| "+".to_owned(), |key| format!("={}", key_text(key))))];
        if let Some(stored) = &row.state.row {
            hidden.push((format!("{name}.version"), stored.version.to_string()));
        }
        hidden.extend(fields.digests(tx, row).into_iter().map(|(field, digest)| (format!("{name}-{field}.was"), digest)));
        let typed: TypedTexts = row.state.typed.iter().map(|(field, text)| (format!("{name}-{field}"), text.clone())).collect();
        let writable = fields.writable(row);
        let mut shown = Vec::new();
        for column in fields.shown.iter().filter(|column| !row.hides(column)) {
            let control = writable.iter().find(|of| std::ptr::eq(of.column, *column));
            match control {
                Some(of) => shown.push(build_field(tx, fields, row, *of, &name, &typed, searched)?),
                None => shown.extend(fixed_field(tx, fields, row, column, &name)),
            }
        }
        let removable = row.key.is_none() || row.permits(fields.delete_rule());
        Ok(FormRow {
            title: say!("dz-row-with-number", "{thing} {number}", thing = fields.entity.title, number = at + 1),
            hidden,
            problem: row.state.problem.clone(),
            fields: shown,
            remove: removable.then(|| format!("{name}.gone")),
            removed: row.removed,
        })
    }
}

fn build_field(
    tx: &mut Tx<'_>,
    fields: &Fields,
    row: &ChildRow,
    of: WritableField,
    name: &str,
    typed: &TypedTexts,
    searched: Option<&str>,
) -> Result<FormField> {
    let control_name = |field: &str| format!("{name}-{field}");
    let currency = of.field.currency_in.map(|at| of.currency_field(tx.app, at).field);
    let errors = &row.state.errors;
    let error = errors.get(of.field.name).or_else(|| errors.get(currency?.name)).cloned();
    let spec = ControlSpec {
        name: control_name(of.field.name),
        label: of.column.label,
        help: of.column.help,
        field: of.field,
        widget: of.column.widget,
        conditional: of.column.when.is_some(),
        currency: currency.map(|field| (field, control_name(field.name))),
        selects_only: false,
    };
    let is_searched = searched == Some(spec.name.as_str());
    let mut field = control::build_field(tx, &spec, typed, error, is_searched)?;
    transitions::limit_states(tx, fields.entity, of.at, row.state.row.as_ref(), &mut field.control);
    Ok(field)
}

/// A value without a control; a new row has none.
fn fixed_field(tx: &Tx<'_>, fields: &Fields, row: &ChildRow, column: &'static ColumnDef, name: &str) -> Option<FormField> {
    let stored = row.state.row.as_ref()?;
    let shown = fields.columns.shown.iter().find(|shown| shown.def.path == column.path)?;
    let field = control::build_fixed_field(column, shown.field, shown.cell(tx, stored));
    Some(FormField { name: format!("{name}-{}", field.name), ..field })
}
