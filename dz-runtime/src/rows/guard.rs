//! What a row must be before it is written: covered by the rule, with references that its writer may read.
//!
//! Asked of a row that exists only in the statement, before any constraint could tell something.

use super::select::{ROW, column};
use crate::{
    Engine, Error, Result, Tx, Value, access,
    db::{
        BindKind, Statement,
        emit::{Condition, Emit},
    },
    def::{EntityDef, FieldIx, Kind},
};

/// The alias of a row that is referred to.
const TARGET: &str = "r";

/// Refuses a row as it would be stored, in at most one statement.
///
/// # Errors
/// 403 naming the fields that were `sent` when the rule of `action` does not cover it; 422 `REFERENCE` at every
/// field of `references` whose row does not exist or may not be read.
pub(super) fn guard(
    tx: &mut Tx<'_>,
    entity: &'static EntityDef,
    action: &str,
    values: &[Value],
    references: &[FieldIx],
    sent: &[FieldIx],
) -> Result<()> {
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let covered = access::rows(&emit, entity, action, ROW);
    let mut checks: Vec<Statement> = Vec::new();
    let row = match covered {
        Condition::Never => return Err(refused(entity, sent)),
        Condition::Always => None,
        Condition::Rows(sql) => {
            checks.push(sql);
            Some(as_stored(&emit, entity, values))
        }
    };
    let first = checks.len();
    let mut wrong = Vec::new();
    let mut asked = Vec::new();
    for at in references {
        match readable(&emit, entity, *at, values) {
            Some(sql) => {
                checks.push(sql);
                asked.push(*at);
            }
            None => wrong.push(*at),
        }
    }
    if !checks.is_empty() {
        let mut select = Statement::new();
        let kinds = vec![BindKind::Bool; checks.len()];
        for (at, check) in checks.into_iter().enumerate() {
            select.push(if at == 0 { "SELECT " } else { ", " }).append(check);
        }
        if let Some(row) = row {
            select.push(" FROM (").append(row).push(") AS ").ident(ROW);
        }
        let answer = tx.conn.rows(&select, &kinds)?.into_iter().next().unwrap_or_default();
        let Some((covered, references)) = answer.split_at_checked(first).filter(|_| answer.len() == kinds.len()) else {
            return Err(Error::internal("a check gave no answer"));
        };
        if covered.iter().any(|holds| *holds != Value::Bool(true)) {
            return Err(refused(entity, sent));
        }
        let missing = asked.iter().zip(references).filter(|(_, holds)| **holds != Value::Bool(true));
        wrong.extend(missing.map(|(at, _)| *at));
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let error = Error::new(422, "REFERENCE", "What is referred to does not exist, or you may not see it");
    Err(wrong.into_iter().fold(error, |error, at| error.at(entity.field(at).name, "does not exist, or you may not see it")))
}

/// The row as a table of one row.
fn as_stored(emit: &Emit<'_>, entity: &'static EntityDef, values: &[Value]) -> Statement {
    let mut row = Statement::new();
    row.push("SELECT ");
    let mut first = true;
    for (field, value) in entity.fields.iter().zip(values).filter(|(field, _)| !field.secret) {
        let Some(kind) = BindKind::of(field.kind, emit.app) else { continue };
        if !std::mem::take(&mut first) {
            row.push(", ");
        }
        row.bind(value.clone(), kind);
        if emit.engine == Engine::Postgres && kind == BindKind::Text {
            // As the column itself compares.
            row.push(" COLLATE \"C\"");
        }
        row.push(" AS ").ident(field.name);
    }
    row
}

/// The row that a ref points to exists and may be read, or named where it is an account; `None` when none may.
fn readable(emit: &Emit<'_>, entity: &'static EntityDef, at: FieldIx, values: &[Value]) -> Option<Statement> {
    let Kind::Ref(target) = entity.field(at).kind else { return None };
    let target = emit.app.entity(target);
    let condition = access::named(emit, target, TARGET);
    let mut exists = Statement::new();
    exists.push("EXISTS (SELECT 1 FROM ").ident(target.table).push(" AS ").ident(TARGET).push(" WHERE ");
    exists.push(&column(TARGET, target.key().name)).push(" = ");
    exists.bind(values.get(usize::from(at)).cloned()?, BindKind::of(target.key().kind, emit.app)?);
    match condition {
        Condition::Never => return None,
        Condition::Always => {}
        Condition::Rows(sql) => {
            exists.push(" AND ").append(sql);
        }
    }
    exists.push(")");
    Some(exists)
}

fn refused(entity: &'static EntityDef, sent: &[FieldIx]) -> Error {
    let names: Vec<_> = sent.iter().map(|at| entity.field(*at).name).collect();
    let what = entity.title.to_lowercase();
    let error = match names.is_empty() {
        true => Error::forbidden(format!("You may not store such a {what}")),
        false => Error::forbidden(format!("You may not store a {what} with these values: {}", names.join(", "))),
    };
    names.into_iter().fold(error, |error, name| error.at(name, "is not allowed in a row of yours"))
}
