//! Invariants: what holds for every stored row, asked of the row before it is stored.

use super::select::ROW;
use crate::{
    Error,
    db::{
        Statement,
        emit::{Condition, Emit, Scope, constant, is_local},
    },
    def::{EntityDef, Expr, FieldIx, InvariantDef},
};

/// The conditions of an entity's invariants as SQL over the row known as `t`, each with its place; those that hold for
/// every row are left out.
pub(super) fn conditions(emit: &Emit<'_>, entity: &'static EntityDef) -> Vec<(usize, Statement)> {
    let scope = Scope { entity: entity.ix, alias: ROW, outer: None };
    let conditions_sql =
        entity.invariants.iter().enumerate().filter_map(|(at, invariant)| match emit.condition(&invariant.condition, scope, false) {
            Condition::Always => None,
            other => Some((at, other.into_sql())),
        });
    conditions_sql.collect()
}

/// As [`conditions`], of those that speak of this row's own fields alone, and of none that is refused.
pub(super) fn local_conditions(
    emit: &Emit<'_>,
    entity: &'static EntityDef,
    is_refused: impl Fn(FieldIx) -> bool,
) -> Vec<(usize, Statement)> {
    let is_local_and_valid = |at: usize| {
        let condition = entity.invariants.get(at).map(|invariant| &invariant.condition);
        condition.is_some_and(|condition| is_local(condition, emit.app) && !depends(entity, condition, &is_refused, 0))
    };
    conditions(emit, entity).into_iter().filter(|(at, _)| is_local_and_valid(*at)).collect()
}

/// Computed fields of computed fields, at most.
const MAX_DEPTH: usize = 16;

/// True when a condition depends on a field, through computed fields too.
fn depends(entity: &'static EntityDef, condition: &Expr, on: &impl Fn(FieldIx) -> bool, depth: usize) -> bool {
    let mut found = depth > MAX_DEPTH;
    constant::visit(condition, &mut |part| {
        if let Expr::Path(path) = part {
            // A path that leads elsewhere depends on the ref where it begins.
            found |= path.first().position_in(entity).is_none_or(|own| {
                let computed = entity.field(own).computed;
                on(own) || computed.is_some_and(|expr| depends(entity, expr, on, depth + 1))
            });
        }
    });
    found
}

/// All that are violated, in one refusal: the first one's code and message on top, each message at the fields that
/// its condition speaks of.
pub(super) fn violation_error(entity: &'static EntityDef, which: &[usize]) -> Option<Error> {
    let broken: Vec<&'static InvariantDef> = which.iter().filter_map(|at| entity.invariants.get(*at)).collect();
    let first = broken.first()?;
    let text = |invariant: &InvariantDef| match invariant.message {
        Some(message) => message.to_owned(),
        None => format!("These values do not go together in a {}", entity.title.to_lowercase()),
    };
    let mut error = Error::new(422, first.code.unwrap_or("INVARIANT"), text(first));
    for invariant in broken {
        for name in own_fields(entity, &invariant.condition) {
            error = error.at(name, text(invariant));
        }
    }
    Some(error)
}

/// The entity's own fields that a condition speaks of, each once.
fn own_fields(entity: &'static EntityDef, condition: &Expr) -> Vec<&'static str> {
    let mut names = Vec::new();
    constant::visit(condition, &mut |part| {
        if let Expr::Path(path) = part
            && let Some(at) = path.first().position_in(entity)
        {
            let name = entity.field(at).name;
            if !names.contains(&name) {
                names.push(name);
            }
        }
    });
    names
}
