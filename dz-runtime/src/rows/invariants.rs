//! Invariants: conditions on every stored row, checked before a row is stored.

use super::select::ROW;
use crate::{
    Error,
    db::{
        Statement,
        emit::{Condition, Emit, Scope, is_local, reads_relation, reads_totals},
    },
    def::{AppDef, EntityDef, Expr, FieldIx, InvariantDef, Reads},
    texts,
};

/// The conditions of the invariants as SQL on the row with the alias `t`, each with its position; those that always hold are
/// omitted.
pub(super) fn conditions(emit: &Emit<'_>, entity: &'static EntityDef) -> Vec<(usize, Statement)> {
    let scope = Scope { entity: entity.ix, alias: ROW, outer: None };
    let conditions_sql =
        entity.invariants.iter().enumerate().filter_map(|(at, invariant)| match emit.condition(&invariant.condition, scope, false) {
            Condition::Always => None,
            other @ (Condition::Never | Condition::Rows(_)) => Some((at, other.into_sql())),
        });
    conditions_sql.collect()
}

/// As [`conditions`], only for invariants that depend on valid fields of the row itself.
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

/// When an invariant is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// With the statement that stores the row.
    Storing,
    /// After the row is stored: a referenced row has a total of rows of which it is one.
    Stored,
    /// After the rows that refer to it are stored.
    WithChildren,
}

impl When {
    fn from_condition(condition: &Expr, app: &'static AppDef, awaits_children: bool) -> When {
        match () {
            () if awaits_children && reads_relation(condition, app) => When::WithChildren,
            () if reads_totals(condition, app) => When::Stored,
            () => When::Storing,
        }
    }
}

/// As [`conditions`], only for invariants that are checked at this time. With `awaits_children`, those over the rows of relations wait
/// for these rows.
pub(super) fn conditions_at(emit: &Emit<'_>, entity: &'static EntityDef, when: When, awaits_children: bool) -> Vec<(usize, Statement)> {
    let wanted =
        |at: usize| entity.invariants.get(at).is_some_and(|it| When::from_condition(&it.condition, emit.app, awaits_children) == when);
    conditions(emit, entity).into_iter().filter(|(at, _)| wanted(*at)).collect()
}

/// True if a condition depends on one of these fields.
pub(super) fn depends_on(entity: &'static EntityDef, condition: &Expr, fields: &[FieldIx]) -> bool {
    depends(entity, condition, &|field| fields.contains(&field), 0)
}

/// The maximum depth of computed fields that use computed fields.
const MAX_DEPTH: usize = 16;

/// True if a condition depends on a field, also through computed fields.
fn depends(entity: &'static EntityDef, condition: &Expr, on: &impl Fn(FieldIx) -> bool, depth: usize) -> bool {
    let mut found = depth > MAX_DEPTH;
    condition.visit(&mut |part| {
        if let Expr::Path(path) = part {
            // A path to another entity depends on its first reference.
            found |= path.first().position_in(entity).is_none_or(|own| {
                let computed = entity.field(own).computed;
                on(own) || computed.is_some_and(|expr| depends(entity, expr, on, depth + 1))
            });
        }
    });
    found
}

/// One error for all violated invariants: with the code and the message of the first, and each message at the fields of its
/// condition.
pub(super) fn violation_error(entity: &'static EntityDef, which: &[usize]) -> Option<Error> {
    let broken: Vec<&'static InvariantDef> = which.iter().filter_map(|at| entity.invariants.get(*at)).collect();
    let first = broken.first()?;
    let text = |invariant: &InvariantDef| match invariant.message {
        Some(message) => message.to_owned(),
        None => say!(
            "dz-values-do-not-go-together",
            "This combination of values is not allowed in a {thing}",
            thing = texts::lower(entity.title)
        ),
    };
    let mut error = Error::new(422, first.code.unwrap_or("INVARIANT"), text(first));
    for invariant in broken {
        for name in own_fields(entity, &invariant.condition) {
            error = error.at(name, text(invariant));
        }
    }
    Some(error)
}

/// The fields of the entity that a condition uses, without duplicates; its relations if it uses no others.
fn own_fields(entity: &'static EntityDef, condition: &Expr) -> Vec<&'static str> {
    let (mut names, mut relations) = (Vec::new(), Vec::new());
    condition.visit(&mut |part| {
        let (list, first) = match part.reads() {
            Reads::Row(path) => (&mut names, path.first()),
            Reads::Relation(relation, _) => (&mut relations, relation),
            Reads::Nothing | Reads::Outer(_) | Reads::Caller(_) => return,
        };
        let Some(at) = first.position_in(entity) else { return };
        let name = entity.field(at).name;
        if !list.contains(&name) {
            list.push(name);
        }
    });
    if names.is_empty() { relations } else { names }
}
