//! The names of hooks and subscribers.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::{EntityHooks, Hooks};
use crate::{Error, Result, blocking::panic_text, def::EntityIx};

/// A hook with its name, which errors and panics of the hook contain.
pub(crate) struct Hook<F: ?Sized> {
    pub(super) name: String,
    run: Box<F>,
}

impl<F: ?Sized> Hook<F> {
    pub(super) fn new(name: String, run: Box<F>) -> Hook<F> {
        Hook { name, run }
    }

    /// Calls the hook.
    ///
    /// # Errors
    /// Those of the hook; an internal error names it.
    pub(crate) fn call(&self, call: impl FnOnce(&F) -> Result<()>) -> Result<()> {
        // The panic continues: it ends the transaction.
        let named = |error: Error| match &error.internal {
            Some(internal) if error.status == 500 => {
                let internal = format!("{internal} (in the hook `{}`)", self.name);
                Error { internal: Some(internal.into()), ..error }
            }
            _ => error,
        };
        match catch_unwind(AssertUnwindSafe(|| call(&self.run))) {
            Ok(result) => result.map_err(named),
            Err(panic) => resume_unwind(Box::new(format!("{} (in the hook `{}`)", panic_text(panic.as_ref()), self.name))),
        }
    }
}

/// The stage of a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    BeforeCreate,
    AfterCreate,
    BeforeUpdate,
    AfterUpdate,
    BeforeDelete,
    AfterDelete,
}

impl Stage {
    /// The name of the method that registers a hook.
    pub(super) fn name(self) -> &'static str {
        match self {
            Stage::BeforeCreate => "before_create",
            Stage::AfterCreate => "after_create",
            Stage::BeforeUpdate => "before_update",
            Stage::AfterUpdate => "after_update",
            Stage::BeforeDelete => "before_delete",
            Stage::AfterDelete => "after_delete",
        }
    }
}

/// What was registered last, which [`Hooks::name_last`] names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Registered {
    Hook(EntityIx, Stage),
    Subscriber,
    RunSubscriber,
}

impl EntityHooks {
    /// The names of the hooks of a stage, in their order.
    fn names(&mut self, stage: Stage) -> Vec<&mut String> {
        fn names_of<F: ?Sized>(hooks: &mut [Hook<F>]) -> Vec<&mut String> {
            hooks.iter_mut().map(|hook| &mut hook.name).collect()
        }
        match stage {
            Stage::BeforeCreate => names_of(&mut self.before_create),
            Stage::AfterCreate => names_of(&mut self.after_create),
            Stage::BeforeUpdate => names_of(&mut self.before_update),
            Stage::AfterUpdate => names_of(&mut self.after_update),
            Stage::BeforeDelete => names_of(&mut self.before_delete),
            Stage::AfterDelete => names_of(&mut self.after_delete),
        }
    }
}

impl Hooks {
    /// Names the hook or subscriber that was registered last.
    pub(crate) fn name_last(&mut self, name: &str) {
        let Some(registered) = self.last else {
            return self.problems.push(format!("`.named(\"{name}\")` follows no hook and no subscriber; write it after one"));
        };
        match registered {
            Registered::Subscriber => {
                if let Some(last) = self.subscribers.last_mut() {
                    last.declare_name(name);
                }
            }
            Registered::RunSubscriber => {
                if let Some(last) = self.runs.last_mut() {
                    last.declare_name(name);
                }
            }
            Registered::Hook(entity, stage) => {
                let hooks = self.entities.entry(entity).or_default();
                if let Some((last, others)) = hooks.names(stage).split_last_mut() {
                    if others.iter().any(|other| *other == name) {
                        self.problems.push(format!("two hooks of `{}` are named `{name}`; give one another name", stage.name()));
                    }
                    name.clone_into(last);
                }
            }
        }
    }

    /// Adds a former name of the subscriber that was registered last.
    pub(crate) fn add_former_name(&mut self, name: &str) {
        match (self.last, self.subscribers.last_mut(), self.runs.last_mut()) {
            (Some(Registered::Subscriber), Some(last), _) => last.former_names.push(name.to_owned()),
            (Some(Registered::RunSubscriber), _, Some(last)) => last.former_names.push(name.to_owned()),
            _ => self.problems.push(format!("`.was(\"{name}\")` follows no subscriber; write it after `.on(…)` or its `.named(…)`")),
        }
    }
}
