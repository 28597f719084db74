//! Experiences and scenarios.

use super::{Audience, DemoRow, Expr, FieldDef, FieldIx, Path, StepEvent};

/// An experience: a guided sequence of screens, with one stored state for each account.
#[derive(Debug, Clone)]
pub struct ExperienceDef {
    /// Identifier.
    pub name: &'static str,
    /// Title shown to people.
    pub title: &'static str,
    /// Who can use it.
    pub audience: Audience,
    /// The values that it collects.
    pub context: &'static [FieldDef],
    /// The values that expressions read: `Expr::Data(n)` is the value of `reads[n]`.
    pub reads: &'static [ContextRead],
    /// The position of its first step.
    pub start: u16,
    /// Its steps, at least one.
    pub steps: &'static [StepDef],
}

/// A value that an expression of an experience reads.
#[derive(Debug)]
pub struct ContextRead {
    /// The position in [`ExperienceDef::context`].
    pub value: u16,
    /// The path from the row that the value references.
    pub path: Option<Path>,
}

/// A step of an experience.
#[derive(Debug, Clone)]
pub struct StepDef {
    /// Identifier.
    pub name: &'static str,
    /// Title shown to people.
    pub title: &'static str,
    /// Its surface or its process.
    pub screen: StepScreen,
    /// The step is skipped unless this condition is true.
    pub when: Option<Expr>,
    /// The initial values of its form.
    pub prefill: &'static [(FieldIx, Expr)],
    /// The position in [`ExperienceDef::context`] of the value that stores its result.
    pub saves_to: Option<u16>,
    /// Who can enter it.
    pub audience: Audience,
    /// The next step for each of its events.
    pub next: &'static [(StepEvent, u16)],
}

/// The surface or the process of a step.
#[derive(Debug, Clone, Copy)]
pub enum StepScreen {
    /// The surface at this position.
    Surface(u16),
    /// The process with this name.
    Process(&'static str),
}

/// A scenario: further demo rows, and the start pages of personas.
#[derive(Debug)]
pub struct ScenarioDef {
    /// Identifier.
    pub name: &'static str,
    /// Title shown to people.
    pub title: &'static str,
    /// Its description.
    pub description: Option<&'static str>,
    /// The bit of each role, and the address of its start page.
    pub starts: &'static [(u8, Option<&'static str>)],
    /// Its rows, which follow the demo rows of the application.
    pub demo: &'static [DemoRow],
}
