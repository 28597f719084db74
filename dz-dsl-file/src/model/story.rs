//! Stories: an action of a persona, and its result.

use super::{EntityId, FieldId, Placed, RoleId};
use crate::Span;

/// A story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Story {
    /// Its id, e.g. `ST-001`.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The sentence under the title.
    pub description: Option<String>,
    /// The persona that acts.
    pub actor: Option<Placed<RoleId>>,
    /// Its trigger.
    pub trigger: Option<StoryTrigger>,
    /// Its entities, without duplicates.
    pub scope: Vec<Placed<EntityId>>,
    /// Its status.
    pub status: StoryStatus,
    /// The preconditions.
    pub given: Vec<Sentence>,
    /// The action.
    pub when: Vec<Sentence>,
    /// The results.
    pub then: Vec<Sentence>,
    /// The exceptions.
    pub unless: Vec<Exception>,
    /// The id in the declaration.
    pub span: Span,
}

/// The triggers of stories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoryTrigger {
    /// `form_submitted`
    FormSubmitted,
    /// `status_changed`
    StatusChanged,
    /// `timer_elapsed`
    TimerElapsed,
    /// `external_event`
    ExternalEvent,
    /// `user_click`
    UserClick,
    /// `cron_daily`
    CronDaily,
    /// `cron_hourly`
    CronHourly,
}

/// The statuses of a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoryStatus {
    /// `draft`, which is the default.
    Draft,
    /// `accepted`
    Accepted,
    /// `rejected`
    Rejected,
}

/// A line of a story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Its text.
    pub text: String,
    /// The states it quotes, in order.
    pub states: Vec<QuotedState>,
    /// The text in the declaration.
    pub span: Span,
}

/// A state that a sentence quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotedState {
    /// The entity.
    pub entity: EntityId,
    /// Its enum field.
    pub field: FieldId,
    /// The value, by position.
    pub value: usize,
    /// The words between the quotes.
    pub span: Span,
}

/// A line of `unless:`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception {
    /// The condition under which the story does not happen.
    pub text: Sentence,
    /// The result instead.
    pub then: Vec<Sentence>,
}
