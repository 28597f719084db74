//! Experiences.

crate::vocabulary! {
    /// What can happen in a step of an experience.
    StepEvent {
        /// The step has succeeded.
        Success,
        /// The step has failed.
        Failure,
        /// The user continues.
        Continue,
        /// The user goes back.
        Back,
        /// The user cancels.
        Cancel,
        /// The user approves.
        Approve,
        /// The user rejects.
        Reject,
        /// The user skips the step.
        Skip,
    }
}
