//! Access rules: normalised, so that nothing after this knows how they were spelled.

use super::{
    Lowering,
    expr::{self, Position},
};
use crate::{
    model::{Action, EntityId, Expr, Permission},
    syntax::entity::AccessBlock,
};

pub(super) fn lower(it: &mut Lowering<'_>) {
    for at in 0..it.entities.len() {
        let Some(declared) = it.declared[at] else { continue };
        let mut permissions: Vec<Permission> = Vec::new();
        for line in &declared.body.rules {
            let Some((condition, names_anonymous)) = expr::condition(it, Position::Access, EntityId(at), None, &line.condition) else {
                continue;
            };
            let forbids = line.block == AccessBlock::Forbid;
            // Only a rule that names `anonymous` reaches callers without an account.
            let condition = if names_anonymous || forbids { condition } else { signed_in(condition) };
            for action in actions(line.block, &line.action.text) {
                add(&mut permissions, action, condition.clone(), forbids);
            }
        }
        permissions.sort_by(|a, b| a.action.cmp(&b.action));
        it.entities[at].access.permissions = permissions;
    }
}

fn signed_in(condition: Expr) -> Expr {
    match condition {
        Expr::Bool(true) | Expr::SignedIn => Expr::SignedIn,
        // A role is always held by somebody.
        Expr::Role(roles) => Expr::Role(roles),
        other => Expr::And(vec![Expr::SignedIn, other]),
    }
}

fn actions(block: AccessBlock, word: &str) -> Vec<Action> {
    let one = match word {
        "list" => Action::List,
        "read" => Action::Read,
        "create" => Action::Create,
        "update" => Action::Update,
        "delete" => Action::Delete,
        other => Action::Custom(other.to_owned()),
    };
    match (block, word) {
        (AccessBlock::Access, "read") => vec![Action::List, Action::Read],
        (AccessBlock::Access, "write") => vec![Action::Create, Action::Update, Action::Delete],
        _ => vec![one],
    }
}

/// Several lines of one action add up with `or`.
fn add(permissions: &mut Vec<Permission>, action: Action, condition: Expr, forbids: bool) {
    let at = permissions.iter().position(|it| it.action == action).unwrap_or_else(|| {
        permissions.push(Permission { action, permit: None, forbid: None });
        permissions.len() - 1
    });
    let slot = if forbids { &mut permissions[at].forbid } else { &mut permissions[at].permit };
    *slot = Some(match slot.take() {
        None => condition,
        Some(Expr::Or(mut parts)) => {
            parts.push(condition);
            Expr::Or(parts)
        }
        Some(first) => Expr::Or(vec![first, condition]),
    });
}
