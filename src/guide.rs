//! Your own Rust code: typed rows, transitions, relations, hooks, queries, and the single bypass of the access rules.
//!
//! Your code reads and writes rows for a caller, in a unit of work ([`Tx`](crate::Tx)), under the rules of the declaration.
//! A custom route gets a unit of work from the guard [`Cx`](crate::Cx).
//! A hook gets the unit of work of its write.
//! A subscriber opens one for the system with [`SystemCx`](crate::SystemCx).
//!
//! The examples share one declaration: tasks with a state machine, notes and tags.
//!
//! # Rows
//!
//! Each entity has a module with the row (`task::Task`), the draft of a new row (`task::NewTask`), the changes of a row
//! (`task::TaskChanges`) and its enumerations (`task::TaskStatus`).
//! A field that a draft omits takes its default, and a field that changes omit keeps its value.
//!
//! ```
#![doc = include_str!("guide/yard.txt")]
//! use dz::{Result, Tx, Uuid};
//!
//! fn hand_over(tx: &mut Tx<'_>, id: Uuid, to: Uuid) -> Result<task::Task> {
//!     // 404 unless the caller may read the row.
//!     let task = task::Task::find(tx, id)?;
//!     // 403 unless the caller may change the row, with its present and with its new values.
//!     task.update(tx, task::TaskChanges { owner_id: Some(to), ..Default::default() })
//! }
//! # fn main() { let _ = hand_over; let _ = app(); }
//! ```
//!
//! In `TaskChanges`, a field that is never null is an `Option`, and each other field is a [`Change`](crate::Change): `Keep`, `Clear` or
//! `Set(value)`. `"text".into()` is `Set`, and `None.into()` is `Clear`.
//!
//! | Call | Effect |
//! |---|---|
//! | `NewTask::create_many(tx, new)` | creates rows, all or none |
//! | `Task::update_many(tx, &tasks, changes)` | makes the same changes to rows, all or none |
//! | `new.upsert(tx, schema::tags::name)` | creates the row, or updates the row of the same tenant with the same value in this unique column |
//!
//! `cx.user_id()` is the key of the caller's account, and `cx.user::<user::User>()` its row; both are 401 for an anonymous caller.
//! A unit of work has them as `tx.caller().user_id()`.
//!
//! `Task::find_many` returns the rows with given keys that the caller may read, and `Task::exists` returns whether there is one.
//! `changes.apply_to(&task)` is the row with the changes, without storing it.
//!
//! A row that a typed call returns, and the row of an action, has null in its `sensitive` fields if the caller may not update it.
//! In `cx.user()` these fields are always null.
//! Hooks get all values.
//!
//! # Transitions
//!
//! The enum of a state has methods for the declared transitions: `successors` and `can_become`.
//! `transition` and `transition_with` check whether the caller may make the transition now: an undeclared transition is 409, a missing
//! role is 403, and an unmet `requires` or guard is 422.
//! `transition_with` also changes fields, in the same write and under the rule of the transition, as over HTTP.
//!
//! ```
#![doc = include_str!("guide/yard.txt")]
//! use dz::{Result, Tx};
//! use task::{Task, TaskChanges, TaskStatus};
//!
//! fn finish(tx: &mut Tx<'_>, task: &Task, result: &str) -> Result<Task> {
//!     let changes = TaskChanges { result: result.into(), ..Default::default() };
//!     task.transition_with(tx, TaskStatus::Done, changes)
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
//! A reference is a method that returns its row, if the reference is set and the caller may read the row.
//! For many rows, `Task::load_owners(tx, &tasks)` returns the rows of the reference by key, in one statement.
//!
//! ```
#![doc = include_str!("guide/yard.txt")]
//! use dz::{Result, Tx, access::List};
//! use task::Task;
//!
//! fn owners(tx: &mut Tx<'_>) -> Result<Vec<(String, Option<String>)>> {
//!     let tasks: Vec<Task> = tx.load(task::scoped(tx, List)?)?;
//!     let owners = Task::load_owners(tx, &tasks)?;
//!     let name = |task: &Task| owners.get(&task.owner_id).map(|owner| owner.name.clone());
//!     Ok(tasks.iter().map(|task| (task.title.clone(), name(task))).collect())
//! }
//! # fn main() { let _ = owners; let _ = app(); }
//! ```
//!
//! A `has_many` or `has_one` is a method that returns the rows that the caller may list.
//! Over a junction, the caller must also be able to list the connecting rows.
//! To connect two rows, create a row of the junction.
//! A computed field is also a method, evaluated by the database when you call it.
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
//! Hooks run inside the transaction of the write, for every write: page, JSON, bulk, import, timed transition, or your own Rust.
//! An error refuses the write and rolls it back.
//! Restoring a soft-deleted row runs the hooks of an update.
//! Subscribers get an event after the commit, at least once, and in order for each row.
//! [`named`](crate::App::named) names the hook or subscriber before it: errors of a hook contain its name, and pending events find
//! their subscriber by its name, also after a restart with a renamed function. Two unnamed subscribers of one event are refused at start.
//! [`was`](crate::App::was) adds a former name.
//! [`typed_action`](crate::App::typed_action) adds an action whose input is a struct of [`action_input!`](crate::action_input): a wrong input
//! is 422 with the errors of its fields, the OpenAPI document contains the input, and a view page shows it as a form.
//! [`manage`](crate::App::manage) adds a value, such as a client for mail, which hooks, subscribers, jobs and routes get by its type.
//! [`on_async`](crate::App::on_async) adds an asynchronous subscriber.
//!
//! ```
#![doc = include_str!("guide/yard.txt")]
//! use dz::{Error, Event, serde_json::Value};
//!
//! dz::action_input! {
//!     pub struct Rename {
//!         title: String = "Title",
//!         reason: Option<String> = "Reason",
//!     }
//! }
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
//!     .typed_action::<task::Task, Rename, ()>("rename", |tx, task, input| {
//!         task.update(tx, task::TaskChanges { title: Some(input.title), result: input.reason.into(), ..Default::default() }).map(drop)
//!     })
//!     .on::<task::Task>(Event::Created, |cx, happened| {
//!         cx.read(|tx| happened.row.tags(tx).map(|tags| println!("{} has {} tags", happened.row.title, tags.len())))
//!     })
//!     .named("count tags");
//! # drop(app);
//! # }
//! ```
//!
//! # Jobs, schedules and commands
//!
//! A [`Job`](crate::Job) is a payload with a name.
//! [`Tx::spawn_job`](crate::Tx::spawn_job) stores it in the transaction, so that it exists if and only if the write is committed; the
//! worker then runs its handler, on one instance at a time.
//! A handler that fails or panics is called again after a growing delay, and after the last attempt the job is a dead letter.
//! A handler can be called twice for one job, because a crash repeats the attempt.
//! [`JobCx::progress`](crate::JobCx::progress) reports to the page `/app/-/jobs`.
//!
//! [`every`](crate::App::every) runs a job at the times of a cron expression, and [`command`](crate::App::command) adds a subcommand to
//! the program.
//!
//! ```
#![doc = include_str!("guide/yard.txt")]
//! use dz::{Job, JobCx, Result, Uuid, serde::{Deserialize, Serialize}};
//!
//! #[derive(Serialize, Deserialize)]
//! #[serde(crate = "dz::serde")]
//! struct Praise {
//!     task: Uuid,
//! }
//!
//! impl Job for Praise {
//!     const NAME: &'static str = "praise";
//!
//!     // A second job for the same task is not stored while one is queued.
//!     fn unique_key(&self) -> Option<String> {
//!         Some(self.task.to_string())
//!     }
//! }
//!
//! fn praise(cx: &JobCx, praise: Praise) -> Result<()> {
//!     cx.progress(0, 1, "writes a note")?;
//!     cx.run(|tx| note::NewNote::new(praise.task, "Well done").create(tx)).map(drop)
//! }
//!
//! # fn main() {
//! let app = app()
//!     .job(praise)
//!     .after_update::<task::Task>(|tx, before, after| match (before.status, after.status) {
//!         (task::TaskStatus::Doing, task::TaskStatus::Done) => tx.spawn_job(&Praise { task: after.id }).map(drop),
//!         _ => Ok(()),
//!     })
//!     .every("0 6 * * Mon-Fri", "nightly report", |cx| {
//!         let tasks = cx.read(|tx| tx.count(task::scoped(tx, dz::access::List)?))?;
//!         println!("{tasks} tasks");
//!         Ok(())
//!     })
//!     .command("import-legacy", "imports the tags of the old system", |cx, words| {
//!         cx.run(|tx| words.iter().try_for_each(|name| tag::NewTag::new(name.as_str()).create(tx).map(drop)))
//!     });
//! # drop(app);
//! # }
//! ```
//!
//! Code that has the Rocket of the running application, such as a fairing, gets a [`SystemCx`](crate::SystemCx) with
//! [`SystemCx::from_rocket`](crate::SystemCx::from_rocket); a program without a server gets one with
//! [`App::system_cx`](crate::App::system_cx).
//!
//! # Routes and their callers
//!
//! A route of Rocket gets its caller from a guard, and can have several.
//!
//! | Guard | Caller | Other callers get |
//! |---|---|---|
//! | [`Cx`](crate::Cx) | every caller, with `read` and `run` for units of work | |
//! | [`SignedIn`](crate::SignedIn) | a caller with an account | 401, in a browser the sign-in page |
//! | [`Role<roles::Lead>`](crate::Role) | a caller with this role | 401 without an account, otherwise 403 |
//!
//! The module `roles` of the application has a type for each persona.
//! Every guard refuses a write that another site caused (CSRF).
//! A browser gets errors as pages, and a program as problem documents.
//!
//! ```
#![doc = include_str!("guide/yard.txt")]
//! use dz::{Cx, Result, Uuid};
//!
//! #[rocket::post("/approve/<id>")]
//! async fn approve(cx: Cx, _lead: dz::Role<roles::Lead>, id: &str) -> Result<String> {
//!     let id: Uuid = id.parse().map_err(|_| dz::Error::validation("id", "is not an identifier"))?;
//!     cx.run(move |tx| {
//!         let changes = task::TaskChanges { approved: Some(true), ..Default::default() };
//!         Ok(task::Task::find(tx, id)?.update(tx, changes)?.title)
//!     })
//!     .await
//! }
//!
//! #[rocket::get("/me")]
//! fn me(caller: dz::SignedIn) -> String {
//!     caller.0.account.map(|account| account.email).unwrap_or_default()
//! }
//! # fn main() { drop(app().mount("/own", rocket::routes![approve, me])); }
//! ```
//!
//! # Queries
//!
//! `task::scoped(tx, action)` is a diesel query over the rows for which the caller may do the action; for an action other than
//! `List` and `Read`, the caller must also be able to read them.
//! A `sensitive` field is null in the query wherever the API shows null.
//! A query runs only in the unit of work that made it, because it contains the rules for one caller; elsewhere it is an error (500).
//! You can filter, order, group and limit the query, but not extend it to other rows.
//!
//! | Call | Result |
//! |---|---|
//! | [`tx.load(query)`](crate::Tx::load) | all rows, of the type that the variable or `tx.load::<_, Task>(query)` names |
//! | [`tx.first(query)`](crate::Tx::first) | the first row; the database reads no other one |
//! | [`tx.load_page(query, 2, 50)`](crate::Tx::load_page) | the rows of a page, and the number of all rows |
//! | [`tx.for_each(query, …)`](crate::Tx::for_each) | calls a function for each row; only one row is in memory |
//! | [`tx.count(query)`](crate::Tx::count), [`tx.exists(query)`](crate::Tx::exists) | the number of rows; whether there is one |
//!
//! ```
#![doc = include_str!("guide/yard.txt")]
//! use dz::{Cx, Result, Uuid, access::List};
//!
//! #[rocket::get("/open")]
//! async fn open(cx: Cx) -> Result<String> {
//!     let me: Uuid = cx.user_id()?;
//!     cx.read(move |tx| {
//!         let open = task::scoped(tx, List)?
//!             .filter(schema::tasks::owner.eq(me))
//!             .filter(schema::tasks::status.eq(task::TaskStatus::Open));
//!         let first: Option<task::Task> = tx.first(open.clone().order(schema::tasks::title.asc()))?;
//!         Ok(format!("{} open, first {:?}", tx.count(open)?, first.map(|task| task.title)))
//!     })
//!     .await
//! }
//! # fn main() { drop(app().mount("/reports", rocket::routes![open])); }
//! ```
//!
//! A query can contain the columns of its entity, values, the operators of columns (`eq`, `gt`, `like`, `eq_any`, `is_null`,
//! `and`, `or`, `!`, `+`, `max`, `sum`, `avg`, …), and other scoped queries.
//! The operators are methods of columns; you need to import no trait of diesel.
//! They accept identifiers, decimals, timestamps and JSON as they are.
//! Only a statement of diesel without the rules needs [`Sql`](crate::sql_types::Sql)`(value)` for these types.
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
//! # Joins
//!
//! A scoped query joins another one, and each side keeps its own rules, tenant, soft delete and sensitive fields.
//! `inner_join` and `left_join` use the only reference between the two tables.
//! If there are several, or none, `inner_join_on` and `left_join_on` name the condition.
//! A join returns pairs of rows; in a left join the second one is an `Option`.
//! A filter or a limit of the joined query restricts its own rows, before the join.
//!
//! `filter_exists` and `filter_not_exists` keep rows with or without a row in another query, without a join.
//!
//! ```
#![doc = include_str!("guide/yard.txt")]
//! use diesel::dsl::count_star;
//! use dz::{Result, Tx, access::{List, Read}};
//! use schema::{notes, tasks};
//!
//! // Two tables without a reference between them.
//! dz::allow_tables_together! { taggings, notes; }
//! use schema::taggings;
//!
//! fn notes_with_tasks(tx: &mut Tx<'_>) -> Result<Vec<(note::Note, task::Task)>> {
//!     tx.load(note::scoped(tx, List)?.inner_join(task::scoped(tx, Read)?).order(tasks::title))
//! }
//!
//! fn notes_by_task(tx: &mut Tx<'_>) -> Result<Vec<(String, i64)>> {
//!     let notes = task::scoped(tx, List)?.inner_join(note::scoped(tx, Read)?).group_by(tasks::title).having(notes::id.count().gt(1));
//!     tx.load(notes.select((tasks::title, count_star())))
//! }
//!
//! fn tasks_without_notes(tx: &mut Tx<'_>) -> Result<Vec<task::Task>> {
//!     tx.load(task::scoped(tx, List)?.filter_not_exists(note::scoped(tx, Read)?))
//! }
//!
//! fn notes_of_tag(tx: &mut Tx<'_>, tag: dz::Uuid) -> Result<Vec<String>> {
//!     let tagged = tagging::scoped(tx, Read)?.filter(taggings::tag.eq(tag));
//!     let notes = note::scoped(tx, List)?.inner_join_on(tagged, notes::task.eq(taggings::task));
//!     tx.load(notes.select(notes::text))
//! }
//! # fn main() { let _ = (notes_with_tasks, notes_by_task, tasks_without_notes, notes_of_tag); let _ = app(); }
//! ```
//!
//! In a left join, select single columns of the second table with `nullable()`: `projects::name.nullable()`.
//! A query can contain a table only once under each name.
//! [`alias!`](crate::alias) declares a second name of a table, so that it can be joined with itself; the rules of the entity apply under
//! each name.
//! `filter_exists_on` and `filter_not_exists_on` take a condition, as `inner_join_on` does.
//!
//! `single_value` makes the first value of a scoped query a value of another query.
//! It is null without a row.
//!
//! ```
#![doc = include_str!("guide/yard.txt")]
//! use dz::{Result, Tx, access::{List, Read}};
//! use schema::tasks;
//!
//! dz::alias! { others = task::Task; }
//!
//! fn same_titles(tx: &mut Tx<'_>) -> Result<Vec<(task::Task, task::Task)>> {
//!     let same = others::field(tasks::title).eq(tasks::title).and(others::field(tasks::id).gt(tasks::id));
//!     tx.load(task::scoped(tx, List)?.inner_join_on(others::scoped(tx, Read)?, same))
//! }
//!
//! fn last_titles(tx: &mut Tx<'_>) -> Result<Vec<task::Task>> {
//!     let last = task::scoped(tx, List)?.select(tasks::title.max()).single_value();
//!     tx.load(task::scoped(tx, List)?.filter(last.eq(tasks::title.nullable())))
//! }
//! # fn main() { let _ = (same_titles, last_titles); let _ = app(); }
//! ```
//!
//! Every other query is a type error, because it could read rows that no rule covers.
//! A query without the rules:
//!
//! ```compile_fail,E0277
#![doc = include_str!("guide/yard.txt")]
//! fn all(tx: &mut dz::Tx<'_>) -> dz::Result<Vec<task::Task>> {
//!     tx.load(schema::tasks::table)
//! }
//! # fn main() { let _ = all; let _ = app(); }
//! ```
//!
//! Another table, as a value or as a condition:
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
//! SQL text and SQL functions:
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
//! # Pages of your own
//!
//! [`Cx::page`](crate::Cx::page) renders a template of yours inside the frame of dz: navigation, search, account, light and dark.
//! The template contains the content of the page only.
//! [`App::page`](crate::App::page) adds a link to the navigation for some roles. At its path, the guards of dz (`Cx`, `Role`,
//! `SignedIn`) refuse callers with none of them. For other paths, the guards of the route decide alone.
//!
//! [`Table`](crate::page::Table), [`Field`](crate::page::Field), [`Badge`](crate::page::Badge), [`Banner`](crate::page::Banner) and
//! [`Icon`](crate::page::Icon) are the components of dz's own pages.
//! In a template, `{{ table }}` is their markup; their texts are escaped.
//! A form needs no token, because the guard [`Cx`](crate::Cx) refuses requests from other sites.
//!
//! ```
#![doc = include_str!("guide/yard.txt")]
//! use dz::{Cx, Result, access::List, askama::Template, page::{Badge, Table, Tone}};
//! use rocket::{fs::FileServer, response::content::RawHtml};
//!
//! // `path = "board.html"` names a file in the folder `templates`.
//! #[derive(Template)]
//! #[template(source = "<h1>Board</h1>{{ table }}", ext = "html", askama = dz::askama)]
//! struct Board {
//!     table: Table,
//! }
//!
//! #[rocket::get("/board")]
//! async fn board(cx: Cx, _role: Role) -> Result<RawHtml<String>> {
//!     let tasks: Vec<task::Task> = cx.read(|tx| tx.load(task::scoped(tx, List)?.order(schema::tasks::title))).await?;
//!     let state = |task: &task::Task| Badge::new(task.status.as_str(), Tone::Blue);
//!     let row = |table: Table, task: &task::Task| table.row([task.title.as_str().into(), state(task).into()]);
//!     cx.page("Board", Board { table: tasks.iter().fold(Table::new("Tasks", ["Title", "State"]), row) }).await
//! }
//!
//! # fn main() {
//! let app = app()
//!     .page("Board", "/board", [Role::Lead])
//!     .mount("/", rocket::routes![board])
//!     .mount("/static", FileServer::new("static", rocket::fs::Options::Missing));
//! # drop(app);
//! # }
//! ```
//!
//! # Bypassing the rules
//!
//! [`Tx::as_system`](crate::Tx::as_system) is the only bypass.
//! It gives access to the raw connection, without rules, hooks and events.
//! It requires a reason, which is recorded in the log and, together with the account, in the audit log.
//! `grep as_system` and `/admin/audit` therefore show every use.
//!
//! ```
#![doc = include_str!("guide/yard.txt")]
//! use diesel::RunQueryDsl;
//! use dz::{Error, Result, Tx};
//!
//! fn forget_results(tx: &mut Tx<'_>) -> Result<usize> {
//!     tx.as_system("the results of all tasks of a season are deleted", |conn| {
//!         let all = diesel::update(schema::tasks::table).set(diesel::ExpressionMethods::eq(schema::tasks::result, None::<String>));
//!         match conn.sqlite() {
//!             Some(sqlite) => all.execute(sqlite).map_err(Error::internal),
//!             None => Err(Error::internal("this program is for SQLite")),
//!         }
//!     })
//! }
//! # fn main() { let _ = forget_results; let _ = app(); }
//! ```
