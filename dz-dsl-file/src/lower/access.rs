//! Access rules of every spelling in one normalised form.

use super::{
    Lowering,
    expr::{self, Position},
};
use crate::{
    Diagnostic, Near,
    cursor::Name,
    diagnostic::near_word,
    model::{Access, Action, Archetype, Audit, EntityId, Expr, Permission, RoleId, RuleLine, Scope},
    syntax::{
        audit::AuditLine,
        entity::AccessBlock,
        expr::{self as written, ExprKind},
        scope::ScopeLine,
    },
};

/// The actions that every entity has.
const ACTIONS: &[&str] = &["list", "read", "create", "update", "delete", "transition", "restore"];

pub(super) fn lower(it: &mut Lowering<'_>) {
    for at in 0..it.entities.len() {
        let Some(declared) = it.declared[at] else { continue };
        let id = EntityId(at);
        let mut permissions: Vec<Permission> = Vec::new();
        for line in &declared.body.rules {
            let Some((condition, names_anonymous)) = expr::condition(it, Position::Access, id, None, &line.condition) else {
                continue;
            };
            let forbids = line.block == AccessBlock::Forbid;
            // Only a rule that names `anonymous` applies to callers without an account.
            let condition = if names_anonymous || forbids { condition } else { signed_in(condition) };
            for action in actions(line.block, &line.action.text) {
                add(
                    &mut permissions,
                    action,
                    RuleLine { forbids, condition: condition.clone(), span: line.action.span, condition_span: line.condition.span },
                );
            }
        }
        if permissions.is_empty()
            && let Some(kind) = it.entities[at].kind
        {
            permissions = admins_only(it, id, kind);
        }
        permissions.sort_by(|a, b| a.action.cmp(&b.action));
        it.entities[at].access.permissions = permissions;
        it.entities[at].access.scopes = declared.body.scopes.iter().filter_map(|line| scope(it, id, line)).collect();
        complete_transition_rule(&mut it.entities[at].access);
        it.entities[at].access.audits = declared.body.audits.iter().filter_map(|line| audit(it, id, line)).collect();
    }
}

/// The rules of a semantic archetype without declared rules: only administrators, of the system or of the tenant.
fn admins_only(it: &Lowering<'_>, id: EntityId, kind: Archetype) -> Vec<Permission> {
    let names: &[&str] = if kind == Archetype::TenantSettings { &["admin", "tenant_admin"] } else { &["admin"] };
    let roles: Vec<RoleId> = names.iter().filter_map(|name| it.roles.get(*name).copied()).collect();
    let mut actions = vec![Action::List, Action::Read, Action::Create, Action::Update];
    if !kind.is_singleton() {
        actions.push(Action::Delete);
    }
    let condition = Expr::Role(roles);
    let span = it.entities[id.0].span;
    let line = RuleLine { forbids: false, condition: condition.clone(), span, condition_span: span };
    actions
        .into_iter()
        .map(|action| Permission { action, permit: Some(condition.clone()), forbid: None, lines: vec![line.clone()] })
        .collect()
}

fn signed_in(condition: Expr) -> Expr {
    match condition {
        Expr::Bool(true) | Expr::SignedIn => Expr::SignedIn,
        // A caller with a role always has an account.
        Expr::Role(roles) => Expr::Role(roles),
        other => Expr::And(vec![Expr::SignedIn, other]),
    }
}

fn action(word: &str) -> Action {
    match word {
        "list" => Action::List,
        "read" => Action::Read,
        "create" => Action::Create,
        "update" => Action::Update,
        "delete" => Action::Delete,
        other => Action::Custom(other.to_owned()),
    }
}

fn actions(block: AccessBlock, word: &str) -> Vec<Action> {
    match (block, word) {
        (AccessBlock::Access, "read") => vec![Action::List, Action::Read],
        (AccessBlock::Access, "write") => vec![Action::Create, Action::Update, Action::Delete],
        _ => vec![action(word)],
    }
}

/// Joins several lines of one action with `or`.
fn add(permissions: &mut Vec<Permission>, action: Action, line: RuleLine) {
    let at = permissions.iter().position(|it| it.action == action).unwrap_or_else(|| {
        permissions.push(Permission { action, permit: None, forbid: None, lines: Vec::new() });
        permissions.len() - 1
    });
    let permission = &mut permissions[at];
    let slot = if line.forbids { &mut permission.forbid } else { &mut permission.permit };
    *slot = Some(match slot.take() {
        None => line.condition.clone(),
        Some(Expr::Or(mut parts)) => {
            parts.push(line.condition.clone());
            Expr::Or(parts)
        }
        Some(first) => Expr::Or(vec![first, line.condition.clone()]),
    });
    permission.lines.push(line);
}

/// Without a `permit` line of its own, a transition follows the lines of `update`. Its `forbid` lines are added to them, and its scopes
/// replace those of `update`.
fn complete_transition_rule(access: &mut Access) {
    let transition = || Action::Custom("transition".to_owned());
    let own = access.permissions.iter().position(|it| it.action == transition());
    let scoped = access.scopes.iter().any(|it| it.action == transition());
    let Some(update) = access.permissions.iter().find(|it| it.action == Action::Update && it.permit.is_some()).cloned() else { return };
    if own.map_or(!scoped, |own| access.permissions[own].permit.is_some()) {
        return;
    }
    let declared = own.map_or_else(Vec::new, |own| access.permissions.remove(own).lines);
    let lines = update.lines.into_iter().chain(declared);
    lines.for_each(|line| add(&mut access.permissions, transition(), line));
    access.permissions.sort_by(|a, b| a.action.cmp(&b.action));
    if !scoped {
        let inherited = access.scopes.iter().filter(|it| it.action == Action::Update).cloned();
        let inherited: Vec<Scope> = inherited.map(|scope| Scope { action: transition(), ..scope }).collect();
        access.scopes.extend(inherited);
    }
}

fn scope(it: &mut Lowering<'_>, id: EntityId, line: &ScopeLine) -> Option<Scope> {
    check_action(it, id, &line.action)?;
    let rows = match &line.rows {
        None => None,
        Some(rows) if report_misspelt_all(it, id, rows) => return None,
        Some(rows) => Some(expr::condition(it, Position::Access, id, None, rows)?.0),
    };
    let personas = line.personas.as_ref().map(|personas| personas.iter().filter_map(|name| expr::role(it, name)).collect());
    Some(Scope { action: action(&line.action.text), rows, personas, span: line.span })
}

/// Reports a misspelt `all`, which cannot be part of a condition.
fn report_misspelt_all(it: &mut Lowering<'_>, id: EntityId, rows: &written::Expr) -> bool {
    let ExprKind::Path(path) = &rows.kind else { return false };
    let ([name], entity) = (path.as_slice(), &it.entities[id.0]) else { return false };
    let fields = entity.fields.iter().map(|field| field.name.as_str());
    let is_known = it.field_names[id.0].contains_key(&name.text) || it.roles.contains_key(&name.text);
    let near = near_word(&name.text, fields.chain(["all", "anonymous", "authenticated", "true", "false"])).filter(|near| &**near == "all");
    let Some(near) = near.filter(|_| !is_known).map(Near::into_owned) else { return false };
    let message = format!("`{}` has no field `{}`", entity.name, name.text);
    it.out.push(Diagnostic::error("unknown-field", name.span, message).help("did you mean `all`?").replace(name.span, near));
    true
}

fn audit(it: &mut Lowering<'_>, id: EntityId, line: &AuditLine) -> Option<Audit> {
    match line {
        AuditLine::All(word) => Some(Audit { action: None, when: None, span: word.span }),
        AuditLine::Action(name) => {
            check_action(it, id, name)?;
            Some(Audit { action: Some(action(&name.text)), when: None, span: name.span })
        }
        AuditLine::When(name, condition) => {
            check_action(it, id, name)?;
            let (when, _) = expr::condition(it, Position::Access, id, None, condition)?;
            Some(Audit { action: Some(action(&name.text)), when: Some(when), span: name.span })
        }
    }
}

/// Reports an unknown action: one that is neither built in nor named by a permit of this entity.
fn check_action(it: &mut Lowering<'_>, id: EntityId, name: &Name) -> Option<()> {
    let custom = |action: &Action| match action {
        Action::Custom(custom) => Some(custom.clone()),
        Action::List | Action::Read | Action::Create | Action::Update | Action::Delete => None,
    };
    let own: Vec<String> = it.entities[id.0].access.permissions.iter().filter_map(|it| custom(&it.action)).collect();
    if ACTIONS.contains(&name.text.as_str()) || own.contains(&name.text) {
        return Some(());
    }
    let known = ACTIONS.iter().copied().chain(["all"]).chain(own.iter().map(String::as_str));
    let near = near_word(&name.text, known).map(Near::into_owned);
    let mut found = Diagnostic::error("unknown-action", name.span, format!("no permit names the action `{}`", name.text));
    found = match near {
        Some(near) => found.help(format!("did you mean `{near}`?")).replace(name.span, near),
        None => found.help(format!("the actions of every entity are {}", crate::syntax::list(ACTIONS))),
    };
    it.out.push(found);
    None
}
