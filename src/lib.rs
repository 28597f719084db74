//! **dz**: a whole business application from one short declaration.
//!
//! You declare entities with access rules, pages and demo data in an indentation-based language, in [`dz!`] or [`include_dsl!`].
//! At compile time dz generates diesel models, Rocket routes that enforce the access rules, and pages from the declaration.
//! `cargo build` validates the declaration: an unknown field in a rule is a compile error at that field.
//! Your own Rust uses the same typed models, in the same transaction, under the same rules.
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
//! The declaration expands to `pub fn app() -> dz::App`, `pub mod schema` (diesel's tables) and a module for each entity: `note::Note`
//! (the row), `note::NewNote`, `note::NoteChanges`, and `note::scoped` (a diesel query over the visible rows). [`guide`] shows their use.
//!
//! [`include_dsl!`] takes options after the path, which take precedence over `dz.toml`. One package can therefore contain several
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
//! * `postgres`: PostgreSQL, through libpq. With both features, `database = "sqlite"` or `"postgres"` under `[project]`
//!   in `dz.toml` selects the engine.
//! * `adapters` (default): [`adapter`], typed calls of external HTTP services.
//! * `graphql` (default): GraphQL at `/graphql`.
//! * `graph-algorithms` (default): paths, components and rankings of graphs; without it, their addresses respond with 501.
//! * `oidc`: sign-in through OpenID Connect providers.
//! * `s3`: files and backups in object storage with the protocol of Amazon S3.
//! * `testing`: `dz::testing`, for the tests of an application: requests without a socket, and a property test of the access rules.

pub use dz_macros::{dz, include_dsl};
pub use dz_runtime::{
    Account, App, Caller, Category, Change, Clock, Cx, DeclaredRole, Draft, Engine, Entity, Error, Event, FieldValues, File, FromValue,
    Happened, Id, IntoValue, InvalidId, Job, JobCx, JobOptions, LlmFailure, LlmMessage, LlmProvider, LlmRequest, LlmResponse, Mail,
    MailKind, NewRow, Plan, Result, Role, RoleName, RunError, RunEvent, RunHappened, Scoped, ScopedRows, Service, ServiceCx, Severity,
    SignedIn, SpawnedJob, SystemCx, TokenScope, Tx, Value, access, log_to_stderr, page, sql_types, traceparent,
};

/// The types of dates, times, numbers and identifiers in the generated structs.
pub use dz_runtime::reexport::{DateTime, Decimal, Json, NaiveDate, TimeDelta, Utc, Uuid, rocket, serde, serde_json};

/// Templates of the application's own pages: `#[template(path = "board.html", askama = dz::askama)]`.
pub use dz_runtime::reexport::askama;

/// Declares the input of a typed action; see [`App::typed_action`].
pub use dz_runtime::action_input;

/// Allows the tables of two entities in one query; see [`guide`].
pub use dz_runtime::allow_tables_together;

/// Declares a second name of a table, for joins of a table with itself; see [`guide`].
pub use dz_runtime::alias;

#[cfg(feature = "adapters")]
pub use dz_runtime::adapter;

/// Tests of applications.
#[cfg(feature = "testing")]
pub use dz_runtime::testing;
pub mod guide;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
