//! Human tasks and their outcomes.

use std::collections::{HashMap, HashSet};

use super::{data, effects, steps::Targets};
use crate::{
    Diagnostic, Span,
    cursor::Name,
    lower::{Lowering, collect, values},
    model::{DataPath, DataRoot, EntityId, EnumId, EnumType, Expr, HumanTask, Outcome, Placed, Target, TargetKind, Type},
    names,
    syntax::process as written,
};

/// Adds the enum of the outcomes.
pub(super) fn outcome_enum(it: &mut Lowering<'_>, owner: &str, step: &Name, task: &written::HumanTask) -> EnumId {
    let names: Vec<(Name, Option<Name>)> = task.outcomes.iter().map(|outcome| (outcome.name.clone(), outcome.title.clone())).collect();
    let values = collect::enum_values(it, &names, None);
    let id = EnumId(it.enums.len());
    let name = names::camel(&format!("{owner}_{}_outcome", step.text));
    it.enums.push(EnumType { name, title: None, values, ordered: false, owner: None, span: task.key.span });
    id
}

pub(super) fn lower(
    it: &mut Lowering<'_>,
    task: &written::HumanTask,
    outcome_enum: EnumId,
    targets: &Targets<'_>,
    next: Target,
) -> Option<HumanTask> {
    let surface = task.surface.as_ref().and_then(|name| Some(Placed { it: it.surface(name)?, span: name.span }));
    let shown = surface.and_then(|surface| it.surface_heads[surface.it.0].entity);
    let entity = entity(it, task, shown);
    let assignee_role = task.assignee_role.as_ref().and_then(|name| Some(Placed { it: it.persona(name)?, span: name.span }));
    let assignee = task.assignee.as_ref().and_then(|value| assignee(it, value));
    if task.present.lacks("assignee_role") && task.present.lacks("assignee") {
        let found = Diagnostic::warning("task-without-assignee", task.key.span, "this has no assignee");
        it.out.push(found.help("add `assignee_role: PERSONA`, or `assignee: trigger.entity.FIELD`"));
    }
    if task.present.lacks("outcomes") {
        let found = Diagnostic::error("missing-outcome", task.key.span, "a human task needs outcomes");
        it.out.push(found.help("add `outcomes:` with lines such as `- approve:` and `- reject:`"));
    }
    let mut seen = HashSet::new();
    let mut outcomes = Vec::new();
    for written in &task.outcomes {
        // Duplicate outcomes are reported as values of the enum.
        if seen.insert(&written.name.text) {
            outcomes.push(outcome(it, written, entity.map(|entity| entity.it), targets, next));
        }
    }
    let entity = entity?;
    let starts = it.data.as_ref().and_then(data::DataScope::row) == Some(entity.it);
    let row = starts.then_some(Expr::Data(DataPath { root: DataRoot::TriggerRow, rest: None, optional: false, span: task.key.span }));
    Some(HumanTask {
        surface,
        entity,
        row,
        assignee_role,
        assignee,
        timeout: values::duration(it, task.timeout),
        outcomes,
        outcome_enum,
        span: task.key.span,
    })
}

/// The entity of the task's row: the declared one, else that of the surface, else that of the trigger.
fn entity(it: &mut Lowering<'_>, task: &written::HumanTask, shown: Option<EntityId>) -> Option<Placed<EntityId>> {
    if let Some(name) = &task.entity {
        let to = it.entity(name)?;
        if let (Some(shown), Some(surface)) = (shown, &task.surface)
            && shown != to
        {
            let shows = it.entities[shown.0].name.clone();
            let found = Diagnostic::error("type-mismatch", name.span, format!("the surface shows a `{shows}`, not a `{}`", name.text));
            it.out.push(found.label(surface.span, "the surface").help("name the entity that the surface shows").replace(name.span, shows));
        }
        return Some(Placed { it: to, span: name.span });
    }
    if let (Some(to), Some(surface)) = (shown, &task.surface) {
        return Some(Placed { it: to, span: surface.span });
    }
    if !task.present.lacks("surface") || !task.present.lacks("entity") {
        return None;
    }
    let started = it.data.as_ref().and_then(data::DataScope::row);
    if started.is_none() {
        let found = Diagnostic::error("missing-key", task.key.span, "this names no entity");
        it.out.push(found.help("add `surface: NAME` or `entity: NAME`"));
    }
    started.map(|to| Placed { it: to, span: task.key.span })
}

/// Types a value that references an account.
fn assignee(it: &mut Lowering<'_>, value: &crate::syntax::expr::Expr) -> Option<Expr> {
    let (lowered, ty) = data::typed(it, value, None)?;
    if ty == Type::Ref(it.account) {
        return Some(lowered);
    }
    let found = data::describe_type(it, &ty);
    let found = Diagnostic::error("type-mismatch", value.span, format!("expected a reference to an account, but this is {found}"));
    let account = it.entities[it.account.0].name.clone();
    it.out.push(found.help(format!("name a field of type `ref {account}`; for a persona write `assignee_role`")));
    None
}

fn outcome(it: &mut Lowering<'_>, written: &written::Outcome, entity: Option<EntityId>, targets: &Targets<'_>, next: Target) -> Outcome {
    let title = collect::title(&written.title, &written.name);
    let mut sets = Vec::new();
    let mut seen: HashMap<usize, Span> = HashMap::new();
    for setting in written.sets.iter().filter(|_| entity.is_some()) {
        let Some(entity) = entity else { break };
        let Some(field) = effects::settable(it, entity, &setting.path) else { continue };
        if let Some(first) = seen.insert(field.it.0, field.span) {
            let found = Diagnostic::error("duplicate-name", field.span, "this field is set twice").label(first, "first set here");
            it.out.push(found.help("keep one of them"));
            continue;
        }
        sets.extend(effects::assigned(it, entity, field, &setting.value).map(|value| (field, value)));
    }
    let goto = match &written.goto {
        Some(name) => targets.find(it, name).unwrap_or(Target { to: TargetKind::Complete, span: Some(name.span) }),
        None => next,
    };
    let confirm = match &written.confirm {
        Some(written::Confirm::Text(text)) => Some(text.text.clone()),
        Some(written::Confirm::Flag(true)) => Some(format!("{title}?")),
        Some(written::Confirm::Flag(false)) | None => None,
    };
    Outcome { name: written.name.text.clone(), title, goto, sets, confirm, span: written.name.span }
}
