//! An application with several tenants, on both engines: visible rows, memberships and roles.
//!
//! On PostgreSQL it is served by a role that policies apply to, so that the tenant filter and row-level security are both active.

mod audit;
mod commands;
mod files;
mod invitations;
mod members;
mod membership_fields;
mod pages;
mod random;
mod rows;
mod settings;
mod worker;

use std::sync::{
    OnceLock,
    atomic::{AtomicU32, Ordering},
};

use dz::{
    Engine,
    serde_json::{Value, json},
};

use crate::{client::Client, server};

dz::dz! {
    app practices "Practices":
      multi_tenant: true

    persona clerk "Clerk"
    persona vet "Vet"

    entity Practice "Practice":
      id: uuid pk
      name: str(60) required
      archetype: tenant
      permit:
        list: role(admin)
        read: role(admin) or id = current_user.tenant
        create: role(admin)
        update: role(admin)
        delete: role(admin)

    entity Person "Person":
      id: uuid pk
      archetype: user
      favourite: ref Room
      work: has_many Visit via vet
      busy: computed count(work)
      permit:
        list: role(admin)
        read: role(admin) or id = current_user
        create: role(admin)
        update: role(admin)
        delete: role(admin)
      audit: [update]

    entity Member "Member":
      id: uuid pk
      archetype: user_membership
      desk: str(20)
      permit:
        list: role(admin, tenant_admin)
        read: role(admin, tenant_admin) or user = current_user
        create: role(admin, tenant_admin)
        update: role(admin, tenant_admin)
        delete: role(admin, tenant_admin)
      audit: [list, create, update]

    entity Platform "Platform":
      id: uuid pk
      archetype: settings
      calls: int = 100

    entity Office "Office":
      id: uuid pk
      archetype: tenant_settings
      opens: str(5) = "08:00"

    entity Room "Room":
      id: uuid pk
      name: str(40) required unique
      visits: has_many Visit
      booked: computed count(visits)
      access:
        read: true
        write: role(clerk, admin)

    entity Visit "Visit":
      id: uuid pk
      title: str(60) required
      room: ref Room cascade
      vet: ref Person
      fee: decimal(8,2) = 0
      scan: file(1KB)
      state: enum[planned, running, done] = planned
      soft_delete
      transitions:
        planned -> running: role(vet)
        running -> done: auto after 1 hour
      permit:
        list: true
        read: true
        create: role(clerk, vet, admin)
        update: role(clerk, vet, admin)
        delete: role(clerk, admin)
        restore: role(clerk, admin)
        remind: role(clerk, vet, admin)
      audit: [create, update, delete, transition]

    entity Notice "Notice":
      id: uuid pk
      text: str(80) required
      permit:
        list: anonymous
        read: anonymous
        create: role(clerk)

    surface notice_list "Notices":
      uses entity Notice
      mode: list
      access: public

    surface visit_list "Visits":
      uses entity Visit
      mode: list
      section main:
        field title
        field room.name
        field vet
        field fee
      ux:
        sort: title asc
        filter: state, room
        search: title, room.name

    surface visit_view "Visit":
      uses entity Visit
      mode: view

    surface visit_create "New visit":
      uses entity Visit
      mode: create

    surface visit_edit "Edit visit":
      uses entity Visit
      mode: edit

    surface room_view "Room":
      uses entity Room
      mode: view
      section main:
        field name
        field booked
      section visits "Visits":
        uses entity Visit
        filter: room = this
        field title

    demo:
      Practice:
        - @north name: "North"
        - @south name: "South"
        - @west name: "West"
      Person:
        - @root email: "root@vets.example", name: "Root", password: "over all practices", roles: [admin]
        - @ann email: "ann@vets.example", name: "Ann", password: "works in the north"
        - @sue email: "sue@vets.example", name: "Sue", password: "works in the south"
        - @wes email: "wes@vets.example", name: "Wes", password: "works in the west"
        - @bo email: "bo@vets.example", name: "Bo", password: "works here and there"
        - @cy email: "cy@vets.example", name: "Cy", password: "is asked to come"
        - @pam email: "pam@vets.example", name: "Pam", password: "knows where she is"
        - @ned email: "ned@vets.example", name: "Ned", password: "looks at the north"
        - @sol email: "sol@vets.example", name: "Sol", password: "looks at the south"
        - @wim email: "wim@vets.example", name: "Wim", password: "looks at the west"
      Member:
        - practice: @north, user: @ned, personas: [tenant_admin], accepted_at: now
        - practice: @south, user: @sol, personas: [tenant_admin], accepted_at: now
        - practice: @west, user: @wim, personas: [tenant_admin], accepted_at: now
        - practice: @north, user: @ann, personas: [clerk, tenant_admin], accepted_at: now
        - practice: @south, user: @sue, personas: [clerk, admin], accepted_at: now
        - practice: @west, user: @wes, personas: [clerk], accepted_at: now
        - practice: @north, user: @bo, personas: [vet], accepted_at: now
        - practice: @south, user: @bo, personas: [clerk], accepted_at: now
        - practice: @north, user: @cy, personas: [vet]
        - practice: @north, user: @pam, personas: [clerk], accepted_at: now
        - practice: @west, user: @pam, personas: [vet], is_primary: true, accepted_at: now
      Room:
        - @n1 practice: @north, name: "One"
        - @s1 practice: @south, name: "One"
        - @w1 practice: @west, name: "One"
      Visit:
        - practice: @north, title: "Northern hen", room: @n1, vet: @bo
        - practice: @south, title: "Southern goat", room: @s1, vet: @bo
        - practice: @west, title: "Western mule", room: @w1, vet: @wes
}

pub const ROOT: (&str, &str) = ("root@vets.example", "over all practices");
pub const ANN: (&str, &str) = ("ann@vets.example", "works in the north");
pub const SUE: (&str, &str) = ("sue@vets.example", "works in the south");
pub const WES: (&str, &str) = ("wes@vets.example", "works in the west");
pub const BO: (&str, &str) = ("bo@vets.example", "works here and there");
pub const CY: (&str, &str) = ("cy@vets.example", "is asked to come");
pub const PAM: (&str, &str) = ("pam@vets.example", "knows where she is");

/// The application, with an action, a route, and a subscriber in Rust.
pub fn practices() -> dz::App {
    app()
        .action::<visit::Visit>("remind", |tx, row, _| {
            let tenant = tx.tenant().map(|tenant| format!("{tenant:?}"));
            Ok(json!({ "title": row.title, "in": tenant }))
        })
        .on::<visit::Visit>(dz::Event::Created, |cx, told| {
            let Some(name) = told.row.title.strip_prefix("Order ").map(str::to_owned) else { return Ok(()) };
            // The practice is not given: it is that of the visit.
            cx.run(|tx| room::NewRoom::new(format!("Room for {name}")).create(tx).map(drop))
        })
        .job(worker::tidy)
        .mount("/typed", rocket::routes![titles, plan, opens, aside, worker::order_tidying])
}

/// The opening hours of the current practice, and the number of calls of the platform, which it increases.
#[rocket::post("/opens")]
async fn opens(cx: dz::Cx) -> dz::Result<String> {
    cx.run(|tx| {
        let office = office::Office::singleton(tx)?;
        let platform = match platform::Platform::singleton(tx) {
            Ok(platform) => {
                let calls = platform.calls + 1;
                let changes = platform::PlatformChanges { calls: Some(calls) };
                platform.update(tx, changes)?.calls.to_string()
            }
            Err(error) => error.code.to_owned(),
        };
        Ok(format!("{} {platform}", office.opens))
    })
    .await
}

/// Bypasses the rules, which leaves a record.
#[rocket::post("/aside?<reason>")]
async fn aside(cx: dz::Cx, reason: String) -> dz::Result<()> {
    cx.run(move |tx| tx.as_system(&reason, |_| Ok(()))).await
}

/// Titles by a diesel query.
#[rocket::get("/titles")]
async fn titles(cx: dz::Cx) -> dz::Result<String> {
    let found = cx.read(|tx| tx.load(visit::scoped(tx, dz::access::List)?)).await?;
    let mut titles: Vec<String> = found.into_iter().map(|row: visit::Visit| row.title).collect();
    titles.sort();
    Ok(titles.join(","))
}

/// Creates a row by the typed call, for the practice in the address, or the current one.
#[rocket::post("/plan?<practice>")]
async fn plan(cx: dz::Cx, practice: Option<String>) -> dz::Result<String> {
    let practice: Option<dz::Uuid> = practice.and_then(|id| id.parse().ok());
    let made = cx.run(move |tx| visit::NewVisit { practice_id: practice, ..visit::NewVisit::new("By hand") }.create(tx)).await?;
    Ok(made.practice_id.to_string())
}

/// The address of the application on an engine.
fn base_url(engine: Engine) -> &'static str {
    static SQLITE: OnceLock<String> = OnceLock::new();
    static POSTGRES: OnceLock<String> = OnceLock::new();
    let (at, name) = if engine == Engine::Sqlite { (&SQLITE, "tenants") } else { (&POSTGRES, "tenants") };
    at.get_or_init(|| server::serve(practices(), engine, server::fenced_url(engine, name)))
}

/// A unique word.
fn fresh(word: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("{word} {}", COUNT.fetch_add(1, Ordering::Relaxed))
}

/// The key of a tenant by its name, as the client sees it.
#[track_caller]
fn tenant_of(client: &Client, name: &str) -> Value {
    let me = client.get("/auth/me").ok(200).json();
    let found = me["tenants"].as_array().and_then(|all| all.iter().find(|it| it["name"] == name)).map(|it| it["id"].clone());
    found.unwrap_or_else(|| panic!("no tenant {name}: {me}"))
}

/// A client that is signed in and has switched to a tenant.
#[track_caller]
fn working(base: &str, who: (&str, &str), tenant: &str) -> Client {
    let client = Client::signed_in(base, who);
    let key = tenant_of(&client, tenant);
    client.send("POST", "/auth/tenant", &json!({ "tenant": key })).ok(200);
    client
}

/// The titles of the visits that a client can list.
#[track_caller]
fn visits(client: &Client) -> Vec<String> {
    let list = client.get("/api/visits?page_size=100").ok(200).json();
    list["items"].as_array().expect("items").iter().map(|row| row["title"].as_str().expect("a title").to_owned()).collect()
}

/// Declares a test for each engine from one function of the module.
macro_rules! on_both {
    ($($name:ident;)*) => {
        mod sqlite {
            $(#[test] fn $name() { super::$name(crate::tenants::base_url(dz::Engine::Sqlite)); })*
        }
        mod postgres {
            $(#[test] fn $name() { super::$name(crate::tenants::base_url(dz::Engine::Postgres)); })*
        }
    };
}
use on_both;
