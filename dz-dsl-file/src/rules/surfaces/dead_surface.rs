//! A surface that no user can open.

use crate::{
    Diagnostics, Severity,
    facts::{access, flow},
    model::{Action, Mode, Model, Opening, SectionBody, StepKind, SurfaceId},
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "dead-surface",
    severity: Severity::Lint,
    summary: "no page and no link opens the surface",
    wrong: pages!(
        "    list: true\n    read: true\n",
        "surface one:\n  uses entity Task\n  mode: view\nsurface other:\n  uses entity Task\n  mode: view\n"
    ),
    right: pages!(
        "    list: true\n    read: true\n",
        "  action open:\n    on click -> surface other\nsurface one:\n  uses entity Task\n  mode: view\nsurface other:\n  uses entity Task\n  mode: view\n"
    ),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let ways = Ways::collect(model);
    for (at, surface) in model.surfaces.iter().enumerate().filter(|(_, surface)| surface.declared) {
        let entity = &model.entity(surface.entity).name;
        let (action, verb) = match surface.mode {
            Mode::List => (Action::List, "list"),
            Mode::View => (Action::Read, "read"),
            Mode::Create => (Action::Create, "create"),
            Mode::Edit => (Action::Update, "update"),
        };
        let (why, help) = if !access::permits(model, surface.entity, &action) {
            (
                format!("no caller is permitted to {verb} rows of `{entity}`"),
                format!("add `{verb}:` to the entity's `permit:`, or remove the surface"),
            )
        } else if !access::permits_audience(model, surface.entity, &action, surface.access.as_ref()) {
            (
                format!("no persona of its `access:` is permitted to {verb} rows of `{entity}`"),
                format!("permit `{verb}` for one of them, or name a persona in `access:` that may {verb} the rows"),
            )
        } else if !ways.lead_to(model, SurfaceId(at)) {
            let way = format!("name it: `action:` of a region, or `on click -> surface {}`", surface.name);
            ("no page opens it".to_owned(), way)
        } else {
            continue;
        };
        out.push(RULE.diagnostic(surface.span, format!("surface `{}` is never seen: {why}", surface.name)).help(help));
    }
}

/// The links between pages.
struct Ways {
    /// For each surface, whether something names it.
    named: Vec<bool>,
    /// For each entity, whether a page lists its rows.
    listed: Vec<bool>,
    /// For each entity, whether a page shows a ref to it.
    linked: Vec<bool>,
    /// For each entity, the first surface of each mode, which links open.
    first: Vec<[Option<SurfaceId>; 4]>,
}

impl Ways {
    fn collect(model: &Model) -> Self {
        let entities = model.entities.len();
        let mut ways = Ways {
            named: vec![false; model.surfaces.len()],
            listed: vec![false; entities],
            linked: vec![false; entities],
            first: vec![[None; 4]; entities],
        };
        ways.surfaces(model);
        let tasks = flow::flows(model).flat_map(|flow| &flow.steps).filter_map(|step| step.task());
        tasks.filter_map(|task| task.surface).for_each(|shown| ways.named[shown.it.0] = true);
        for workspace in &model.workspaces {
            for region in &workspace.regions {
                let rows = region.sources.iter().filter_map(|source| source.action.as_ref());
                rows.chain(&region.button).for_each(|opens| ways.named[opens.surface.0] = true);
                region.sources.iter().for_each(|source| ways.listed[source.entity.0] = true);
            }
            workspace.variants.iter().filter_map(|it| it.action_primary).for_each(|opens| ways.named[opens.surface.0] = true);
        }
        for step in model.experiences.iter().flat_map(|experience| &experience.steps) {
            if let StepKind::Surface(surface) = &step.kind {
                ways.named[surface.it.0] = true;
            }
        }
        ways
    }

    fn surfaces(&mut self, model: &Model) {
        for (at, surface) in model.surfaces.iter().enumerate() {
            self.first[surface.entity.0][surface.mode as usize].get_or_insert(SurfaceId(at));
            self.listed[surface.entity.0] |= surface.mode == Mode::List;
            let attention = surface.attention.iter().filter_map(|it| it.action);
            let primary = surface.variants.iter().filter_map(|it| it.action_primary);
            let opens: Vec<Opening> = surface.actions.iter().map(|it| it.opens).chain(attention).chain(primary).collect();
            opens.iter().filter(|opens| opens.surface.0 != at).for_each(|opens| self.named[opens.surface.0] = true);
            let nested = surface.sections.iter().filter_map(|section| match &section.body {
                SectionBody::Nested(list) => Some(list),
                SectionBody::Fields(_) => None,
            });
            let lists: Vec<_> = nested.chain(surface.related.iter().flat_map(|related| &related.lists)).collect();
            lists.iter().for_each(|list| self.listed[list.entity.0] = true);
            let own = surface.sections.iter().flat_map(|section| match &section.body {
                SectionBody::Fields(columns) => columns.as_slice(),
                SectionBody::Nested(_) => &[],
            });
            for column in own.chain(lists.iter().flat_map(|list| &list.columns)) {
                let mut at = column.path.from;
                for field in column.path.hops.iter().chain([&column.path.field]) {
                    let Some(target) = model.field(at, *field).ty.target() else { break };
                    self.linked[target.0] = true;
                    at = target;
                }
            }
        }
    }

    /// True if a page opens the surface. Lists are in the navigation; other surfaces are opened from a row, a list, or by name.
    fn lead_to(&self, model: &Model, id: SurfaceId) -> bool {
        let surface = &model.surfaces[id.0];
        let entity = surface.entity.0;
        let viewed = self.first[entity][Mode::View as usize].is_some();
        let opened = match surface.mode {
            Mode::List => return true,
            Mode::View => self.listed[entity] || self.linked[entity],
            // The list has its button; for callers who cannot open a list of the entity, it is in the navigation.
            Mode::Create => true,
            Mode::Edit => self.listed[entity] || viewed,
        };
        self.named[id.0] || opened && self.first[entity][surface.mode as usize] == Some(id)
    }
}
