//! Tenants that come, change and go, and rows behind policies.

use super::*;
use crate::db::{BindKind, Statement};

const ALONE: &str = "entity Visit:\n  id: int pk\n  title: str(40) required\nentity Limits:\n  id: int pk\n  calls: int = 3\n";
const TENANTS: &str = "entity Practice:\n  id: int pk\n  archetype: tenant\nentity Member:\n  id: int pk\n  archetype: user_membership\nentity \
                       Visit:\n  id: int pk\n  title: str(40) required unique\n  room: ref Room\nentity Room:\n  id: int pk\n  name: str(40)\n\
                       entity Limits:\n  id: int pk\n  calls: int = 3\n  archetype: settings\nentity Office:\n  id: int pk\n  archetype: \
                       tenant_settings\n  opens: str(5)\n";
/// Visits are called otherwise and say more, rooms are gone, the tenants have another name.
const LATER: &str = "entity Clinic:\n  id: int pk\n  was: Practice\n  archetype: tenant\nentity Member:\n  id: int pk\n  clinic: ref Clinic \
                     required was: practice\n  archetype: user_membership\nentity Stay:\n  was: Visit\n  id: int pk\n  title: str(40) required \
                     unique\n  clinic: ref Clinic required was: practice\n  kind: str(10) required = \"usual\"\nentity Limits:\n  id: int pk\n  \
                     calls: int = 3\nentity Office:\n  id: int pk\n  clinic: ref Clinic required was: practice\n  archetype: tenant_settings\n  \
                     opens: str(5)\n";

#[test]
fn tenants_come_change_and_go() {
    each_engine(|db| {
        db.alone(&mut |conn| {
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
    // Not by the application, which would say for whom it is: whoever runs the script.
    let db = Database::open(Engine::Postgres, &DatabaseConfig { url, size: 1, fenced: false }).unwrap();
    let found = db.alone(&mut |conn| {
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
