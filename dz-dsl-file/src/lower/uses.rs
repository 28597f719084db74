//! Uses of names with their declarations, for navigation and renaming in editors.

use super::Lowering;
use crate::{
    Span,
    model::{EntityId, EnumId},
};

/// A use of a name that is declared elsewhere in the texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Use {
    /// The place of the name, including its quotes.
    pub at: Span,
    /// The name in the declaration.
    pub declared: Span,
}

impl Lowering<'_> {
    /// Notes a use. What dz supplies has no place in a text, and is not noted.
    pub fn used(&mut self, at: Span, declared: Span) {
        if declared.start < declared.end && at != declared {
            self.uses.push(Use { at, declared });
        }
    }

    /// Notes the use of a field, unless dz supplies it.
    pub fn field_used(&mut self, at: Span, entity: EntityId, field: usize) {
        let owner = &self.entities[entity.0];
        let found = &owner.fields[field];
        if !owner.has_written(found) {
            return;
        }
        let declared = found.span;
        // The name of a currency field begins with that of its amount; only this part changes if the amount is renamed.
        let at = match found.ty.amount() {
            Some(amount) => {
                let begins = u32::try_from(owner.fields[amount.0].name.len()).unwrap_or_default();
                Span { end: (at.start + begins).min(at.end), ..at }
            }
            None => at,
        };
        self.used(at, declared);
    }

    /// Notes the use of a value of an enum.
    pub fn value_used(&mut self, at: Span, values: EnumId, value: usize) {
        self.used(at, self.enums[values.0].values[value].span);
    }
}

/// The uses by place, without duplicates: an expression can be resolved more than once.
pub(super) fn sorted(mut uses: Vec<Use>) -> Vec<Use> {
    uses.sort_unstable();
    uses.dedup();
    uses
}
