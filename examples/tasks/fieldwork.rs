//! The application: its declaration and its own Rust code.

use dz::{
    Cx, Error,
    access::List,
    serde_json::{Value, json},
};
use rocket::serde::json::Json;

dz::include_dsl!("app.dsl", keys = "typed");

/// The application with a rule about the words of a title, and a route.
pub fn fieldwork() -> dz::App {
    app()
        .before_create::<task::Task>(|_, new| match new.title.split_whitespace().count() {
            0 | 1 => Err(Error::validation("title", "needs a verb and an object, for example \"Scan the wall\"")),
            _ => Ok(()),
        })
        .mount("/reports", rocket::routes![late])
}

/// Counts the late tasks that the caller can list, by a diesel query over the visible rows.
#[rocket::get("/late")]
async fn late(cx: Cx) -> dz::Result<Json<Value>> {
    use schema::tasks::dsl::{due, status};
    let today = cx.caller().today;
    cx.read(move |tx| {
        let query =
            task::scoped(tx, List)?.filter(due.lt(today)).filter(status.ne_all([task::TaskStatus::Done, task::TaskStatus::Dropped]));
        Ok(Json(json!({ "late": tx.count(query)? })))
    })
    .await
}
