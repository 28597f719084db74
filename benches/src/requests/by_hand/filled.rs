//! The tables and their rows.

/// Creates the rows of a database, inside the module of an engine.
macro_rules! filled {
    ($conn:ty, $parse:ident, $setup:expr, $tables:expr) => {
        /// Creates the tables with `people` accounts, each with a session, and `rows` rows.
        ///
        /// # Errors
        /// Errors of the database.
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
                            accounts::manager.eq(n == 0),
                        ))
                        .execute(conn)?;
                    diesel::insert_into(roles::table).values((roles::account.eq(id), roles::role.eq(role))).execute(conn)?;
                    let expires = now() + chrono::TimeDelta::days(7);
                    diesel::insert_into(sessions::table)
                        .values((
                            sessions::token_hash.eq(hash_token(&format!("session of person {n}"))),
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
                        version: 1,
                    };
                    diesel::insert_into(items::table).values(&item).execute(conn)?;
                }
                diesel::QueryResult::Ok(())
            })?;
            Ok(())
        }
    };
}
