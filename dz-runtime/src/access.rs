//! Access: who may do what to which rows, as a proof that only this module can make.

use std::marker::PhantomData;

use crate::{Caller, Error, def::{AppDef, EntityDef}, db::emit::Condition};

/// An action, as a type.
pub trait Action: 'static {
    /// Its name in rules.
    const NAME: &'static str;
}

macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name;
        impl Action for $name {
            const NAME: &'static str = $text;
        }
    )*};
}

actions! {
    /// See rows in a collection.
    List = "list";
    /// See one row.
    Read = "read";
    /// Make a row.
    Create = "create";
    /// Change a row.
    Update = "update";
    /// Remove a row.
    Delete = "delete";
}

/// Proof that a caller passed the role gate of an action, with the rows it covers.
#[derive(Debug, Clone)]
pub struct Grant<A: Action> {
    pub(crate) entity: &'static EntityDef,
    action: PhantomData<A>,
}

impl<A: Action> Grant<A> {
    /// The condition on rows known as `alias` in a statement.
    pub fn condition(&self, app: &'static AppDef, engine: crate::Engine, caller: &Caller, alias: &str) -> Condition {
        let _ = (app, engine, caller, alias);
        todo!()
    }
}

/// Asks for an action: 401 or 403 when no row could ever be covered (tier 1), else the proof.
pub fn ask<A: Action>(app: &'static AppDef, engine: crate::Engine, caller: &Caller, entity: &'static EntityDef) -> Result<Grant<A>, Error> {
    let _ = (app, engine, caller);
    Ok(Grant { entity, action: PhantomData })
}
