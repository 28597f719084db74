//! The rows that processes and schedules create and change.

use crate::model::{DataPath, DataRoot, Effect, EntityId, Expr, FieldId, Flow, Model, Placed, Runs, StepId, Trigger, WhichRows};

/// The steps of a process, or of a schedule of its own steps.
pub(crate) struct Work<'m> {
    /// The trigger; `None` for a schedule.
    pub trigger: Option<&'m Trigger>,
    /// The steps.
    pub flow: &'m Flow,
}

/// The rows of a write.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WrittenRows<'m> {
    /// A new row.
    New,
    /// The row to which a value refers.
    Row(&'m Expr),
    /// The rows that meet a condition.
    Where(&'m Expr),
    /// A row that is unknown.
    Unknown,
}

/// A write to rows of an entity.
pub(crate) struct Write<'m> {
    /// The entity, with the place of its name.
    pub entity: Placed<EntityId>,
    /// The rows.
    pub rows: WrittenRows<'m>,
    /// The values.
    pub values: &'m [(Placed<FieldId>, Expr)],
    /// The step; `None` for a compensation.
    pub step: Option<StepId>,
}

/// The steps of every process and schedule.
pub(crate) fn works(model: &Model) -> impl Iterator<Item = Work<'_>> {
    let processes = model.processes.iter().map(|process| Work { trigger: Some(&process.trigger), flow: &process.flow });
    let schedules = model.schedules.iter().filter_map(|schedule| match &schedule.runs {
        Runs::Flow(flow) => Some(Work { trigger: None, flow }),
        Runs::Process(_) => None,
    });
    processes.chain(schedules)
}

/// Calls `see` with each write of the steps and compensations of a flow.
pub(crate) fn writes<'m>(flow: &'m Flow, see: &mut dyn FnMut(Write<'m>)) {
    for (at, step) in flow.steps.iter().enumerate() {
        let at = Some(StepId(at));
        step.effects.iter().filter_map(|effect| write_of(effect, at)).for_each(&mut *see);
        let Some(task) = step.task() else { continue };
        for outcome in &task.outcomes {
            let rows = task.row.as_ref().map_or(WrittenRows::Unknown, WrittenRows::Row);
            see(Write { entity: task.entity, rows, values: &outcome.sets, step: at });
        }
    }
    let undoing = flow.compensations.iter().flat_map(|compensation| &compensation.effects);
    undoing.filter_map(|effect| write_of(effect, None)).for_each(see);
}

fn write_of(effect: &Effect, step: Option<StepId>) -> Option<Write<'_>> {
    match effect {
        Effect::Create { entity, values } => Some(Write { entity: *entity, rows: WrittenRows::New, values, step }),
        Effect::Update { rows, values } => {
            let which = match &rows.which {
                WhichRows::Row(row) => WrittenRows::Row(row),
                WhichRows::Where(condition) => WrittenRows::Where(&condition.it),
            };
            Some(Write { entity: rows.entity, rows: which, values, step })
        }
        Effect::Delete { .. } | Effect::Emit(_) => None,
    }
}

/// True for the row whose event started the process.
pub(crate) fn is_trigger_row(row: &Expr) -> bool {
    matches!(row, Expr::Data(DataPath { root: DataRoot::TriggerRow, rest: None, .. }))
}
