//! The routes and statements, for either engine.

/// The whole application over one kind of connection.
macro_rules! application {
    ($(#[$doc:meta])* $name:ident, $conn:ty, $backend:ty, $id_sql:ident, $id:ty, $parse:ident, $transaction:ident, $by_title:expr, $behind_title:expr, $setup:expr, $tables:expr) => {
        $(#[$doc])*
        #[allow(missing_docs, reason = "diesel documents no tables")]
        pub mod $name {
            use chrono::{NaiveDate, NaiveDateTime};
            use diesel::{
                connection::SimpleConnection,
                prelude::*,
                r2d2::{ConnectionManager, CustomizeConnection, Pool},
            };
            use rocket::{State, get, http::Status, post, response::content::RawHtml, response::status::Created, serde::json::Json};
            use serde::Serialize;

            use super::{
                $parse, SameOrigin, Token, failed, hashed, now,
                sent::{Asked, Bulk, ItemOutcome, Results, Sent, fits, leads},
            };
            use crate::requests::page::{Fragment, Shown};

            type Id = $id;

            diesel::table! {
                accounts (id) { id -> $id_sql, email -> Text, name -> Text, active -> Bool, role -> Text, }
            }
            diesel::table! {
                sessions (token_hash) { token_hash -> Text, account -> $id_sql, seen_at -> Timestamp, expires_at -> Timestamp, }
            }
            diesel::table! {
                items (id) {
                    id -> $id_sql, title -> Text, status -> Text, owner -> Nullable<$id_sql>, due -> Nullable<Date>, hours -> BigInt,
                    rank -> BigInt, score -> Nullable<Double>, billable -> Bool, details -> Nullable<Text>, created_at -> Timestamp,
                    updated_at -> Timestamp,
                }
            }
            diesel::joinable!(sessions -> accounts (account));
            diesel::joinable!(items -> accounts (owner));
            diesel::allow_tables_to_appear_in_same_query!(accounts, sessions, items);

            #[derive(Queryable, Selectable, Insertable, Serialize)]
            #[diesel(table_name = items)]
            struct Item {
                id: Id,
                title: String,
                status: String,
                owner: Option<Id>,
                due: Option<NaiveDate>,
                hours: i64,
                rank: i64,
                score: Option<f64>,
                billable: bool,
                details: Option<String>,
                created_at: NaiveDateTime,
                updated_at: NaiveDateTime,
            }

            #[derive(Serialize)]
            struct Page {
                items: Vec<Item>,
                total: i64,
                page: i64,
                page_size: i64,
            }

            /// An item with its owner in the place of the key.
            #[derive(Serialize)]
            struct Nested {
                id: Id,
                title: String,
                status: String,
                owner: Option<Person>,
                due: Option<NaiveDate>,
                hours: i64,
                rank: i64,
                score: Option<f64>,
                billable: bool,
                details: Option<String>,
                created_at: NaiveDateTime,
                updated_at: NaiveDateTime,
            }

            #[derive(Clone, Queryable, Serialize)]
            struct Person {
                id: Id,
                email: String,
                name: String,
            }

            #[derive(Serialize)]
            struct NestedPage {
                items: Vec<Nested>,
                total: i64,
                page: i64,
                page_size: i64,
            }

            type Connections = Pool<ConnectionManager<$conn>>;

            #[derive(Clone)]
            struct Db {
                readers: Connections,
                writer: Connections,
            }

            #[derive(Debug)]
            struct Setup;

            impl CustomizeConnection<$conn, diesel::r2d2::Error> for Setup {
                fn on_acquire(&self, conn: &mut $conn) -> Result<(), diesel::r2d2::Error> {
                    conn.batch_execute($setup).map_err(diesel::r2d2::Error::QueryError)
                }
            }

            struct Caller {
                id: Id,
                manager: bool,
            }

            fn caller(conn: &mut $conn, token: &Token) -> Result<Caller, Status> {
                let found: Option<(Id, String, String)> = sessions::table
                    .inner_join(accounts::table)
                    .filter(sessions::token_hash.eq(hashed(&token.0)))
                    .filter(sessions::expires_at.gt(now()))
                    .filter(accounts::active.eq(true))
                    .select((accounts::id, accounts::email, accounts::role))
                    .first(conn)
                    .optional()
                    .map_err(failed)?;
                let (id, _, role) = found.ok_or(Status::Unauthorized)?;
                match role.as_str() {
                    "manager" => Ok(Caller { id, manager: true }),
                    "worker" => Ok(Caller { id, manager: false }),
                    _ => Err(Status::Forbidden),
                }
            }

            async fn blocking<T: Send + 'static>(
                pool: &Connections,
                work: impl FnOnce(&mut $conn) -> Result<T, Status> + Send + 'static,
            ) -> Result<T, Status> {
                let pool = pool.clone();
                let job = move || work(&mut *pool.get().map_err(|_| Status::ServiceUnavailable)?);
                rocket::tokio::task::spawn_blocking(job).await.map_err(|_| Status::InternalServerError)?
            }

            fn visible(caller: &Caller, asked: Option<&Asked>) -> items::BoxedQuery<'static, $backend> {
                let mut query = items::table.into_boxed();
                if !caller.manager {
                    query = query.filter(items::owner.eq(caller.id.clone()));
                }
                if let Some(status) = asked.and_then(|it| it.status.clone()) {
                    query = query.filter(items::status.eq(status));
                }
                if let Some(words) = asked.and_then(|it| it.search.as_ref()) {
                    query = query.filter(items::title.like(format!("%{words}%")));
                }
                query
            }

            fn sorted<'a>(query: items::BoxedQuery<'a, $backend>, asked: &Asked) -> items::BoxedQuery<'a, $backend> {
                let query = match asked.sort.as_deref() {
                    Some("due") => query.order((items::due.asc(), items::id.asc())),
                    Some("-due") => query.order((items::due.desc(), items::id.asc())),
                    _ => query.order(diesel::dsl::sql::<diesel::sql_types::Text>($by_title)),
                };
                query.limit(asked.size()).offset((asked.page() - 1) * asked.size())
            }

            /// The items with their owners, who are read at once.
            fn nested(conn: &mut $conn, items: Vec<Item>) -> QueryResult<Vec<Nested>> {
                let mut owners: Vec<Id> = items.iter().filter_map(|it| it.owner.clone()).collect();
                owners.sort();
                owners.dedup();
                let people = accounts::table.filter(accounts::id.eq_any(owners)).select((accounts::id, accounts::email, accounts::name));
                let people: Vec<Person> = people.load(conn)?;
                let with_owner = |item: Item| {
                    let owner = people.iter().find(|it| Some(&it.id) == item.owner.as_ref()).cloned();
                    let Item { id, title, status, due, hours, rank, score, billable, details, created_at, updated_at, .. } = item;
                    Nested { id, title, status, owner, due, hours, rank, score, billable, details, created_at, updated_at }
                };
                Ok(items.into_iter().map(with_owner).collect())
            }

            #[get("/api/items?<asked..>")]
            async fn list(db: &State<Db>, token: Token, asked: Asked) -> Result<rocket::Either<Json<Page>, Json<NestedPage>>, Status> {
                blocking(&db.readers, move |conn| {
                    let caller = caller(conn, &token)?;
                    let total = visible(&caller, Some(&asked)).count().get_result(conn).map_err(failed)?;
                    let items = sorted(visible(&caller, Some(&asked)), &asked).select(Item::as_select()).load(conn).map_err(failed)?;
                    let (page, page_size) = (asked.page(), asked.size());
                    if asked.expand.as_deref() == Some("owner") {
                        let items = nested(conn, items).map_err(failed)?;
                        return Ok(rocket::Either::Right(Json(NestedPage { items, total, page, page_size })));
                    }
                    Ok(rocket::Either::Left(Json(Page { items, total, page, page_size })))
                })
                .await
            }

            #[get("/api/items/<id>")]
            async fn read(db: &State<Db>, token: Token, id: &str) -> Result<Json<Item>, Status> {
                let id: Id = $parse(id).ok_or(Status::NotFound)?;
                blocking(&db.readers, move |conn| {
                    let caller = caller(conn, &token)?;
                    visible(&caller, None).filter(items::id.eq(id)).select(Item::as_select()).first(conn).map(Json).map_err(failed)
                })
                .await
            }

            #[get("/app/item_list?<asked..>")]
            async fn fragment(db: &State<Db>, token: Token, asked: Asked) -> Result<RawHtml<String>, Status> {
                type Columns = (Id, String, String, Option<NaiveDate>, i64, Option<Id>);
                blocking(&db.readers, move |conn| {
                    let caller = caller(conn, &token)?;
                    let total = visible(&caller, Some(&asked)).count().get_result(conn).map_err(failed)?;
                    let columns = (items::id, items::title, items::status, items::due, items::hours, items::owner);
                    let rows: Vec<Columns> =
                        sorted(visible(&caller, Some(&asked)), &asked).select(columns).load(conn).map_err(failed)?;
                    let mut owners: Vec<Id> = rows.iter().filter_map(|it| it.5.clone()).collect();
                    owners.dedup();
                    let names: Vec<(Id, String)> = accounts::table
                        .filter(accounts::id.eq_any(owners))
                        .select((accounts::id, accounts::name))
                        .load(conn)
                        .map_err(failed)?;
                    let rows = rows
                        .into_iter()
                        .map(|(id, title, status, due, hours, owner)| Shown {
                            id: id.to_string(),
                            title,
                            status,
                            owner: names.iter().find(|(id, _)| Some(id) == owner.as_ref()).map(|(_, name)| name.clone()),
                            due,
                            hours,
                        })
                        .collect();
                    let fragment = Fragment { rows, total, page: asked.page(), page_size: asked.size() };
                    askama::Template::render(&fragment).map(RawHtml).map_err(|_| Status::InternalServerError)
                })
                .await
            }

            #[post("/api/items", data = "<sent>")]
            async fn create(db: &State<Db>, token: Token, _origin: SameOrigin, sent: Json<Sent>) -> Result<Created<Json<Item>>, Status> {
                let sent = sent.into_inner();
                blocking(&db.writer, move |conn| {
                    let made = conn.$transaction(|conn| {
                        if let Err(status) = caller(conn, &token) {
                            return Ok(Err(status));
                        }
                        if !fits(&sent) {
                            return Ok(Err(Status::UnprocessableEntity));
                        }
                        let owner = match sent.owner.as_deref().map($parse) {
                            Some(None) => return Ok(Err(Status::UnprocessableEntity)),
                            Some(Some(owner)) => {
                                let known = accounts::table.filter(accounts::id.eq(&owner)).filter(accounts::active.eq(true));
                                if known.count().get_result::<i64>(conn)? == 0 {
                                    return Ok(Err(Status::UnprocessableEntity));
                                }
                                Some(owner)
                            }
                            None => None,
                        };
                        let at = now();
                        let item = Item {
                            id: $parse(&uuid::Uuid::now_v7().to_string()).unwrap_or_default(),
                            title: sent.title,
                            status: sent.status,
                            owner,
                            due: sent.due,
                            hours: sent.hours,
                            rank: sent.rank,
                            score: sent.score,
                            billable: sent.billable,
                            details: sent.details,
                            created_at: at,
                            updated_at: at,
                        };
                        diesel::insert_into(items::table).values(&item).returning(Item::as_returning()).get_result(conn).map(Ok)
                    });
                    let item = made.map_err(failed)??;
                    Ok(Created::new(format!("/api/items/{}", item.id)).body(Json(item)))
                })
                .await
            }

            #[post("/api/items/<id>/transitions/<to>")]
            async fn moved(db: &State<Db>, token: Token, _origin: SameOrigin, id: &str, to: &str) -> Result<Json<Item>, Status> {
                let (id, to): (Id, String) = ($parse(id).ok_or(Status::NotFound)?, to.to_owned());
                blocking(&db.writer, move |conn| {
                    let done = conn.$transaction(|conn| {
                        let caller = match caller(conn, &token) {
                            Ok(caller) => caller,
                            Err(status) => return Ok(Err(status)),
                        };
                        let found = visible(&caller, None).filter(items::id.eq(&id)).select(Item::as_select()).first(conn).optional()?;
                        let Some(row) = found else { return Ok(Err(Status::NotFound)) };
                        if !leads(&row.status, &to, row.owner.is_some()) {
                            return Ok(Err(Status::Conflict));
                        }
                        if row.hours < 0 || row.rank < 0 {
                            return Ok(Err(Status::UnprocessableEntity));
                        }
                        let at = items::table.find(&id).filter(items::status.eq(&row.status));
                        let changed = (items::status.eq(&to), items::updated_at.eq(now()));
                        let after = diesel::update(at).set(changed).returning(Item::as_returning()).get_result(conn).optional()?;
                        diesel::QueryResult::Ok(after.ok_or(Status::Conflict))
                    });
                    done.map_err(failed)?.map(Json)
                })
                .await
            }

            /// Rows that are read and held at once.
            const BATCH: usize = 4_000;

            /// The next rows by title, as CSV, and where they end.
            fn batch(conn: &mut $conn, token: &Token, after: Option<&(String, Id)>) -> Result<(Vec<u8>, Option<(String, Id)>), Status> {
                let caller = caller(conn, token)?;
                let mut query = visible(&caller, None).order(diesel::dsl::sql::<diesel::sql_types::Text>($by_title)).limit(BATCH as i64);
                if let Some((title, id)) = after {
                    use diesel::sql_types::{Bool, Text};
                    let [first, second, third] = $behind_title;
                    let behind = diesel::dsl::sql::<Bool>(first).bind::<Text, _>(title.clone()).sql(second).bind::<Text, _>(title.clone());
                    query = query.filter(behind.sql(third).bind::<diesel::sql_types::$id_sql, _>(id.clone()).sql(")"));
                }
                let rows: Vec<Item> = query.select(Item::as_select()).load(conn).map_err(failed)?;
                let end = rows.last().filter(|_| rows.len() == BATCH).map(|item| (item.title.clone(), item.id.clone()));
                let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
                let record = |item: Item| {
                    let text = |text: String| if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text };
                    let day = |day: Option<NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
                    let hours = format!("{}.{:02}", item.hours / 100, item.hours % 100);
                    let score = item.score.map(|score| score.to_string()).unwrap_or_default();
                    let owner = item.owner.map(|owner| owner.to_string()).unwrap_or_default();
                    let moment = |at: NaiveDateTime| at.and_utc().to_rfc3339_opts(chrono::SecondsFormat::Micros, true);
                    [
                        item.id.to_string(), text(item.title), item.status, owner, day(item.due), hours, item.rank.to_string(), score,
                        item.billable.to_string(), text(item.details.unwrap_or_default()), moment(item.created_at), moment(item.updated_at),
                    ]
                };
                for item in rows {
                    writer.write_record(record(item)).map_err(|_| Status::InternalServerError)?;
                }
                Ok((writer.into_inner().map_err(|_| Status::InternalServerError)?, end))
            }

            #[get("/export/items.csv")]
            async fn export(db: &State<Db>, token: Token) -> rocket::response::stream::ByteStream![Vec<u8>] {
                let db = db.inner().clone();
                rocket::response::stream::ByteStream! {
                    let mut after = None;
                    loop {
                        let (token, from) = (Token(token.0.clone()), after.take());
                        let Ok((part, end)) = blocking(&db.readers, move |conn| batch(conn, &token, from.as_ref())).await else { break };
                        yield part;
                        match end {
                            Some(end) => after = Some(end),
                            None => break,
                        }
                    }
                }
            }

            /// Changes the rank of a row that the caller may change.
            fn change(conn: &mut $conn, caller: &Caller, id: &str, rank: i64) -> QueryResult<u16> {
                let Some(id) = $parse(id) else { return Ok(404) };
                let row: Option<Item> = visible(caller, None).filter(items::id.eq(&id)).select(Item::as_select()).first(conn).optional()?;
                let Some(row) = row else { return Ok(404) };
                if row.rank == rank {
                    return Ok(200);
                }
                let changed = (items::rank.eq(rank), items::updated_at.eq(now()));
                let after: Item = diesel::update(items::table.find(&id)).set(changed).returning(Item::as_returning()).get_result(conn)?;
                Ok(if after.owner == row.owner { 200 } else { 409 })
            }

            #[post("/api/items/bulk", data = "<sent>")]
            async fn bulk(db: &State<Db>, token: Token, _origin: SameOrigin, sent: Json<Bulk>) -> Result<Json<Results>, Status> {
                blocking(&db.writer, move |conn| {
                    let done = conn.$transaction(|conn| {
                        let caller = match caller(conn, &token) {
                            Ok(caller) => caller,
                            Err(status) => return Ok(Err(status)),
                        };
                        let mut results = Vec::with_capacity(sent.ids.len());
                        for id in &sent.ids {
                            let status = conn.transaction(|conn| change(conn, &caller, id, sent.set.rank))?;
                            results.push(ItemOutcome { id: id.clone(), status });
                        }
                        diesel::QueryResult::Ok(Ok(Results { results }))
                    });
                    done.map_err(failed)?.map(Json)
                })
                .await
            }

            /// The application over the database at `url`.
            pub fn rocket(url: &str) -> rocket::Rocket<rocket::Build> {
                let pool = |size| {
                    Pool::builder()
                        .max_size(size)
                        .min_idle(Some(0))
                        .test_on_check_out(false)
                        .connection_customizer(Box::new(Setup))
                        .build_unchecked(ConnectionManager::<$conn>::new(url))
                };
                let readers = pool(8);
                let writer = if stringify!($name) == "sqlite" { pool(1) } else { readers.clone() };
                rocket::build().manage(Db { readers, writer }).mount("/", rocket::routes![list, read, fragment, create, moved, export, bulk])
            }

            /// Makes the tables with `accounts` accounts, each of which has a worker's session, and `rows` rows.
            ///
            /// # Errors
            /// Those of the database.
            pub fn fill(url: &str, people: usize, rows: u32) -> Result<(), Box<dyn std::error::Error>> {
                let mut conn = <$conn>::establish(url)?;
                conn.batch_execute($setup)?;
                conn.batch_execute($tables)?;
                let parse = |text: String| -> Id { $parse(&text).unwrap_or_default() };
                let ids: Vec<Id> = (0..people).map(|_| parse(uuid::Uuid::now_v7().to_string())).collect();
                conn.transaction(|conn| {
                    for (n, id) in ids.iter().enumerate() {
                        let role = if n == 0 { "manager" } else { "worker" };
                        diesel::insert_into(accounts::table)
                            .values((
                                accounts::id.eq(id),
                                accounts::email.eq(format!("person{n}@example.com")),
                                accounts::name.eq(format!("Person {n}")),
                                accounts::active.eq(true),
                                accounts::role.eq(role),
                            ))
                            .execute(conn)?;
                        let expires = now() + chrono::TimeDelta::days(7);
                        diesel::insert_into(sessions::table)
                            .values((
                                sessions::token_hash.eq(hashed(&format!("session of person {n}"))),
                                sessions::account.eq(id),
                                sessions::seen_at.eq(now()),
                                sessions::expires_at.eq(expires),
                            ))
                            .execute(conn)?;
                    }
                    for n in 0..rows {
                        let item = Item {
                            id: parse(uuid::Uuid::now_v7().to_string()),
                            title: crate::requests::declared::title(n),
                            status: "open".to_owned(),
                            owner: ids.get(n as usize % people).cloned(),
                            due: NaiveDate::from_yo_opt(2026, n % 365 + 1),
                            hours: i64::from(n % 1_000),
                            rank: i64::from(n % 100),
                            score: Some(f64::from(n) / 7.0),
                            billable: true,
                            details: Some("A sentence or two about what has to be done, as people write them.".to_owned()),
                            created_at: now(),
                            updated_at: now(),
                        };
                        diesel::insert_into(items::table).values(&item).execute(conn)?;
                    }
                    diesel::QueryResult::Ok(())
                })?;
                Ok(())
            }
        }
    };
}
