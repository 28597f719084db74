//! Databases that an earlier version of dz made get the names of this one.

use dz_dsl_file::emit::schema::{Edition, Schema, diff, snapshot};

use super::{LATER, SHOP, catalogue, declaration, fill, leads, make, of, rows_are_there, run, schema};
use crate::{Engine, db::testing::each_engine};

/// The schema as an earlier version described it: its file said nothing of the edition.
fn first(text: &str, engine: Engine) -> Schema {
    let mut schema = schema(text);
    schema.tables.iter_mut().for_each(|table| table.edition = Edition::First);
    let file = snapshot::write(&schema, of(engine)).expect("a file");
    assert!(file.contains("edition = \"first\""));
    snapshot::read(&file.replace("edition = \"first\"\n", "")).expect("a schema").0
}

#[test]
fn constraints_and_indexes_are_renamed_there_and_back() {
    each_engine(|db| {
        let engine = db.engine();
        db.alone(&mut |conn| {
            for seed in 0..12 {
                let (old, new) = declaration::pair(seed);
                leads(conn, (&first(&old, engine), &old), (&schema(&old), &old));
                leads(conn, (&first(&old, engine), &old), (&schema(&new), &new));
            }
            Ok(())
        })
        .unwrap();
    });
}

#[test]
fn rows_stay_when_names_change() {
    each_engine(|db| {
        let engine = db.engine();
        db.alone(&mut |conn| {
            make(conn, &first(SHOP, engine));
            fill(conn, 50);
            for (old, new) in [(first(SHOP, engine), schema(SHOP)), (schema(SHOP), schema(LATER))] {
                let up = diff::migration(&old, &new, of(engine)).expect("something to do").up;
                run(conn, &up).unwrap_or_else(|wrong| panic!("{wrong}\n{}", up.sql));
            }
            rows_are_there(conn, "50");
            let names = catalogue::read(conn).join("\n");
            assert!(names.contains("parts_maker_fkey") && !names.contains(") reference"), "{names}");
            Ok(())
        })
        .unwrap();
    });
}
