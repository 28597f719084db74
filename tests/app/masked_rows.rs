//! Rows that typed writes return and that actions get: sensitive fields are null for a caller who may not update the row.

use dz::{
    Cx, Result, Uuid,
    serde_json::{Value, json},
    testing::{TestApp, TestUser},
};
use parcel::{NewParcel, Parcel, ParcelChanges, ParcelState};
use rocket::serde::json::Json;

dz::dz! {
    app post "Post office"

    persona boss "Boss"
    persona porter "Porter"

    entity User "Person":
      id: uuid pk
      name: str(60)
      salary: int sensitive
      permit:
        list: true
        read: true
        update: role(boss)

    entity Parcel "Parcel":
      id: uuid pk
      label: str(40) required unique
      worth: int required sensitive
      holder: ref User
      state: enum[packed, sent, lost] = packed
      soft_delete
      permit:
        list: true
        read: true
        create: role(boss)
        update: role(boss) or holder = current_user
        delete: true
        restore: true
        transition: true
        weigh: true
        show: true
      transitions:
        packed -> sent
        sent -> lost: requires holder
        lost -> packed
}

#[rocket::get("/whoami")]
async fn whoami(cx: Cx) -> Result<Json<Value>> {
    let user = cx.user::<user::User>()?;
    Ok(Json(json!([user.id, user.salary])))
}

fn office() -> dz::App {
    app()
        .mount("/", rocket::routes![whoami])
        .action::<Parcel>("show", |_, parcel, _| Ok(json!(parcel)))
        .typed_action::<Parcel, (), Parcel>("weigh", |_, parcel, ()| Ok(parcel))
}

/// The application on both engines.
fn on_both_engines(check: impl Fn(&TestApp)) {
    let server = std::env::var("DZ_TEST_POSTGRES").expect("the address of a PostgreSQL server");
    check(&TestApp::new(office()));
    check(&TestApp::builder(office()).postgres(server).start());
}

/// A parcel worth 900 with this holder.
fn stored(app: &TestApp, label: &str, holder: Option<Uuid>) -> Parcel {
    let new = NewParcel { holder_id: holder, ..NewParcel::new(label, 900_i64) };
    app.tx_as_system(|tx| new.clone().create(tx)).unwrap()
}

fn id_of(user: &TestUser<'_>) -> Uuid {
    user.get("/auth/me").member("id").as_str().unwrap().parse().unwrap()
}

#[test]
fn a_written_row_is_masked_for_its_writer() {
    on_both_engines(|app| {
        let (boss, porter) = (app.as_role(Role::Boss), app.as_role(Role::Porter));
        let parcel = stored(app, "A", None);
        assert_eq!(parcel.worth, Some(900), "the system sees everything");
        let sent = app.tx_as(&porter, |tx| parcel.transition(tx, ParcelState::Sent)).unwrap();
        assert_eq!((sent.state, sent.worth), (ParcelState::Sent, None));
        let holder = id_of(&boss);
        let changes = || ParcelChanges { holder_id: Some(holder).into(), ..Default::default() };
        let lost = app.tx_as(&porter, |tx| sent.transition_with(tx, ParcelState::Lost, changes())).unwrap();
        assert_eq!((lost.state, lost.worth), (ParcelState::Lost, None));
        let packed = app.tx_as(&boss, |tx| lost.transition(tx, ParcelState::Packed)).unwrap();
        assert_eq!((packed.state, packed.worth), (ParcelState::Packed, Some(900)));
        app.tx_as(&porter, |tx| packed.clone().delete(tx)).unwrap();
        let restored = app.tx_as(&porter, |tx| Parcel::restore(tx, packed.id)).unwrap();
        assert_eq!((restored.label.as_str(), restored.worth), ("A", None));
    });
}

#[test]
fn the_row_decides_whether_its_writer_sees_the_field() {
    on_both_engines(|app| {
        let (boss, porter) = (app.as_role(Role::Boss), app.as_role(Role::Porter));
        let held = stored(app, "B", Some(id_of(&porter)));
        let label = |label: &str| ParcelChanges { label: Some(label.into()), ..Default::default() };
        assert_eq!(app.tx_as(&porter, |tx| held.update(tx, label("B1"))).unwrap().worth, Some(900));
        let all = app.tx_as(&porter, |tx| Parcel::update_many(tx, [&held], label("B2"))).unwrap();
        assert_eq!(all.iter().map(|it| it.worth).collect::<Vec<_>>(), [Some(900)]);
        let new = || vec![NewParcel::new("C", 5_i64), NewParcel::new("D", 6_i64)];
        let made = app.tx_as(&boss, |tx| NewParcel::create_many(tx, new())).unwrap();
        assert_eq!(made.iter().map(|it| it.worth).collect::<Vec<_>>(), [Some(5), Some(6)]);
    });
}

#[test]
fn an_action_gets_and_returns_what_its_caller_sees() {
    on_both_engines(|app| {
        let (boss, porter) = (app.as_role(Role::Boss), app.as_role(Role::Porter));
        let (free, held) = (stored(app, "E", None), stored(app, "F", Some(id_of(&porter))));
        for action in ["show", "weigh"] {
            let worth = |who: &TestUser<'_>, parcel: &Parcel| {
                who.post(&format!("/api/parcels/{}/actions/{action}", parcel.id), json!({})).assert_status(200).member("worth")
            };
            assert_eq!(worth(&boss, &free), 900, "{action}");
            assert_eq!(worth(&porter, &free), Value::Null, "{action}");
            assert_eq!(worth(&porter, &held), 900, "{action}");
        }
    });
}

#[test]
fn the_row_of_the_own_account_has_no_sensitive_field() {
    on_both_engines(|app| {
        let porter = app.as_role(Role::Porter);
        let id = id_of(&porter);
        let changes = || user::UserChanges { salary: 4_200_i64.into(), ..Default::default() };
        app.tx_as_system(|tx| user::User::find(tx, id)?.update(tx, changes())).unwrap();
        assert_eq!(porter.get("/whoami").assert_status(200).json(), json!([id, null]));
        assert_eq!(porter.get(&format!("/api/users/{id}")).member("salary"), Value::Null);
    });
}
