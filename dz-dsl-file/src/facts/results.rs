//! Where the results of steps are known.

use std::collections::HashMap;

use super::flow::{self, Ways};
use crate::model::{Flow, StepId};

/// The reachable steps of a flow, computed once for each step that is needed.
pub(crate) struct Results<'m> {
    flow: &'m Flow,
    after: HashMap<StepId, Vec<bool>>,
    around: HashMap<StepId, Vec<bool>>,
}

impl<'m> Results<'m> {
    /// The results of the steps of a flow.
    pub fn new(flow: &'m Flow) -> Self {
        Results { flow, after: HashMap::new(), around: HashMap::new() }
    }

    /// True if a run can reach `user` after the success of `source`; for a branch, after all of its `parallel` has ended.
    pub fn is_known(&mut self, source: StepId, user: StepId) -> bool {
        let flow = self.flow;
        let reached = self.after.entry(source).or_insert_with(|| {
            let start = match flow.step(source).parent {
                Some(parent) => {
                    let branch = |id: &StepId| flow.step(*id).parent != Some(parent);
                    flow::next_steps(flow, parent, Ways::All).into_iter().filter(branch).collect()
                }
                None => flow::next_steps(flow, source, Ways::Success),
            };
            flow::reachable_steps(flow, &start, None)
        });
        reached[user.0]
    }

    /// True if a run can reach `user` without the success of `source`. A `parallel` succeeds if every branch does.
    pub fn is_avoidable(&mut self, source: StepId, user: StepId) -> bool {
        let flow = self.flow;
        let start: Vec<StepId> = flow.first.into_iter().collect();
        let whole = flow.step(source).parent.unwrap_or(source);
        let reached = self.around.entry(whole).or_insert_with(|| flow::reachable_steps(flow, &start, Some((whole, Ways::Failure))));
        reached[user.0]
    }
}
