//! Hooks, and code that continues after an error, in an application with tenants: what they see and what they leave.

use std::sync::{Arc, Mutex, PoisonError};

use dz::{
    Cx, Error, Result, ScopedRows, SystemCx, Tx, Uuid,
    access::List,
    rocket::fairing::AdHoc,
    testing::{TestApp, TestUser},
};
use entry::{Entry, NewEntry};
use person::Person;
use plant::{NewPlant, Plant, PlantChanges};
use schema::{people, plants};

dz::dz! {
    app greenhouses "Greenhouses":
      multi_tenant: true

    persona admin "Administrator"
    persona gardener "Gardener"

    entity Garden "Garden":
      id: uuid pk
      name: str(60) required
      archetype: tenant

    entity Person "Person":
      id: uuid pk
      archetype: user
      permit:
        list: true
        read: true
        delete: role(admin) or id = current_user

    entity Member "Member":
      id: uuid pk
      archetype: user_membership
      user: ref Person required cascade

    entity Plant "Plant":
      id: uuid pk
      name: str(60) required unique
      keeper: ref Person nullify
      permit:
        list: role(gardener, admin)
        read: role(gardener, admin)
        create: role(gardener)
        update: role(gardener)
        delete: role(gardener)

    entity Entry "Entry":
      id: uuid pk
      text: str(90) required
      permit:
        list: role(gardener)
        read: role(gardener)
        create: role(gardener)

    demo:
      Garden:
        - name: "North"
        - name: "South"
        - @east name: "East"
      Entry:
        - garden: @east, text: "opened"
}

/// What the hooks have seen, a query that one of them keeps, and the interface of the system.
#[derive(Default)]
struct Seen {
    counts: Mutex<Vec<String>>,
    kept: Mutex<Option<ScopedRows<plants::table>>>,
    system: Mutex<Option<SystemCx>>,
}

type Shared = Arc<Seen>;

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An account is not deleted as long as its holder sees a plant.
fn keep_gardeners(tx: &mut Tx<'_>, _: &Person) -> Result<()> {
    let visible = match plant::scoped(tx, List) {
        Ok(plants) => plants,
        Err(_) => return Ok(()),
    };
    *lock(&tx.state::<Shared>()?.kept) = Some(visible.clone());
    match tx.count(visible)? {
        0 => Ok(()),
        plants => Err(Error::validation("id", format!("sees {plants} plants"))),
    }
}

/// Notes the plants that the hook of a plant sees, and in which garden.
fn note_plants(tx: &mut Tx<'_>, _: &Plant, after: &Plant) -> Result<()> {
    let names = plant::scoped(tx, List).and_then(|all| tx.load::<_, String>(all.order(plants::name).select(plants::name)));
    let own = tx.tenant() == Some(&dz::Value::Uuid(after.garden_id));
    lock(&tx.state::<Shared>()?.counts).push(format!("{} own garden {own} {:?}", after.name, names.map_err(|error| error.status)));
    refuse_weeds(tx, after)
}

/// Writes an entry, and refuses a weed.
fn refuse_weeds(tx: &mut Tx<'_>, plant: &Plant) -> Result<()> {
    match plant.name.starts_with("Weed") {
        true => NewEntry::new("a weed").create(tx).and(Err(Error::validation("name", "is a weed"))),
        false => Ok(()),
    }
}

/// Queries of the caller with rows of the system, whose unit of work is open.
#[rocket::get("/mixed")]
async fn mixed(cx: Cx) -> Result<String> {
    let system = lock(&cx.state::<Shared>()?.system).clone().ok_or_else(Error::not_found)?;
    cx.read(move |tx| {
        let mut found = Vec::new();
        system.read(|other| {
            let all = plant::scoped(other, List)?;
            let ids = all.clone().select(plants::id);
            let keepers = plants::keeper.eq(people::id.nullable());
            let last = all.clone().select(plants::name.max()).single_value();
            let mut note = |what: &str, error: Option<Error>| {
                let refused = error.is_some_and(|error| error.internal.is_some_and(|why| why.contains("the unit of work that made it")));
                found.push(format!("{what} {}", if refused { "refused" } else { "runs" }));
            };
            note("keys", tx.count(plant::scoped(tx, List)?.filter(plants::id.eq_any(ids))).err());
            note("existence", tx.count(person::scoped(tx, List)?.filter_exists_on(all.clone(), keepers)).err());
            note("value", tx.load::<_, Option<String>>(person::scoped(tx, List)?.select(last)).err());
            note("own", tx.count(plant::scoped(tx, List)?).err());
            note("of the system", other.count(all.clone()).err());
            let mut inside = None;
            other.for_each(all, |_: Plant| {
                inside = inside.take().or(tx.count(plant::scoped(tx, List)?).err());
                Ok(())
            })?;
            note("between rows", inside);
            Ok(())
        })?;
        Ok(found.join(", "))
    })
    .await
}

fn greenhouses(seen: &Shared) -> dz::App {
    let shared = seen.clone();
    app()
        .manage(seen.clone())
        .attach(AdHoc::on_liftoff("system", move |rocket| {
            *lock(&shared.system) = SystemCx::from_rocket(rocket).ok();
            Box::pin(async {})
        }))
        .mount("/", rocket::routes![mixed])
        .before_delete::<Person>(keep_gardeners)
        .after_create::<Plant>(refuse_weeds)
        .after_update::<Plant>(note_plants)
        .after_create::<Entry>(|tx, entry| match entry.text.as_str() {
            "opened" => NewEntry::new("followed").create(tx).map(drop),
            _ => Ok(()),
        })
        .after_delete::<Plant>(|tx, plant| refuse_weeds(tx, &Plant { name: format!("Weed {}", plant.name), ..plant.clone() }))
}

/// The application on both engines, with what its hooks see and the keys of the gardens.
fn on_both_engines(check: impl Fn(&TestApp, &Seen, Uuid, Uuid)) {
    let server = std::env::var("DZ_TEST_POSTGRES").expect("the address of a PostgreSQL server");
    for address in [None, Some(server)] {
        let seen = Shared::default();
        let builder = TestApp::builder(greenhouses(&seen));
        let app = address.into_iter().fold(builder, |builder, address| builder.postgres(address)).start();
        let named = |name: &'static str| {
            let all = app.tx_as_system(|tx| tx.load::<_, garden::Garden>(garden::scoped(tx, List)?)).unwrap();
            all.into_iter().find(|it| it.name == name).unwrap().id
        };
        let (north, south) = (named("North"), named("South"));
        app.create_in(north, NewPlant::new("Rose"));
        app.create_in(south, NewPlant::new("Oak"));
        app.create_in(south, NewPlant::new("Elm"));
        check(&app, &seen, north, south);
        *lock(&seen.system) = None;
    }
}

fn id_of(user: &TestUser<'_>) -> Uuid {
    user.get("/auth/me").member("id").as_str().unwrap().parse().unwrap()
}

fn rename(name: &str) -> PlantChanges {
    PlantChanges { name: Some(name.to_owned()), ..Default::default() }
}

#[test]
fn the_hook_of_a_demo_row_is_called_in_its_tenant() {
    on_both_engines(|app, _, _, _| {
        let (entries, gardens) = app
            .tx_as_system(|tx| {
                let entries: Vec<Entry> = tx.load(entry::scoped(tx, List)?)?;
                Ok((entries, tx.load::<_, garden::Garden>(garden::scoped(tx, List)?)?))
            })
            .unwrap();
        let east = gardens.iter().find(|it| it.name == "East").unwrap().id;
        let mut found: Vec<_> = entries.iter().map(|it| (it.text.as_str(), it.garden_id == east)).collect();
        found.sort_unstable();
        assert_eq!(found, [("followed", true), ("opened", true)]);
    });
}

#[test]
fn the_hooks_of_a_deleted_account_see_no_rows_of_other_tenants() {
    on_both_engines(|app, seen, north, _| {
        let gardener = app.as_role_in(Role::Gardener, north);
        let me = id_of(&gardener);
        gardener.delete(&format!("/api/people/{me}")).assert_problem(422, "VALIDATION").assert_field("id", "sees 1 plants");
        let after = app.tx_as(&gardener, |tx| {
            let refused = Person::find(tx, me)?.delete(tx).expect_err("sees a plant");
            assert_eq!(refused.status, 422);
            let kept = lock(&seen.kept).take().expect("the query of the hook");
            Ok((tx.count(kept).map_err(|error| error.status), tx.count(plant::scoped(tx, List)?)?))
        });
        // The query of the hook is not one of the caller.
        assert_eq!(after.unwrap(), (Err(500), 1));
    });
}

#[test]
fn a_hook_of_another_tenant_has_only_the_roles_for_the_whole_system() {
    on_both_engines(|app, seen, _, south| {
        let empty = app.tx_as_system(|tx| garden::NewGarden::new("Empty").create(tx)).unwrap().id;
        let (gardener, admin) = (app.as_role_in(Role::Gardener, empty), app.as_role(Role::Admin));
        let delete = |deleted: &TestUser<'_>, by: &TestUser<'_>| {
            let keeper = id_of(deleted);
            let keep = || PlantChanges { keeper_id: Some(keeper).into(), ..Default::default() };
            app.tx_as_system(|tx| {
                let all: Vec<Plant> = tx.load(plant::scoped(tx, List)?)?;
                Plant::update_many(tx, &all, keep()).map(drop)
            })
            .unwrap();
            lock(&seen.counts).clear();
            app.tx_as(by, |tx| Person::find(tx, keeper)?.delete(tx)).unwrap();
            let mut seen = std::mem::take(&mut *lock(&seen.counts));
            seen.sort();
            seen
        };
        // The administrator of the system, without a current tenant, works in the tenant of each plant.
        let seen_by_admin = delete(&app.as_user(), &admin);
        let both = r#"Ok(["Elm", "Oak"])"#;
        let wanted = [
            format!("Elm own garden true {both}"),
            format!("Oak own garden true {both}"),
            r#"Rose own garden true Ok(["Rose"])"#.to_owned(),
        ];
        assert_eq!(seen_by_admin, wanted);
        // The gardener of an empty garden has no role in the other one.
        let seen_by_gardener = delete(&gardener, &gardener);
        assert_eq!(seen_by_gardener, ["Elm", "Oak", "Rose"].map(|name| format!("{name} own garden true Err(403)")));
        assert_eq!(app.tx_as_system(|tx| tx.count(plant::scoped(tx, List)?.filter(plants::garden.eq(south)))).unwrap(), 2);
    });
}

#[test]
fn a_refused_write_leaves_nothing_when_the_code_continues() {
    on_both_engines(|app, _, north, _| {
        let gardener = app.as_role_in(Role::Gardener, north);
        let texts = app.tx_as(&gardener, |tx| {
            let rose: Plant = tx.first(plant::scoped(tx, List)?)?.expect("the rose");
            let mut refused = vec![
                NewPlant::new("Weed").create(tx).err(),
                NewPlant::new("Weed").upsert(tx, plants::name).err(),
                rose.update(tx, rename("Weed")).err(),
                rose.clone().delete(tx).err(),
                NewPlant::create_many(tx, [NewPlant::new("Ivy"), NewPlant::new("Weed")]).err(),
            ];
            // After a violated constraint the transaction goes on, on both engines.
            refused.push(NewPlant::new("Rose").create(tx).err());
            NewPlant::new("Lily").create(tx)?;
            Ok(refused.into_iter().map(|error| error.map_or(200, |error| error.status)).collect::<Vec<_>>())
        });
        assert_eq!(texts.unwrap(), [422, 422, 422, 422, 422, 409]);
        let stored = app.tx_as(&gardener, |tx| {
            let names = tx.load::<_, String>(plant::scoped(tx, List)?.order(plants::name).select(plants::name))?;
            Ok((names, tx.count(entry::scoped(tx, List)?)?))
        });
        assert_eq!(stored.unwrap(), (vec!["Lily".to_owned(), "Rose".to_owned()], 0));
    });
}

#[test]
fn rows_of_an_open_unit_of_work_are_in_no_query_of_another() {
    on_both_engines(|app, _, north, _| {
        let gardener = app.as_role_in(Role::Gardener, north);
        let text = gardener.get("/mixed").assert_status(200).text();
        assert_eq!(text, "keys refused, existence refused, value refused, own runs, of the system runs, between rows runs");
    });
}
