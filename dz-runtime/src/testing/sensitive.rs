//! Which fields reveal a sensitive field, determined from what they are computed from.

use crate::def::{AppDef, Expr, FieldAt, Path, Via};

/// True for a sensitive field, and for a computed one that reads such a field.
pub(super) fn reveals_sensitive(app: &'static AppDef, at: FieldAt) -> bool {
    let field = at.field(app);
    field.sensitive || field.computed.is_some_and(|expr| reads_sensitive(app, expr))
}

fn reads_sensitive(app: &'static AppDef, expr: &Expr) -> bool {
    let along = |path: &Path| path.steps(app).into_iter().any(|step| reveals_sensitive(app, step));
    let reads = |part: &Expr| reads_sensitive(app, part);
    match expr {
        Expr::Path(path) | Expr::CurrentUserPath(path) | Expr::This(Some(path)) => along(path),
        Expr::List(parts) | Expr::And(parts) | Expr::Or(parts) | Expr::Call(_, parts, _) => parts.iter().any(reads),
        Expr::Not(inner) | Expr::Negate(inner) => reads(inner),
        Expr::Compare(_, left, right) | Expr::In(left, right) | Expr::Arithmetic(_, left, right, _) => reads(left) || reads(right),
        Expr::Aggregate { relation, value, condition, .. } => {
            belongs_by_sensitive(app, *relation) || value.as_ref().is_some_and(along) || condition.is_some_and(reads)
        }
        Expr::If(branches, otherwise) => branches.iter().any(|(test, result)| reads(test) || reads(result)) || reads(otherwise),
        _ => false,
    }
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
