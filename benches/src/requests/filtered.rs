//! A list filtered by a state, whose rule shows the rows of the caller's team: dz beside a handler written by hand for the same tables
//! and session; and the cost of the index for writes.

use dz::{Cx, Engine, Value};
use dz_runtime::{
    Entity,
    db::{BindKind, Statement},
};
use rocket::{http::Status, response::content::RawJson, routes};

use super::{
    Outcome,
    drive::{Round, round},
    place::{Part, Place},
    probe::{self, Answer, Token},
    served::Served,
    table::{Effort, middle},
};

dz::include_dsl!("src/requests/filtered.dsl");

/// The rows of the caller's team.
const VISIBLE: u32 = 4_885;
/// The rows that match the filter.
const MATCHING: u32 = 410;
/// The index of the filter.
const INDEX: &str = "tickets_team_status_created_at_idx";
/// The rows of a measured write.
const WRITTEN: u32 = 50_000;

/// The application, and the handler written by hand.
pub fn build() -> dz::App {
    app().mount("/probe", routes![ready, list])
}

/// Opens the database for the handler written by hand.
#[rocket::get("/ready")]
async fn ready(cx: Cx) -> dz::Result<Status> {
    probe::open(&cx).await
}

/// Twenty rows of a team with a state, and the number of all.
#[rocket::get("/tickets?<status>&<page>")]
async fn list(token: Token, status: String, page: u32) -> Answer {
    probe::blocking(token, move |_, conn, caller| {
        let account = caller.account.as_ref().ok_or(Status::Unauthorized)?;
        let mut team = Statement::new();
        team.push("SELECT team FROM users WHERE id = ").bind(account.id.clone(), BindKind::Uuid);
        let failed = |_| Status::InternalServerError;
        let team = conn.rows(&team, &[BindKind::Uuid]).map_err(failed)?.into_iter().flatten().next().unwrap_or(Value::Null);
        let rows = |select: &str, rest: &str| {
            let mut statement = Statement::new();
            statement.push("SELECT ").push(select).push(" FROM tickets WHERE team = ").bind(team.clone(), BindKind::Uuid);
            statement.push(" AND status = ").bind(Value::Text(status.clone()), BindKind::Text).push(rest);
            statement
        };
        let count = conn.rows(&rows("count(*)", ""), &[BindKind::Int]).map_err(failed)?;
        let page_of = format!(" ORDER BY created_at DESC, id LIMIT 20 OFFSET {}", (page - 1) * 20);
        let kinds = [BindKind::Uuid, BindKind::Text, BindKind::Uuid, BindKind::Text, BindKind::DateTime];
        let items = conn.rows(&rows("id, title, team, status, created_at", &page_of), &kinds).map_err(failed)?;
        let mut out = b"{\"items\":".to_vec();
        out.extend_from_slice(&probe::write_rows(ticket::Ticket::DEF, &items).0);
        let total = count.into_iter().flatten().next().unwrap_or(Value::Null);
        out.extend_from_slice(format!(",\"total\":{}}}", if let Value::Int(total) = total { total } else { 0 }).as_bytes());
        Ok(RawJson(out))
    })
    .await
}

/// Measures the list and the write of rows, each with and without the index.
///
/// # Errors
/// If a response is wrong.
pub fn lists(engine: Engine, rows: u32, effort: Effort) -> Outcome<()> {
    let place = Place::new(engine, rows)?;
    let served = fill(&place)?;
    let total = served.json("/api/tickets?status=doing")?["total"].as_u64();
    let visible = served.json("/api/tickets")?["total"].as_u64();
    if (visible, total) != (Some(u64::from(VISIBLE)), Some(u64::from(MATCHING))) {
        return Err(format!("{visible:?} rows are visible and {total:?} match").into());
    }
    println!("\n{engine:?}, {rows} rows, of which {VISIBLE} are visible and {MATCHING} match a filter by a state\n");
    println!("| | dz, requests/s | by hand, requests/s | ratio |\n|---|---|---|---|");
    compare("list of 20 with their number", &served, effort)?;
    let with = write(&place, effort)?;
    place.run(Part::Filtered, &format!("DROP INDEX {INDEX}"))?;
    compare("the same without the index of the filter", &served, effort)?;
    let without = write(&place, effort)?;
    println!("\n| new rows, µs for each | with the index of the filter | without it | the index |\n|---|---|---|---|");
    println!("| {WRITTEN} in one statement | {with:.2} | {without:.2} | {:.2} |", with - without);
    Ok(())
}

fn compare(name: &str, served: &Served, effort: Effort) -> Outcome<()> {
    let pages = 1..=MATCHING / 20;
    let by_dz: Vec<_> =
        pages.clone().map(|page| served.request("GET", &format!("/api/tickets?status=doing&page={page}&page_size=20"), "")).collect();
    let by_hand: Vec<_> = pages.map(|page| served.request("GET", &format!("/probe/tickets?status=doing&page={page}"), "")).collect();
    let count = effort.count.unwrap_or(2_000);
    let (mut a, mut b): (Vec<Round>, Vec<Round>) = (Vec::new(), Vec::new());
    for at in 0..=effort.rounds {
        let pair = (round(served.port, &by_dz, count, 200)?, round(served.port, &by_hand, count, 200)?);
        // The first round is a warm-up.
        if at > 0 {
            a.push(pair.0);
            b.push(pair.1);
        }
    }
    let (a, b) = (middle(&a), middle(&b));
    println!("| {name} | {:.0} | {:.0} | {:.2} |", a.per_second, b.per_second, a.per_second / b.per_second);
    Ok(())
}

/// Microseconds for each new row.
fn write(place: &Place, effort: Effort) -> Outcome<f64> {
    let mut all = Vec::new();
    for _ in 0..effort.rounds {
        all.push(place.run(Part::Filtered, &insert(place.engine, WRITTEN, "new"))? * 1_000.0 / f64::from(WRITTEN));
        place.run(Part::Filtered, "DELETE FROM tickets WHERE title LIKE 'new%'")?;
        if place.engine == Engine::Postgres {
            place.run(Part::Filtered, "VACUUM tickets")?;
        }
    }
    Ok(crate::median(all))
}

/// New tickets. Each number below `rows` has one position in the permutation, so that the teams are mixed.
fn insert(engine: Engine, rows: u32, title: &str) -> String {
    let place = format!("(i * 7919 % {rows})");
    let team = format!("CASE WHEN {place} < {VISIBLE} THEN 1 ELSE 2 + i % 19 END");
    let status = format!(
        "CASE WHEN {place} < {MATCHING} THEN 'doing' WHEN {place} < {VISIBLE} THEN 'open' WHEN i % 3 = 0 THEN 'doing' ELSE 'done' END"
    );
    match engine {
        Engine::Sqlite => format!(
            "INSERT INTO tickets (id, title, team, status, created_at) WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < {rows} - 1)
             SELECT randomblob(16), '{title} ' || i, (SELECT id FROM teams WHERE name = 'Team ' || ({team})), {status},
             strftime('%Y-%m-%dT%H:%M:%S.000000Z', 1767225600 + i, 'unixepoch') FROM n"
        ),
        Engine::Postgres => format!(
            "INSERT INTO tickets (id, title, team, status, created_at) SELECT gen_random_uuid(), '{title} ' || i, t.id, {status},
             timestamptz '2026-01-01' + i * interval '1 second' FROM generate_series(0, {rows} - 1) AS i JOIN teams t ON t.name = 'Team ' || ({team})"
        ),
    }
}

fn fill(place: &Place) -> Outcome<Served> {
    const EMAIL: &str = "person@example.com";
    place.user(Part::Filtered, &["create", EMAIL, "--set", "name=Person", "--password", super::served::PASSWORD])?;
    place.user(Part::Filtered, &["grant", EMAIL, "member"])?;
    let teams: String = (1..=20)
        .map(|n| {
            let id = if place.engine == Engine::Sqlite { format!("X'{n:032x}'") } else { format!("'{n:032x}'") };
            format!("INSERT INTO teams (id, name) VALUES ({id}, 'Team {n}');")
        })
        .collect();
    place.run(Part::Filtered, &teams)?;
    place.run(Part::Filtered, "UPDATE users SET team = (SELECT id FROM teams WHERE name = 'Team 1')")?;
    place.run(Part::Filtered, &insert(place.engine, place.rows, "ticket"))?;
    if place.engine == Engine::Postgres {
        place.run(Part::Filtered, "VACUUM ANALYZE")?;
    }
    let mut served = Served::start(place, Part::Filtered)?;
    served.sign_in(EMAIL)?;
    match served.ask("GET", "/probe/ready", "")?.status {
        204 => Ok(served),
        status => Err(format!("the handler by hand is not ready: {status}").into()),
    }
}
