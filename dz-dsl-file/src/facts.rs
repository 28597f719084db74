//! Facts about a model that the checks of several rules need.

pub(crate) mod access;
pub(crate) mod conditions;
pub(crate) mod cycles;
pub(crate) mod decide;
pub(crate) mod demo_rows;
pub(crate) mod effects;
pub(crate) mod flow;
pub(crate) mod graphql_names;
pub(crate) mod hidden;
pub(crate) mod indexed;
pub(crate) mod journey;
pub(crate) mod machine;
pub(crate) mod results;
pub(crate) mod sensitive;
pub(crate) mod values;
pub(crate) mod ways;
