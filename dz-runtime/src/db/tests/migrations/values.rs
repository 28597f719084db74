//! Values after a change of their type, and after its reversal.

use super::{catalogue, make, migration, run, schema};
use crate::{Engine, db::testing::each_engine};

/// A change of a type, with a stored value and what it becomes, on SQLite and on PostgreSQL.
struct Case {
    types: [&'static str; 2],
    stored: [&'static str; 2],
    after: [&'static str; 2],
    reverted: [&'static str; 2],
}

const fn case(types: [&'static str; 2], stored: [&'static str; 2], after: [&'static str; 2], reverted: [&'static str; 2]) -> Case {
    Case { types, stored, after, reverted }
}

const CASES: [Case; 9] = [
    case(["decimal(8,2)", "decimal(10,4)"], ["1250", "12.50"], ["125000", "12.5000"], ["1250", "12.50"]),
    case(["decimal(10,4)", "decimal(8,2)"], ["-125050", "-12.5050"], ["-1251", "-12.51"], ["-125100", "-12.5100"]),
    case(["decimal(8,2)", "decimal(10,2)"], ["1250", "12.50"], ["1250", "12.50"], ["1250", "12.50"]),
    case(["int", "decimal(8,2)"], ["7", "7"], ["700", "7.00"], ["7", "7"]),
    case(["int", "text"], ["-15", "-15"], ["-15", "-15"], ["-15", "-15"]),
    case(["int", "float"], ["3", "3"], ["3.0", "3"], ["3", "3"]),
    case(
        ["date", "datetime"],
        ["'2026-01-31'", "'2026-01-31'"],
        ["2026-01-31T00:00:00.000000Z", "2026-01-31 00:00:00+00"],
        ["2026-01-31", "2026-01-31"],
    ),
    case(["money(JPY)", "money(EUR)"], ["1250", "1250"], ["125000", "1250.00"], ["1250", "1250"]),
    // Without a reversal of what was lost.
    case(["text", "int"], ["'12 apples'", "'12 apples'"], ["", ""], ["", ""]),
];

#[test]
fn a_changed_type_keeps_the_values() {
    each_engine(|db| {
        db.run_without_transaction(&mut |conn| {
            let at = usize::from(conn.engine() == Engine::Postgres);
            for (case, Case { types, stored, after, reverted }) in CASES.iter().enumerate() {
                let declared = |ty: &str| format!("app shop\n\nentity Part:\n  id: int pk\n  it: {ty}\n");
                let [old, new] = types.map(declared);
                make(conn, &schema(&old));
                if conn.engine() == Engine::Postgres {
                    conn.script("SET TIME ZONE 'UTC'").unwrap();
                }
                conn.script(&format!("INSERT INTO parts (id, it) VALUES (1, {})", stored[at])).unwrap();
                // PostgreSQL keeps the plan of a text, whose column has another type afterwards.
                let read = |conn: &mut _, nth: usize| {
                    let select = format!("SELECT COALESCE(CAST(it AS TEXT), '') AS it_{case}_{nth} FROM parts");
                    catalogue::texts(conn, &select, 1)[0][0].clone()
                };
                let migration = migration(&old, &new, conn.engine()).expect("a migration");
                run(conn, &migration.up).unwrap();
                assert_eq!(read(conn, 0), after[at], "{types:?}:\n{}", migration.up.sql);
                run(conn, &migration.down).unwrap();
                assert_eq!(read(conn, 1), reverted[at], "{types:?} reverted:\n{}", migration.down.sql);
            }
            Ok(())
        })
        .unwrap();
    });
}
