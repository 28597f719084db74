//! Invariants: what holds for every stored row, asked of the row before it is stored.

use super::select::ROW;
use crate::{
    Error,
    db::{
        Statement,
        emit::{Condition, Emit, Scope, constant},
    },
    def::{EntityDef, Expr, InvariantDef},
};

/// The conditions of an entity's invariants as SQL over the row known as `t`, each with its place; those that hold for
/// every row are left out.
pub(super) fn conditions(emit: &Emit<'_>, entity: &'static EntityDef) -> Vec<(usize, Statement)> {
    let scope = Scope { entity: entity.ix, alias: ROW, outer: None };
    let asked =
        entity.invariants.iter().enumerate().filter_map(|(at, invariant)| match emit.condition(&invariant.condition, scope, false) {
            Condition::Always => None,
            other => Some((at, other.into_sql())),
        });
    asked.collect()
}

/// All that are violated, in one refusal: the first one's code and message on top, each message at the fields that
/// its condition speaks of.
pub(super) fn violated(entity: &'static EntityDef, which: &[usize]) -> Option<Error> {
    let broken: Vec<&'static InvariantDef> = which.iter().filter_map(|at| entity.invariants.get(*at)).collect();
    let first = broken.first()?;
    let text = |invariant: &InvariantDef| match invariant.message {
        Some(message) => message.to_owned(),
        None => format!("These values do not go together in a {}", entity.title.to_lowercase()),
    };
    let mut error = Error::new(422, first.code.unwrap_or("INVARIANT"), text(first));
    for invariant in broken {
        for name in fields(entity, &invariant.condition) {
            error = error.at(name, text(invariant));
        }
    }
    Some(error)
}

/// The entity's own fields that a condition speaks of, each once.
fn fields(entity: &'static EntityDef, condition: &Expr) -> Vec<&'static str> {
    let mut names = Vec::new();
    constant::visit(condition, &mut |part| {
        if let Expr::Path(path) = part
            && let Some(at) = path.first().of(entity)
        {
            let name = entity.field(at).name;
            if !names.contains(&name) {
                names.push(name);
            }
        }
    });
    names
}
