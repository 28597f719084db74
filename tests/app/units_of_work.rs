//! Units of work of several callers and tenants: a query belongs to one of them, and the system changes rows of one tenant only.

use dz::{
    Cx, Result, Tx, Uuid,
    access::{List, Read},
    testing::TestApp,
};
use schema::{dogs, walks};

dz::dz! {
    app kennels "Kennels":
      multi_tenant: true

    persona keeper "Keeper"
    persona helper "Helper"

    entity Kennel "Kennel":
      id: uuid pk
      name: str(60) required
      archetype: tenant

    entity Person "Person":
      id: uuid pk
      archetype: user

    entity Member "Member":
      id: uuid pk
      archetype: user_membership

    entity Dog "Dog":
      id: uuid pk
      chip: str(12) required unique
      weight: int = 1
      walks: has_many Walk
      permit:
        list: role(keeper)
        read: role(keeper)
        create: role(keeper)
        update: role(keeper)

    entity Walk "Walk":
      id: uuid pk
      dog: belongs_to Dog required
      minutes: int required
      permit:
        list: role(keeper, helper)
        read: role(keeper, helper)

    demo:
      Kennel:
        - @north name: "North"
        - @south name: "South"
      Dog:
        - @rex kennel: @north, chip: "R1", weight: 20
        - kennel: @north, chip: "B2", weight: 30
        - kennel: @south, chip: "R1", weight: 40
      Walk:
        - kennel: @north, dog: @rex, minutes: 15
}

/// The page with the number of dogs; its route has no guard for a role.
#[rocket::get("/board")]
async fn board(cx: Cx) -> Result<String> {
    cx.read(|tx| Ok(tx.caller().account.is_some().to_string())).await
}

/// Below the page, for every account.
#[rocket::get("/board/help")]
async fn help(_cx: Cx) -> &'static str {
    "help"
}

fn kennels() -> dz::App {
    app().page("Board", "/board", [Role::Keeper]).mount("/", rocket::routes![board, help])
}

/// The application on both engines, with the keys of its tenants.
fn on_both_engines(check: impl Fn(&TestApp, Uuid, Uuid)) {
    let server = std::env::var("DZ_TEST_POSTGRES").expect("the address of a PostgreSQL server");
    for app in [TestApp::builder(kennels()), TestApp::builder(kennels()).postgres(server)].map(dz::testing::TestAppBuilder::start) {
        let named = |name: &'static str| {
            let all = app.tx_as_system(|tx| tx.load::<_, kennel::Kennel>(kennel::scoped(tx, List)?)).unwrap();
            all.into_iter().find(|it| it.name == name).unwrap().id
        };
        check(&app, named("North"), named("South"));
    }
}

#[test]
fn a_query_runs_only_in_the_unit_of_work_that_made_it() {
    on_both_engines(|app, north, _| {
        let keeper = app.as_role_in(Role::Keeper, north);
        // All dogs of all tenants, kept outside of the unit of work of the system.
        let (dogs, walks) = app.tx_as_system(|tx| Ok((dog::scoped(tx, List)?, walk::scoped(tx, List)?))).unwrap();
        assert_eq!(app.tx_as(&keeper, |tx| tx.count(dog::scoped(tx, List)?)).unwrap(), 2);

        let refused = |what: &str, run: &dyn Fn(&mut Tx<'_>) -> Result<()>| {
            let error = app.tx_as(&keeper, |tx| run(tx)).expect_err(what);
            assert_eq!(error.status, 500, "{what}");
            assert!(error.internal.as_deref().is_some_and(|why| why.contains("runs only in the unit of work")), "{what}: {error:?}");
        };
        refused("rows", &|tx| tx.load::<_, dog::Dog>(dogs.clone()).map(drop));
        refused("one by one", &|tx| tx.for_each(dogs.clone(), |_: dog::Dog| Ok(())));
        refused("a page", &|tx| tx.load_page::<_, dog::Dog>(dogs.clone(), 1, 10).map(drop));
        refused("the first row", &|tx| tx.first::<_, dog::Dog>(dogs.clone()).map(drop));
        refused("a count", &|tx| tx.count(dogs.clone()).map(drop));
        refused("a test", &|tx| tx.exists(dogs.clone()).map(drop));
        refused("an aggregate", &|tx| tx.load::<_, Option<i64>>(dogs.clone().select(dogs::weight.sum())).map(drop));
        // The same rows inside a query of the caller.
        let ids = || dogs.clone().select(dogs::id);
        refused("a list of keys", &|tx| tx.count(dog::scoped(tx, List)?.filter(dogs::id.eq_any(ids()))).map(drop));
        refused("a negation", &|tx| tx.count(walk::scoped(tx, Read)?.filter(walks::dog.ne_all(ids()))).map(drop));
        refused("a join", &|tx| {
            let joined = dog::scoped(tx, List)?.left_join(walks.clone()).select((dogs::chip, walks::minutes.nullable()));
            tx.load::<_, (String, Option<i64>)>(joined).map(drop)
        });
        refused("a referring row", &|tx| tx.count(dog::scoped(tx, List)?.filter_exists(walks.clone())).map(drop));
        refused("no referring row", &|tx| tx.count(dog::scoped(tx, List)?.filter_not_exists(walks.clone())).map(drop));
    });
}

#[test]
fn a_savepoint_is_part_of_its_unit_of_work() {
    on_both_engines(|app, north, _| {
        let keeper = app.as_role_in(Role::Keeper, north);
        let counted = app.tx_as(&keeper, |tx| {
            let outer = dog::scoped(tx, List)?;
            let (inside, inner) = tx.savepoint(|tx| Ok((tx.count(outer.clone())?, walk::scoped(tx, List)?)))?;
            Ok((inside, tx.count(inner.clone())?, tx.count(outer.filter_exists(inner))?))
        });
        assert_eq!(counted.unwrap(), (2, 1, 1));
    });
}

#[test]
fn an_upsert_of_the_system_finds_only_rows_of_the_tenant_of_the_new_row() {
    on_both_engines(|app, north, south| {
        let upsert = |tenant: Uuid, chip: &'static str, weight: i64| {
            let new = move || dog::NewDog { kennel_id: Some(tenant), weight: Some(weight), ..dog::NewDog::new(chip) };
            app.tx_as_system(move |tx| new().upsert(tx, dogs::chip)).map(|dog| (dog.kennel_id, dog.weight))
        };
        let all = || {
            let rows = |tx: &mut Tx<'_>| {
                let all = dog::scoped(tx, List)?.order((dogs::chip, dogs::weight)).select((dogs::chip, dogs::kennel, dogs::weight));
                tx.load::<_, (String, Uuid, i64)>(all)
            };
            app.tx_as_system(rows).unwrap()
        };
        let dog = |chip: &str, tenant: Uuid, weight: i64| (chip.to_owned(), tenant, weight);
        // Both tenants have a dog with this chip.
        assert_eq!(upsert(south, "R1", 41).unwrap(), (south, 41));
        assert_eq!(upsert(north, "R1", 21).unwrap(), (north, 21));
        assert_eq!(all(), [dog("B2", north, 30), dog("R1", north, 21), dog("R1", south, 41)]);
        // Only the other tenant has one.
        assert_eq!(upsert(south, "B2", 5).unwrap(), (south, 5));
        assert_eq!(all(), [dog("B2", south, 5), dog("B2", north, 30), dog("R1", north, 21), dog("R1", south, 41)]);
        // Without a tenant, no row is found and none is created.
        let unowned = app.tx_as_system(|tx| dog::NewDog::new("B2").upsert(tx, dogs::chip)).unwrap_err();
        assert_eq!(unowned.status, 422, "{unowned:?}");
        assert_eq!(all().len(), 4);
    });
}

#[test]
fn the_guards_of_dz_refuse_other_roles_at_the_address_of_an_own_page() {
    on_both_engines(|app, north, _| {
        let (keeper, helper) = (app.as_role_in(Role::Keeper, north), app.as_role_in(Role::Helper, north));
        keeper.get("/board").assert_status(200);
        helper.get("/board").assert_problem(403, "FORBIDDEN");
        app.as_user().get("/board").assert_problem(403, "FORBIDDEN");
        app.anonymous().get("/board").assert_problem(401, "AUTHENTICATION_REQUIRED");
        for other in ["/%62oard", "/board?x=1", "/board/"] {
            assert_ne!(helper.get(other).status(), 200, "{other}");
        }
        // Other addresses have only the guards of their routes.
        helper.get("/board/help").assert_status(200);
    });
}
