//! The application: its declaration and its own Rust code.

use dz::{
    Cx, DateTime, Error, Event, Happened, Id, Result, SystemCx, Tx, Utc,
    access::List,
    serde_json::{Value, json},
};
use rocket::serde::json::Json;

dz::include_dsl!("app.dsl", keys = "typed");

use person::Person;
use visit::{Visit, VisitStatus};

/// The duration of a visit in minutes.
const MINUTES: i64 = 30;

/// The application with the behaviour that the declaration cannot express: a vet has one visit at a time, owners get reminders of
/// confirmed visits, and a route returns the visits for the board in the hall.
pub fn clinic() -> dz::App {
    app()
        .before_create::<Visit>(|tx, new| match new.vet_id {
            Some(vet) => is_free(tx, vet, new.planned_for, None),
            None => Ok(()),
        })
        .before_update::<Visit>(|tx, row, changes| {
            let vet = changes.vet_id.over(row.vet_id);
            let at = changes.planned_for.unwrap_or(row.planned_for);
            match vet {
                Some(vet) if (Some(vet), at) != (row.vet_id, row.planned_for) => is_free(tx, vet, at, Some(row.id)),
                _ => Ok(()),
            }
        })
        .on::<Visit>(Event::Updated, remind)
        .named("reminders of owners")
        .mount("/board", rocket::routes![board])
}

/// Refuses a time at which the vet has another visit that the caller can see.
fn is_free(tx: &mut Tx<'_>, vet: Id<Person>, at: DateTime<Utc>, besides: Option<Id<Visit>>) -> Result<()> {
    use schema::visits::dsl;
    let length = chrono::TimeDelta::minutes(MINUTES);
    let busy = visit::scoped(tx, List)?
        .filter(dsl::vet.eq(vet))
        .filter(dsl::planned_for.gt(at - length))
        .filter(dsl::planned_for.lt(at + length))
        .filter(dsl::status.ne_all([VisitStatus::Cancelled, VisitStatus::Lapsed]))
        .filter(dsl::id.ne_all(besides));
    match tx.count(busy)? {
        0 => Ok(()),
        _ => Err(Error::validation("planned_for", "the vet has another visit then")),
    }
}

/// Writes a reminder for the owner, once for each confirmation.
fn remind(cx: &SystemCx, event: &Happened<Visit>) -> Result<()> {
    let confirmed = event.row.status == VisitStatus::Confirmed;
    if !confirmed || event.before.as_ref().is_some_and(|before| before.status == VisitStatus::Confirmed) {
        return Ok(());
    }
    let (visit, practice, when) = (event.row.id, event.row.practice_id, event.row.planned_for.format("%Y-%m-%d %H:%M UTC"));
    let text = format!("We expect you at {when}: {}", event.row.reason);
    cx.run(|tx| reminder::NewReminder { practice_id: Some(practice), ..reminder::NewReminder::new(visit, text.as_str()) }.create(tx))
        .map(drop)
}

/// The visits of the next day that the caller can list, by vet: a diesel query over the visible rows.
#[rocket::get("/")]
async fn board(cx: Cx) -> Result<Json<Value>> {
    cx.read(|tx| {
        use schema::visits::dsl;
        let (from, until) = (tx.now(), tx.now() + chrono::TimeDelta::days(1));
        let query = visit::scoped(tx, List)?
            .filter(dsl::planned_for.ge(from))
            .filter(dsl::planned_for.lt(until))
            .filter(dsl::status.eq_any([VisitStatus::Confirmed, VisitStatus::Arrived]))
            .order(dsl::planned_for);
        let visits: Vec<Visit> = tx.load(query)?;
        let line = |visit: &Visit| json!({ "at": visit.planned_for, "reason": visit.reason, "status": visit.status, "vet": visit.vet_id });
        Ok(Json(json!({ "visits": visits.iter().map(line).collect::<Vec<_>>() })))
    })
    .await
}
