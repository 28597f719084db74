//! The operations over real declarations.

#[path = "session/exchange.rs"]
mod exchange;
#[path = "session/fourth.rs"]
mod fourth;
#[path = "session/freshness.rs"]
mod freshness;
#[path = "session/generated.rs"]
mod generated;
#[path = "session/graph.rs"]
mod graph;
#[path = "session/impact.rs"]
mod impact;
#[path = "session/incremental.rs"]
mod incremental;
#[path = "session/memory.rs"]
mod memory;
#[path = "session/questions.rs"]
mod questions;
#[path = "session/review.rs"]
mod review;
#[path = "session/search.rs"]
mod search;
#[path = "session/second.rs"]
mod second;
#[path = "session/third.rs"]
mod third;
#[path = "session/unseen.rs"]
mod unseen;
