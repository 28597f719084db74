//! Notifications between processes on PostgreSQL.

use std::time::{Duration, Instant};

use super::app::APP;
use crate::{
    Engine, Value,
    db::{Change, Database, DatabaseConfig, testing::Server},
};

fn open(server: &Server) -> Database {
    let config = DatabaseConfig { url: server.url(), size: 2, row_security: false, idle: DatabaseConfig::IDLE };
    Database::open(Engine::Postgres, &config).unwrap()
}

/// Waits until the worker of `db` is woken.
fn wait_for_wake(woken: &tokio::sync::watch::Receiver<()>) {
    let start = Instant::now();
    while !woken.has_changed().unwrap() {
        assert!(start.elapsed() < Duration::from_secs(120), "no notice arrives");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_commit_of_a_command_wakes_the_worker_of_an_instance() {
    let server = Server::new();
    let (serving, command) = (open(&server), open(&server));
    serving.hear_instances(&APP, true).unwrap();
    command.report_as_command(&APP);
    let woken = serving.wake().listen(crate::db::Work::Jobs);
    let failed = command.write(&mut |conn| {
        conn.request_wake(crate::db::Work::Jobs);
        Err::<(), _>(crate::Error::not_found())
    });
    assert!(failed.is_err());
    command.write(&mut |conn| conn.execute(&statement("SELECT 1"))).unwrap();
    assert!(!woken.has_changed().unwrap(), "a refused write wakes nobody");
    command
        .write(&mut |conn| {
            conn.request_wake(crate::db::Work::Jobs);
            Ok(())
        })
        .unwrap();
    wait_for_wake(&woken);
}

fn statement(sql: &str) -> crate::db::Statement {
    let mut statement = crate::db::Statement::new();
    statement.push(sql);
    statement
}

#[cfg(feature = "graphql")]
#[tokio::test]
async fn changes_of_another_instance_are_announced_once_and_losses_too() {
    use crate::db::Next;

    let server = Server::new();
    let (one, other) = (open(&server), open(&server));
    one.report_as_instance(&APP, true);
    other.report_as_instance(&APP, true);
    one.hear_instances(&APP, false).unwrap();
    other.hear_instances(&APP, false).unwrap();
    let entity = APP.entities[0];
    let mut heard = other.changes(entity.ix);
    let change = |key: i64| Change { entity: entity.ix, name: entity.name, event: "updated", key: Value::Int(key), tenant: Value::Null };
    let write = |db: &Database, keys: std::ops::Range<i64>| {
        db.write(&mut |conn| {
            for key in keys.clone() {
                conn.note_change(|| change(key));
            }
            Ok(())
        })
        .unwrap();
    };
    write(&one, 0..3);
    // Its own changes are announced at once, and its own notifications are ignored.
    write(&other, 10..11);
    let mut keys = Vec::new();
    while keys.len() < 4 {
        match heard.next().await {
            Next::Change(of) => keys.push(of.key.clone()),
            end @ (Next::Missed | Next::End) => panic!("{end:?}"),
        }
    }
    assert_eq!(keys.iter().filter(|key| **key == Value::Int(10)).count(), 1);
    keys.retain(|key| *key != Value::Int(10));
    assert_eq!(keys, [Value::Int(0), Value::Int(1), Value::Int(2)]);
    write(&one, 0..2_000);
    assert!(matches!(heard.next().await, Next::Missed));
    write(&one, 7..8);
    assert!(matches!(heard.next().await, Next::Change(of) if of.key == Value::Int(7)));
}
