//! Stories: what a persona does, and what comes of it.

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
    /// What starts it.
    pub trigger: Option<StoryTrigger>,
    /// The entities it is about, each once.
    pub scope: Vec<Placed<EntityId>>,
    /// How far it is agreed on.
    pub status: StoryStatus,
    /// What holds before.
    pub given: Vec<Sentence>,
    /// What happens.
    pub when: Vec<Sentence>,
    /// What holds after.
    pub then: Vec<Sentence>,
    /// What keeps it from happening.
    pub unless: Vec<Exception>,
    /// The id in the declaration.
    pub span: Span,
}

/// What starts a story.
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

/// How far a story is agreed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoryStatus {
    /// `draft`, also without a word about it.
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
    /// What keeps the story from happening.
    pub text: Sentence,
    /// What comes of it instead.
    pub then: Vec<Sentence>,
}
