//! A region whose rows open no page.

use crate::{
    Diagnostics, Severity,
    model::{Display, Mode, Model},
    rules::{ReportedBy, Rule},
};

macro_rules! app {
    ($keys:literal) => {
        concat!(
            "entity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n",
            "workspace home:\n  recent:\n    source: Task\n",
            $keys
        )
    };
}

pub(super) const RULE: Rule = Rule {
    name: "region-without-action",
    severity: Severity::Lint,
    summary: "the rows of a region open no surface",
    wrong: app!("    limit: 5\n"),
    right: app!("    action: tasks\n"),
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    let mut opens = vec![false; model.entities.len()];
    for surface in model.surfaces.iter().filter(|surface| matches!(surface.mode, Mode::View | Mode::Edit)) {
        opens[surface.entity.0] = true;
    }
    for region in model.workspaces.iter().flat_map(|workspace| &workspace.regions) {
        let rows = !region.display.is_figures() && !region.display.is_chart() && region.display != Display::Progress;
        let dead = region.sources.iter().find(|source| source.action.is_none() && !opens[source.entity.0]);
        if let Some(source) = dead
            && rows
            && region.button.is_none()
        {
            let entity = &model.entity(source.entity).name;
            out.push(
                RULE.diagnostic(region.span, format!("rows of `{entity}` in region `{}` open nothing", region.name))
                    .label(source.span, "these rows")
                    .help(format!("add `action: SURFACE`, or declare a surface of mode `view` for `{entity}`")),
            );
        }
    }
}
