//! The steps of an experience that a user can reach.

use crate::model::{Experience, ExperienceStepId};

/// Adds every step that can follow `start`, and `start` itself.
pub(crate) fn mark_reached(experience: &Experience, start: ExperienceStepId, reached: &mut [bool]) {
    let mut open = vec![start];
    while let Some(step) = open.pop() {
        if !std::mem::replace(&mut reached[step.0], true) {
            open.extend(experience.steps[step.0].transitions.iter().map(|step| step.target));
        }
    }
}

/// For each step, whether it can be reached from the first step.
pub(crate) fn reachable_steps(experience: &Experience) -> Vec<bool> {
    let mut reached = vec![false; experience.steps.len()];
    mark_reached(experience, experience.start, &mut reached);
    reached
}
