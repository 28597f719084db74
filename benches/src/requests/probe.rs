//! A handler for the tables of the declared application, in two variants with one difference: the visible rows are determined by the
//! rules of the declaration, or by a condition written into the handler. The difference of their times is the cost of the rules.

use std::sync::OnceLock;

use dz::{Cx, Engine, Utc, Value};
use dz_runtime::{
    Entity,
    access::{self, Grant, List, Read},
    accounts,
    db::{BindKind, Conn, Database, DatabaseConfig, Statement, emit::Condition},
    def::{AppDef, EntityDef},
    field,
};
use rocket::{
    Request,
    http::Status,
    request::{FromRequest, Outcome},
    response::content::RawJson,
    routes,
};

use super::declared::item::Item;

struct Opened {
    app: &'static AppDef,
    db: Database,
}

static OPENED: OnceLock<Opened> = OnceLock::new();

/// The handlers.
pub fn routes() -> Vec<rocket::Route> {
    routes![ready, read, list]
}

/// Sets the entity of the other handlers.
#[rocket::get("/ready")]
async fn ready(cx: Cx) -> dz::Result<Status> {
    open(&cx).await
}

/// Opens the database of an application for the handlers written by hand.
///
/// # Errors
/// If it cannot be opened.
pub async fn open(cx: &Cx) -> dz::Result<Status> {
    let (app, engine) = cx.read(|tx| Ok((tx.app(), tx.engine()))).await?;
    let url = std::env::var("DATABASE_URL").unwrap_or_default();
    let db = Database::open(engine, &DatabaseConfig { url, size: 8, row_security: false, idle: DatabaseConfig::IDLE })?;
    let _ = OPENED.set(Opened { app, db });
    Ok(Status::NoContent)
}

/// The token of the session.
pub struct Token(String);

#[rocket::async_trait]
impl<'r> FromRequest<'r> for Token {
    type Error = ();

    async fn from_request(request: &'r Request<'_>) -> Outcome<Self, ()> {
        let cookie = request.headers().get_one("Cookie").and_then(|line| line.trim().strip_prefix("dz_session="));
        cookie.map_or(Outcome::Error((Status::Unauthorized, ())), |token| Outcome::Success(Token(token.to_owned())))
    }
}

/// How the visible rows are determined.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Rules,
    Hand,
}

impl By {
    fn parse(name: &str) -> Option<By> {
        match name {
            "rules" => Some(By::Rules),
            "hand" => Some(By::Hand),
            _ => None,
        }
    }
}

/// The response of a handler written by hand.
pub type Answer = Result<RawJson<Vec<u8>>, Status>;

/// Runs a handler written by hand, with the caller of the session.
///
/// # Errors
/// The status of the refusal.
pub async fn blocking(token: Token, work: impl Fn(&'static AppDef, &mut Conn, &dz_runtime::Caller) -> Answer + Send + 'static) -> Answer {
    let opened = OPENED.get().ok_or(Status::ServiceUnavailable)?;
    let job = move || {
        let mut answer = Err(Status::InternalServerError);
        let done = opened.db.read(&mut |conn| {
            let session = accounts::find_session(conn, opened.app, &token.0, Utc::now())?;
            answer = session.map_or(Err(Status::Unauthorized), |session| work(opened.app, conn, &session.caller));
            Ok(())
        });
        done.map_err(|_| Status::InternalServerError).and(answer)
    };
    rocket::tokio::task::spawn_blocking(job).await.map_err(|_| Status::InternalServerError)?
}

/// The condition on the rows of the table `t` that the caller sees, after its position in a `WHERE`.
fn visible_condition<A: access::Action>(
    by: By,
    app: &'static AppDef,
    engine: Engine,
    caller: &dz_runtime::Caller,
) -> Result<Statement, Status> {
    let mut rows = Statement::new();
    if by == By::Rules {
        let grant: Grant<A> = access::ask(app, engine, caller, Item::DEF).map_err(|_| Status::Forbidden)?;
        match grant.condition(app, engine, caller, "t") {
            Condition::Always => rows.push("TRUE"),
            Condition::Never => rows.push("FALSE"),
            Condition::Rows(condition) => rows.append(condition),
        };
        return Ok(rows);
    }
    let has = |name: &str| app.roles.iter().position(|role| role.name == name).is_some_and(|bit| caller.roles >> bit & 1 == 1);
    let account = caller.account.as_ref().ok_or(Status::Unauthorized)?;
    match has("manager") {
        true => rows.push("TRUE"),
        false => rows.push("(t.\"owner\" IS NOT NULL AND t.\"owner\" = ").bind(account.id.clone(), BindKind::Uuid).push(")"),
    };
    Ok(rows)
}

/// The columns, and their kinds.
fn columns(app: &'static AppDef, entity: &'static EntityDef) -> (Statement, Vec<BindKind>) {
    let (mut sql, mut kinds) = (Statement::new(), Vec::new());
    for (at, field) in entity.fields.iter().enumerate() {
        let Some(kind) = BindKind::from_kind(field.kind, app) else { continue };
        sql.push(if at == 0 { "SELECT t." } else { ", t." }).ident(field.name);
        kinds.push(kind);
    }
    sql.push(" FROM items AS t WHERE ");
    (sql, kinds)
}

/// The rows of an entity as JSON.
pub fn write_rows(entity: &'static EntityDef, rows: &[Vec<Value>]) -> RawJson<Vec<u8>> {
    let mut out = b"[".to_vec();
    for (at, row) in rows.iter().enumerate() {
        out.extend_from_slice(if at == 0 { b"{" } else { b",{" });
        for (at, (field, value)) in entity.fields.iter().zip(row).enumerate() {
            out.extend_from_slice(if at == 0 { b"\"" } else { b",\"" });
            out.extend_from_slice(field.name.as_bytes());
            out.extend_from_slice(b"\":");
            field::write_json(field, value, &mut out);
        }
        out.push(b'}');
    }
    out.push(b']');
    RawJson(out)
}

#[rocket::get("/<by>/items/<id>")]
async fn read(token: Token, by: &str, id: &str) -> Answer {
    let (by, id) = By::parse(by).zip(dz::Uuid::parse_str(id).ok()).ok_or(Status::NotFound)?;
    blocking(token, move |app, conn, caller| {
        let (mut select, kinds) = columns(app, Item::DEF);
        select.append(visible_condition::<Read>(by, app, conn.engine(), caller)?);
        select.push(" AND t.\"id\" = ").bind(Value::Uuid(id), BindKind::Uuid);
        let rows = conn.rows(&select, &kinds).map_err(|_| Status::InternalServerError)?;
        if rows.is_empty() { Err(Status::NotFound) } else { Ok(write_rows(Item::DEF, &rows)) }
    })
    .await
}

#[rocket::get("/<by>/items")]
async fn list(token: Token, by: &str) -> Answer {
    let by = By::parse(by).ok_or(Status::NotFound)?;
    blocking(token, move |app, conn, caller| {
        let (mut select, kinds) = columns(app, Item::DEF);
        select.append(visible_condition::<List>(by, app, conn.engine(), caller)?);
        select.push(match conn.engine() {
            Engine::Sqlite => " ORDER BY t.title COLLATE NOCASE, t.title, t.id LIMIT 20",
            Engine::Postgres => " ORDER BY lower(t.title COLLATE \"C\") NULLS FIRST, t.title NULLS FIRST, t.id LIMIT 20",
        });
        let rows = conn.rows(&select, &kinds).map_err(|_| Status::InternalServerError)?;
        Ok(write_rows(Item::DEF, &rows))
    })
    .await
}
