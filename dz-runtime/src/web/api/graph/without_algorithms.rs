//! The addresses of algorithms in a build without the feature `graph-algorithms`.

use crate::{
    Error, Result, Tx,
    access::{List, Read},
    state::State,
    web::{Call, Reply},
};

fn refuse() -> Result<Reply> {
    let text = "This application was built without the feature `graph-algorithms` of dz";
    Err(Error::new(501, "NOT_IMPLEMENTED", text))
}

/// Refuses a request about one row.
pub(crate) fn refuse_row(_: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    check_row(tx, call)?;
    refuse()
}

/// Refuses a request about all rows.
pub(crate) fn refuse_all(_: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    check_all(tx, call)?;
    refuse()
}

/// Only callers who may read rows learn whether the application was built with algorithms.
fn check_row(tx: &mut Tx<'_>, call: &Call) -> Result<()> {
    let (entity, _) = super::graph_of(tx, call)?;
    tx.ask::<Read>(entity).map(drop)
}

fn check_all(tx: &mut Tx<'_>, call: &Call) -> Result<()> {
    let (entity, _) = super::graph_of(tx, call)?;
    tx.ask::<List>(entity).map(drop)
}

pub(crate) use refuse_all as centrality;
pub(crate) use refuse_all as components;
pub(crate) use refuse_all as cycles;
pub(crate) use refuse_row as degree;
pub(crate) use refuse_row as reachable;
pub(crate) use refuse_row as shortest_path;

#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
mod tests {
    use std::sync::Arc;

    use chrono::DateTime;
    use rocket::http::Method;

    use super::*;
    use crate::{
        Account, Caller, Value,
        db::testing,
        def::{ActionRule, AppDef, EdgeDef, EntityDef, Expr, FieldDef, Kind, NodeDef},
        web::routes::{Route, RouteMatch, Run},
    };

    const fn signed_in(action: &'static str) -> ActionRule {
        ActionRule { permit: Some(Expr::SignedIn), ..ActionRule::new(action) }
    }

    static HALT: EntityDef = EntityDef {
        fields: &[FieldDef::new("id", "Id", Kind::Int)],
        rules: &[signed_in("list"), signed_in("read")],
        node: Some(NodeDef { edges: 1, display: None }),
        ..EntityDef::new(0, "Halt", "Halt", "Halts", "halts", 0)
    };
    static TRACK: EntityDef = EntityDef {
        fields: &[
            FieldDef::new("id", "Id", Kind::Int),
            FieldDef::new("one", "One", Kind::Ref(0)),
            FieldDef::new("other", "Other", Kind::Ref(0)),
        ],
        edge: Some(EdgeDef { source: 1, target: 2, kind: None, weight: None, directed: true, acyclic: false }),
        ..EntityDef::new(1, "Track", "Track", "Tracks", "tracks", 0)
    };
    static APP: AppDef = AppDef { entities: &[&HALT, &TRACK], ..AppDef::EMPTY };

    #[test]
    fn requests_about_algorithms_are_refused_after_the_rules_were_checked() {
        let of_halts = |run| Route { entity: Some(&HALT), ..Route::new(Method::Get, "/api/halts/graph", "", Run::Unit(run)) };
        let all = [of_halts(centrality), of_halts(components), of_halts(cycles)];
        let one = [of_halts(degree), of_halts(reachable), of_halts(shortest_path)];
        let [all, one] = [all, one].map(|routes| routes.map(|route| Call { found: RouteMatch::Route(Arc::new(route)), ..Call::default() }));
        let stranger = Caller::anonymous(&APP, DateTime::UNIX_EPOCH, "");
        let account =
            Account { id: Value::Int(1), email: String::new(), label: String::new(), values: Vec::new(), path_values: Vec::new() };
        let known = Caller { account: Some(account), ..stranger.clone() };
        testing::each_engine(|db| {
            let ask = |check: fn(&mut Tx<'_>, &Call) -> Result<()>, call: &Call, caller: &Caller| {
                db.read(&mut |conn| check(&mut Tx::new(conn, &APP, Default::default(), caller.clone()), call))
            };
            for (check, calls) in [(check_row as fn(&mut Tx<'_>, &Call) -> Result<()>, &one), (check_all, &all)] {
                for call in calls {
                    assert_eq!(ask(check, call, &stranger).map_err(|error| error.status), Err(401));
                    assert_eq!(ask(check, call, &known).map_err(|error| error.status), Ok(()));
                }
            }
        });
        let refused = refuse().map(drop).map_err(|error| (error.status, error.code));
        assert_eq!(refused, Err((501, "NOT_IMPLEMENTED")));
    }
}
