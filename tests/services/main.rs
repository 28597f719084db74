//! Services, whose implementations an application provides.

mod database;
mod llm;
mod llm_server;
mod llm_triggers;
mod python;
mod rust;
mod schedules;
mod story;
