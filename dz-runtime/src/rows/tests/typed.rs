//! Typed rows, hooks, and diesel queries with the row condition.

use std::sync::Arc;

use diesel::prelude::*;

use super::app::*;
use crate::{
    Error, Result, Value,
    access::{Delete, List},
    def::{AppDef, EntityDef},
    draft,
    hooks::Hooks,
    record::Row,
    scoped,
    sql_types::Sql,
    typed_rows::{self, Draft, Entity, FieldValues},
};

crate::table! {
    tasks (id) {
        id -> Uuid,
        title -> Text,
        points -> Nullable<BigInt>,
        owner -> Nullable<Uuid>,
    }
}

crate::table! {
    #[sql_name = "tasks"]
    stored (id) {
        id -> crate::sql_types::Uuid,
        title -> crate::sql_types::Text,
        status -> crate::sql_types::Text,
        points -> crate::sql_types::Nullable<crate::sql_types::BigInt>,
        created_at -> crate::sql_types::DateTime,
        changed_at -> crate::sql_types::DateTime,
    }
}

#[derive(Debug, Clone, PartialEq, Queryable)]
struct Task {
    id: uuid::Uuid,
    title: String,
    points: Option<i64>,
}

#[derive(Debug, Clone, Default)]
struct NewTask {
    title: String,
    points: Option<i64>,
    owner: Option<uuid::Uuid>,
}

#[derive(Debug, Clone, Default)]
struct TaskChanges {
    title: Option<String>,
    points: Option<Option<i64>>,
}

impl Entity for Task {
    type New = NewTask;
    type Changes = TaskChanges;
    type RawKey = uuid::Uuid;
    const DEF: &'static EntityDef = APP.entities[TASK as usize];

    fn app() -> &'static AppDef {
        &APP
    }

    fn from_row(mut row: Row) -> Result<Self> {
        Ok(Task { id: row.take(0)?, title: row.take(task::TITLE)?, points: row.take(task::POINTS)? })
    }

    fn key(&self) -> Value {
        Value::Uuid(self.id)
    }
}

impl Draft for NewTask {
    fn into_values(self) -> FieldValues {
        let mut given = FieldValues::default();
        given.set(task::TITLE, self.title);
        given.set_optional(task::POINTS, self.points);
        given.set_optional(task::OWNER, self.owner);
        given
    }

    fn from_values(mut given: FieldValues) -> Result<Self> {
        Ok(NewTask {
            title: given.take_required(task::TITLE)?,
            points: given.take_optional(task::POINTS)?,
            owner: given.take_optional(task::OWNER)?,
        })
    }
}

impl Draft for TaskChanges {
    fn into_values(self) -> FieldValues {
        let mut given = FieldValues::default();
        given.set_optional(task::TITLE, self.title);
        given.set_optional(task::POINTS, self.points);
        given
    }

    fn from_values(mut given: FieldValues) -> Result<Self> {
        Ok(TaskChanges { title: given.take_optional(task::TITLE)?, points: given.take_optional(task::POINTS)? })
    }
}

impl diesel::Insertable<stored::table> for NewTask {
    type Values = draft::New<stored::table>;

    fn values(self) -> Self::Values {
        draft::new(Task::DEF, self)
    }
}

impl diesel::AsChangeset for TaskChanges {
    type Target = stored::table;
    type Changeset = draft::Changes;

    fn as_changeset(self) -> Self::Changeset {
        draft::changes(Task::DEF, self)
    }
}

fn new(world: &World<'_>, title: &str, points: i64) -> NewTask {
    let Value::Uuid(owner) = id(&world.ann) else { unreachable!("keys of accounts are uuids") };
    NewTask { title: title.into(), points: Some(points), owner: Some(owner) }
}

#[test]
fn typed_calls_obey_the_rules() {
    worlds(|world| {
        let made: Task = world.run(&world.ann, |tx| typed_rows::create(tx, new(world, "one", 1))).unwrap();
        assert_eq!(made.title, "one");
        let changed =
            world.run(&world.ann, |tx| typed_rows::update(tx, &made, TaskChanges { points: Some(None), ..TaskChanges::default() }));
        assert_eq!(changed.unwrap().points, None);
        let found = |caller| result_text(world.run(caller, |tx| typed_rows::find::<Task>(tx, made.id)));
        assert_eq!((found(&world.ann), found(&world.ben)), ("ok".into(), "404 NOT_FOUND []".into()));
        assert_eq!(result_text(world.run(&world.ben, |tx| typed_rows::delete(tx, made.clone()))), "404 NOT_FOUND []");
        assert_eq!(result_text(world.run(&world.ann, |tx| typed_rows::delete(tx, made.clone()))), "ok");
        assert_eq!(
            result_text(world.run(&world.ann, |tx| typed_rows::create::<Task>(tx, new(world, "", 1)))),
            "422 VALIDATION [title: is required]"
        );
    });
}

#[test]
fn hooks_can_change_and_refuse_a_write() {
    worlds(|world| {
        let mut hooks = Hooks::default();
        hooks.before_create::<Task>(|_, new| {
            new.title = new.title.trim().to_owned();
            if new.points == Some(13) {
                new.points = None;
            }
            Ok(())
        });
        hooks.after_create::<Task>(|tx, task| {
            if task.title == "loud" {
                typed_rows::create::<Task>(tx, NewTask { title: "echo".into(), points: task.points, owner: None })?;
            }
            Ok(())
        });
        hooks.before_update::<Task>(|_, task, changes| match changes.points {
            Some(Some(points)) if points < task.points.unwrap_or_default() => Err(Error::validation("points", "never go down")),
            _ => Ok(()),
        });
        hooks.after_update::<Task>(|_, before, after| match (before.points, after.points) {
            (Some(_), None) => Err(Error::validation("points", "are never taken away")),
            _ => Ok(()),
        });
        hooks.before_delete::<Task>(|_, task| if task.title == "kept" { Err(Error::forbidden("kept")) } else { Ok(()) });
        world.hooks = Arc::new(hooks);

        let create = |title: &str, points| world.run(&world.ann, |tx| typed_rows::create::<Task>(tx, new(world, title, points)));
        let one = create("  one ", 13).unwrap();
        assert_eq!((one.title.as_str(), one.points), ("one", None));
        // Ann may not store the row that the hook creates, because it has no owner: her own row is rolled back too.
        assert_eq!(result_text(create("loud", 1)), "403 FORBIDDEN []");
        assert_eq!(world.titles(&world.lead, &all()), "one");

        let update = |points| {
            result_text(world.run(&world.ann, |tx| {
                let task = typed_rows::find::<Task>(tx, one.id)?;
                typed_rows::update(tx, &task, TaskChanges { points: Some(points), ..TaskChanges::default() })
            }))
        };
        assert_eq!(update(Some(5)), "ok");
        assert_eq!(update(Some(4)), "422 VALIDATION [points: never go down]");
        assert_eq!(update(None), "422 VALIDATION [points: are never taken away]");
        let kept = create("kept", 1).unwrap();
        assert_eq!(result_text(world.run(&world.ann, |tx| typed_rows::delete(tx, kept.clone()))), "403 FORBIDDEN []");
    });
}

#[test]
fn diesel_queries_read_only_visible_rows() {
    worlds(|world| {
        for (title, owner, points) in [("a", &world.ann, 1), ("b", &world.ben, 2), ("c", &world.ann, 3)] {
            world.task(title, owner, vec![(task::POINTS, Value::Int(points))]);
        }
        let def = APP.entity(TASK);
        let seen = |caller| {
            world.run(caller, |tx| {
                let query = scoped(tx, tasks::table, def, List)?.filter(tasks::points.ge(1)).order(tasks::title.desc());
                let found: Vec<Task> = tx.load(query.select((tasks::id, tasks::title, tasks::points)))?;
                Ok(found.into_iter().map(|task| task.title).collect::<String>())
            })
        };
        assert_eq!((seen(&world.ann).unwrap(), seen(&world.lead).unwrap()), ("ca".into(), "cba".into()));
        assert_eq!(result_text(seen(&world.nobody())), "401 AUTHENTICATION_REQUIRED []");
        // A predicate cannot add rows to the query.
        let wide = world.run(&world.ann, |tx| {
            let always = tasks::points.ge(9).or(tasks::points.is_not_null());
            let query = scoped(tx, tasks::table, def, List)?.filter(always);
            tx.count(query)
        });
        assert_eq!(wide.unwrap(), 2);
        let first = world.run(&world.ann, |tx| {
            let Value::Uuid(ann) = id(&world.ann) else { unreachable!("keys of accounts are uuids") };
            let query =
                scoped(tx, tasks::table, def, Delete)?.filter(tasks::owner.eq(Sql(Some(ann)))).order(tasks::title).limit(1).offset(1);
            tx.first::<_, String>(query.select(tasks::title))
        });
        assert_eq!(first.unwrap().as_deref(), Some("c"));
    });
}

#[test]
fn a_foreign_description_gives_no_access() {
    worlds(|world| {
        world.task("a", &world.ann, vec![]);
        let def = APP.entity(TASK);
        let forged: &'static EntityDef = Box::leak(Box::new(EntityDef { ..*def }));
        let ask = |def| world.run(&world.ben, |tx| tx.ask::<List>(def).map(drop));
        assert_eq!(result_text(ask(def)), "ok");
        assert_eq!(result_text(ask(forged)), "500 INTERNAL (Task is not an entity of this application) []");
        let of_another_table = world.run(&world.ann, |tx| tx.count(scoped(tx, tasks::table, APP.entity(TEAM), List)?));
        assert_eq!(result_text(of_another_table), "500 INTERNAL (`tasks` is not the table of Team) []");
    });
}

#[test]
fn the_system_has_the_raw_connection() {
    worlds(|world| {
        world.task("a", &world.ann, vec![]);
        let count = world.run(&world.ben, |tx| {
            tx.as_system("a report over all teams", |conn| {
                #[cfg(feature = "sqlite")]
                if let Some(conn) = conn.sqlite() {
                    return Ok(tasks::table.count().get_result::<i64>(conn)?);
                }
                let conn = conn.postgres().ok_or_else(|| Error::internal("neither engine"))?;
                Ok(tasks::table.count().get_result::<i64>(conn)?)
            })
        });
        assert_eq!(count.unwrap(), 1);
    });
}

/// Writes with diesel, and reads the result.
macro_rules! write_with_diesel {
    ($conn:expr, $new:expr) => {{
        let (conn, key) = ($conn, uuid::Uuid::now_v7());
        let now = || Sql(chrono::Utc::now());
        let row = || (stored::id.eq(Sql(key)), stored::status.eq("open"), stored::created_at.eq(now()), stored::changed_at.eq(now()), $new);
        let made = diesel::insert_into(stored::table).values(row()).execute(conn)?;
        let again = diesel::insert_into(stored::table).values(row()).on_conflict_do_nothing().execute(conn)?;
        let read = || stored::table.find(Sql(key)).select((stored::title, stored::points));
        let first: (String, Option<i64>) = read().first(conn)?;
        let changes = TaskChanges { title: Some("'); DROP".into()), points: Some(None) };
        diesel::update(stored::table.find(Sql(key))).set(changes).execute(conn)?;
        let nothing = diesel::update(stored::table.find(Sql(key))).set(TaskChanges::default()).execute(conn).is_err();
        let second: (String, Option<i64>) = read().first(conn)?;
        Ok((made, again, first, nothing, second))
    }};
}

#[test]
fn drafts_work_in_diesel_statements() {
    worlds(|world| {
        let owner = new(world, "", 0).owner;
        let came = world.run(&world.ben, |tx| {
            tx.as_system("a task comes from elsewhere", |conn| {
                let draft = || NewTask { title: "one".into(), points: Some(7), owner };
                #[cfg(feature = "sqlite")]
                if let Some(conn) = conn.sqlite() {
                    return write_with_diesel!(conn, draft());
                }
                let conn = conn.postgres().ok_or_else(|| Error::internal("neither engine"))?;
                write_with_diesel!(conn, draft())
            })
        });
        let (made, again, first, nothing, second) = came.unwrap();
        assert_eq!((made, again), (1, 0));
        assert_eq!(first, ("one".into(), Some(7)));
        assert!(nothing, "changes of nothing are reported, as diesel reports them");
        assert_eq!(second, ("'); DROP".into(), None));
    });
}
