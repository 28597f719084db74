//! Leave requests: the declaration and the Rust that the README shows.

use dz::{Cx, Error, access::List};

dz::include_dsl!("app.dsl");

fn main() -> std::process::ExitCode {
    app()
        .before_create::<request::Request>(|tx, new| match new.first_day < tx.caller().today {
            true => Err(Error::validation("first_day", "must be today or later")),
            false => Ok(()),
        })
        .mount("/reports", rocket::routes![absent])
        .main()
}

/// Counts the approved absences of today among the requests that the caller may list.
#[rocket::get("/absent")]
async fn absent(cx: Cx) -> dz::Result<String> {
    use schema::requests::{first_day, last_day, state};
    let today = cx.caller().today;
    cx.read(move |tx| {
        let approved = request::scoped(tx, List)?.filter(state.eq(request::RequestState::Approved));
        Ok(tx.count(approved.filter(first_day.le(today).and(last_day.ge(today))))?.to_string())
    })
    .await
}
