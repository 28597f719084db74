//! dz's SQL types in ordinary diesel queries.

use chrono::{DateTime, NaiveDate, Utc};
use diesel::prelude::*;
use rust_decimal::Decimal;

use super::app::APP;
use crate::{
    Engine, Error,
    db::{schema::prepare, testing::each_engine},
    sql_types::Sql,
};

diesel::table! {
    use crate::sql_types::*;

    items (id) {
        id -> BigInt,
        text -> Nullable<Text>,
        price -> Nullable<Decimal<10, 2>>,
        big -> Nullable<Decimal<28, 10>>,
        day -> Nullable<Date>,
        at -> Nullable<DateTime>,
        data -> Nullable<Json>,
        owner -> Nullable<Uuid>,
    }
}

#[derive(Debug, Clone, PartialEq, Queryable, Selectable, Insertable)]
#[diesel(table_name = items)]
struct Item {
    id: i64,
    text: Option<String>,
    #[diesel(serialize_as = Sql<Option<Decimal>>)]
    price: Option<Decimal>,
    #[diesel(serialize_as = Sql<Option<Decimal>>)]
    big: Option<Decimal>,
    day: Option<NaiveDate>,
    #[diesel(serialize_as = Sql<Option<DateTime<Utc>>>)]
    at: Option<DateTime<Utc>>,
    #[diesel(serialize_as = Sql<Option<serde_json::Value>>)]
    data: Option<serde_json::Value>,
    #[diesel(serialize_as = Sql<Option<uuid::Uuid>>)]
    owner: Option<uuid::Uuid>,
}

/// Inserts an item, and finds it by its decimal and its timestamp.
macro_rules! there_and_back {
    ($conn:expr, $item:expr) => {{
        let conn = $conn;
        let item: Item = $item;
        diesel::insert_into(items::table).values(item.clone()).execute(conn).unwrap();
        let found: Vec<Item> = items::table
            .filter(items::price.lt(Sql(Some(Decimal::new(1001, 2)))))
            .filter(items::at.eq(Sql(item.at)))
            .order(items::big.desc())
            .select(Item::as_select())
            .load(conn)
            .unwrap();
        assert_eq!(found, [item]);
    }};
}

#[test]
fn typed_rows_are_read_unchanged() {
    let item = Item {
        id: 1,
        text: Some("a".into()),
        price: Some(Decimal::new(1000, 2)),
        big: Some("-123456789012345678.0123456789".parse().unwrap()),
        day: Some("2024-02-29".parse().unwrap()),
        at: Some("2024-02-29T01:02:03.000004Z".parse().unwrap()),
        data: Some(serde_json::json!({"a": [1]})),
        owner: None,
    };
    each_engine(|db| {
        db.write(&mut |conn| {
            prepare(conn, &APP)?;
            if let Some(sqlite) = conn.sqlite() {
                there_and_back!(sqlite, item.clone());
            } else if let Some(postgres) = conn.postgres() {
                there_and_back!(postgres, item.clone());
            }
            Ok(())
        })
        .unwrap();
    });
}

/// The number of items with a price and a text, in a query whose values are not checked as those of rows.
macro_rules! count_with {
    ($conn:expr, $price:expr, $text:expr) => {
        items::table.filter(items::price.le(Sql(Some($price)))).filter(items::text.ne($text)).count().get_result::<i64>($conn)
    };
}

#[test]
fn values_that_a_column_cannot_have_are_refused_and_other_failures_are_internal() {
    each_engine(|db| {
        db.write(&mut |conn| prepare(conn, &APP)).unwrap();
        let count = |price: &str, text: &str| {
            db.write(&mut |conn| {
                let price: Decimal = price.parse().unwrap();
                let found = match conn.sqlite() {
                    Some(sqlite) => count_with!(sqlite, price, text),
                    None => count_with!(conn.postgres().expect("the other engine"), price, text),
                };
                found.map_err(Error::from)
            })
        };
        let status = |found: Result<i64, Error>| found.map_err(|error| error.status);
        assert_eq!(status(count("1.00", "a")), Ok(0));
        // PostgreSQL compares the exact number.
        let is_postgres = db.engine() == Engine::Postgres;
        assert_eq!(status(count("1.005", "a")), if is_postgres { Ok(0) } else { Err(422) });
        assert_eq!(status(count("1.00", "a\0")), if is_postgres { Err(422) } else { Ok(0) });
    });
    let other = diesel::result::Error::SerializationError("a parameter of kind Int is a text".into());
    assert_eq!(Error::from(other).status, 500, "a mistake of dz is not one of the caller");
}
