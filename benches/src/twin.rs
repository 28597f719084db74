//! The same applications by hand: Rocket's routes, diesel's models, askama's templates, as a person would
//! write them without dz. Where a choice was open it is the one that compiles faster.

use crate::declaration::Edit;

/// The manifest of the hand-written crate.
pub const MANIFEST: &str = r#"[package]
name = "twin"
version = "0.1.0"
edition = "2024"

[workspace]

[dependencies]
askama = { version = "0.16", default-features = false, features = ["alloc", "std", "derive"] }
diesel = { version = "2.3", default-features = false, features = ["sqlite", "r2d2", "returning_clauses_for_sqlite_3_35"] }
rocket = { version = "0.5", default-features = false, features = ["json"] }
serde = { version = "1", features = ["derive"] }
uuid = { version = "1", features = ["v7"] }

[profile.dev]
debug = "line-tables-only"
"#;

/// `src/main.rs`.
pub fn main_file(count: usize) -> String {
    let modules: String = (0..count).map(|n| format!("mod item{n};\n")).collect();
    let mounts: String = (0..count).map(|n| format!("        .mount(\"/\", item{n}::routes())\n")).collect();
    format!(
        r#"mod account;
mod schema;
{modules}
use diesel::{{r2d2::{{ConnectionManager, Pool}}, SqliteConnection}};

pub type Db = Pool<ConnectionManager<SqliteConnection>>;

#[rocket::launch]
fn rocket() -> _ {{
    let db: Db = Pool::builder().build(ConnectionManager::new("twin.db")).expect("a database");
    rocket::build()
        .manage(db)
{mounts}}}
"#
    )
}

/// `src/account.rs`: who asks, and how errors are answered.
pub const ACCOUNT: &str = r#"use rocket::{Request, http::Status, request::{FromRequest, Outcome}};

pub struct Account {
    pub id: String,
    pub roles: Vec<String>,
}

impl Account {
    pub fn is(&self, role: &str) -> bool {
        self.roles.iter().any(|it| it == role)
    }
}

#[rocket::async_trait]
impl<'r> FromRequest<'r> for Account {
    type Error = ();

    async fn from_request(request: &'r Request<'_>) -> Outcome<Self, ()> {
        let id = request.headers().get_one("X-Account");
        let roles = request.headers().get_one("X-Roles").unwrap_or_default();
        match id {
            Some(id) => Outcome::Success(Account { id: id.to_owned(), roles: roles.split(',').map(str::to_owned).collect() }),
            None => Outcome::Error((Status::Unauthorized, ())),
        }
    }
}

pub async fn blocking<T: Send + 'static>(
    db: &crate::Db,
    work: impl FnOnce(&mut diesel::SqliteConnection) -> Result<T, Status> + Send + 'static,
) -> Result<T, Status> {
    let db = db.clone();
    rocket::tokio::task::spawn_blocking(move || work(&mut *db.get().map_err(|_| Status::ServiceUnavailable)?))
        .await
        .map_err(|_| Status::InternalServerError)?
}

pub fn failed(error: diesel::result::Error) -> Status {
    match error {
        diesel::result::Error::NotFound => Status::NotFound,
        _ => Status::InternalServerError,
    }
}
"#;

/// `src/schema.rs`.
pub fn schema(count: usize, edit: Edit) -> String {
    (0..count)
        .map(|n| {
            let extra = if n == 0 && edit == Edit::Column { "        extra -> Nullable<Text>,\n" } else { "" };
            format!(
                "diesel::table! {{\n    item{n}s (id) {{\n        id -> Text,\n        title -> Text,\n        status -> Text,\n        owner -> Nullable<Text>,\n        due -> Nullable<Text>,\n        hours -> BigInt,\n        rank -> BigInt,\n        score -> Nullable<Double>,\n        billable -> Bool,\n        details -> Nullable<Text>,\n        created_at -> Text,\n        updated_at -> Text,\n{extra}    }}\n}}\n"
            )
        })
        .collect()
}

/// `src/item<n>.rs`.
pub fn module(n: usize, edit: Edit) -> String {
    let edit = if n == 0 { edit } else { Edit::None };
    let (row_extra, changes_extra) =
        if edit == Edit::Column { ("    pub extra: Option<String>,\n", "    pub extra: Option<Option<String>>,\n") } else { ("", "") };
    let update = if edit == Edit::Rule {
        "account.is(\"manager\")"
    } else {
        "account.is(\"manager\") || row.owner.as_deref() == Some(account.id.as_str())"
    };
    let label = if edit == Edit::Label { "Heading" } else { "Title" };
    MODULE
        .replace("@ROW@", row_extra)
        .replace("@CHANGES@", changes_extra)
        .replace("@UPDATE@", update)
        .replace("@LABEL@", label)
        .replace("@N@", &n.to_string())
}

const MODULE: &str = r##"use askama::Template;
use diesel::prelude::*;
use rocket::{State, delete, form::FromForm, get, http::Status, patch, post, response::content::RawHtml, serde::json::Json};
use serde::{Deserialize, Serialize};

use crate::{Db, account::{Account, blocking, failed}, schema::item@N@s::{self, dsl}};

#[derive(Debug, Clone, Queryable, Selectable, Identifiable, Serialize)]
#[diesel(table_name = item@N@s)]
pub struct Item {
    pub id: String,
    pub title: String,
    pub status: String,
    pub owner: Option<String>,
    pub due: Option<String>,
    pub hours: i64,
    pub rank: i64,
    pub score: Option<f64>,
    pub billable: bool,
    pub details: Option<String>,
    pub created_at: String,
    pub updated_at: String,
@ROW@}

#[derive(Debug, Insertable, Deserialize)]
#[diesel(table_name = item@N@s)]
pub struct NewItem {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub status: String,
    pub owner: Option<String>,
    pub due: Option<String>,
    pub hours: i64,
    pub rank: i64,
    pub score: Option<f64>,
    pub billable: bool,
    pub details: Option<String>,
    #[serde(skip)]
    pub created_at: String,
    #[serde(skip)]
    pub updated_at: String,
@ROW@}

#[derive(Debug, AsChangeset, Deserialize)]
#[diesel(table_name = item@N@s)]
pub struct ItemChanges {
    pub title: Option<String>,
    pub status: Option<String>,
    pub owner: Option<Option<String>>,
    pub due: Option<Option<String>>,
    pub hours: Option<i64>,
    pub rank: Option<i64>,
    pub score: Option<Option<f64>>,
    pub billable: Option<bool>,
    pub details: Option<Option<String>>,
@CHANGES@}

#[derive(Debug, FromForm)]
pub struct Asked {
    page: Option<i64>,
    page_size: Option<i64>,
    sort: Option<String>,
    status: Option<String>,
    search: Option<String>,
}

#[derive(Serialize)]
pub struct Page {
    items: Vec<Item>,
    total: i64,
}

fn visible(account: &Account) -> item@N@s::BoxedQuery<'static, diesel::sqlite::Sqlite> {
    let query = dsl::item@N@s.into_boxed();
    if account.is("manager") { query } else { query.filter(dsl::owner.eq(account.id.clone())) }
}

fn check(title: &str, status: &str) -> Result<(), Status> {
    let fits = !title.is_empty() && title.chars().count() <= 120 && matches!(status, "open" | "doing" | "done");
    if fits { Ok(()) } else { Err(Status::UnprocessableEntity) }
}

fn page(conn: &mut SqliteConnection, account: &Account, asked: &Asked) -> Result<Page, Status> {
    let narrowed = |account: &Account| {
        let mut query = visible(account);
        if let Some(status) = &asked.status {
            query = query.filter(dsl::status.eq(status.clone()));
        }
        if let Some(search) = &asked.search {
            query = query.filter(dsl::title.like(format!("%{search}%")));
        }
        query
    };
    let size = asked.page_size.unwrap_or(20).clamp(1, 100);
    let total = narrowed(account).count().get_result(conn).map_err(failed)?;
    let query = match asked.sort.as_deref() {
        Some("due") => narrowed(account).order(dsl::due.asc()),
        Some("-due") => narrowed(account).order(dsl::due.desc()),
        Some("hours") => narrowed(account).order(dsl::hours.asc()),
        _ => narrowed(account).order(dsl::title.asc()),
    };
    let items = query.limit(size).offset((asked.page.unwrap_or(1) - 1).max(0) * size).select(Item::as_select()).load(conn).map_err(failed)?;
    Ok(Page { items, total })
}

#[get("/api/item@N@s?<asked..>")]
async fn list(db: &State<Db>, account: Account, asked: Asked) -> Result<Json<Page>, Status> {
    blocking(db, move |conn| page(conn, &account, &asked).map(Json)).await
}

#[get("/api/item@N@s/<id>")]
async fn read(db: &State<Db>, account: Account, id: String) -> Result<Json<Item>, Status> {
    blocking(db, move |conn| visible(&account).filter(dsl::id.eq(id)).select(Item::as_select()).first(conn).map(Json).map_err(failed)).await
}

#[post("/api/item@N@s", data = "<new>")]
async fn create(db: &State<Db>, account: Account, new: Json<NewItem>) -> Result<Json<Item>, Status> {
    if !account.is("manager") && !account.is("worker") {
        return Err(Status::Forbidden);
    }
    let mut new = new.into_inner();
    check(&new.title, &new.status)?;
    new.id = uuid::Uuid::now_v7().to_string();
    blocking(db, move |conn| {
        diesel::insert_into(dsl::item@N@s).values(&new).returning(Item::as_returning()).get_result(conn).map(Json).map_err(failed)
    })
    .await
}

#[patch("/api/item@N@s/<id>", data = "<changes>")]
async fn update(db: &State<Db>, account: Account, id: String, changes: Json<ItemChanges>) -> Result<Json<Item>, Status> {
    blocking(db, move |conn| {
        conn.immediate_transaction(|conn| {
            let row: Item = visible(&account).filter(dsl::id.eq(&id)).select(Item::as_select()).first(conn)?;
            if !(@UPDATE@) {
                return Ok(Err(Status::Forbidden));
            }
            let title = changes.title.as_deref().unwrap_or(&row.title);
            let status = changes.status.as_deref().unwrap_or(&row.status);
            if let Err(status) = check(title, status) {
                return Ok(Err(status));
            }
            let row = diesel::update(&row).set(&*changes).returning(Item::as_returning()).get_result(conn)?;
            Ok(Ok(Json(row)))
        })
        .map_err(failed)?
    })
    .await
}

#[delete("/api/item@N@s/<id>")]
async fn delete(db: &State<Db>, account: Account, id: String) -> Result<Status, Status> {
    if !account.is("manager") {
        return Err(Status::Forbidden);
    }
    blocking(db, move |conn| match diesel::delete(dsl::item@N@s.find(id)).execute(conn).map_err(failed)? {
        0 => Err(Status::NotFound),
        _ => Ok(Status::NoContent),
    })
    .await
}

#[derive(Template)]
#[template(
    source = r#"<!doctype html><title>Items</title><table><thead><tr><th>@LABEL@</th><th>Status</th><th>Due</th><th>Hours</th></tr></thead>
<tbody>{% for item in page.items %}<tr><td><a href="/app/item@N@/{{ item.id }}">{{ item.title }}</a></td><td>{{ item.status }}</td>
<td>{% if let Some(due) = item.due %}{{ due }}{% endif %}</td><td>{{ item.hours }}</td></tr>{% endfor %}</tbody></table><p>{{ page.total }} rows</p>"#,
    ext = "html"
)]
struct ListHtml {
    page: Page,
}

#[derive(Template)]
#[template(
    source = r#"<!doctype html><title>Item</title><dl><dt>@LABEL@</dt><dd>{{ item.title }}</dd><dt>Status</dt><dd>{{ item.status }}</dd>
<dt>Rank</dt><dd>{{ item.rank }}</dd><dt>Billable</dt><dd>{{ item.billable }}</dd><dt>Details</dt><dd>{% if let Some(text) = item.details %}{{ text }}{% endif %}</dd></dl>"#,
    ext = "html"
)]
struct ViewHtml {
    item: Item,
}

#[derive(Template)]
#[template(
    source = r#"<!doctype html><title>New item</title><form method="post"><label>@LABEL@ <input name="title" value="{{ title }}"></label>
<label>Status <select name="status">{% for value in ["open", "doing", "done"] %}<option>{{ value }}</option>{% endfor %}</select></label><button>Save</button></form>"#,
    ext = "html"
)]
struct FormHtml {
    title: String,
}

#[get("/app/item@N@_list?<asked..>")]
async fn list_page(db: &State<Db>, account: Account, asked: Asked) -> Result<RawHtml<String>, Status> {
    let page = blocking(db, move |conn| page(conn, &account, &asked)).await?;
    ListHtml { page }.render().map(RawHtml).map_err(|_| Status::InternalServerError)
}

#[get("/app/item@N@/<id>")]
async fn view_page(db: &State<Db>, account: Account, id: String) -> Result<RawHtml<String>, Status> {
    let item = blocking(db, move |conn| visible(&account).filter(dsl::id.eq(id)).select(Item::as_select()).first(conn).map_err(failed)).await?;
    ViewHtml { item }.render().map(RawHtml).map_err(|_| Status::InternalServerError)
}

#[get("/app/item@N@_create")]
async fn form_page(_account: Account) -> Result<RawHtml<String>, Status> {
    FormHtml { title: String::new() }.render().map(RawHtml).map_err(|_| Status::InternalServerError)
}

pub fn routes() -> Vec<rocket::Route> {
    rocket::routes![list, read, create, update, delete, list_page, view_page, form_page]
}
"##;
