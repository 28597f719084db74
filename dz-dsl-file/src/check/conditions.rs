//! The conditions and roles that pages and processes mention, for the rules that look at all of them.

use super::{flow, walk};
use crate::{
    Span,
    model::{Audience, Effect, Expr, Model, Placed, RoleId, SectionBody, StepAction, WhichRows},
};

/// A condition with its place.
pub(super) struct Condition<'m> {
    /// The condition.
    pub expr: &'m Expr,
    /// Where it stands.
    pub span: Span,
    /// How a message begins that speaks of it.
    pub what: String,
}

/// Calls `see` with every condition of surfaces and workspaces.
pub(super) fn of_pages<'m>(model: &'m Model, see: &mut dyn FnMut(Condition<'m>)) {
    for surface in &model.surfaces {
        let name = &surface.name;
        for section in &surface.sections {
            let (SectionBody::Fields(columns) | SectionBody::Nested(crate::model::NestedList { columns, .. })) = &section.body;
            if let SectionBody::Nested(list) = &section.body
                && let Some(expr) = &list.filter
            {
                see(Condition { expr, span: list.entity_span, what: format!("the filter of section `{}`", section.name) });
            }
            for when in columns.iter().filter_map(|column| column.when.as_ref()) {
                see(Condition { expr: &when.it, span: when.span, what: format!("the condition of a field on `{name}`") });
            }
        }
        for attention in &surface.attention {
            let what = format!("the condition of an attention on `{name}`");
            see(Condition { expr: &attention.when.it, span: attention.when.span, what });
        }
        for scope in surface.variants.iter().filter_map(|variant| variant.scope.as_ref()) {
            see(Condition { expr: &scope.it, span: scope.span, what: format!("the scope of a variant of `{name}`") });
        }
    }
    for region in model.workspaces.iter().flat_map(|workspace| &workspace.regions) {
        for filter in region.sources.iter().filter_map(|source| source.filter.as_ref()) {
            see(Condition { expr: &filter.it, span: filter.span, what: format!("the filter of region `{}`", region.name) });
        }
        for metric in &region.metrics {
            see(Condition { expr: &metric.expr, span: metric.span, what: format!("the metric `{}`", metric.name) });
        }
    }
}

/// Calls `see` with every condition of processes, schedules and questions to language models.
pub(super) fn of_processes<'m>(model: &'m Model, see: &mut dyn FnMut(Condition<'m>)) {
    for flow in flow::all(model) {
        let undoing = flow.compensations.iter().flat_map(|compensation| &compensation.effects);
        for step in &flow.steps {
            if let StepAction::Condition { condition, .. } = &step.action {
                see(Condition { expr: &condition.it, span: condition.span, what: format!("the condition of step `{}`", step.name) });
            }
        }
        for effect in flow.steps.iter().flat_map(|step| &step.effects).chain(undoing) {
            let (Effect::Update { rows, .. } | Effect::Delete { rows }) = effect else { continue };
            if let WhichRows::Where(filter) = &rows.which {
                see(Condition { expr: &filter.it, span: filter.span, what: "this `where`".to_owned() });
            }
        }
    }
    for intent in &model.llm_intents {
        if let Some(when) = intent.trigger.as_ref().and_then(|trigger| trigger.when.as_ref()) {
            see(Condition { expr: &when.it, span: when.span, what: format!("the condition of intent `{}`", intent.name) });
        }
    }
}

/// Calls `see` with every condition of experiences.
pub(super) fn of_experiences<'m>(model: &'m Model, see: &mut dyn FnMut(Condition<'m>)) {
    for step in model.experiences.iter().flat_map(|experience| &experience.steps) {
        if let Some(when) = &step.when {
            see(Condition { expr: &when.it, span: when.span, what: format!("the condition of step `{}`", step.name) });
        }
    }
}

/// For each role, whether a page or a task mentions it.
pub(super) fn roles_of_pages(model: &Model) -> Vec<bool> {
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
    let tasks = flow::all(model).flat_map(|flow| &flow.steps).filter_map(|step| step.task());
    tasks.filter_map(|task| task.assignee_role).for_each(|role| uses(&[role]));
    of_pages(model, &mut |condition| {
        walk(condition.expr, &mut |expr| {
            if let Expr::Role(roles) = expr {
                roles.iter().for_each(|role| used[role.0] = true);
            }
        });
    });
    used
}
