//! Whether a run can certainly reach a step without the result of another one.
//!
//! Two decisions can depend on each other: a run that leaves out a step because of a condition can leave out its use because of
//! the same condition. Only paths whose decisions read different values are therefore followed.

use crate::model::{DataPath, DataRoot, Expr, FieldId, Flow, Path, StepAction, StepId, TargetKind};

/// The largest number of steps that one search visits. Beyond it nothing is certain.
const MOST: usize = 10_000;

/// A value on which a decision depends.
#[derive(Debug, Clone, PartialEq)]
enum Read {
    /// A field of a row, without the reference that leads to the row.
    Field(Path),
    /// Another value of the run.
    Data(DataRoot),
    /// The success of a step.
    Success(StepId),
    /// The outcome of a human task.
    Outcome(StepId),
    /// The time.
    Time,
    /// A value that is not analysed.
    Other,
}

/// A search for a path to `user` that does not pass `source`.
struct Search<'f> {
    flow: &'f Flow,
    source: StepId,
    user: StepId,
    steps: usize,
}

/// True if a run can reach `user` without the success of `source`, whatever the values of the rows.
pub(crate) fn certainly_avoids(flow: &Flow, source: StepId, user: StepId) -> bool {
    // The steps of a `parallel` run together, so that paths do not describe them.
    let in_parallel = |id: StepId| flow.step(id).parent.is_some();
    if in_parallel(source) || in_parallel(user) {
        return false;
    }
    let mut search = Search { flow, source, user, steps: 0 };
    flow.first.is_some_and(|first| search.reaches(first, &mut Vec::new(), &mut Vec::new()))
}

impl Search<'_> {
    /// Follows the paths from a step; `reads` contains the values on which the earlier decisions of the path depend.
    fn reaches(&mut self, at: StepId, path: &mut Vec<StepId>, reads: &mut Vec<Read>) -> bool {
        self.steps += 1;
        if self.steps > MOST || path.contains(&at) {
            return false;
        }
        if at == self.user {
            return true;
        }
        path.push(at);
        let found = self.ways(at).into_iter().any(|(next, needed)| {
            let is_free = !needed.iter().any(|read| *read == Read::Other || reads.contains(read) || self.needs_source(read));
            let before = reads.len();
            reads.extend(needed);
            let found = is_free && self.reaches(next, path, reads);
            reads.truncate(before);
            found
        });
        path.pop();
        found
    }

    /// The next steps, each with the values that decide about it.
    fn ways(&self, at: StepId) -> Vec<(StepId, Vec<Read>)> {
        let step = self.flow.step(at);
        let mut ways: Vec<(TargetKind, Vec<Read>)> = Vec::new();
        match &step.action {
            StepAction::Condition { condition, on_true, on_false } => {
                let reads = reads_of(&condition.it);
                ways.push((on_true.to, reads.clone()));
                ways.push((on_false.to, reads));
            }
            StepAction::HumanTask(task) => ways.extend(task.outcomes.iter().map(|outcome| (outcome.goto.to, vec![Read::Outcome(at)]))),
            StepAction::Service(_)
            | StepAction::Subprocess(_)
            | StepAction::LlmIntent(_)
            | StepAction::WaitFor(_)
            | StepAction::WaitSignal(_)
            | StepAction::Parallel { .. }
            | StepAction::Effects => ways.push((step.next.to, Vec::new())),
        }
        if at == self.source {
            ways.clear();
        }
        ways.push((step.on_failure.to, vec![Read::Success(at)]));
        let step_of = |(to, reads)| match to {
            TargetKind::Step(next) => Some((next, reads)),
            TargetKind::Complete | TargetKind::Fail => None,
        };
        ways.into_iter().filter_map(step_of).collect()
    }

    /// True for a result of the step that is left out: a condition on it can protect its use.
    fn needs_source(&self, read: &Read) -> bool {
        matches!(read, Read::Data(root) if root.step() == Some(self.source))
    }
}

/// The values that a condition reads.
fn reads_of(condition: &Expr) -> Vec<Read> {
    let mut reads = Vec::new();
    condition.visit(&mut |part| match part {
        Expr::Path(path) => reads.push(Read::Field(Path::own(path.from, first_own(path)))),
        Expr::Data(DataPath { root: DataRoot::TriggerRow, rest: Some(path), .. }) => {
            reads.push(Read::Field(Path::own(path.from, first_own(path))));
        }
        Expr::Data(DataPath { root: DataRoot::Outcome(step), .. }) => reads.push(Read::Outcome(*step)),
        Expr::Data(path) => {
            reads.push(Read::Data(path.root));
            // A result that does not exist reveals that its step has not succeeded.
            reads.extend(path.root.step().map(Read::Success));
        }
        Expr::Today | Expr::Now | Expr::Call(..) => reads.push(Read::Time),
        Expr::Aggregate { .. }
        | Expr::EntityAggregate { .. }
        | Expr::CurrentUser
        | Expr::CurrentTenant
        | Expr::CurrentUserPath(_)
        | Expr::CurrentUserRoles
        | Expr::Role(_)
        | Expr::SignedIn
        | Expr::Anyone
        | Expr::This(_)
        | Expr::Context(..)
        | Expr::Metric(_)
        | Expr::Bool(_) => reads.push(Read::Other),
        _ => {}
    });
    reads
}

/// The field of the row itself with which a path begins: two paths that begin alike can depend on each other.
fn first_own(path: &Path) -> FieldId {
    path.hops.first().copied().unwrap_or(path.field)
}
