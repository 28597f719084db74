//! Experiences: connects steps, resolves screens, and types the values of the context.

mod context;

use std::collections::HashMap;

use super::{
    Lowering, collect,
    expr::{self, Position, Typer},
    page_names::SurfaceHead,
    process,
};

use crate::{
    Diagnostic, Span,
    cursor::Name,
    model::{
        Auto, EntityId, Experience, ExperienceStep, ExperienceStepId, FieldId, Mode, Placed, StepEvent, StepKind, StepTransition,
        SurfaceId, Type, Word as _,
    },
    syntax::{File, Item, experience as written},
};

/// The steps of an experience.
struct Steps<'a> {
    by_name: HashMap<&'a str, (ExperienceStepId, Span)>,
    /// True if there are steps with unknown names.
    open: bool,
}

pub(super) fn lower(it: &mut Lowering<'_>, files: &[File]) -> Vec<Experience> {
    let mut seen = HashMap::new();
    let mut experiences = Vec::new();
    for item in files.iter().flat_map(|file| &file.items) {
        let Item::Experience(experience) = item else { continue };
        if collect::first(it, &mut seen, "experience", &experience.name) {
            experiences.extend(lower_experience(it, experience));
        }
    }
    experiences
}

fn lower_experience(it: &mut Lowering<'_>, written: &written::Experience) -> Option<Experience> {
    it.context = context::lower(it, &written.context);
    it.context_broken = written.context_broken;
    let access = written.access.as_ref().and_then(|access| it.audience(access));
    let mut seen = HashMap::new();
    let mut names: HashMap<&str, (ExperienceStepId, Span)> = HashMap::new();
    let mut declared = Vec::new();
    for step in &written.steps {
        if collect::first(it, &mut seen, "step", &step.name) {
            names.insert(&step.name.text, (ExperienceStepId(declared.len()), step.name.span));
            declared.push(step);
        }
    }
    let names = Steps { by_name: names, open: written.steps_broken };
    let start = match &written.start {
        Some(name) => step_id(it, name, &names),
        // By default an experience starts at its first step.
        None => Some(ExperienceStepId(0)),
    };
    let steps: Vec<Option<ExperienceStep>> = declared.iter().map(|step| lower_step(it, step, &names)).collect();
    let steps: Vec<ExperienceStep> = steps.into_iter().collect::<Option<_>>()?;
    let context = std::mem::take(&mut it.context);
    let start = start.filter(|_| !steps.is_empty())?;
    Some(Experience {
        name: written.name.text.clone(),
        title: collect::title(&written.title, &written.name),
        access,
        context,
        start,
        steps,
        span: written.name.span,
    })
}

fn step_id(it: &mut Lowering<'_>, name: &Name, names: &Steps<'_>) -> Option<ExperienceStepId> {
    if let Some((id, declared)) = names.by_name.get(name.text.as_str()) {
        it.used(name.span, *declared);
        return Some(*id);
    }
    if !names.open {
        process::unknown(it, "unknown-step", "step", name, |_| names.by_name.keys().map(|step| (*step).to_owned()).collect());
    }
    None
}

fn lower_step(it: &mut Lowering<'_>, step: &written::Step, names: &Steps<'_>) -> Option<ExperienceStep> {
    let transitions: Vec<Option<StepTransition>> = step
        .transitions
        .iter()
        .map(|line| {
            let target = step_id(it, &line.target, names);
            Some(StepTransition { event: event(&line.event.text)?, target: target?, span: line.target.span })
        })
        .collect();
    let when = step.when.as_ref().map(|when| {
        let condition = Typer::new(it, Position::Step, None).condition(when)?;
        Some(Placed { it: condition, span: when.span })
    });
    let access = step.access.as_ref().map(|access| it.audience(access));
    let saves_to = step.saves_to.as_ref().map(|name| Some(Placed { it: it.context_value(name)?, span: name.span }));
    let kind = kind(it, step)?;
    let surface = match &kind {
        StepKind::Surface(surface) => Some(surface.it),
        StepKind::Process(_) => None,
    };
    let prefill = prefill(it, step, surface);
    let saves_to = match saves_to {
        Some(value) => Some(saved(it, step, value?, surface)?),
        None => None,
    };
    let lowered = ExperienceStep {
        name: step.name.text.clone(),
        title: collect::title(&step.title, &step.name),
        kind,
        when: match when {
            Some(when) => Some(when?),
            None => None,
        },
        prefill: prefill?,
        saves_to,
        access: match access {
            Some(access) => Some(access?),
            None => None,
        },
        transitions: transitions.into_iter().collect::<Option<_>>()?,
        span: step.name.span,
    };
    Some(lowered)
}

fn event(word: &str) -> Option<StepEvent> {
    StepEvent::ALL.iter().copied().find(|event| event.word() == word)
}

/// The kind of a step follows from its key; `kind:` may repeat it.
fn kind(it: &mut Lowering<'_>, step: &written::Step) -> Option<StepKind> {
    let said = step.kind.as_ref();
    let (word, name) = match (&step.surface, &step.process) {
        (Some(surface), Some(process)) => {
            it.out.push(
                Diagnostic::error("step-kind", process.span, format!("step `{}` names a surface and a process", step.name.text))
                    .label(surface.span, "the surface")
                    .help("make two steps of it"),
            );
            return None;
        }
        (Some(surface), None) => ("surface", surface),
        (None, Some(process)) => ("process", process),
        (None, None) if step.broken => return None,
        (None, None) => {
            let word = said.map_or("surface", |said| said.text.as_str());
            it.out.push(
                Diagnostic::error("step-kind", step.name.span, format!("step `{}` has no kind", step.name.text))
                    .help(format!("add `{word} NAME` under it")),
            );
            return None;
        }
    };
    if let Some(said) = said.filter(|said| said.text != word) {
        it.out.push(
            Diagnostic::error("step-kind", said.span, format!("step `{}` names a {word}", step.name.text))
                .label(name.span, "named here")
                .help(format!("write `kind: {word}`"))
                .replace(said.span, word),
        );
        return None;
    }
    if word == "surface" {
        return Some(StepKind::Surface(Placed { it: it.surface(name)?, span: name.span }));
    }
    process::find(it, |callable| &callable.processes, "unknown-process", "process", name).map(StepKind::Process)
}

/// A value that the step's surface provides: a row of its entity.
fn saved(it: &mut Lowering<'_>, step: &written::Step, value: Placed<usize>, surface: Option<SurfaceId>) -> Option<Placed<usize>> {
    let Some(surface) = surface else { return Some(value) };
    let entity = it.surface_heads[surface.0].entity?;
    let mode = it.surface_heads[surface.0].mode;
    if mode == Some(Mode::List) {
        it.out.push(
            Diagnostic::error("not-allowed-here", value.span, "a list gives no row that the context can hold")
                .help("remove `saves_to`, or name a surface of mode `create` or `edit`"),
        );
        return None;
    }
    if mode == Some(Mode::View) {
        it.out.push(
            Diagnostic::warning("without-effect", value.span, "a surface of mode `view` stores no row that the context can hold")
                .help("remove `saves_to`, or name a surface of mode `create` or `edit`"),
        );
    }
    let held = &it.context[value.it];
    if held.ty == Type::Ref(entity) {
        return Some(value);
    }
    let (name, place) = (held.name.clone(), held.span);
    let entity = it.entities[entity.0].name.clone();
    it.out.push(
        Diagnostic::error(
            "type-mismatch",
            value.span,
            format!("step `{}` gives a row of `{entity}`, which `{name}` cannot hold", step.name.text),
        )
        .label(place, "declared here")
        .help(format!("declare it as `{name}: ref {entity}`, or save to another value")),
    );
    None
}

fn prefill(it: &mut Lowering<'_>, step: &written::Step, surface: Option<SurfaceId>) -> Option<Vec<(Placed<FieldId>, crate::model::Expr)>> {
    let Some((first, _)) = step.prefill.first() else { return Some(Vec::new()) };
    let head = surface.map(|surface| &it.surface_heads[surface.0]);
    if let Some(SurfaceHead { entity: None, .. } | SurfaceHead { mode: None, .. }) = head {
        return None;
    }
    let Some(SurfaceHead { entity: Some(entity), mode: Some(Mode::Create | Mode::Edit), .. }) = head else {
        it.out.push(
            Diagnostic::error("not-allowed-here", first.span, "only a form can begin with values")
                .help("remove `prefill:`, or name a surface of mode `create` or `edit`"),
        );
        return None;
    };
    let entity = *entity;
    let mut seen = HashMap::new();
    let mut whole = true;
    let mut values = Vec::new();
    for (name, value) in &step.prefill {
        if !collect::first(it, &mut seen, "field", name) {
            whole = false;
            continue;
        }
        let field = writable(it, entity, name);
        let value = field.and_then(|field| expr::prefilled(it, it.entities[entity.0].fields[field.0].ty, value));
        match (field, value) {
            (Some(field), Some(value)) => values.push((Placed { it: field, span: name.span }, value)),
            _ => whole = false,
        }
    }
    whole.then_some(values)
}

/// A field that a form can write.
fn writable(it: &mut Lowering<'_>, entity: EntityId, name: &Name) -> Option<FieldId> {
    let declared = &it.entities[entity.0];
    let generated = |at: usize| FieldId(at) == declared.pk && declared.fields[at].ty.is_generated_key();
    let writable = |at: usize| {
        let field = &declared.fields[at];
        field.is_stored() && !field.secret && !field.identity && field.auto == Auto::No && !generated(at)
    };
    let found = it.field_names[entity.0].get(&name.text).copied();
    match found {
        Some(at) if writable(at) => {
            it.field_used(name.span, entity, at);
            Some(FieldId(at))
        }
        Some(at) if !declared.fields[at].secret => {
            let place = declared.fields[at].span;
            let found = Diagnostic::error("not-allowed-here", name.span, format!("`{}` is not written by a form", name.text));
            it.out.push(found.label(place, "declared here").help("remove the line"));
            None
        }
        _ => {
            it.unknown_field("unknown-field", entity, name, |field| field.is_stored() && field.auto == Auto::No && !field.identity);
            None
        }
    }
}
