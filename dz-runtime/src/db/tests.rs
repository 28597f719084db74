//! Both engines: the schema, the pool, constraints, storage, and every operator on edge values.

mod app;
mod checks;
mod conditions;
mod evaluate;
mod expressions;
mod migrations;
mod notices;
mod pool;
#[cfg(feature = "testing")]
mod random_expressions;
mod schema;
mod storage;
mod typed;
