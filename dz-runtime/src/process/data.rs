//! The values that the expressions of a running process read.

use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::{
    core::{event::Failure, state::Unit},
    definition::GONE,
    expr::{Bound, DataRef, MaybeBound},
    store::{Run, TriggerData},
    stored::Root,
    value_type,
};
use crate::{
    Caller, Error, Result, Tx, Value,
    db::emit::{Emit, Scope, constant},
    def::{AppDef, EntityDef, Expr, Path},
    field,
    record::Row,
    rows::{self, ROW},
};

/// The error of an expression that names something that the application no longer has.
pub(super) fn gone(why: &str) -> Error {
    Error::new(409, GONE, format!("The process was started by another version of the application: {why}"))
}

/// A failure as a step stores it; the details for the operator are only logged.
pub(super) fn failure(error: &Error) -> Failure {
    let errors = error.field_errors.iter().map(|(name, messages)| (name.clone(), Json::from(messages.clone())));
    Failure { field_errors: errors.collect(), ..Failure::new(error.code, error.detail.clone()) }
}

/// The entity with this name.
pub(super) fn entity(app: &'static AppDef, name: &str) -> Result<&'static EntityDef> {
    super::expr::find_entity(app, name).map_err(|why| gone(&why))
}

/// The entity of the row of the trigger.
pub(super) fn trigger_entity(app: &'static AppDef, trigger: &TriggerData) -> Option<&'static EntityDef> {
    let name = trigger.entity.as_deref()?;
    app.entities.iter().copied().find(|entity| entity.name == name)
}

/// The row of the trigger as it was last read.
pub(super) fn trigger_row(app: &'static AppDef, trigger: &TriggerData) -> Option<(&'static EntityDef, Row)> {
    let entity = trigger_entity(app, trigger)?;
    let members = trigger.row.as_ref()?;
    let value = |field| {
        members
            .get(entity.field(field).name)
            .map_or(Value::Null, |json| field::from_json(app, entity.field(field), json).unwrap_or_default())
    };
    let values = (0..).take(entity.fields.len()).map(value).collect();
    Some((entity, Row { values, version: 0, extra: Vec::new() }))
}

/// A row as members of JSON, by the names of its fields.
pub(super) fn row_members(entity: &'static EntityDef, values: &[Value]) -> Map<String, Json> {
    let member = |(field, value): (&'static crate::def::FieldDef, &Value)| {
        let mut out = Vec::new();
        field::write_json(field, value, &mut out);
        (field.name.to_owned(), serde_json::from_slice(&out).unwrap_or_default())
    };
    entity.fields.iter().zip(values).filter(|(_, value)| !value.is_null()).map(member).collect()
}

/// Reads the row of the trigger again, so that the run keeps its last stored values when it is deleted.
pub(super) fn refresh_trigger_row(tx: &mut Tx<'_>, run: &mut Run) -> Result<()> {
    let Some((entity, row)) = trigger_row(tx.app, &run.saved.trigger) else { return Ok(()) };
    if let Some(values) = rows::load_values(tx, entity, row.value(entity.pk))? {
        run.saved.trigger.row = Some(row_members(entity, &values));
    }
    Ok(())
}

/// The value of the root of a value, as JSON.
fn root(app: &'static AppDef, run: &Run, root: &Root) -> Json {
    let saved = &run.saved;
    match root {
        Root::TriggerRow => trigger_row(app, &saved.trigger).map_or(Json::Null, |(entity, row)| value_type::to_json(row.value(entity.pk))),
        Root::TriggerPayload => saved.trigger.payload.clone(),
        Root::TriggerOutput(name) => saved.trigger.payload.get(name).cloned().unwrap_or_default(),
        Root::Input(name) => saved.input.get(name).cloned().unwrap_or_default(),
        Root::Output(step, name) => {
            let output = saved.run.unit(Unit::Step(*step)).map(|it| &it.output);
            output.and_then(|output| output.get(name)).cloned().unwrap_or_default()
        }
        Root::Answer(step) => saved.run.unit(Unit::Step(*step)).map(|it| it.output.clone()).unwrap_or_default(),
    }
}

/// The value that an expression reads.
fn resolve(tx: &mut Tx<'_>, run: &Run, data: &DataRef) -> Result<Value> {
    let found = root(tx.app, run, &data.root);
    let value = data.ty.parse(tx.app, &found).map_err(|wrong| Error::new(422, "VALUE", format!("A value of the process {wrong}")))?;
    let Some(path) = data.path.filter(|_| !value.is_null()) else {
        return Ok(if data.path.is_some() { Value::Null } else { value });
    };
    if let Some(value) = follow(tx, path, &value)? {
        return Ok(value);
    }
    match (&data.root, trigger_row(tx.app, &run.saved.trigger)) {
        (Root::TriggerRow, Some((_, row))) => follow_from(tx, path, &row),
        _ => Ok(Value::Null),
    }
}

/// The field at the end of a path from the row with this key; `None` if the row does not exist.
fn follow(tx: &mut Tx<'_>, path: Path, key: &Value) -> Result<Option<Value>> {
    let app = tx.app;
    let entity = path.origin(app);
    let emit = Emit { app, engine: tx.engine(), caller: &tx.caller };
    let scope = Scope { entity: entity.ix, alias: ROW, outer: None };
    let (sql, kind) = emit.typed_value(&Expr::Path(path), scope);
    let Some(kind) = kind else { return Ok(None) };
    let mut select = crate::db::Statement::new();
    select.push("SELECT ").append(sql).append(rows::from_key(&emit, entity, key)?);
    Ok(tx.conn.rows(&select, &[kind])?.into_iter().flatten().next())
}

/// The field at the end of a path from a row that was deleted.
fn follow_from(tx: &mut Tx<'_>, path: Path, row: &Row) -> Result<Value> {
    let steps = path.steps(tx.app);
    let Some((first, rest)) = steps.split_first() else { return Ok(Value::Null) };
    let own = row.value_at(path.origin(tx.app), *first).clone();
    match Path::from_fields(rest) {
        Some(rest) if !own.is_null() => Ok(follow(tx, rest, &own)?.unwrap_or_default()),
        Some(_) => Ok(Value::Null),
        None => Ok(own),
    }
}

/// An expression with its values, and the caller whose conditions can use them.
pub(super) fn bind<'b>(tx: &mut Tx<'_>, run: &Run, bound: &'b MaybeBound) -> Result<(&'b Bound, Caller)> {
    let bound = bound.as_ref().map_err(|why| gone(why))?;
    let data = bound.data.iter().map(|data| resolve(tx, run, data)).collect::<Result<Vec<_>>>()?;
    Ok((bound, Caller { data: Arc::from(data), ..tx.caller.clone() }))
}

/// True if the evaluation of an expression reads rows.
pub(super) fn reads_rows(bound: &MaybeBound) -> bool {
    bound.as_ref().is_ok_and(|bound| bound.data.iter().any(|data| data.path.is_some()))
}

/// Evaluates an expression that reads no row in scope.
pub(super) fn evaluate(tx: &mut Tx<'_>, run: &Run, bound: &MaybeBound) -> Result<Value> {
    let (bound, caller) = bind(tx, run, bound)?;
    Ok(constant(&bound.expr, &caller, tx.app))
}

/// Evaluates an expression to JSON; a value of the process is passed on as it is.
pub(super) fn evaluate_json(tx: &mut Tx<'_>, run: &Run, bound: &MaybeBound) -> Result<Json> {
    if let Ok(Bound { expr: Expr::Data(_), data }) = bound
        && let [only] = data.as_slice()
        && only.path.is_none()
    {
        return Ok(root(tx.app, run, &only.root));
    }
    evaluate(tx, run, bound).map(|value| value_type::to_json(&value))
}

/// Evaluates named values to an object.
pub(super) fn evaluate_members(tx: &mut Tx<'_>, run: &Run, values: &[(String, MaybeBound)]) -> Result<Map<String, Json>> {
    values.iter().map(|(name, value)| Ok((name.clone(), evaluate_json(tx, run, value)?))).collect()
}
