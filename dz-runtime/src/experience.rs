//! Experiences: the stored position of an account in a guided sequence of screens, and the collected values.
//!
//! `store` reads and writes the state, `values` evaluates expressions for the caller, and `flow` skips steps, and starts and follows
//! processes. Screens are pages of the web layer.

pub(crate) mod flow;
pub(crate) mod store;
pub(crate) mod values;

use serde_json::Value as Json;
use uuid::Uuid;

use crate::{
    Result, Tx, Value,
    access::check_audience,
    def::{EntityIx, ExperienceDef, StepDef, StepEvent, StepScreen, SurfaceDef},
    field,
};

/// The position of an account in an experience.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Position {
    /// The current step.
    pub step: usize,
    /// The number of changes so far; 0 if nothing is stored.
    pub version: i64,
    /// The saved values by name, the last saved one at the end.
    pub context: Vec<(String, Json)>,
    /// The run of the current step's process.
    pub run: Option<Uuid>,
    /// The reason for which the process of the current step has failed.
    pub failure: Option<String>,
    /// True after the last step.
    pub is_ended: bool,
}

impl Position {
    /// The first step.
    pub fn start(def: &ExperienceDef) -> Position {
        Position { step: usize::from(def.start), version: 0, context: Vec::new(), run: None, failure: None, is_ended: false }
    }

    /// Goes to a step; without one, the experience ends.
    pub fn go(&mut self, step: Option<usize>) {
        (self.run, self.failure) = (None, None);
        match step {
            Some(step) => self.step = step,
            None => self.is_ended = true,
        }
    }

    /// Saves a value of the context.
    pub fn save(&mut self, name: &str, value: Json) {
        self.context.retain(|(other, _)| other != name);
        self.context.push((name.to_owned(), value));
    }

    /// The key of the last saved row of an entity.
    pub fn last_row(&self, tx: &Tx<'_>, def: &'static ExperienceDef, entity: EntityIx) -> Option<Value> {
        self.context.iter().rev().find_map(|(name, json)| {
            let value = def.context.iter().find(|value| value.name == name && value.kind.target() == Some(entity))?;
            field::from_json(tx.app, value, json).ok().filter(|key| !key.is_null())
        })
    }
}

impl StepDef {
    /// The next step after an event.
    pub(crate) fn after(&self, event: StepEvent) -> Option<usize> {
        self.next.iter().find(|(on, _)| *on == event).map(|(_, step)| usize::from(*step))
    }

    /// True if the declaration has a line for the event.
    pub(crate) fn has_event(&self, event: StepEvent) -> bool {
        self.after(event).is_some()
    }

    /// The next step of a user who does nothing here.
    pub(crate) fn forward(&self) -> Option<usize> {
        [StepEvent::Skip, StepEvent::Success, StepEvent::Continue, StepEvent::Approve].into_iter().find_map(|event| self.after(event))
    }

    /// The surface that it shows.
    pub(crate) fn surface(&self, tx: &Tx<'_>) -> Option<&'static SurfaceDef> {
        match self.screen {
            StepScreen::Surface(at) => tx.app.surfaces.get(usize::from(at)).copied(),
            StepScreen::Process(_) => None,
        }
    }
}

/// Refuses callers who cannot use an experience. Its state belongs to an account, so an anonymous caller has none.
///
/// # Errors
/// 401 for an anonymous caller, 403 for a caller outside of its audience.
pub(crate) fn check_access(tx: &Tx<'_>, def: &ExperienceDef) -> Result<()> {
    tx.caller().account.as_ref().ok_or_else(crate::Error::unauthenticated)?;
    check_audience(tx.caller(), def.audience)
}

/// Finds an experience by its name.
///
/// # Errors
/// 404 if there is none.
pub(crate) fn find(tx: &Tx<'_>, name: &str) -> Result<&'static ExperienceDef> {
    tx.app.experiences.iter().find(|def| def.name == name).ok_or_else(crate::Error::not_found)
}
