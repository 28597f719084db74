//! Workspaces: their regions, and their variants for personas.

mod display;
mod metrics;
mod region;

use std::collections::HashMap;

use super::{Lowering, collect, opening};
use crate::{
    Diagnostic,
    cursor::Name,
    model::{Metric, Placed, Region, Workspace, WorkspaceId, WorkspaceVariant},
    syntax::{
        File, Item,
        paths::{Path, span_of, text_of},
        surface::ux,
        workspace as written,
    },
};

/// Collects the names of workspaces.
pub(super) fn collect(it: &mut Lowering<'_>, files: &[File]) {
    let mut seen = HashMap::new();
    for item in files.iter().flat_map(|file| &file.items) {
        let Item::Workspace(workspace) = item else { continue };
        if collect::first(it, &mut seen, "workspace", &workspace.name) {
            let id = WorkspaceId(it.workspace_names.len());
            it.workspace_names.insert(workspace.name.text.clone(), id);
        }
    }
}

/// Lowers workspaces, in the order of their ids.
pub(super) fn lower(it: &mut Lowering<'_>, files: &[File]) {
    for item in files.iter().flat_map(|file| &file.items) {
        let Item::Workspace(workspace) = item else { continue };
        if it.workspace_names.get(&workspace.name.text) == Some(&WorkspaceId(it.workspaces.len())) {
            let lowered = lower_workspace(it, workspace);
            let id = WorkspaceId(it.workspaces.len());
            for (at, region) in lowered.regions.iter().enumerate() {
                for (position, metric) in region.metrics.iter().enumerate() {
                    it.metrics.entry(metric.name.clone()).or_default().push((id, at, position));
                }
            }
            it.workspaces.push(lowered);
        }
    }
}

fn lower_workspace(it: &mut Lowering<'_>, workspace: &written::Workspace) -> Workspace {
    let mut seen = HashMap::new();
    let mut regions = Vec::new();
    for region in &workspace.regions {
        if collect::first(it, &mut seen, "region", &region.name) {
            regions.extend(region::lower(it, region));
        }
    }
    let ux = &workspace.ux;
    for name in ux.keys.iter().filter(|name| name.text != "purpose").chain(ux.attention.iter().map(|it| &it.keyword)) {
        refuse(it, name, "it belongs to a list: to a region, or to the `ux:` of a surface");
    }
    let mut seen = HashMap::new();
    let mut variants = Vec::new();
    let places = Places::collect(&regions);
    for variant in &ux.variants {
        let personas = it.persona_list(&variant.personas, &mut seen, |name| format!("persona `{name}` has a variant already"));
        variants.push(WorkspaceVariant { personas, ..lower_variant(it, workspace, &regions, &places, variant) });
    }
    Workspace {
        name: workspace.name.text.clone(),
        title: collect::title(&workspace.title, &workspace.name),
        purpose: workspace.purpose.as_ref().or(ux.purpose.as_ref()).map(|it| it.text.clone()),
        stage: workspace.stage.as_ref().map(|it| it.text.clone()),
        access: workspace.access.as_ref().and_then(|access| it.audience(access)),
        regions,
        variants,
        span: workspace.name.span,
    }
}

fn refuse(it: &mut Lowering<'_>, name: &Name, help: &str) {
    let found = Diagnostic::error("not-allowed-here", name.span, format!("`{}` has no meaning for a workspace", name.text));
    it.out.push(found.help(help.to_owned()));
}

fn lower_variant(
    it: &mut Lowering<'_>,
    workspace: &written::Workspace,
    regions: &[Region],
    places: &Places<'_>,
    variant: &ux::Variant,
) -> WorkspaceVariant {
    for name in &variant.keys {
        match name.text.as_str() {
            "scope" if variant.scope.is_some() => refuse(it, name, "narrow a region instead: `filter:` with a condition on `current_user`"),
            "defaults" => refuse(it, name, "it belongs to a surface of mode `create`"),
            "empty" => refuse(it, name, "it belongs to a region"),
            _ => {}
        }
    }
    let shown = |it: &mut Lowering<'_>, paths: &[Path]| {
        let names: Vec<Name> = paths.iter().filter_map(|path| Some(Name { text: text_of(path), span: span_of(path)? })).collect();
        region_list(it, workspace, regions, places, &names)
    };
    WorkspaceVariant {
        personas: Vec::new(),
        purpose: variant.purpose.as_ref().map(|it| it.text.clone()),
        show: shown(it, &variant.show),
        hide: shown(it, &variant.hide),
        focus: region_list(it, workspace, regions, places, &variant.focus),
        aggregates: variant.show_aggregate.iter().filter_map(|path| metric(it, workspace, regions, places, path)).collect(),
        action_primary: variant.action_primary.as_ref().and_then(|name| opening::from_row(it, name, None)),
        read_only: variant.read_only,
        span: variant.keyword.span,
    }
}

/// What the names in a workspace refer to.
struct Places<'r> {
    /// Positions of regions.
    regions: HashMap<&'r str, usize>,
    /// Metrics with the positions of their region and of themselves.
    metrics: HashMap<&'r str, Vec<(usize, usize, &'r Metric)>>,
}

impl<'r> Places<'r> {
    fn collect(regions: &'r [Region]) -> Self {
        let mut places = Places { regions: HashMap::new(), metrics: HashMap::new() };
        for (at, region) in regions.iter().enumerate() {
            places.regions.insert(&region.name, at);
            for (position, metric) in region.metrics.iter().enumerate() {
                places.metrics.entry(&metric.name).or_default().push((at, position, metric));
            }
        }
        places
    }
}

/// Resolves a list of regions of this workspace.
fn region_list(
    it: &mut Lowering<'_>,
    workspace: &written::Workspace,
    regions: &[Region],
    places: &Places<'_>,
    names: &[Name],
) -> Vec<Placed<usize>> {
    let mut seen = HashMap::new();
    let mut found = Vec::new();
    for name in names {
        let Some(at) = places.regions.get(name.text.as_str()) else {
            unknown_region::<()>(it, regions, workspace, name);
            continue;
        };
        if collect::once(it, &mut seen, name, |name| format!("`{name}` is named twice")) {
            it.used(name.span, regions[*at].span);
            found.push(Placed { it: *at, span: name.span });
        }
    }
    found
}

/// Reports an unknown region, unless its declaration was already reported.
fn unknown_region<T>(it: &mut Lowering<'_>, regions: &[Region], workspace: &written::Workspace, name: &Name) -> Option<T> {
    if !workspace.regions.iter().any(|region| region.name.text == name.text) {
        let known: Vec<String> = regions.iter().map(|region| region.name.clone()).collect();
        it.unknown_among("unknown-region", format!("unknown region of this workspace `{}`", name.text), name.span, &name.text, &known, "");
    }
    None
}

/// Resolves a metric of this workspace: `metric`, or `region.metric`.
fn metric(
    it: &mut Lowering<'_>,
    workspace: &written::Workspace,
    regions: &[Region],
    places: &Places<'_>,
    path: &Path,
) -> Option<Placed<(usize, usize)>> {
    let span = span_of(path)?;
    let (region, name) = match path.as_slice() {
        [name] => (None, name),
        [region, name] => (Some(region), name),
        _ => {
            let found = Diagnostic::error("unknown-metric", span, "a figure is named by one word, or by region and metric");
            it.out.push(found.help("write `metric` or `region.metric`"));
            return None;
        }
    };
    if let Some(region) = region
        && !places.regions.contains_key(region.text.as_str())
    {
        return unknown_region(it, regions, workspace, region);
    }
    let named = places.metrics.get(name.text.as_str()).into_iter().flatten();
    let mut named = named.filter(|(at, ..)| region.is_none_or(|region| region.text == regions[*at].name));
    match (named.next(), named.next()) {
        (Some((at, position, found)), None) => {
            it.used(name.span, found.span);
            if let Some(region) = region {
                it.used(region.span, regions[*at].span);
            }
            Some(Placed { it: (*at, *position), span })
        }
        (Some((.., one)), Some((.., other))) => {
            it.out.push(
                Diagnostic::error("unknown-metric", span, format!("several metrics are called `{}`", name.text))
                    .label(one.span, "one")
                    .label(other.span, "another")
                    .help("name one: `region.metric`"),
            );
            None
        }
        (None, _) if it.unread_metrics.contains(&name.text) => None,
        (None, _) => {
            let known = regions.iter().flat_map(|region| &region.metrics).map(|metric| metric.name.as_str());
            let known: Vec<String> = known.map(str::to_owned).collect();
            it.unknown_among("unknown-metric", format!("unknown metric `{}`", name.text), name.span, &name.text, &known, "");
            None
        }
    }
}
