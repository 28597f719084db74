//! Creating, reading and changing rows.

use super::app::*;
use crate::{
    Value,
    access::{Create, Read, Update},
    record::FieldValues,
    rows::{self, Row},
};

fn number(text: &str) -> Value {
    Value::Decimal(text.parse().unwrap())
}

#[test]
fn a_new_row_gets_its_defaults() {
    worlds(|world| {
        let given =
            vec![(task::TITLE, text("Paint")), (task::OWNER, id(&world.ann)), (task::HOURS, number("1.50")), (task::REMARK, text("hush"))];
        let (key, row) = world.create(&world.ann, TASK, given).unwrap();
        let row = row.unwrap();
        assert_eq!((row.value(0), row.version), (&key, 1));
        assert_eq!(string(row.value(task::STATUS)), "open");
        assert_eq!(row.value(task::CREATED), &Value::DateTime(now()));
        assert_eq!(row.value(task::HOURS), &number("1.50"));
        assert_eq!(row.value(task::REMARK), &text("hush"));
        assert_eq!(world.read(&world.ann, TASK, &key).unwrap(), row);
        // The database generates the key; a required bool without a value is false.
        let (key, note) = world.create(&world.ann, NOTE, vec![(1, key), (2, text("so"))]).unwrap();
        assert_eq!((key, note.unwrap().value(3)), (Value::Int(1), &Value::Bool(false)));
    });
}

#[test]
fn invalid_rows_are_refused() {
    worlds(|world| {
        let create = |more: Vec<(u16, Value)>| {
            let mut given = FieldValues::default();
            given.set(task::TITLE, text("Paint"));
            given.set(task::OWNER, id(&world.ann));
            more.into_iter().for_each(|(at, value)| given.set(at, value));
            result_text(world.create(&world.ann, TASK, given.0))
        };
        world.task("taken", &world.ann, vec![(task::CODE, text("A1"))]);
        let some = Value::Uuid(uuid::Uuid::nil());
        let cases = [
            ("missing", create(vec![(task::TITLE, Value::Null)])),
            ("too long", create(vec![(task::TITLE, text("123456789012345678901"))])),
            ("NUL", create(vec![(task::TITLE, text("a\0b"))])),
            ("type", create(vec![(task::POINTS, text("one")), (task::STATUS, text("odd"))])),
            ("decimals", create(vec![(task::HOURS, number("1.505"))])),
            ("key", create(vec![(0, some.clone())])),
            ("auto", create(vec![(task::CREATED, Value::DateTime(now() - chrono::TimeDelta::days(1)))])),
            ("auto, the same", create(vec![(task::CREATED, Value::DateTime(now()))])),
            ("relation", create(vec![(12, Value::Int(1))])),
            ("unique", create(vec![(task::CODE, text("A1"))])),
            ("missing row", create(vec![(task::TEAM, some)])),
            ("invisible row", create(vec![(task::TEAM, world.red.clone())])),
            ("visible row", create(vec![(task::TEAM, world.blue.clone())])),
            (
                "other's, before every constraint",
                create(vec![(task::OWNER, id(&world.ben)), (task::CODE, text("A1")), (task::TEAM, world.red.clone())]),
            ),
        ];
        let told: Vec<_> = cases.iter().map(|(name, told)| format!("{name}: {told}")).collect();
        expect_test::expect![[r#"
            missing: 422 VALIDATION [title: is required]
            too long: 422 VALIDATION [title: must have at most 20 characters]
            NUL: 422 VALIDATION [title: must not contain the character U+0000]
            type: 422 VALIDATION [points: is not a value of this field; status: must be one of open, active, closed]
            decimals: 422 VALIDATION [hours: may have at most 2 decimals, for example 48.50]
            key: 422 VALIDATION [id: is set by the system]
            auto: 422 VALIDATION [created_at: is set by the system]
            auto, the same: ok
            relation: 422 VALIDATION [notes: cannot be written here]
            unique: 409 UNIQUE [code: is taken already]
            missing row: 422 REFERENCE [team: does not exist or is not visible to you]
            invisible row: 422 REFERENCE [team: does not exist or is not visible to you]
            visible row: ok
            other's, before every constraint: 403 FORBIDDEN [owner: is not allowed in your rows]"#]]
        .assert_eq(&told.join("\n"));
    });
}

#[test]
fn the_rule_covers_the_row_before_and_after_a_change() {
    worlds(|world| {
        let mine = world.task("mine", &world.ann, vec![(task::TEAM, world.blue.clone())]);
        let teammates = world.task("team", &world.ben, vec![(task::TEAM, world.blue.clone())]);
        let hidden = world.task("hidden", &world.ben, vec![]);
        let closed = world.task("closed", &world.ann, vec![(task::STATUS, text("closed"))]);
        let rename = || vec![(task::TITLE, text("new"))];
        let update = |row: &Value, given| result_text(world.update(&world.ann, TASK, row, given));
        assert_eq!(update(&mine, rename()), "ok");
        assert_eq!(update(&teammates, rename()), "403 FORBIDDEN []");
        assert_eq!(update(&hidden, rename()), "404 NOT_FOUND []");
        assert_eq!(update(&Value::Uuid(uuid::Uuid::nil()), rename()), "404 NOT_FOUND []");
        assert_eq!(update(&text("no key"), rename()), "404 NOT_FOUND []");
        assert_eq!(update(&closed, rename()), "403 FORBIDDEN []");
        // With another owner or closed, the row would be outside of Ann's update rule.
        assert_eq!(update(&mine, vec![(task::OWNER, id(&world.ben))]), "403 FORBIDDEN [owner: is not allowed in your rows]");
        assert_eq!(update(&mine, vec![(task::STATUS, text("closed"))]), "403 FORBIDDEN [status: is not allowed in your rows]");
        assert_eq!(update(&mine, vec![(task::TEAM, world.red.clone())]), "422 REFERENCE [team: does not exist or is not visible to you]");
        assert_eq!(world.read(&world.ann, TASK, &mine).unwrap().version, 2);
    });
}

#[test]
fn versions_are_compared() {
    worlds(|world| {
        let row = world.task("one", &world.ann, vec![]);
        let update = |given, version| world.update_if(&world.ann, TASK, &row, given, version);
        let rename = |title: &str| vec![(task::TITLE, text(title))];
        assert_eq!(update(rename("two"), Some(1)).unwrap().unwrap().version, 2);
        assert_eq!(result_text(update(rename("three"), Some(1))), "412 STALE []");
        // An update without a difference writes nothing.
        assert_eq!(update(rename("two"), Some(2)).unwrap().unwrap().version, 2);
        let later = crate::Caller { now: now() + chrono::TimeDelta::hours(1), ..world.ann.clone() };
        let after = world.update(&later, TASK, &row, rename("late")).unwrap().unwrap();
        assert_eq!((after.value(task::CREATED), after.value(task::CHANGED)), (&Value::DateTime(now()), &Value::DateTime(later.now)));
        let others = world.task("other", &world.ben, vec![(task::TEAM, world.blue.clone())]);
        assert_eq!(result_text(world.update_if(&world.ann, TASK, &others, rename("x"), Some(9))), "403 FORBIDDEN []");
    });
}

#[test]
fn read_only_fields_can_be_sent_unchanged() {
    worlds(|world| {
        let ann = id(&world.ann);
        let update = |caller, given| result_text(world.update(caller, USER, &ann, given));
        let stored = world.read(&world.lead, USER, &ann).unwrap();
        // All values of a row that was read can be sent back unchanged.
        let all = [0, 1, 2, 4, 5, 6, 7, 8].map(|at| (at, stored.value(at).clone()));
        assert_eq!(update(&world.ann, all.into()), "ok");
        assert_eq!(update(&world.ann, vec![(0, id(&world.ben))]), "422 VALIDATION [id: cannot be changed]");
        assert_eq!(update(&world.ann, vec![(8, text("admin"))]), "422 VALIDATION [role: can be set by an administrator only]");
        assert_eq!(
            update(&world.lead, vec![(user::ACTIVE, Value::Bool(false))]),
            "422 VALIDATION [is_active: can be set by an administrator only]"
        );
        assert_eq!(update(&world.ann, vec![(3, text("hash"))]), "422 VALIDATION [password_hash: cannot be written]");
        assert_eq!(update(&world.ann, vec![(3, Value::Null)]), "422 VALIDATION [password_hash: cannot be written]");
        let admin = crate::Caller { system_admin: true, ..world.lead.clone() };
        assert_eq!(update(&admin, vec![(8, text("lead"))]), "ok");
    });
}

#[test]
fn a_replacement_clears_missing_fields() {
    worlds(|world| {
        let row = world.task(
            "one",
            &world.ann,
            vec![(task::TEAM, world.blue.clone()), (task::POINTS, Value::Int(3)), (task::REMARK, text("hush"))],
        );
        let replace = |given: Vec<(u16, Value)>| {
            world.run(&world.ann, |tx| {
                let grant = tx.ask::<Update>(tx.app.entity(TASK))?;
                rows::replace(tx, &grant, &row, given.clone(), None)
            })
        };
        let given = vec![
            (task::TITLE, text("two")),
            (task::STATUS, text("active")),
            (task::OWNER, id(&world.ann)),
            (task::TEAM, world.blue.clone()),
        ];
        let after = replace(given).unwrap().unwrap();
        assert_eq!((after.value(task::POINTS), after.value(task::REMARK)), (&Value::Null, &text("hush")));
        assert_eq!(after.value(task::CREATED), &Value::DateTime(now()));
        // A required field without a value gets its default.
        let defaulted = replace(vec![(task::TITLE, text("three")), (task::OWNER, id(&world.ann)), (task::TEAM, world.blue.clone())]);
        assert_eq!(defaulted.unwrap().unwrap().value(task::STATUS), &text("open"));
        assert_eq!(
            result_text(replace(vec![(task::OWNER, id(&world.ann)), (task::TEAM, world.blue.clone())])),
            "422 VALIDATION [title: is required]"
        );
    });
}

#[test]
fn an_unreadable_new_row_is_not_returned() {
    worlds(|world| {
        let task = world.task("one", &world.ann, vec![]);
        let (key, bill) = world.create(&world.ann, BILL, vec![(1, task)]).unwrap();
        assert_eq!(bill, None);
        assert!(world.read(&world.lead, BILL, &key).is_ok());
        assert_eq!(result_text(world.read(&world.ann, BILL, &key)), "403 FORBIDDEN []");
    });
}

#[test]
fn the_number_of_statements_is_limited() {
    worlds(|world| {
        let count = |work: &dyn Fn(&mut crate::Tx<'_>) -> crate::Result<Option<Row>>| {
            let (result, statements) = world.counted(&world.ann, work);
            result.unwrap();
            statements
        };
        let given = || vec![(task::TITLE, text("one")), (task::OWNER, id(&world.ann)), (task::TEAM, world.blue.clone())];
        // The insert, which contains the rule and the references, and the read for the response.
        assert_eq!(
            count(&|tx| {
                let grant = tx.ask::<Create>(tx.app.entity(TASK))?;
                Ok(rows::create(tx, &grant, given())?.1)
            }),
            2
        );
        let row = world.task("two", &world.ann, vec![]);
        assert_eq!(
            count(&|tx| {
                let grant = tx.ask::<Read>(tx.app.entity(TASK))?;
                rows::read(tx, &grant, &row, &[rows::Extra::Label(own(TASK, task::OWNER))]).map(Some)
            }),
            1
        );
        // The read of the row, the update, which contains the rule and the references, and the read for the response.
        assert_eq!(
            count(&|tx| {
                let grant = tx.ask::<Update>(tx.app.entity(TASK))?;
                rows::update(tx, &grant, &row, given(), None)
            }),
            3
        );
        // Without a rule on the row and without a reference, the insert returns the row.
        assert_eq!(
            count(&|tx| {
                let grant = tx.ask::<Create>(tx.app.entity(NOTE))?;
                Ok(rows::create(tx, &grant, vec![(1, row.clone()), (2, text("so"))])?.1)
            }),
            1
        );
    });
}

#[test]
fn a_savepoint_rolls_back_only_its_writes() {
    worlds(|world| {
        world.task("taken", &world.ann, vec![(task::CODE, text("A1"))]);
        let made = world.run(&world.ann, |tx| {
            let grant = tx.ask::<Create>(tx.app.entity(TASK))?;
            let given = |code: &str| vec![(task::TITLE, text(code)), (task::OWNER, id(&world.ann)), (task::CODE, text(code))];
            rows::create(tx, &grant, given("B1"))?;
            let refused = tx.savepoint(|tx| {
                rows::create(tx, &grant, given("B2"))?;
                rows::create(tx, &grant, given("A1"))
            });
            assert_eq!(result_text(refused), "409 UNIQUE [code: is taken already]");
            rows::create(tx, &grant, given("B3"))
        });
        made.unwrap();
        let query = rows::Query { sort: vec![(own(TASK, task::TITLE), false)], ..all() };
        assert_eq!(world.titles(&world.ann, &query), "B1 B3 taken");
    });
}

#[test]
fn each_row_of_a_bulk_write_has_its_own_result() {
    worlds(|world| {
        world.task("taken", &world.ann, vec![(task::CODE, text("A1"))]);
        let given = |code: &str| vec![(task::TITLE, text(code)), (task::OWNER, id(&world.ann)), (task::CODE, text(code))];
        let (made, statements) = world.counted(&world.ann, |tx| {
            let grant = tx.ask::<Create>(tx.app.entity(TASK))?;
            let wrong = rows::run_each(tx, &["B1", "A1", "B2", "B1"], |tx, code| rows::create(tx, &grant, given(code)))?;
            let results: Vec<String> = wrong.into_iter().map(result_text).collect();
            let taken = "409 UNIQUE [code: is taken already]";
            assert_eq!(results, ["ok", taken, "ok", taken]);
            Ok(())
        });
        made.unwrap();
        let query = rows::Query { sort: vec![(own(TASK, task::TITLE), false)], ..all() };
        assert_eq!(world.titles(&world.ann, &query), "B1 B2 taken");
        // A valid write repeats no statement.
        let (_, fewer) = world.counted(&world.ann, |tx| {
            let grant = tx.ask::<Create>(tx.app.entity(TASK))?;
            rows::run_each(tx, &["C1", "C2", "C3", "C4"], |tx, code| rows::create(tx, &grant, given(code)))?;
            Ok(())
        });
        assert!(fewer < statements, "{fewer} statements for four rows that are right, {statements} where two are wrong");
    });
}
