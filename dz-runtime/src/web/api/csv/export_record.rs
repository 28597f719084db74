//! The audit record of an export, one for all its batches.

use std::sync::Arc;

use tokio::runtime::Handle;

use crate::{
    Tx,
    audit::{self, Record},
    blocking::Work,
    output::log_event,
    state::State,
};

/// The exported rows. If the client disconnects, the rows that were sent are recorded.
#[derive(Default)]
pub(crate) struct ExportRecord {
    pub records: Vec<Record>,
    state: Option<Arc<State>>,
}

impl ExportRecord {
    /// Writes the record with `state` if the export ends early.
    pub fn write_early_with(&mut self, state: &Arc<State>) {
        self.state = Some(state.clone());
    }

    /// Takes the records of a batch from its unit of work into this record.
    pub fn gather(&mut self, tx: &mut Tx<'_>) {
        for record in tx.lists.as_mut().map(std::mem::take).unwrap_or_default() {
            match self.records.iter_mut().find(|it| it.entity == record.entity) {
                Some(before) => audit::append_rows(before, record),
                None => self.records.push(record),
            }
        }
    }
}

impl Drop for ExportRecord {
    fn drop(&mut self) {
        let records = std::mem::take(&mut self.records);
        let Some(state) = self.state.take().filter(|_| !records.is_empty()) else { return };
        let waits = state.clone();
        let write = move || {
            let kept = state.db.write(&mut |conn| records.iter().try_for_each(|record| audit::insert(conn, state.app, record)));
            if let Err(lost) = kept {
                let why = lost.internal.map_or(lost.detail, String::from);
                log_event!(error, target: "dz::audit", "the audit record of an export was not written: {why}");
            }
        };
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(async move { waits.threads.run_next(Work::Write, write).await })),
            Err(_) => write(),
        }
    }
}

impl std::fmt::Debug for ExportRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.records).finish()
    }
}
