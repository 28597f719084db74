//! Custom actions of the application, and their typed input.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value as Json;

use super::Hooks;
use crate::{
    Error, Result, Tx,
    def::{EntityIx, ValueDef},
    record::{Entity, Row},
    signature::{self, Members},
};

pub(crate) type OnAction = Box<dyn Fn(&mut Tx<'_>, &Row, Json) -> Result<Json> + Send + Sync>;

/// An action with its handler.
pub(super) struct OwnAction {
    pub(super) run: OnAction,
    pub(super) inputs: &'static [ValueDef],
}

/// The input of a typed action. [`action_input!`](crate::action_input) declares a struct that implements it; `()` means no input.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the input of an action: declare it with `dz::action_input!`",
    label = "not declared with `dz::action_input!`",
    note = "write `dz::action_input! {{ pub struct Approve {{ comment: String = \"Comment\" }} }}`, or use `()` for an action without input"
)]
pub trait ActionInput: Sized + Send + 'static {
    /// Its fields.
    fn fields() -> &'static [ValueDef];

    /// Reads a checked object.
    ///
    /// # Errors
    /// 422 for a value of another type.
    fn read(members: Members) -> Result<Self>;
}

impl ActionInput for () {
    fn fields() -> &'static [ValueDef] {
        &[]
    }

    fn read(_: Members) -> Result<()> {
        Ok(())
    }
}

/// Declares the input of a typed action: a struct with a title for each field.
///
/// The fields are in the OpenAPI document, and on a page they are a form. An optional input is an `Option`.
///
/// ```
/// dz_runtime::action_input! {
///     /// The decision about an invoice.
///     pub struct Approve {
///         comment: String = "Comment",
///         amount: Option<rust_decimal::Decimal> = "Amount",
///     }
/// }
/// ```
#[macro_export]
macro_rules! action_input {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($(#[$doc:meta])* $field:ident: $type:ty = $title:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        $vis struct $name {
            $($(#[$doc])* #[doc = $title] pub $field: $type,)*
        }

        impl $crate::hooks::ActionInput for $name {
            fn fields() -> &'static [$crate::def::ValueDef] {
                static FIELDS: &[$crate::def::ValueDef] =
                    &[$($crate::field::describe_input::<$type>(::core::stringify!($field), $title),)*];
                FIELDS
            }

            #[allow(unused_mut, unused_variables, reason = "a struct can have no field")]
            fn read(mut members: $crate::signature::Members) -> $crate::Result<Self> {
                ::core::result::Result::Ok($name { $($field: members.take_named(::core::stringify!($field))?,)* })
            }
        }
    };
}

impl Hooks {
    /// Adds a custom action: the function gets the row, which the caller may read and act on, and the body of the request. Its
    /// `sensitive` fields are null if the caller may not update it. The returned JSON is the response body; `null` responds with the
    /// current row.
    pub fn action<E: Entity>(&mut self, name: &str, act: impl Fn(&mut Tx<'_>, E, Json) -> Result<Json> + Send + Sync + 'static) {
        let run: OnAction = Box::new(move |tx, row, body| act(tx, E::from_row(row.clone())?, body));
        self.actions.insert((E::DEF.ix, name.to_owned()), OwnAction { run, inputs: &[] });
    }

    /// Adds a custom action with typed input and output.
    pub fn typed_action<E: Entity, I: ActionInput, O: Serialize>(
        &mut self,
        name: &str,
        act: impl Fn(&mut Tx<'_>, E, I) -> Result<O> + Send + Sync + 'static,
    ) {
        let run: OnAction = Box::new(move |tx, row, body| {
            let members = signature::check(E::app(), I::fields(), &body, tx.caller())?;
            let output = act(tx, E::from_row(row.clone())?, I::read(members)?)?;
            serde_json::to_value(output).map_err(Error::internal)
        });
        self.actions.insert((E::DEF.ix, name.to_owned()), OwnAction { run, inputs: I::fields() });
    }

    pub(crate) fn find_action(&self, entity: EntityIx, action: &str) -> Option<&OnAction> {
        self.actions.get(&(entity, action.to_owned())).map(|action| &action.run)
    }

    /// The fields of the input of an action.
    pub(crate) fn find_inputs(&self, entity: EntityIx, action: &str) -> &'static [ValueDef] {
        self.actions.get(&(entity, action.to_owned())).map_or(&[], |action| action.inputs)
    }

    /// The actions with typed input of an entity, by name.
    pub(crate) fn typed_actions(&self, entity: EntityIx) -> Vec<(&str, &'static [ValueDef])> {
        let own = self.actions.iter().filter(|((of, _), action)| *of == entity && !action.inputs.is_empty());
        let mut own: Vec<(&str, &'static [ValueDef])> = own.map(|((_, name), action)| (name.as_str(), action.inputs)).collect();
        own.sort_unstable_by_key(|(name, _)| *name);
        own
    }

    /// The OpenAPI document of an application with typed actions, which `write` creates once.
    pub(crate) fn document(&self, write: impl FnOnce() -> Arc<str>) -> Option<Arc<str>> {
        let typed = self.actions.values().any(|action| !action.inputs.is_empty());
        typed.then(|| self.document.get_or_init(write).clone())
    }
}
