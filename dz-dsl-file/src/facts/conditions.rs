//! Every condition of a model and its constant parts; the roles that pages mention.

use super::{
    decide::{Caller, Question},
    flow,
};
use crate::{
    Span,
    model::{Audience, Effect, Entity, Expr, Model, NestedList, Placed, RoleId, SectionBody, StepAction, Trigger, WhichRows},
};

/// A condition with its place.
pub(crate) struct Condition<'m> {
    /// The condition.
    pub expr: &'m Expr,
    /// Its place.
    pub span: Span,
    /// Its name in messages.
    pub what: String,
    /// The caller for whom the condition is evaluated.
    pub caller: Caller,
}

/// Visits every condition of a model except the guards of transitions, which have a rule of their own.
pub(crate) fn visit_all<'m>(model: &'m Model, see: &mut dyn FnMut(Condition<'m>)) {
    for entity in &model.entities {
        visit_entity(entity, see);
    }
    visit_pages(model, see);
    visit_experiences(model, see);
    visit_processes(model, see);
}

/// Visits the conditions of access rules, invariants and indexes.
fn visit_entity<'m>(entity: &'m Entity, see: &mut dyn FnMut(Condition<'m>)) {
    let caller = Caller::Account;
    let mut seen: Vec<Span> = Vec::new();
    for line in entity.access.permissions.iter().flat_map(|it| &it.lines) {
        // One line of `access:` can belong to several actions.
        if !seen.contains(&line.span) {
            seen.push(line.span);
            see(Condition { expr: &line.condition, span: line.condition_span, what: "this rule".to_owned(), caller });
        }
    }
    for invariant in &entity.invariants {
        see(Condition { expr: &invariant.condition, span: invariant.span, what: "this invariant".to_owned(), caller });
    }
    for index in &entity.indexes {
        if let Some(expr) = &index.rows {
            see(Condition { expr, span: index.span, what: "the condition of this index".to_owned(), caller });
        }
    }
}

/// The value of a condition that is the same for every row and caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Constant {
    /// It is never true.
    False,
    /// It is always true.
    True,
}

/// The first part of a condition, joined by `and` or `or`, with a constant value. A condition that repeats a part has a
/// diagnostic of its own.
pub(crate) fn constant_part<'m>(model: &Model, condition: &Condition<'m>) -> Option<(Constant, &'m Expr)> {
    if repeats_a_part(condition.expr) {
        return None;
    }
    let question = Question::new(model, condition.caller);
    let mut constant = None;
    condition.expr.visit(&mut |part| {
        if constant.is_none() && matches!(part, Expr::And(_) | Expr::Or(_)) && !is_stated(part) {
            if !question.can_hold(&[part]) {
                constant = Some((Constant::False, part));
            } else if !question.can_fail(part) {
                constant = Some((Constant::True, part));
            }
        }
    });
    constant
}

/// True for a condition that is written as a constant, which needs no warning.
fn is_stated(expr: &Expr) -> bool {
    match expr {
        Expr::And(parts) | Expr::Or(parts) => parts.iter().all(|part| matches!(part, Expr::Bool(_) | Expr::SignedIn | Expr::Anyone)),
        _ => false,
    }
}

/// True if one `and` or `or` has the same part twice.
pub(crate) fn repeats_a_part(expr: &Expr) -> bool {
    let mut found = false;
    expr.visit(&mut |part| {
        if let Expr::And(parts) | Expr::Or(parts) = part {
            found |= parts.iter().enumerate().any(|(at, part)| parts[..at].contains(part));
        }
    });
    found
}

/// Visits every condition of surfaces and workspaces.
pub(crate) fn visit_pages<'m>(model: &'m Model, see: &mut dyn FnMut(Condition<'m>)) {
    for surface in &model.surfaces {
        let name = &surface.name;
        for section in &surface.sections {
            let (SectionBody::Fields(columns) | SectionBody::Nested(NestedList { columns, .. })) = &section.body;
            if let SectionBody::Nested(list) = &section.body
                && let Some(expr) = &list.filter
            {
                see(Condition {
                    expr,
                    span: list.entity_span,
                    what: format!("the filter of section `{}`", section.name),
                    caller: Caller::Account,
                });
            }
            for when in columns.iter().filter_map(|column| column.when.as_ref()) {
                see(Condition {
                    expr: &when.it,
                    span: when.span,
                    what: format!("the condition of a field on `{name}`"),
                    caller: Caller::Account,
                });
            }
        }
        for attention in &surface.attention {
            let what = format!("the condition of an attention on `{name}`");
            see(Condition { expr: &attention.when.it, span: attention.when.span, what, caller: Caller::Account });
        }
        for scope in surface.variants.iter().filter_map(|variant| variant.scope.as_ref()) {
            see(Condition {
                expr: &scope.it,
                span: scope.span,
                what: format!("the scope of a variant of `{name}`"),
                caller: Caller::Account,
            });
        }
    }
    for region in model.workspaces.iter().flat_map(|workspace| &workspace.regions) {
        for filter in region.sources.iter().filter_map(|source| source.filter.as_ref()) {
            see(Condition {
                expr: &filter.it,
                span: filter.span,
                what: format!("the filter of region `{}`", region.name),
                caller: Caller::Account,
            });
        }
        for metric in &region.metrics {
            see(Condition {
                expr: &metric.expr,
                span: metric.span,
                what: format!("the metric `{}`", metric.name),
                caller: Caller::Account,
            });
        }
    }
}

/// Visits every condition of processes, schedules and LLM intents.
pub(crate) fn visit_processes<'m>(model: &'m Model, see: &mut dyn FnMut(Condition<'m>)) {
    for flow in flow::flows(model) {
        let undoing = flow.compensations.iter().flat_map(|compensation| &compensation.effects);
        for step in &flow.steps {
            if let StepAction::Condition { condition, .. } = &step.action {
                see(Condition {
                    expr: &condition.it,
                    span: condition.span,
                    what: format!("the condition of step `{}`", step.name),
                    caller: Caller::System,
                });
            }
        }
        for effect in flow.steps.iter().flat_map(|step| &step.effects).chain(undoing) {
            let (Effect::Update { rows, .. } | Effect::Delete { rows }) = effect else { continue };
            if let WhichRows::Where(filter) = &rows.which {
                see(Condition { expr: &filter.it, span: filter.span, what: "this `where`".to_owned(), caller: Caller::System });
            }
        }
    }
    for intent in &model.llm_intents {
        if let Some(when) = intent.trigger.as_ref().and_then(|trigger| trigger.when.as_ref()) {
            see(Condition {
                expr: &when.it,
                span: when.span,
                what: format!("the condition of intent `{}`", intent.name),
                caller: Caller::System,
            });
        }
    }
}

/// Visits every condition of experiences.
pub(crate) fn visit_experiences<'m>(model: &'m Model, see: &mut dyn FnMut(Condition<'m>)) {
    for step in model.experiences.iter().flat_map(|experience| &experience.steps) {
        if let Some(when) = &step.when {
            see(Condition {
                expr: &when.it,
                span: when.span,
                what: format!("the condition of step `{}`", step.name),
                caller: Caller::Account,
            });
        }
    }
}

/// For each role, whether a page or a task mentions it.
pub(crate) fn roles_of_pages(model: &Model) -> Vec<bool> {
    let mut used = vec![false; model.personas.len()];
    let mut uses = |roles: &[Placed<RoleId>]| roles.iter().for_each(|role| used[role.it.0] = true);
    let surfaces = model.surfaces.iter().map(|surface| &surface.access);
    for access in surfaces.chain(model.workspaces.iter().map(|workspace| &workspace.access)) {
        if let Some(Audience::Personas(roles)) = access {
            uses(roles);
        }
    }
    model.surfaces.iter().flat_map(|surface| &surface.variants).for_each(|variant| uses(&variant.personas));
    model.workspaces.iter().flat_map(|workspace| &workspace.variants).for_each(|variant| uses(&variant.personas));
    let tasks = flow::flows(model).flat_map(|flow| &flow.steps).filter_map(|step| step.task());
    tasks.filter_map(|task| task.assignee_role).for_each(|role| uses(&[role]));
    for process in &model.processes {
        if let Trigger::Manual(roles) = &process.trigger {
            uses(roles);
        }
    }
    visit_pages(model, &mut |condition| {
        condition.expr.visit(&mut |expr| {
            if let Expr::Role(roles) = expr {
                roles.iter().for_each(|role| used[role.0] = true);
            }
        });
    });
    used
}
