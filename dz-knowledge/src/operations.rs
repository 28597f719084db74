//! The operations, one file each, in one table: the command line, the protocol and the documentation read it.

mod access;
mod concept;
mod dependencies;
mod exchange;
mod explain;
mod impact;
mod inference;
mod neighbourhood;
mod paths;
mod populate;
mod propose;
mod query;
mod stats;
mod topology;
mod triggers;
mod validate;

use serde_json::Value;

use crate::{Failure, Host, Parameter, Session, parameters::Arguments};

/// An operation.
pub struct Operation {
    /// Its name.
    pub name: &'static str,
    /// Its result, in words.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Computes the result.
    pub(crate) run: fn(&mut Session, &Arguments<'_>, &mut dyn Host) -> Result<Value, Failure>,
}

/// Every operation, the most general ones first.
pub const OPERATIONS: &[Operation] = &[
    query::OPERATION,
    topology::OPERATION,
    concept::OPERATION,
    inference::OPERATION,
    propose::OPERATION,
    validate::OPERATION,
    explain::OPERATION,
    access::OPERATION,
    impact::OPERATION,
    neighbourhood::OPERATION,
    dependencies::DEPENDENCIES,
    dependencies::DEPENDENTS,
    paths::OPERATION,
    triggers::OPERATION,
    stats::OPERATION,
    populate::OPERATION,
    exchange::EXPORT,
    exchange::IMPORT,
];
