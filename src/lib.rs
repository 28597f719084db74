//! **dz**: a whole business application from one short declaration.
//!
//! Entities with access rules, screens and demo data are declared in an indentation language, in
//! [`dz!`] or [`include_dsl!`], and become diesel models, Rocket routes behind access guards and
//! pages, at compile time. `cargo build` is the validation: an unknown field in a rule is a compile error at
//! its place. People's own Rust stands beside it, with the same typed models, in the same transaction, under
//! the same rules.
//!
//! ```
//! dz::dz! {
//!     app notes "Notes"
//!
//!     persona writer "Writer"
//!
//!     entity Note "Note":
//!       id: uuid pk
//!       title: str(80) required
//!       author: ref User = current_user
//!       permit:
//!         list: author = current_user
//!         read: author = current_user
//!         create: role(writer)
//!         update: author = current_user
//!
//!     surface note_list "Notes":
//!       uses entity Note
//!       mode: list
//!       ux:
//!         sort: title asc
//!         search: title
//! }
//!
//! # fn main() {
//! let app = app().before_create::<note::Note>(|_, new| {
//!     if new.title.trim().len() < 3 {
//!         return Err(dz::Error::validation("title", "needs three letters at least"));
//!     }
//!     Ok(())
//! });
//! // app.main() serves it.
//! # drop(app);
//! # }
//! ```
//!
//! The declaration expands to `pub fn app() -> dz::App`, `pub mod schema` (diesel's tables) and a module per
//! entity: `note::Note` (the row), `note::NewNote`, `note::NoteChanges`, `note::scoped` (a diesel query over the
//! rows that the caller may see). [`guide`] shows what they do.
//!
//! [`include_dsl!`] takes options behind the path, which win over `dz.toml`, so that one package can hold several
//! applications, each in a module of its own:
//!
//! ```ignore
//! mod shop {
//!     dz::include_dsl!("shop.dsl", database = "postgres", migrations = "shop/migrations", templates = "shop/templates");
//! }
//! ```
//!
//! # Features
//!
//! * `sqlite` (default): SQLite, compiled in.
//! * `postgres`: PostgreSQL, through libpq. With both, `database = "sqlite"` or `"postgres"` under `[project]`
//!   in `dz.toml` chooses.
//! * `testing`: `dz::testing`, which proves the access rules of an application in its own tests.

pub use dz_macros::{dz, include_dsl};
pub use dz_runtime::{
    Account, App, Caller, Category, Clock, Cx, Draft, Engine, Entity, Error, Event, File, FromValue, Given, Happened, IntoValue, Mail,
    MailKind, Plan, Result, Role, RoleName, Scoped, ScopedRows, Severity, SignedIn, SystemCx, TokenScope, Tx, Value, access, log_to_stderr,
    page, sql_types,
};

/// Dates, times, numbers and identifiers as the generated structs hold them.
pub use dz_runtime::reexport::{DateTime, Decimal, Json, NaiveDate, Utc, Uuid, rocket, serde_json};

/// Tests of applications.
#[cfg(feature = "testing")]
pub use dz_runtime::testing;
pub mod guide;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
