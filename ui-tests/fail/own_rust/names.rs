//! Names that the declaration does not have.

use dz::{Result, Tx, access::List};
use schema::tasks;

dz::dz! {
    persona lead "Lead"

    entity Task "Task":
      id: uuid pk
      title: str(80) required
      permit:
        list: role(lead)
        read: role(lead)
}

fn a_column(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, List)?.filter(tasks::titel.eq("Paint")))
}

fn a_role(_: dz::Role<roles::Laed>) {}

fn a_module(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(taks::scoped(tx, List)?)
}

fn an_action(tx: &mut Tx<'_>) -> Result<i64> {
    tx.count(task::scoped(tx, Lits)?)
}

fn main() {
    let _ = (app, a_column, a_role, a_module, an_action);
}
