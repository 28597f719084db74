//! The fields that reveal a sensitive field, determined from their expressions.

use crate::def::{AppDef, Expr, FieldAt, Path, Reads, Via};

/// True for a sensitive field, and for a computed one that reads such a field.
pub(super) fn reveals_sensitive(app: &'static AppDef, at: FieldAt) -> bool {
    let field = at.field(app);
    field.sensitive || field.computed.is_some_and(|expr| reads_sensitive(app, expr))
}

fn reads_sensitive(app: &'static AppDef, expr: &Expr) -> bool {
    let along = |path: &Path| path.steps(app).into_iter().any(|step| reveals_sensitive(app, step));
    expr.any(|part| match part.reads() {
        Reads::Row(path) | Reads::Outer(Some(path)) | Reads::Caller(Some(path)) => along(&path),
        Reads::Relation(relation, value) => belongs_by_sensitive(app, relation) || value.as_ref().is_some_and(along),
        Reads::Nothing | Reads::Outer(None) | Reads::Caller(None) => false,
    })
}

/// True if a sensitive reference determines the rows of a relation.
fn belongs_by_sensitive(app: &'static AppDef, relation: FieldAt) -> bool {
    relation.field(app).kind.relation().is_some_and(|relation| match relation.via {
        Via::Ref(via) => reveals_sensitive(app, via),
        Via::Junction(through) => reveals_sensitive(app, through.near()) || reveals_sensitive(app, through.far()),
    })
}

#[cfg(test)]
mod tests {
    use super::reveals_sensitive;
    use crate::{
        def::FieldAt,
        rows::tests::app::{APP, BILL, TASK, bill, task},
    };

    #[test]
    fn a_computed_field_reveals_what_it_reads() {
        let tells = |at| reveals_sensitive(&APP, FieldAt::new(TASK, at));
        for at in [task::REMARK, task::HINT, task::LEAK, task::LEAK_AGAIN, task::REVIEWER] {
            assert!(tells(at), "{at}");
        }
        assert!(!tells(task::TITLE) && !tells(task::HEADING));
        assert!(reveals_sensitive(&APP, FieldAt::new(BILL, bill::REVIEWED_BY)));
    }
}
