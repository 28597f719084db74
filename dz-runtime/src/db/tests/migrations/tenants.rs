//! Migrations that add, change and remove tenants, and rows under policies.

use super::*;
use crate::db::{BindKind, Statement};

const ALONE: &str = "entity Visit:\n  id: int pk\n  title: str(40) required\nentity Limits:\n  id: int pk\n  calls: int = 3\n";
const TENANTS: &str = "entity Practice:\n  id: int pk\n  archetype: tenant\nentity Member:\n  id: int pk\n  archetype: user_membership\nentity \
                       Visit:\n  id: int pk\n  title: str(40) required unique\n  room: ref Room\nentity Room:\n  id: int pk\n  name: str(40)\n\
                       entity Limits:\n  id: int pk\n  calls: int = 3\n  archetype: settings\nentity Office:\n  id: int pk\n  archetype: \
                       tenant_settings\n  opens: str(5)\n";
/// Visits have another name and more fields, rooms are removed, and tenants have another name.
const LATER: &str = "entity Clinic:\n  id: int pk\n  was: Practice\n  archetype: tenant\nentity Member:\n  id: int pk\n  clinic: ref Clinic \
                     required was: practice\n  archetype: user_membership\nentity Stay:\n  was: Visit\n  id: int pk\n  title: str(40) required \
                     unique\n  clinic: ref Clinic required was: practice\n  kind: str(10) required = \"usual\"\nentity Limits:\n  id: int pk\n  \
                     calls: int = 3\nentity Office:\n  id: int pk\n  clinic: ref Clinic required was: practice\n  archetype: tenant_settings\n  \
                     opens: str(5)\n";

#[test]
fn tenants_are_added_changed_and_removed() {
    each_engine(|db| {
        db.run_without_transaction(&mut |conn| {
            for (old, new) in [(ALONE, TENANTS), (TENANTS, ALONE), (TENANTS, LATER), (LATER, TENANTS), (LATER, ALONE)] {
                leads_there_and_back(conn, old, new);
            }
            Ok(())
        })
        .unwrap();
    });
}

#[test]
fn a_migration_fills_in_the_rows_of_all_tenants() {
    const BEFORE: &str = "entity Practice:\n  id: int pk\n  archetype: tenant\nentity Visit:\n  id: int pk\n  title: str(40)\n";
    const AFTER: &str = "entity Practice:\n  id: int pk\n  archetype: tenant\nentity Visit:\n  id: int pk\n  title: str(40)\n  kind: str(10) \
                         required = \"usual\"\n";
    let server = Server::new();
    let url = crate::tenancy::tests::of_a_role(&server);
    // Runs outside the application, without the settings for row-level security.
    let db = Database::open(Engine::Postgres, &DatabaseConfig { url, size: 1, row_security: false, idle: DatabaseConfig::IDLE }).unwrap();
    let found = db.run_without_transaction(&mut |conn| {
        conn.script(&schema(BEFORE).sql(language::Engine::Postgres)).unwrap();
        let rows = "INSERT INTO practices (id) VALUES (1), (2); INSERT INTO visits (practice, title) VALUES (1, 'a'), (2, 'b')";
        conn.transaction(&mut |conn| conn.script(&format!("SET LOCAL dz.tenant = '*'; {rows}")).map_err(Error::internal))?;
        run(conn, &migration(BEFORE, AFTER, Engine::Postgres).expect("a column").up).unwrap();
        conn.transaction(&mut |conn| {
            conn.script("SET LOCAL dz.tenant = '=2'").map_err(Error::internal)?;
            let mut select = Statement::new();
            select.push("SELECT title || ' ' || kind FROM visits");
            conn.rows(&select, &[BindKind::Text])
        })
    });
    assert_eq!(found.unwrap(), [[crate::Value::Text("b usual".to_owned())]]);
}

#[test]
fn records_without_tenants_survive_the_tenant_column() {
    each_engine(|db| {
        db.run_without_transaction(&mut |conn| {
            let engine = language_engine(conn.engine());
            let new = schema(TENANTS);
            // A table of an earlier version of dz, without the tenant of records.
            let mut old = new.clone();
            let log = old.tables.iter_mut().find(|table| table.name == "dz_audit_log").expect("the log");
            log.columns.retain(|column| column.name != "tenant");
            log.indexes.retain(|index| index.parts.iter().all(|part| part.column != "tenant"));
            make(conn, &old);
            let record = "INSERT INTO dz_audit_log (id, at, action, entity, decision, rule, times, request_id) VALUES";
            let id = if engine == language::Engine::Sqlite { "X'00000000000000000000000000000001'" } else { "gen_random_uuid()" };
            conn.script(&format!("{record} ({id}, '2026-01-01T00:00:00.000000Z', 'read', 'Visit', 'allowed', '', 1, 'r')")).unwrap();
            let migration = diff::migration(&old, &new, engine).expect("a column");
            assert!(migration.steps.iter().all(|step| step.class < diff::Class::Destructive), "{:?}", migration.steps);
            let kept = |conn: &mut Conn, condition: &str| {
                let mut select = Statement::new();
                select.push("SELECT COUNT(*) FROM dz_audit_log WHERE ").push(condition);
                conn.rows(&select, &[BindKind::Int]).unwrap()
            };
            let one = [[crate::Value::Int(1)]];
            run(conn, &migration.up).unwrap();
            assert_eq!(kept(conn, "tenant IS NULL"), one);
            assert!(conn.script("UPDATE dz_audit_log SET tenant = 1").is_err(), "nobody says later where it was");
            run(conn, &migration.down).unwrap();
            assert_eq!(kept(conn, "rule = ''"), one);
            assert!(conn.script("DELETE FROM dz_audit_log").is_err());
            Ok(())
        })
        .unwrap();
    });
}
