//! The start of processes by events of rows.

use serde_json::Value as Json;

use super::{
    data,
    definition::{Definition, Processes},
    start::{self, NewRun},
    stored::Trigger,
};
use crate::{
    Event, Hooks, Result, SystemCx, Tx, Value,
    def::{AppDef, Auto, EntityDef},
    event::Occurrence,
    record::Row,
    rows,
};

/// Adds the subscribers of processes that events of rows start.
pub(super) fn subscribe(hooks: &mut Hooks, processes: &Processes, app: &'static AppDef) -> Result<()> {
    for process in &processes.declared {
        let (entity, event) = match &process.trigger {
            Trigger::Entity { entity, event } => (entity, event.parse()?),
            Trigger::Change { entity, .. } => (entity, Event::Updated),
            Trigger::Manual { .. } | Trigger::Signal { .. } | Trigger::Completed { .. } | Trigger::Cron { .. } => continue,
        };
        let entity = data::entity(app, entity)?;
        let name = process.name.clone();
        hooks.on_row(entity.ix, event, &format!("process {name}"), move |cx, occurrence| start_for_row(cx, &name, entity, occurrence));
    }
    Ok(())
}

/// Starts a process for an event of a row. A repeated delivery has the same cause, so it starts no second run.
fn start_for_row(cx: &SystemCx, name: &str, entity: &'static EntityDef, occurrence: &Occurrence) -> Result<()> {
    cx.run(|tx| {
        let processes = tx.state::<Processes>()?;
        let Some(process) = processes.find(name).filter(|process| is_triggered(process, entity, occurrence)) else { return Ok(()) };
        if !meets_condition(tx, process, entity, occurrence)? {
            return Ok(());
        }
        let new = NewRun::by_row(entity, occurrence);
        start::start(tx, process, &Json::Null, new).map(drop)
    })
}

fn is_triggered(process: &Definition, entity: &'static EntityDef, occurrence: &Occurrence) -> bool {
    if is_own_write(process, entity, occurrence) {
        return false;
    }
    let Trigger::Change { field, from, to, .. } = &process.trigger else { return true };
    let Some((at, _)) = entity.find(field) else { return false };
    let value = |row: &Row| if let Value::Text(text) = row.value(at) { Some(text.clone()) } else { None };
    let (before, after) = (occurrence.before.as_ref().and_then(value), value(&occurrence.row));
    before != after && after == *to && (from.is_none() || before == *from)
}

/// True for an update of nothing but the fields that the process itself writes, which would start it without end.
fn is_own_write(process: &Definition, entity: &'static EntityDef, occurrence: &Occurrence) -> bool {
    let Some(before) = occurrence.before.as_ref().filter(|_| !process.own_fields.is_empty()) else { return false };
    let values = before.values.iter().zip(&occurrence.row.values);
    entity
        .fields
        .iter()
        .zip(values)
        .filter(|(_, (before, after))| before != after)
        .all(|(field, _)| field.auto == Auto::Update || field.computed.is_some() || process.own_fields.iter().any(|own| own == field.name))
}

/// True if the row of the event meets the condition of the process.
fn meets_condition(tx: &mut Tx<'_>, process: &Definition, entity: &'static EntityDef, occurrence: &Occurrence) -> Result<bool> {
    let Some(when) = &process.when else { return Ok(true) };
    let when = when.as_ref().map_err(|why| data::gone(why))?;
    Ok(rows::evaluate_conditions(tx, entity, &[&occurrence.row.values], &[*when])?.into_iter().flatten().all(|holds| holds))
}
