//! The last stored values of a deleted row, for the runs that it started.

use super::{
    data,
    definition::{Definition, Processes},
    store::{self, Lock, Wanted},
    stored::Trigger,
};
use crate::{
    Event, Result, SystemCx, Tx,
    db::{BindKind, Statement},
    def::{AppDef, EntityDef},
    event::Occurrence,
    hooks::Hooks,
};

/// Adds a subscriber of deletions for each entity whose rows start processes. A run reads the row before each event; without the subscriber
/// it would not see changes between its last event and the deletion.
pub(super) fn subscribe(hooks: &mut Hooks, processes: &Processes, app: &'static AppDef) -> Result<()> {
    let mut entities: Vec<&'static EntityDef> = Vec::new();
    for name in processes.declared.iter().filter_map(|process| trigger_entity(process)) {
        let entity = data::entity(app, name)?;
        if !entities.iter().any(|known| known.ix == entity.ix) {
            entities.push(entity);
        }
    }
    for entity in entities {
        hooks.on_row(entity.ix, Event::Deleted, "runs of the row", move |cx, occurrence| keep_values(cx, entity, occurrence));
    }
    Ok(())
}

fn trigger_entity(process: &Definition) -> Option<&str> {
    match &process.trigger {
        Trigger::Entity { entity, .. } | Trigger::Change { entity, .. } => Some(entity),
        Trigger::Manual { .. } | Trigger::Signal { .. } | Trigger::Completed { .. } | Trigger::Cron { .. } => None,
    }
}

/// Stores the values of a deleted row with its open runs.
fn keep_values(cx: &SystemCx, entity: &'static EntityDef, occurrence: &Occurrence) -> Result<()> {
    let key = occurrence.row.value(entity.pk).to_key_text().unwrap_or_default();
    cx.run(|tx| {
        let processes = tx.state::<Processes>()?;
        let names = processes.declared.iter().filter(|process| trigger_entity(process) == Some(entity.name));
        for process in names {
            for mut run in store::select(tx.conn, tx.app, &open_runs(tx, &process.name, &key)?)? {
                if run.saved.trigger.entity.as_deref() == Some(entity.name) {
                    run.saved.trigger.row = Some(data::row_members(entity, &occurrence.row.values));
                    store::save(tx.conn, &run)?;
                }
            }
        }
        Ok(())
    })
}

fn open_runs(tx: &Tx<'_>, process: &str, key: &str) -> Result<Wanted> {
    let mut sql = Statement::new();
    sql.push("WHERE r.process = ").bind(store::text(process), BindKind::Text);
    sql.push(" AND r.subject = ").bind(store::text(key), BindKind::Text).push(" AND r.ended_at IS NULL");
    if let Some(kind) = store::tenant_kind(tx.app)? {
        match tx.caller.tenant() {
            Some(tenant) => sql.push(" AND r.tenant = ").bind(tenant.clone(), kind),
            None => sql.push(" AND r.tenant IS NULL"),
        };
    }
    sql.push(" ORDER BY r.id");
    Ok(Wanted { sql, lock: Lock::Wait })
}
