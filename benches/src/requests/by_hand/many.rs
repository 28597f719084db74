//! Operations on many rows.

/// Export, import and bulk changes, inside the module of an engine.
macro_rules! many {
    ($conn:ty, $id_sql:ident, $parse:ident, $transaction:ident, $by_title:expr, $behind_title:expr) => {
        /// The number of rows in a batch.
        const BATCH: usize = 4_000;

        /// The next rows by title as CSV, and their end.
        fn batch(conn: &mut $conn, token: &Token, after: Option<&(String, Id)>) -> Result<(Vec<u8>, Option<(String, Id)>), Status> {
            let caller = caller(conn, token)?;
            let mut query = visible(&caller, None).order(diesel::dsl::sql::<diesel::sql_types::Text>($by_title)).limit(BATCH as i64);
            if let Some((title, id)) = after {
                use diesel::sql_types::{Bool, Text};
                let [first, second, third] = $behind_title;
                let behind = diesel::dsl::sql::<Bool>(first).bind::<Text, _>(title.clone()).sql(second).bind::<Text, _>(title.clone());
                query = query.filter(behind.sql(third).bind::<diesel::sql_types::$id_sql, _>(id.clone()).sql(")"));
            }
            let rows: Vec<Item> = query.select(Item::as_select()).load(conn).map_err(to_status)?;
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
                    item.id.to_string(),
                    text(item.title),
                    item.status,
                    owner,
                    day(item.due),
                    hours,
                    item.rank.to_string(),
                    score,
                    item.billable.to_string(),
                    text(item.details.unwrap_or_default()),
                    moment(item.created_at),
                    moment(item.updated_at),
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
                    let (token, from) = (token.clone(), after.take());
                    let Ok((part, end)) = blocking(&db.readers, move |conn| batch(conn, &token, from.as_ref())).await else { break };
                    yield part;
                    match end {
                        Some(end) => after = Some(end),
                        None => break,
                    }
                }
            }
        }

        /// Changes the rank of a row that the caller can update.
        fn change(conn: &mut $conn, caller: &Caller, id: &str, rank: i64) -> QueryResult<u16> {
            let Some(id) = $parse(id) else { return Ok(404) };
            let row: Option<Item> = visible(caller, None).filter(items::id.eq(&id)).select(Item::as_select()).first(conn).optional()?;
            let Some(row) = row else { return Ok(404) };
            if row.rank == rank {
                return Ok(200);
            }
            let changed = (items::rank.eq(rank), items::updated_at.eq(now()), items::version.eq(items::version + 1));
            let at = items::table.find(&id).filter(items::version.eq(row.version));
            // Another request can have changed the row since it was read.
            let after: Option<Item> = diesel::update(at).set(changed).returning(Item::as_returning()).get_result(conn).optional()?;
            Ok(if after.is_some_and(|after| after.owner == row.owner) { 200 } else { 409 })
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
                done.map_err(to_status)?.map(Json)
            })
            .await
        }

        /// The maximum number of reported rows with errors.
        const TOLD: usize = 100;

        /// Imports the rows of a file, each in a savepoint of its own, so that all errors are reported; all rows or none.
        fn take_in(conn: &mut $conn, text: &str, wrong: &mut Vec<usize>) -> QueryResult<Result<Taken, Status>> {
            let mut created = 0;
            for (at, row) in csv::Reader::from_reader(text.as_bytes()).deserialize::<RowOfFile>().enumerate() {
                let stored = match row.ok().and_then(RowOfFile::into_sent) {
                    Some(sent) => match conn.transaction(|conn| store(conn, &sent)) {
                        Ok(stored) => stored.is_ok(),
                        Err(diesel::result::Error::DatabaseError(..)) => false,
                        Err(error) => return Err(error),
                    },
                    None => false,
                };
                match stored {
                    true => created += 1,
                    false => wrong.push(at + 2),
                }
                if wrong.len() == TOLD {
                    break;
                }
            }
            if wrong.is_empty() { Ok(Ok(Taken { created })) } else { Err(diesel::result::Error::RollbackTransaction) }
        }

        type ImportReply = rocket::Either<Json<Taken>, (Status, Json<Wrong>)>;

        #[post("/api/items/import", data = "<sent>")]
        async fn import(db: &State<Db>, token: Token, _origin: SameOrigin, sent: rocket::Data<'_>) -> Result<ImportReply, Status> {
            use rocket::data::ToByteUnit;
            let text = sent.open(64.mebibytes()).into_string().await.map_err(|_| Status::BadRequest)?;
            if !text.is_complete() {
                return Err(Status::PayloadTooLarge);
            }
            blocking(&db.writer, move |conn| {
                let mut rows = Vec::new();
                let done = conn.$transaction(|conn| match caller(conn, &token) {
                    Ok(_) => take_in(conn, &text, &mut rows),
                    Err(status) => Ok(Err(status)),
                });
                if !rows.is_empty() {
                    return Ok(rocket::Either::Right((Status::UnprocessableEntity, Json(Wrong { rows }))));
                }
                done.map_err(to_status)?.map(|taken| rocket::Either::Left(Json(taken)))
            })
            .await
        }
    };
}
