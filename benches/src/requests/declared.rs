//! The application as a declaration, with a route that creates its rows.

use dz::{Cx, Error, NaiveDate, Uuid};
use rocket::{http::Status, routes};

dz::include_dsl!("src/requests/items.dsl");

/// The application, `POST /fill/<first>/<count>` for managers (the rows are distributed to the accounts), and the handlers that show the
/// cost of rules.
pub fn requests() -> dz::App {
    app().mount("/fill", routes![fill]).mount("/probe", super::probe::routes())
}

/// The title of the `n`th row, the same in both applications.
pub fn title(n: u32) -> String {
    format!("{:08x} is the number of this item", n.wrapping_mul(2_654_435_761))
}

#[rocket::post("/<first>/<count>")]
async fn fill(cx: Cx, first: u32, count: u32) -> dz::Result<Status> {
    use item::NewItem;
    cx.run(move |tx| {
        let people = user::scoped(tx, dz::access::List)?;
        let people: Vec<user::User> = tx.load(people)?;
        let mut owners: Vec<Uuid> = people.into_iter().map(|it| it.id).collect();
        owners.sort();
        for n in first..first + count {
            let owner = owners.get(n as usize % owners.len().max(1)).copied().ok_or_else(Error::not_found)?;
            let new = NewItem {
                owner_id: Some(owner),
                due: NaiveDate::from_yo_opt(2026, n % 365 + 1),
                hours: Some(dz::Decimal::new(i64::from(n % 1_000), 2)),
                rank: Some(i64::from(n % 100)),
                score: Some(f64::from(n) / 7.0),
                details: Some("A sentence or two about what has to be done, as people write them.".to_owned()),
                ..NewItem::new(title(n))
            };
            new.create(tx)?;
        }
        Ok(Status::NoContent)
    })
    .await
}
