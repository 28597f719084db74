//! A database with accounts, and their operations.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::app::*;
use crate::{
    Account, Caller, Result, Tx, Value,
    access::{Create, Delete, List, Read, Update},
    accounts,
    db::{Database, schema, testing},
    def::*,
    hooks::Hooks,
    rows::{self, Page, Query, Row},
};

/// A database with the schema, two teams and three accounts.
pub(crate) struct World<'d> {
    pub(crate) database: &'d Database,
    pub(crate) app: &'static AppDef,
    pub(crate) hooks: Arc<Hooks>,
    pub(crate) blue: Value,
    pub(crate) red: Value,
    /// A lead of no team.
    pub(crate) lead: Caller,
    /// Staff of the blue team.
    pub(crate) ann: Caller,
    /// Staff of the red team.
    pub(crate) ben: Caller,
    /// Staff of no team.
    pub(crate) cem: Caller,
}

pub(crate) fn worlds(test: impl Fn(&mut World<'_>)) {
    testing::each_engine(|database| {
        database.write(&mut |conn| schema::prepare(conn, &APP).map(drop)).unwrap();
        test(&mut World::new(database));
    });
}

impl<'d> World<'d> {
    fn new(database: &'d Database) -> World<'d> {
        let nobody = Caller::anonymous(&APP, now(), "");
        let mut world = World {
            database,
            app: &APP,
            hooks: Arc::default(),
            blue: Value::Null,
            red: Value::Null,
            lead: nobody.clone(),
            ann: nobody.clone(),
            ben: nobody.clone(),
            cem: nobody,
        };
        world.blue = world.create_row(TEAM, vec![(1, text("Blue"))]);
        world.red = world.create_row(TEAM, vec![(1, text("red"))]);
        world.lead = world.person("Lea", STAFF | LEAD, None);
        world.ann = world.person("Ann", STAFF, Some(world.blue.clone()));
        world.ben = world.person("Ben", STAFF, Some(world.red.clone()));
        world.cem = world.person("Cem", STAFF, None);
        world
    }

    /// Creates an account, and returns it as a caller.
    pub(crate) fn person(&self, name: &str, roles: u64, team: Option<Value>) -> Caller {
        let email = format!("{}@example.com", name.to_lowercase());
        let mut values = vec![Value::Null; APP.account().fields.len()];
        for (at, value) in [
            (user::EMAIL, text(&email)),
            (user::NAME, text(name)),
            (user::ACTIVE, Value::Bool(true)),
            (user::TEAM, team.unwrap_or_default()),
        ] {
            values[usize::from(at)] = value;
        }
        let given = [user::EMAIL, user::NAME, user::TEAM].map(|at| (at, values[usize::from(at)].clone()));
        let id = self.create_row(USER, given.into());
        values[0] = id.clone();
        let account = Account { id, email, label: name.to_owned(), values, path_values: Vec::new() };
        Caller { account: Some(account), roles, ..Caller::anonymous(&APP, now(), "") }
    }

    pub(crate) fn nobody(&self) -> Caller {
        Caller::anonymous(self.app, now(), "")
    }

    pub(crate) fn system(&self) -> Caller {
        Caller::system(self.app, now())
    }

    /// Runs work for a caller in a transaction.
    pub(crate) fn run<T>(&self, caller: &Caller, work: impl Fn(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        self.database.write(&mut |conn| work(&mut Tx::new(conn, self.app, self.hooks.clone(), caller.clone())))
    }

    /// As [`run`](World::run), with the number of statements that it took.
    pub(crate) fn counted<T>(&self, caller: &Caller, work: impl Fn(&mut Tx<'_>) -> Result<T>) -> (Result<T>, u64) {
        let mut count = 0;
        let result = self.database.write(&mut |conn| {
            let before = conn.statements();
            let result = work(&mut Tx::new(conn, self.app, self.hooks.clone(), caller.clone()));
            count = conn.statements() - before;
            result
        });
        (result, count)
    }

    /// Creates a row as the system.
    pub(crate) fn create_row(&self, entity: EntityIx, given: Vec<(FieldIx, Value)>) -> Value {
        self.create(&self.system(), entity, given).unwrap().0
    }

    /// Creates a task of an account.
    pub(crate) fn task(&self, title: &str, owner: &Caller, more: Vec<(FieldIx, Value)>) -> Value {
        let mut given = vec![(task::TITLE, text(title)), (task::OWNER, id(owner))];
        given.extend(more);
        self.create_row(TASK, given)
    }

    pub(crate) fn create(&self, caller: &Caller, entity: EntityIx, given: Vec<(FieldIx, Value)>) -> Result<(Value, Option<Row>)> {
        self.run(caller, |tx| {
            let grant = tx.ask::<Create>(tx.app.entity(entity))?;
            rows::create(tx, &grant, given.clone())
        })
    }

    pub(crate) fn read(&self, caller: &Caller, entity: EntityIx, id: &Value) -> Result<Row> {
        self.run(caller, |tx| {
            let grant = tx.ask::<Read>(tx.app.entity(entity))?;
            rows::read(tx, &grant, id, &[])
        })
    }

    pub(crate) fn update(&self, caller: &Caller, entity: EntityIx, id: &Value, given: Vec<(FieldIx, Value)>) -> Result<Option<Row>> {
        self.update_if(caller, entity, id, given, None)
    }

    pub(crate) fn update_if(
        &self,
        caller: &Caller,
        entity: EntityIx,
        id: &Value,
        given: Vec<(FieldIx, Value)>,
        version: Option<i64>,
    ) -> Result<Option<Row>> {
        self.run(caller, |tx| {
            let grant = tx.ask::<Update>(tx.app.entity(entity))?;
            rows::update(tx, &grant, id, given.clone(), version)
        })
    }

    pub(crate) fn delete(&self, caller: &Caller, entity: EntityIx, id: &Value) -> Result<()> {
        self.run(caller, |tx| {
            let grant = tx.ask::<Delete>(tx.app.entity(entity))?;
            rows::delete(tx, &grant, id, None)
        })
    }

    pub(crate) fn list(&self, caller: &Caller, entity: EntityIx, query: &Query) -> Result<Page> {
        self.run(caller, |tx| {
            let grant = tx.ask::<List>(tx.app.entity(entity))?;
            rows::list(tx, &grant, query)
        })
    }

    /// The values of a field in the rows of a list.
    pub(crate) fn titles(&self, caller: &Caller, query: &Query) -> String {
        match self.list(caller, TASK, query) {
            Ok(page) => page.rows.iter().map(|row| string(row.value(task::TITLE))).collect::<Vec<_>>().join(" "),
            Err(error) => error_text(&error),
        }
    }

    /// The caller of a session.
    pub(crate) fn session(&self, token: &str, at: DateTime<Utc>) -> Option<accounts::Session> {
        self.database.read(&mut |conn| accounts::find_session(conn, self.app, token, at)).unwrap()
    }
}
