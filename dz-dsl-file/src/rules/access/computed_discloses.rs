//! A computed field that shows values of rows which its reader may not read.

use crate::{
    Diagnostics, Severity,
    facts::decide::{Caller, Question},
    model::{Action, EntityId, Expr, FieldId, Model, Path, Reads, Via},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "computed-discloses",
    severity: Severity::Lint,
    summary: "a computed field shows values of rows that its reader is not permitted to read",
    wrong: "persona boss\nentity Pay:\n  id: uuid pk\n  amount: int\n  permit:\n    list: role(boss)\n    read: role(boss)\nentity Task:\n  id: uuid pk\n  pay: ref Pay\n  cost: computed pay.amount * 2\n  permit:\n    list: true\n    read: true\n",
    right: "persona boss\nentity Pay:\n  id: uuid pk\n  amount: int\n  permit:\n    list: role(boss)\n    read: role(boss)\nentity Task:\n  id: uuid pk\n  pay: ref Pay\n  cost: computed pay.amount * 2\n  permit:\n    list: role(boss)\n    read: role(boss)\n",
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    (0..model.entities.len()).for_each(|at| report_disclosures(model, EntityId(at), out));
}

/// How the other row is reached from the row with the computed field.
enum Way {
    /// By these refs.
    Refs(Vec<FieldId>),
    /// By a relation: this ref of the other row is the row.
    Back(FieldId),
    /// In another way.
    Other,
}

fn report_disclosures(model: &Model, at: EntityId, out: &mut Diagnostics) {
    for field in &model.entity(at).fields {
        let Some(computed) = &field.computed else { continue };
        let others = others(model, at, computed);
        let hidden = others.into_iter().find(|(other, way)| *other != at && !is_readable(model, *other, at, way));
        if let Some((other, _)) = hidden {
            let (own, other) = (&model.entity(at).name, &model.entity(other).name);
            out.push(
                RULE.diagnostic(field.span, format!("`{}` shows values of `{other}` to every reader of `{own}`", field.name))
                    .help(format!("check that every reader of `{own}` may see them; the access rules of `{other}` do not apply here")),
            );
        }
    }
}

/// The entities of the other rows that a computed field reads.
fn others(model: &Model, at: EntityId, computed: &Expr) -> Vec<(EntityId, Way)> {
    let type_of = |relation: &Path| model.field(relation.from, relation.field).ty;
    // Inside of an aggregate, paths and relations begin at other rows, which can be of the same entity.
    let (mut has_rows, mut has_own_rows) = (false, false);
    computed.visit(&mut |expr| match expr.reads() {
        Reads::Rows(..) => (has_rows, has_own_rows) = (true, true),
        Reads::Relation(relation, _) => {
            has_rows = true;
            has_own_rows |= type_of(relation).children() == Some(at);
        }
        Reads::Nothing | Reads::Key | Reads::Field(_) => {}
    });
    let mut others = Vec::new();
    computed.visit(&mut |expr| match expr.reads() {
        // This includes aggregates, in which a path begins in the child.
        Reads::Field(path) if !path.hops.is_empty() => {
            let is_own = matches!(expr, Expr::Path(_)) && path.from == at && !has_rows;
            others.push((path.end(&model.entities).0, if is_own { Way::Refs(path.hops.clone()) } else { Way::Other }));
        }
        Reads::Rows(entity, _) => others.push((entity, Way::Other)),
        Reads::Relation(relation, _) => {
            let is_own = relation.from == at && relation.hops.is_empty() && !has_own_rows;
            let way = match type_of(relation).relation() {
                Some((_, Via::Ref(via))) if is_own => Way::Back(via),
                Some((_, Via::Ref(_) | Via::Junction(_))) | None => Way::Other,
            };
            others.extend(type_of(relation).children().map(|child| (child, way)));
            others.extend(type_of(relation).junction().map(|through| (through.entity, Way::Other)));
        }
        Reads::Nothing | Reads::Key | Reads::Field(_) => {}
    });
    others
}

/// True if every caller that can read a row of `at` can read the other row, or both entities have the same rules.
fn is_readable(model: &Model, other: EntityId, at: EntityId, way: &Way) -> bool {
    if reading(model, other) == reading(model, at) {
        return true;
    }
    let ((Some(own), own_forbid), (Some(permit), forbid)) = (reading(model, at), reading(model, other)) else { return false };
    let is_scoped = model.entity(other).access.scopes.iter().any(|scope| scope.action == Action::Read);
    let never = Expr::Bool(false);
    let not = |condition: &Expr| Expr::Not(Box::new(condition.clone()));
    let rebase = |condition: &Expr| rebased(condition, at, way, model.entity(other).pk);
    let refused = Expr::Or(vec![not(&rebase(permit)), rebase(forbid.unwrap_or(&never))]);
    let read = not(own_forbid.unwrap_or(&never));
    // Of an anonymous caller, no condition about roles and accounts is true, as of the system.
    let callers = [Caller::Account, Caller::System];
    !is_scoped && callers.into_iter().all(|caller| !Question::new(model, caller).can_hold(&[own, &read, &refused]))
}

/// A condition on the other row, as a condition on the row with the computed field. A part without such a form stays as it is, and
/// is then independent of the conditions on the row.
fn rebased(condition: &Expr, at: EntityId, way: &Way, key: FieldId) -> Expr {
    let again = |part: &Expr| rebased(part, at, way, key);
    match condition {
        Expr::And(parts) => Expr::And(parts.iter().map(again).collect()),
        Expr::Or(parts) => Expr::Or(parts.iter().map(again).collect()),
        Expr::Not(inner) => Expr::Not(Box::new(again(inner))),
        Expr::Compare(op, left, right) => Expr::Compare(*op, Box::new(again(left)), Box::new(again(right))),
        Expr::Path(path) => Expr::Path(rebased_path(path, at, way, key).unwrap_or_else(|| path.clone())),
        other => other.clone(),
    }
}

fn rebased_path(path: &Path, at: EntityId, way: &Way, key: FieldId) -> Option<Path> {
    match way {
        // The key of a referenced row is the value of the ref.
        Way::Refs(refs) if path.hops.is_empty() && path.field == key => {
            let (last, hops) = refs.split_last()?;
            Some(Path { from: at, hops: hops.to_vec(), field: *last })
        }
        Way::Refs(refs) => Some(Path { from: at, hops: [refs.as_slice(), &path.hops].concat(), field: path.field }),
        Way::Back(via) => {
            let (first, hops) = path.hops.split_first()?;
            (first == via).then(|| Path { from: at, hops: hops.to_vec(), field: path.field })
        }
        Way::Other => None,
    }
}

/// The conditions for reading an entity, for a comparison.
fn reading(model: &Model, entity: EntityId) -> (Option<&Expr>, Option<&Expr>) {
    let rule = model.entity(entity).access.permissions.iter().find(|it| it.action == Action::Read);
    (rule.and_then(|it| it.permit.as_ref()), rule.and_then(|it| it.forbid.as_ref()))
}
