//! A computed field that shows values of rows which its reader may not read.

use crate::{
    Diagnostics, Severity,
    model::{Action, EntityId, Expr, Model, Reads},
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

fn report_disclosures(model: &Model, at: EntityId, out: &mut Diagnostics) {
    for field in &model.entity(at).fields {
        let Some(computed) = &field.computed else { continue };
        let mut others: Vec<EntityId> = Vec::new();
        computed.visit(&mut |expr| match expr.reads() {
            // This includes aggregates, in which a path begins in the child.
            Reads::Field(path) if !path.hops.is_empty() => others.push(path.end(&model.entities).0),
            Reads::Rows(entity, _) => others.push(entity),
            Reads::Relation(relation, _) => {
                let ty = model.field(relation.from, relation.field).ty;
                others.extend(ty.children());
                others.extend(ty.junction().map(|through| through.entity));
            }
            Reads::Nothing | Reads::Key | Reads::Field(_) => {}
        });
        let hidden = others.into_iter().find(|other| *other != at && reading(model, *other) != reading(model, at));
        if let Some(other) = hidden {
            let (own, other) = (&model.entity(at).name, &model.entity(other).name);
            out.push(
                RULE.diagnostic(field.span, format!("`{}` shows values of `{other}` to every reader of `{own}`", field.name))
                    .help(format!("check that every reader of `{own}` may see them; the access rules of `{other}` do not apply here")),
            );
        }
    }
}

/// The conditions for reading an entity, for a comparison.
fn reading(model: &Model, entity: EntityId) -> (Option<&Expr>, Option<&Expr>) {
    let rule = model.entity(entity).access.permissions.iter().find(|it| it.action == Action::Read);
    (rule.and_then(|it| it.permit.as_ref()), rule.and_then(|it| it.forbid.as_ref()))
}
