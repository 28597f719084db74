//! {{title}}: the declaration and its own Rust code.

use dz::{Cx, Error, access::List};

dz::include_dsl!("app.dsl");

/// The application: the declaration with a hook and a route.
pub fn application() -> dz::App {
    app()
        .before_create::<task::Task>(|tx, new| match new.due {
            Some(due) if due < tx.caller().today => {
                Err(Error::validation("due", "must be today or later"))
            }
            _ => Ok(()),
        })
        .mount("/reports", rocket::routes![open])
}

/// `GET /reports/open`: the number of open tasks that the caller may list.
#[rocket::get("/open")]
async fn open(cx: Cx) -> dz::Result<String> {
    use schema::tasks::status;
    cx.read(|tx| {
        let tasks = task::scoped(tx, List)?.filter(status.eq(task::TaskStatus::Open));
        Ok(tx.count(tasks)?.to_string())
    })
    .await
}
