//! Your own Rust beside the declaration: typed rows, moves, relations, hooks, queries of your own, and the one way past the
//! rules.
//!
//! Whatever your code does with rows, it does for a caller, in a unit of work ([`Tx`](crate::Tx)), and by the rules of the
//! declaration. There are three places where a unit of work comes from: a custom route has one by the guard
//! [`Cx`](crate::Cx), a hook is given that of the write it belongs to, and a subscriber opens one of the system itself with
//! [`SystemCx`](crate::SystemCx). The examples share one declaration: tasks with a state machine, notes and tags.
//!
//! # Rows
//!
//! A module per entity holds the row (`task::Task`), what a new one is made of (`task::NewTask`), what a change is made of
//! (`task::TaskChanges`) and the enumerations (`task::TaskStatus`). A field that is not given stays, or takes its default.
//!
//! ```
#![doc = include_str!("guide/yard.txt")]
//! use dz::{Result, Tx, Uuid};
//!
//! fn hand_over(tx: &mut Tx<'_>, id: Uuid, to: Uuid) -> Result<task::Task> {
//!     // 404 unless the caller may read it.
//!     let task = task::Task::find(tx, id)?;
//!     // 403 unless the caller may change it, as it is and as it will be.
//!     task.update(tx, task::TaskChanges { owner_id: Some(to), ..Default::default() })
//! }
//! # fn main() { let _ = hand_over; let _ = app(); }
//! ```
//!
//! # Moves
//!
//! The state machine is in the types: which states follow one, and whether a move is declared at all. Whether the caller may
//! take it now is asked when it is taken: an undeclared move is 409, a missing role 403, an unmet `requires` or guard 422.
//!
//! ```
#![doc = include_str!("guide/yard.txt")]
//! use dz::{Result, Tx};
//! use task::{Task, TaskChanges, TaskStatus};
//!
//! fn finish(tx: &mut Tx<'_>, task: &Task, result: &str) -> Result<Task> {
//!     let task = task.update(tx, TaskChanges { result: Some(Some(result.to_owned())), ..Default::default() })?;
//!     task.transition(tx, TaskStatus::Done)
//! }
//!
//! # fn main() {
//! assert!(TaskStatus::Open.can_become(TaskStatus::Doing));
//! assert!(!TaskStatus::Open.can_become(TaskStatus::Done));
//! assert_eq!(TaskStatus::Doing.successors(), [TaskStatus::Done]);
//! # let _ = finish; let _ = app(); }
//! ```
//!
//! # Relations
//!
//! A `has_many` or `has_one` is a method that gives the rows which the caller may list; over a junction, those that are
//! connected by rows which the caller may list too. A computed field is a method as well, asked now. Rows are connected by
//! making a row of the entity between.
//!
//! ```
#![doc = include_str!("guide/yard.txt")]
//! use dz::{Result, Tx};
//!
//! fn tag(tx: &mut Tx<'_>, task: &task::Task, tag: &tag::Tag) -> Result<Vec<String>> {
//!     tagging::NewTagging::new(task.id, tag.id).create(tx)?;
//!     if task.urgent(tx)? == Some(true) {
//!         note::NewNote::new(task.id, "Do it first").create(tx)?;
//!     }
//!     let notes: Vec<note::Note> = task.notes(tx)?;
//!     let tags: Vec<tag::Tag> = task.tags(tx)?;
//!     Ok(notes.into_iter().map(|it| it.text).chain(tags.into_iter().map(|it| it.name)).collect())
//! }
//! # fn main() { let _ = tag; let _ = app(); }
//! ```
//!
//! # Hooks, actions and subscribers
//!
//! Hooks run inside the write's transaction, whichever way the write came in: page, JSON, bulk, import, timer, or your own
//! Rust; an error refuses the write and undoes all of it. A row that comes back after a deletion that only marked it runs the
//! hooks of an update. Subscribers hear of a write after it is there, at least once and in order per row.
//!
//! ```
#![doc = include_str!("guide/yard.txt")]
//! use dz::{Error, Event, serde_json::Value};
//!
//! # fn main() {
//! let app = app()
//!     .before_create::<task::Task>(|_, new| match new.title.split_whitespace().count() {
//!         0 | 1 => Err(Error::validation("title", "needs a verb and an object")),
//!         _ => Ok(()),
//!     })
//!     .after_update::<task::Task>(|tx, before, after| {
//!         if before.owner_id != after.owner_id {
//!             note::NewNote::new(after.id, "It has a new owner").create(tx)?;
//!         }
//!         Ok(())
//!     })
//!     .action::<task::Task>("approve", |tx, task, _| {
//!         task.update(tx, task::TaskChanges { approved: Some(true), ..Default::default() })?;
//!         Ok(Value::Null)
//!     })
//!     .on::<task::Task>(Event::Created, |cx, happened| {
//!         cx.read(|tx| happened.row.tags(tx).map(|tags| println!("{} has {} tags", happened.row.title, tags.len())))
//!     });
//! # drop(app);
//! # }
//! ```
//!
//! # Queries of your own
//!
//! `task::scoped(tx, action)` is a diesel query over the rows for which the caller may do something; for an action other than
//! `List` and `Read`, the rows that the caller may read too. Fields that are `sensitive` are null in it where the API shows null.
//! It can be filtered, ordered, grouped and cut, and never widened; [`Tx::load`](crate::Tx::load),
//! [`first`](crate::Tx::first) and [`count`](crate::Tx::count) run it. Identifiers, decimals and moments go into it as
//! [`Sql`](crate::sql_types::Sql)`(value)`.
//!
//! ```
#![doc = include_str!("guide/yard.txt")]
//! use dz::{Cx, FromValue as _, Result, Uuid, access::List, sql_types::Sql};
//!
//! #[rocket::get("/open")]
//! async fn open(cx: Cx) -> Result<String> {
//!     let me = cx.caller().account.as_ref().map(|account| Uuid::from_value(account.id.clone())).transpose()?;
//!     cx.read(move |tx| {
//!         let open = task::scoped(tx, List)?
//!             .filter(schema::tasks::owner.eq(Sql(me.unwrap_or_default())))
//!             .filter(schema::tasks::status.eq(task::TaskStatus::Open));
//!         let first: Option<task::Task> = tx.first(open.clone().order(schema::tasks::title.asc()))?;
//!         Ok(format!("{} open, first {:?}", tx.count(open)?, first.map(|task| task.title)))
//!     })
//!     .await
//! }
//! # fn main() { drop(app().mount("/reports", rocket::routes![open])); }
//! ```
//!
//! A query takes the columns of its entity, values, the operators of columns (`eq`, `gt`, `like`, `eq_any`, `is_null`, `and`,
//! `or`, `!`, `+`, `max`, …), and other scoped queries. Columns have the operators as methods; no trait of diesel has to be imported.
//!
//! ```
#![doc = include_str!("guide/yard.txt")]
//! use dz::{Result, Tx, access::{List, Read}};
//! use schema::{notes, tasks};
//!
//! fn noted(tx: &mut Tx<'_>, word: &str) -> Result<Vec<String>> {
//!     let notes = note::scoped(tx, Read)?.filter(notes::text.like(format!("%{word}%"))).select(notes::task);
//!     let noted = task::scoped(tx, List)?.filter(tasks::id.eq_any(notes).and(!tasks::approved.eq(true)));
//!     tx.load(noted.order(tasks::title).select(tasks::title))
//! }
//! # fn main() { let _ = noted; let _ = app(); }
//! ```
//!
//! Everything else is a type error, because no rule covers what it reads: a query without the rules,
//!
//! ```compile_fail,E0277
#![doc = include_str!("guide/yard.txt")]
//! fn all(tx: &mut dz::Tx<'_>) -> dz::Result<Vec<task::Task>> {
//!     tx.load(schema::tasks::table)
//! }
//! # fn main() { let _ = all; let _ = app(); }
//! ```
//!
//! a table beside the query, as a value or as a condition,
//!
//! ```compile_fail,E0277
#![doc = include_str!("guide/yard.txt")]
//! # use diesel::{ExpressionMethods, QueryDsl};
//! fn words(tx: &mut dz::Tx<'_>) -> dz::Result<Vec<Option<String>>> {
//!     let words = schema::notes::table.select(schema::notes::text).limit(1).single_value();
//!     tx.load(task::scoped(tx, dz::access::List)?.select(words))
//! }
//! # fn main() { let _ = words; let _ = app(); }
//! ```
//!
//! ```compile_fail,E0277
#![doc = include_str!("guide/yard.txt")]
//! # use diesel::QueryDsl;
//! fn noted(tx: &mut dz::Tx<'_>) -> dz::Result<i64> {
//!     let notes = schema::notes::table.filter(schema::notes::task.eq(schema::tasks::id));
//!     tx.count(task::scoped(tx, dz::access::List)?.filter(diesel::dsl::exists(notes)))
//! }
//! # fn main() { let _ = noted; let _ = app(); }
//! ```
//!
//! SQL as text and SQL functions.
//!
//! ```compile_fail,E0277
#![doc = include_str!("guide/yard.txt")]
//! fn words(tx: &mut dz::Tx<'_>) -> dz::Result<i64> {
//!     let there = diesel::dsl::sql::<diesel::sql_types::Bool>("EXISTS (SELECT 1 FROM notes)");
//!     tx.count(task::scoped(tx, dz::access::List)?.filter(there))
//! }
//! # fn main() { let _ = words; let _ = app(); }
//! ```
//!
//! ```compile_fail,E0277
#![doc = include_str!("guide/yard.txt")]
//! diesel::define_sql_function! {
//!     fn query_to_xml(query: diesel::sql_types::Text) -> diesel::sql_types::Text;
//! }
//!
//! fn words(tx: &mut dz::Tx<'_>) -> dz::Result<Vec<String>> {
//!     tx.load(task::scoped(tx, dz::access::List)?.select(query_to_xml("SELECT * FROM notes")))
//! }
//! # fn main() { let _ = words; let _ = app(); }
//! ```
//!
//! # Past the rules
//!
//! [`Tx::as_system`](crate::Tx::as_system) is the one way: it gives the raw connection, where no rule is asked, no hook runs
//! and no event is written. It wants a reason, which stands in the log and in the audit log with the account that asked, so
//! that `grep as_system` and `/admin/audit` show every use of it.
//!
//! ```
#![doc = include_str!("guide/yard.txt")]
//! use diesel::RunQueryDsl;
//! use dz::{Error, Result, Tx};
//!
//! fn forget_results(tx: &mut Tx<'_>) -> Result<usize> {
//!     tx.as_system("the results of a season are removed, whoever owns them", |conn| {
//!         let all = diesel::update(schema::tasks::table).set(diesel::ExpressionMethods::eq(schema::tasks::result, None::<String>));
//!         match conn.sqlite() {
//!             Some(sqlite) => all.execute(sqlite).map_err(Error::internal),
//!             None => Err(Error::internal("this program is for SQLite")),
//!         }
//!     })
//! }
//! # fn main() { let _ = forget_results; let _ = app(); }
//! ```
