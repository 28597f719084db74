//! Deletion of rows and of the rows that refer to them.

use super::app::*;
use crate::Value;

#[test]
fn deletion_needs_the_permission() {
    worlds(|world| {
        let mine = world.task("mine", &world.ann, vec![]);
        let teammates = world.task("team", &world.ben, vec![(task::TEAM, world.blue.clone())]);
        let hidden = world.task("hidden", &world.ben, vec![]);
        assert_eq!(result_text(world.delete(&world.ann, TASK, &teammates)), "403 FORBIDDEN []");
        assert_eq!(result_text(world.delete(&world.ann, TASK, &hidden)), "404 NOT_FOUND []");
        assert_eq!(result_text(world.delete(&world.ann, TASK, &mine)), "ok");
        assert_eq!(result_text(world.delete(&world.ann, TASK, &mine)), "404 NOT_FOUND []");
        assert_eq!(result_text(world.delete(&world.nobody(), TASK, &hidden)), "401 AUTHENTICATION_REQUIRED []");
    });
}

#[test]
fn restricting_entities_are_named_if_the_caller_can_list_them() {
    worlds(|world| {
        let row = world.task("one", &world.ann, vec![]);
        world.create_row(BILL, vec![(1, row.clone())]);
        let detail = |caller| world.delete(caller, TASK, &row).unwrap_err().detail;
        assert_eq!(detail(&world.lead), "It cannot be deleted as long as these refer to it: bills");
        assert_eq!(detail(&world.ann), "Other rows refer to this one, so it cannot be deleted");
        assert_eq!(result_text(world.delete(&world.ann, TASK, &row)), "409 REFERENCED []");
    });
}

#[test]
fn cascades_delete_and_nullify_clears() {
    worlds(|world| {
        let parent = world.task("parent", &world.ann, vec![]);
        let child = world.task("child", &world.ben, vec![(task::PARENT, parent.clone())]);
        let note = world.create_row(NOTE, vec![(1, child.clone()), (2, text("so"))]);
        // The declared cascade needs no permit for Ben.
        assert_eq!(result_text(world.delete(&world.ann, TASK, &parent)), "ok");
        for (entity, row) in [(TASK, &parent), (TASK, &child), (NOTE, &note)] {
            assert_eq!(result_text(world.read(&world.system(), entity, row)), "404 NOT_FOUND []");
        }
        let orphan = world.task("orphan", &world.ben, vec![]);
        assert_eq!(result_text(world.delete(&world.lead, USER, &id(&world.ben))), "ok");
        let row = world.read(&world.lead, TASK, &orphan).unwrap();
        assert_eq!((row.value(task::OWNER), row.version), (&Value::Null, 2));
    });
}

#[test]
fn a_forbidden_child_blocks_the_deletion() {
    worlds(|world| {
        let parent = world.task("parent", &world.ann, vec![]);
        let child = world.task("child", &world.ann, vec![(task::PARENT, parent.clone())]);
        world.create_row(NOTE, vec![(1, child.clone()), (2, text("so")), (3, Value::Bool(true))]);
        assert_eq!(result_text(world.delete(&world.ann, TASK, &parent)), "409 REFERENCED []");
        assert!(world.read(&world.ann, TASK, &child).is_ok());
    });
}

#[test]
fn cycles_and_long_chains_are_deleted() {
    worlds(|world| {
        let first = world.task("first", &world.ann, vec![]);
        let mut last = first.clone();
        for at in 0..40 {
            last = world.task(&at.to_string(), &world.ann, vec![(task::PARENT, last)]);
        }
        world.update(&world.ann, TASK, &first, vec![(task::PARENT, last)]).unwrap();
        assert_eq!(result_text(world.delete(&world.ann, TASK, &first)), "ok");
        assert_eq!(world.list(&world.lead, TASK, &all()).unwrap().total.rows, 0);
    });
}

#[test]
fn more_rows_than_a_batch() {
    worlds(|world| {
        let parent = world.task("parent", &world.ann, vec![]);
        let filled = world.run(&world.system(), |tx| {
            let grant = tx.ask::<crate::access::Create>(tx.app.entity(NOTE))?;
            for _ in 0..1_100 {
                crate::rows::create(tx, &grant, vec![(1, parent.clone()), (2, text("so"))])?;
            }
            Ok(())
        });
        filled.unwrap();
        let (done, statements) = world.counted(&world.ann, |tx| {
            let grant = tx.ask::<crate::access::Delete>(tx.app.entity(TASK))?;
            crate::rows::delete(tx, &grant, &parent, None)
        });
        done.unwrap();
        // Three batches are loaded and three are removed: there is no statement for each row.
        assert!(statements < 20, "{statements}");
        assert_eq!(world.list(&world.lead, NOTE, &all()).unwrap().total.rows, 0);
    });
}
