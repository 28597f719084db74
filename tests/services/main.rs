//! Services, whose implementations an application provides.

mod database;
mod python;
mod rust;
