//! The routes and statements for each engine.

/// The whole application for one type of connection.
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
                $parse, Lean, SameOrigin, Seen, Token,
                answer::{Everywhere, Tagged, refuse},
                hash_token, now, to_status,
                sent::{ListQuery, Bulk, ItemOutcome, Results, RowOfFile, Sent, Taken, Wrong, fits, leads, wire},
            };
            use crate::requests::page::{Fragment, PageRow};

            type Id = $id;

            diesel::table! {
                accounts (id) { id -> $id_sql, email -> Text, name -> Text, active -> Bool, manager -> Bool, }
            }
            diesel::table! {
                roles (account, role) { account -> $id_sql, role -> Text, }
            }
            diesel::table! {
                sessions (token_hash) { token_hash -> Text, account -> $id_sql, seen_at -> Timestamp, expires_at -> Timestamp, }
            }
            diesel::table! {
                items (id) {
                    id -> $id_sql, title -> Text, status -> Text, owner -> Nullable<$id_sql>, due -> Nullable<Date>, hours -> BigInt,
                    rank -> BigInt, score -> Nullable<Double>, billable -> Bool, details -> Nullable<Text>, created_at -> Timestamp,
                    updated_at -> Timestamp, version -> BigInt,
                }
            }
            diesel::joinable!(sessions -> accounts (account));
            diesel::joinable!(items -> accounts (owner));
            diesel::joinable!(roles -> accounts (account));
            diesel::allow_tables_to_appear_in_same_query!(accounts, roles, sessions, items);

            #[derive(Queryable, Selectable, Insertable, Serialize)]
            #[diesel(table_name = items)]
            struct Item {
                id: Id,
                title: String,
                status: String,
                owner: Option<Id>,
                due: Option<NaiveDate>,
                #[serde(serialize_with = "wire::hundredths")]
                hours: i64,
                rank: i64,
                score: Option<f64>,
                billable: bool,
                details: Option<String>,
                #[serde(serialize_with = "wire::moment")]
                created_at: NaiveDateTime,
                #[serde(serialize_with = "wire::moment")]
                updated_at: NaiveDateTime,
                #[serde(skip)]
                version: i64,
            }

            #[derive(Serialize)]
            struct Page {
                items: Vec<Item>,
                total: i64,
                page: i64,
                page_size: i64,
            }

            /// An item with its owner in place of the key.
            #[derive(Serialize)]
            struct Nested {
                id: Id,
                title: String,
                status: String,
                owner: Option<Person>,
                due: Option<NaiveDate>,
                #[serde(serialize_with = "wire::hundredths")]
                hours: i64,
                rank: i64,
                score: Option<f64>,
                billable: bool,
                details: Option<String>,
                #[serde(serialize_with = "wire::moment")]
                created_at: NaiveDateTime,
                #[serde(serialize_with = "wire::moment")]
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
                if token.lean {
                    return lean_caller(conn, token);
                }
                let (hash, at) = (hash_token(&token.text), now());
                let found: Vec<(Id, NaiveDateTime, Option<String>)> = sessions::table
                    .inner_join(accounts::table.left_join(roles::table))
                    .filter(sessions::token_hash.eq(&hash))
                    .filter(sessions::expires_at.gt(at))
                    .filter(accounts::active.eq(true))
                    .select((accounts::id, sessions::seen_at, roles::role.nullable()))
                    .load(conn)
                    .map_err(to_status)?;
                let (id, seen, _) = found.first().ok_or(Status::Unauthorized)?.clone();
                if at - seen >= chrono::TimeDelta::hours(1) {
                    let goes_on = (sessions::seen_at.eq(at), sessions::expires_at.eq(at + chrono::TimeDelta::days(7)));
                    diesel::update(sessions::table.find(&hash)).set(goes_on).execute(conn).map_err(to_status)?;
                }
                let has = |name: &str| found.iter().any(|(_, _, role)| role.as_deref() == Some(name));
                match (has("manager"), has("worker")) {
                    (false, false) => Err(Status::Forbidden),
                    (manager, _) => Ok(Caller { id, manager }),
                }
            }

            /// Loads the account of the session by one join.
            fn lean_caller(conn: &mut $conn, token: &Token) -> Result<Caller, Status> {
                let found: Option<(Id, bool)> = sessions::table
                    .inner_join(accounts::table)
                    .filter(sessions::token_hash.eq(hash_token(&token.text)))
                    .filter(sessions::expires_at.gt(now()))
                    .filter(accounts::active.eq(true))
                    .select((accounts::id, accounts::manager))
                    .first(conn)
                    .optional()
                    .map_err(to_status)?;
                found.map(|(id, manager)| Caller { id, manager }).ok_or(Status::Unauthorized)
            }

            async fn blocking<T: Send + 'static>(
                pool: &Connections,
                work: impl FnOnce(&mut $conn) -> Result<T, Status> + Send + 'static,
            ) -> Result<T, Status> {
                let pool = pool.clone();
                let job = move || work(&mut *pool.get().map_err(|_| Status::ServiceUnavailable)?);
                rocket::tokio::task::spawn_blocking(job).await.map_err(|_| Status::InternalServerError)?
            }

            fn visible(caller: &Caller, asked: Option<&ListQuery>) -> items::BoxedQuery<'static, $backend> {
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

            fn sort_items<'a>(query: items::BoxedQuery<'a, $backend>, asked: &ListQuery) -> items::BoxedQuery<'a, $backend> {
                let query = match asked.sort.as_deref() {
                    Some("due") => query.order((items::due.asc(), items::id.asc())),
                    Some("-due") => query.order((items::due.desc(), items::id.asc())),
                    _ => query.order(diesel::dsl::sql::<diesel::sql_types::Text>($by_title)),
                };
                query.limit(asked.size()).offset((asked.page() - 1) * asked.size())
            }

            /// Loads the owners of the items in one statement.
            fn load_owners(conn: &mut $conn, items: Vec<Item>) -> QueryResult<Vec<Nested>> {
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
            async fn list(db: &State<Db>, token: Token, asked: ListQuery) -> Result<rocket::Either<Json<Page>, Json<NestedPage>>, Status> {
                blocking(&db.readers, move |conn| {
                    let caller = caller(conn, &token)?;
                    let total = visible(&caller, Some(&asked)).count().get_result(conn).map_err(to_status)?;
                    let items = sort_items(visible(&caller, Some(&asked)), &asked).select(Item::as_select()).load(conn).map_err(to_status)?;
                    let (page, page_size) = (asked.page(), asked.size());
                    if asked.expand.as_deref() == Some("owner") {
                        let items = load_owners(conn, items).map_err(to_status)?;
                        return Ok(rocket::Either::Right(Json(NestedPage { items, total, page, page_size })));
                    }
                    Ok(rocket::Either::Left(Json(Page { items, total, page, page_size })))
                })
                .await
            }

            fn add_tag(item: Item) -> Tagged<Item> {
                Tagged(item.version, Json(item))
            }

            #[get("/api/items/<id>")]
            async fn read(db: &State<Db>, token: Token, id: &str) -> Result<Tagged<Item>, Status> {
                let id: Id = $parse(id).ok_or(Status::NotFound)?;
                blocking(&db.readers, move |conn| {
                    let caller = caller(conn, &token)?;
                    visible(&caller, None).filter(items::id.eq(id)).select(Item::as_select()).first(conn).map(add_tag).map_err(to_status)
                })
                .await
            }

            #[get("/app/item_list?<asked..>")]
            async fn fragment(db: &State<Db>, token: Token, asked: ListQuery) -> Result<RawHtml<String>, Status> {
                type Columns = (Id, String, String, Option<NaiveDate>, i64, Option<Id>);
                blocking(&db.readers, move |conn| {
                    let caller = caller(conn, &token)?;
                    let total = visible(&caller, Some(&asked)).count().get_result(conn).map_err(to_status)?;
                    let columns = (items::id, items::title, items::status, items::due, items::hours, items::owner);
                    let rows: Vec<Columns> =
                        sort_items(visible(&caller, Some(&asked)), &asked).select(columns).load(conn).map_err(to_status)?;
                    let mut owners: Vec<Id> = rows.iter().filter_map(|it| it.5.clone()).collect();
                    owners.dedup();
                    let names: Vec<(Id, String)> = accounts::table
                        .filter(accounts::id.eq_any(owners))
                        .select((accounts::id, accounts::name))
                        .load(conn)
                        .map_err(to_status)?;
                    let rows = rows
                        .into_iter()
                        .map(|(id, title, status, due, hours, owner)| PageRow {
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

            /// Stores a new row if it is valid.
            fn store(conn: &mut $conn, sent: &Sent) -> QueryResult<Result<Item, Status>> {
                if !fits(sent) {
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
                    title: sent.title.clone(),
                    status: sent.status.clone(),
                    owner,
                    due: sent.due,
                    hours: sent.hours,
                    rank: sent.rank,
                    score: sent.score,
                    billable: sent.billable,
                    details: sent.details.clone(),
                    created_at: at,
                    updated_at: at,
                    version: 1,
                };
                diesel::insert_into(items::table).values(&item).returning(Item::as_returning()).get_result(conn).map(Ok)
            }

            #[post("/api/items", data = "<sent>")]
            async fn create(db: &State<Db>, token: Token, _origin: SameOrigin, sent: Json<Sent>) -> Result<Created<Tagged<Item>>, Status> {
                let sent = sent.into_inner();
                blocking(&db.writer, move |conn| {
                    let made = conn.$transaction(|conn| {
                        match caller(conn, &token) {
                            Ok(_) => store(conn, &sent),
                            Err(status) => Ok(Err(status)),
                        }
                    });
                    let item = made.map_err(to_status)??;
                    Ok(Created::new(format!("/api/items/{}", item.id)).body(add_tag(item)))
                })
                .await
            }

            #[post("/api/items/<id>/transitions/<to>")]
            async fn transition(
                db: &State<Db>,
                token: Token,
                seen: Seen,
                _origin: SameOrigin,
                id: &str,
                to: &str,
            ) -> Result<Tagged<Item>, Status> {
                let (id, to): (Id, String) = ($parse(id).ok_or(Status::NotFound)?, to.to_owned());
                blocking(&db.writer, move |conn| {
                    let done = conn.$transaction(|conn| {
                        let caller = match caller(conn, &token) {
                            Ok(caller) => caller,
                            Err(status) => return Ok(Err(status)),
                        };
                        let found = visible(&caller, None).filter(items::id.eq(&id)).select(Item::as_select()).first(conn).optional()?;
                        let Some(row) = found else { return Ok(Err(Status::NotFound)) };
                        if seen.0.is_some_and(|seen| seen != row.version) {
                            return Ok(Err(Status::PreconditionFailed));
                        }
                        if !leads(&row.status, &to, row.owner.is_some()) {
                            return Ok(Err(Status::Conflict));
                        }
                        if row.hours < 0 || row.rank < 0 {
                            return Ok(Err(Status::UnprocessableEntity));
                        }
                        let at = items::table.find(&id).filter(items::version.eq(row.version));
                        let changed = (items::status.eq(&to), items::updated_at.eq(now()), items::version.eq(items::version + 1));
                        let after = diesel::update(at).set(changed).returning(Item::as_returning()).get_result(conn).optional()?;
                        diesel::QueryResult::Ok(after.ok_or(Status::Conflict))
                    });
                    done.map_err(to_status)?.map(add_tag)
                })
                .await
            }

            many!($conn, $id_sql, $parse, $transaction, $by_title, $behind_title);

            /// The application with the database at `url`; the lean one responds without headers of its own.
            pub fn rocket(url: &str, lean: bool) -> rocket::Rocket<rocket::Build> {
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
                let routes = rocket::routes![list, read, fragment, create, transition, export, bulk, import];
                let rocket = rocket::build().manage(Db { readers, writer }).manage(Lean(lean)).mount("/", routes);
                if lean { rocket } else { rocket.attach(Everywhere).register("/", rocket::catchers![refuse]) }
            }

            filled!($conn, $parse, $setup, $tables);
        }
    };
}
