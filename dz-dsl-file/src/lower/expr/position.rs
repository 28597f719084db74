//! The positions of expressions, and the refusal of what a position does not allow.

use super::Typer;
use crate::{Diagnostic, Span};

/// The position of an expression, which determines its allowed contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Position {
    /// `permit`, `forbid`, `access`.
    Access,
    /// The filter of a nested section, of a region, or of a metric.
    Filter,
    /// `guard:` of a transition.
    Guard,
    /// `invariant:`
    Invariant,
    /// `where` of an index.
    Index,
    /// `computed`
    Computed,
    /// The scope of a variant.
    Scope,
    /// `when:` of an attention or of a field on a surface.
    When,
    /// A metric of a workspace.
    Metric,
    /// A field's default.
    Default,
    /// The default of a value of a service, a process or an intent, which no caller writes.
    Value,
    /// A value or condition of a process, or the condition of an event.
    Process,
    /// A value of demo data.
    Demo,
    /// `when:` and `prefill:` of a step.
    Step,
}

impl Typer<'_, '_> {
    /// The name of this position in messages.
    pub fn place(&self) -> &'static str {
        match self.position {
            Position::Access => "an access rule",
            Position::Filter => "a filter",
            Position::Guard => "a guard",
            Position::Invariant => "an invariant",
            Position::Index => "the condition of an index",
            Position::Computed => "a computed field",
            Position::Scope => "the scope of a variant",
            Position::When => "a `when` condition",
            Position::Metric => "a metric",
            Position::Default => "a default",
            Position::Value => "the default of a value that the system passes on",
            Position::Process => "a process",
            Position::Demo => "demo data",
            Position::Step => "a step",
        }
    }

    /// Reports an expression that this position does not allow.
    pub fn not_allowed<T>(&mut self, span: Span, what: &str) -> Option<T> {
        let place = self.place();
        let found = Diagnostic::error("not-allowed-here", span, format!("{what} is not allowed in {place}"));
        self.it.out.push(found.help(match (self.position, what) {
            (Position::Default, _) => "write a literal, `today`, `now`, a duration, `current_user` or one of its fields",
            (Position::Demo | Position::Value, _) => "write a literal, `today`, `now` or a duration",
            (Position::Step, _) => "read `context.…` and `current_user.…`",
            (Position::Access, "`this`") => "name the row's own fields without it",
            (Position::Access, _) => "use `any(…)` or `count(…)` of a relation, or store the value in a field",
            (Position::Computed, _) => "compute from fields of the row and of referenced rows",
            (Position::Metric, _) => "write figures of entities, such as `count(Task where …)`",
            (_, "`this`") => "name the row's own fields without it",
            (Position::Index, _) => "compare stored fields of the row with each other and with literals",
            (Position::Invariant, _) => "compare fields of the row; ask this in the `guard:` of a transition or in a rule of access",
            _ => "compare fields of the rows, `current_user` and roles",
        }));
        None
    }
}
