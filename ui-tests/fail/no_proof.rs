//! Rows cannot be reached past the rules.

use diesel::prelude::*;

dz::dz! {
    entity Note "Note":
      id: uuid pk
      title: str(80)
      permit:
        read: true
}

fn all(tx: &mut dz::Tx<'_>) -> dz::Result<Vec<note::Note>> {
    tx.load(schema::notes::table.filter(schema::notes::title.is_not_null()))
}

fn main() {
    let _ = app();
    let _ = all;
}
