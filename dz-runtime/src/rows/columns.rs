//! Which columns a row is read with, and how the answer becomes a [`Row`].

use super::Row;
use crate::{
    Tx, Value,
    access::Update,
    db::{BindKind, Statement, emit::Condition},
    def::EntityDef,
};

/// The columns of an entity's own row, in field order, then the version.
pub(super) struct Columns {
    /// Positions of the fields that are read.
    fields: Vec<usize>,
    pub kinds: Vec<BindKind>,
    count: usize,
}

/// Writes the columns of the row known as `alias`. A sensitive field is null unless the caller may update the row.
pub(super) fn write(tx: &Tx<'_>, entity: &'static EntityDef, alias: &str, out: &mut Statement) -> Columns {
    let mut columns = Columns { fields: Vec::new(), kinds: Vec::new(), count: entity.fields.len() };
    let mut editable: Option<Condition> = None;
    for (at, field) in entity.fields.iter().enumerate() {
        let Some(kind) = BindKind::of(field.kind, tx.app).filter(|_| !field.secret) else { continue };
        if !columns.fields.is_empty() {
            out.push(", ");
        }
        let hidden = field.sensitive.then(|| editable.get_or_insert_with(|| update_condition(tx, entity, alias)).clone());
        match hidden {
            None | Some(Condition::Always) => {
                column(out, alias, field.name);
            }
            Some(Condition::Never) => {
                out.push("NULL");
            }
            Some(Condition::Rows(rows)) => {
                out.push("CASE WHEN ").append(rows).push(" THEN ");
                column(out, alias, field.name);
                out.push(" END");
            }
        }
        columns.fields.push(at);
        columns.kinds.push(kind);
    }
    out.push(", ");
    column(out, alias, "dz_version");
    columns.kinds.push(BindKind::Int);
    columns
}

fn update_condition(tx: &Tx<'_>, entity: &'static EntityDef, alias: &str) -> Condition {
    match tx.ask::<Update>(entity) {
        Ok(grant) => grant.condition(tx.app, tx.engine(), &tx.caller, alias),
        Err(_) => Condition::Never,
    }
}

/// `"alias"."name"`
pub(super) fn column(out: &mut Statement, alias: &str, name: &str) {
    out.ident(alias).push(".").ident(name);
}

impl Columns {
    /// The row behind an answer; what comes after the version is extra.
    pub fn row(&self, answer: Vec<Value>) -> Row {
        let mut values = vec![Value::Null; self.count];
        let mut answer = answer.into_iter();
        for at in &self.fields {
            values[*at] = answer.next().unwrap_or_default();
        }
        let version = match answer.next() {
            Some(Value::Int(version)) => version,
            _ => 0,
        };
        Row { values, version, extra: answer.collect() }
    }
}
