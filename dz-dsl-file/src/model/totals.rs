//! Totals of referenced rows: values that count or add the rows that refer to a row.

use super::{EntityId, Expr, FieldId, Model, Path, Reads};

impl Model {
    /// The paths of a condition to totals of referenced rows, such as `lot.balance` with `balance: computed sum(entries.amount)`; also
    /// those of computed fields of the row itself. The row with the condition can be one of those that are totalled.
    pub fn total_paths<'m>(&'m self, expr: &'m Expr) -> Vec<&'m Path> {
        let mut found = Vec::new();
        self.add_total_paths(expr, &mut found, &mut Vec::new());
        found
    }

    fn add_total_paths<'m>(&'m self, expr: &'m Expr, found: &mut Vec<&'m Path>, seen: &mut Vec<(EntityId, FieldId)>) {
        let mut paths = Vec::new();
        expr.visit(&mut |part| {
            if let Expr::Path(path) = part {
                paths.push(path);
            }
        });
        for path in paths {
            let (entity, at) = path.end(&self.entities);
            let Some(computed) = &self.field(entity, at).computed else { continue };
            // A cycle of computed fields is an error of its own.
            if seen.contains(&(entity, at)) {
                continue;
            }
            seen.push((entity, at));
            if path.hops.is_empty() {
                self.add_total_paths(computed, found, seen);
            } else if self.reads_rows(computed, &mut Vec::new()) {
                found.push(path);
            }
        }
    }

    /// True if the value depends on rows that refer to the row, or to a referenced one.
    fn reads_rows(&self, expr: &Expr, seen: &mut Vec<(EntityId, FieldId)>) -> bool {
        let mut parts = Vec::new();
        expr.visit(&mut |part| parts.push(part));
        parts.into_iter().any(|part| match part.reads() {
            Reads::Relation(..) => true,
            Reads::Field(path) => {
                let end = path.end(&self.entities);
                let is_new = !seen.contains(&end);
                seen.push(end);
                is_new && self.field(end.0, end.1).computed.as_ref().is_some_and(|inner| self.reads_rows(inner, seen))
            }
            Reads::Nothing | Reads::Key | Reads::Rows(..) => false,
        })
    }
}
