//! The permissions of an entity's access rules, and the spans of their lines.

use crate::{
    Span,
    facts::decide::{Caller, Question},
    model::{Action, Audience, Entity, EntityId, Expr, Model, Permission, RoleId},
};

/// True when no action is permitted to any caller.
pub(crate) fn permits_nothing(entity: &Entity) -> bool {
    entity.access.permissions.iter().all(|it| it.permit.is_none())
}

/// True unless the entity has rules and none of them permits the action. An entity without rules has a diagnostic of its own.
pub(crate) fn permits(model: &Model, entity: EntityId, action: &Action) -> bool {
    let permissions = &model.entity(entity).access.permissions;
    permissions.is_empty() || permissions.iter().any(|it| it.action == *action && it.permit.is_some())
}

/// The span of the first `permit` line of an action.
pub(crate) fn permit_span(entity: &Entity, action: &Action) -> Span {
    let permission = entity.access.permissions.iter().find(|it| it.action == *action);
    permission.map_or(entity.span, |permission| line_span(entity, permission, false))
}

/// The span of the first line that permits or forbids an action.
pub(crate) fn line_span(entity: &Entity, permission: &Permission, forbids: bool) -> Span {
    permission.lines.iter().find(|line| line.forbids == forbids).map_or(entity.span, |line| line.span)
}

/// True if an account with this role alone can be permitted the action for a row. An entity without rules has a diagnostic of its own.
pub(crate) fn permits_role(model: &Model, entity: EntityId, action: &Action, role: RoleId) -> bool {
    let permissions = &model.entity(entity).access.permissions;
    let Some(permission) = permissions.iter().find(|it| it.action == *action) else { return permissions.is_empty() };
    let Some(permit) = &permission.permit else { return false };
    let allowed = permission.forbid.clone().map(|forbid| Expr::Not(Box::new(forbid)));
    let conditions: Vec<&Expr> = [permit].into_iter().chain(&allowed).collect();
    Question::new(model, Caller::Persona(Some(role))).can_hold(&conditions)
}

/// True if an account of this audience can be permitted the action for a row, by one of the named personas alone.
pub(crate) fn permits_audience(model: &Model, entity: EntityId, action: &Action, audience: Option<&Audience>) -> bool {
    match audience {
        Some(Audience::Personas(roles)) => roles.iter().any(|role| permits_role(model, entity, action, role.it)),
        _ => permits(model, entity, action),
    }
}
