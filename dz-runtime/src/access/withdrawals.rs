//! The writes that can withdraw rows from a caller: a deletion, and a change of a value that a rule reads.
//!
//! A replica that lacks such a write would show rows to callers who may no longer see them. The position of the write in the log is
//! therefore stored before the write is acknowledged, and only replicas that have replayed it are read (`db/positions`).

use std::{
    collections::HashSet,
    sync::{PoisonError, RwLock},
};

use crate::{
    Value,
    def::{AppDef, EntityDef, EntityIx, Expr, FieldAt, Path, Reads, Via},
};

/// What the rules of an application read.
#[derive(Debug, Default)]
struct ReadByRules {
    fields: HashSet<FieldAt>,
    /// Entities whose rows a rule counts or searches, so that a new row can withdraw another one.
    rows: HashSet<EntityIx>,
}

/// True if a write can withdraw rows. `before` and `after` are the values of the row, `None` without a row.
pub(crate) fn withdraws(app: &'static AppDef, entity: &EntityDef, before: Option<&[Value]>, after: Option<&[Value]>) -> bool {
    let rules = find(app);
    let (Some(before), Some(after)) = (before, after) else {
        // A new row withdraws nothing, unless rules of other rows depend on it.
        return after.is_none() || rules.rows.contains(&entity.ix);
    };
    rules.rows.contains(&entity.ix)
        || (0..)
            .zip(before.iter().zip(after))
            .any(|(at, (before, after))| before != after && rules.fields.contains(&FieldAt::new(entity.ix, at)))
}

/// What the rules read, collected once per application.
fn find(app: &'static AppDef) -> &'static ReadByRules {
    static CACHE: RwLock<Vec<(usize, &'static ReadByRules)>> = RwLock::new(Vec::new());
    // A description lives as long as the program, so its address identifies it.
    let address = std::ptr::from_ref(app) as usize;
    let known = CACHE.read().unwrap_or_else(PoisonError::into_inner).iter().find(|(of, _)| *of == address).map(|(_, found)| *found);
    known.unwrap_or_else(|| {
        let mut found = ReadByRules::default();
        for entity in app.entities {
            let rules = entity.rules.iter().flat_map(|rule| [&rule.permit, &rule.scope, &rule.forbid]).flatten();
            rules.for_each(|rule| found.collect(app, rule));
            // The tenant of a row is a part of each condition.
            found.fields.extend(entity.tenancy.tenant.map(|at| FieldAt::new(entity.ix, at)));
        }
        for variant in app.surfaces.iter().flat_map(|surface| surface.variants) {
            variant.scope.iter().for_each(|scope| found.collect(app, scope));
        }
        let found: &'static ReadByRules = Box::leak(Box::new(found));
        CACHE.write().unwrap_or_else(PoisonError::into_inner).push((address, found));
        found
    })
}

impl ReadByRules {
    fn collect(&mut self, app: &'static AppDef, rule: &Expr) {
        rule.visit(&mut |part| match part.reads() {
            // The values of the caller are read from the primary.
            Reads::Nothing | Reads::Caller(_) => {}
            Reads::Row(path) | Reads::Outer(Some(path)) => self.collect_path(app, path),
            Reads::Outer(None) => {}
            Reads::Relation(relation, value) => {
                if let Some(relation) = relation.field(app).kind.relation() {
                    self.rows.insert(relation.entity);
                    if let Via::Junction(junction) = relation.via {
                        self.rows.insert(junction.entity(app).ix);
                    }
                }
                value.into_iter().for_each(|value| self.collect_path(app, value));
            }
        });
    }

    fn collect_path(&mut self, app: &'static AppDef, path: Path) {
        for step in path.steps(app) {
            if self.fields.insert(step)
                && let Some(computed) = step.field(app).computed
            {
                self.collect(app, computed);
            }
        }
    }
}
