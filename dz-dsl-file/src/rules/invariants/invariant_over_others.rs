//! An invariant that reads other rows, although writes of those rows do not check it.

use std::collections::HashSet;

use crate::{
    Diagnostics, Severity, Span,
    facts::access,
    model::{Action, EntityId, Expr, FieldId, Model, Path, Reads, Via},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "invariant-over-others",
    severity: Severity::Lint,
    summary: "an invariant reads other rows, and writes of those rows do not check it",
    wrong: "entity Box:\n  id: uuid pk\n  name: str(40)\n  size: int = 3\n  permit:\n    list: true\n    read: true\nentity Item:\n  id: uuid pk\n  name: str(40)\n  box: ref Box required\n  places: int = 1\n  permit:\n    list: true\n    read: true\n  invariant: places <= box.size\n    message: \"Too large\"\n    code: TOO_LARGE\n",
    right: "entity Box:\n  id: uuid pk\n  name: str(40)\n  size: int = 3\n  permit:\n    list: true\n    read: true\nentity Item:\n  id: uuid pk\n  name: str(40)\n  box: ref Box required\n  places: int = 1\n  size: int = 3\n  permit:\n    list: true\n    read: true\n  invariant: places <= size\n    message: \"Too large\"\n    code: TOO_LARGE\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let mut reported: HashSet<Span> = HashSet::new();
    for (at, entity) in model.entities.iter().enumerate().map(|(at, entity)| (EntityId(at), entity)) {
        for invariant in &entity.invariants {
            let mut others = Others { model, own: at, writes: Vec::new(), seen: HashSet::new() };
            others.add(&invariant.condition);
            if others.writes.is_empty() || !reported.insert(invariant.span) {
                continue;
            }
            out.push(
                RULE.diagnostic(invariant.span, format!("these writes do not check this invariant: {}", list_writes(&others.writes))).help(format!(
                    "dz checks it when the `{0}` itself is written; another write can leave a row that violates it, and every later change of this row is \
                     refused. Refuse such a write by an invariant or a guard of its own entity, or keep the value in a field of `{0}`",
                    entity.name
                )),
            );
        }
    }
}

/// The first writes, and the number of the others.
fn list_writes(writes: &[String]) -> String {
    const SHOWN: usize = 5;
    let first = writes.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match writes.len().checked_sub(SHOWN) {
        None | Some(0) => first,
        Some(more) => format!("{first} and {more} more"),
    }
}

/// The writes of other rows that change the value of an expression.
struct Others<'m> {
    model: &'m Model,
    own: EntityId,
    writes: Vec<String>,
    seen: HashSet<(EntityId, FieldId)>,
}

impl Others<'_> {
    fn add(&mut self, expr: &Expr) {
        let mut parts: Vec<&Expr> = Vec::new();
        expr.visit(&mut |part| parts.push(part));
        for part in parts {
            match part.reads() {
                Reads::Field(path) => self.add_path(path),
                Reads::Relation(relation, value) => {
                    self.add_relation(relation);
                    value.into_iter().for_each(|value| self.add_path(value));
                }
                // An invariant cannot contain an aggregate over an entity.
                Reads::Nothing | Reads::Key | Reads::Rows(..) => {}
            }
        }
    }

    fn add_path(&mut self, path: &Path) {
        for (entity, at) in path.steps(&self.model.entities) {
            let field = self.model.field(entity, at);
            if let Some(computed) = field.computed.as_ref().filter(|_| self.seen.insert((entity, at))) {
                self.add(computed);
            }
            // A key never changes, and changes of the row itself check the invariant.
            let changes = field.is_stored() && self.model.entity(entity).pk != at;
            if changes && !self.is_first(path, entity, at) {
                self.push(format!("a change of `{}` of `{}`", field.name, self.model.entity(entity).name));
            }
        }
    }

    /// True for the row's own field with which a path begins.
    fn is_first(&self, path: &Path, entity: EntityId, at: FieldId) -> bool {
        path.from == self.own && path.steps(&self.model.entities).first() == Some(&(entity, at))
    }

    fn add_relation(&mut self, relation: &Path) {
        let entity = match self.model.field(relation.from, relation.field).ty.relation() {
            Some((entity, Via::Ref(_))) => entity,
            Some((_, Via::Junction(through))) => through.entity,
            None => return,
        };
        // An invariant over a total counts the row itself when it is created, but a deletion checks no invariant.
        if entity == self.own && !access::permits(self.model, entity, &Action::Delete) {
            return;
        }
        let writes = if entity == self.own { "deleting" } else { "creating or deleting" };
        self.push(format!("{writes} `{}`", self.model.entity(entity).name));
    }

    fn push(&mut self, write: String) {
        if !self.writes.contains(&write) {
            self.writes.push(write);
        }
    }
}
