//! Services, whose implementations an application provides.

mod database;
mod rust;
