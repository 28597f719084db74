//! `aggregate:` of a region: its metrics in order; each can only use earlier ones.

use std::collections::HashMap;

use crate::{
    Diagnostic,
    lower::{
        Lowering, collect,
        expr::{self, MetricName, Metrics},
    },
    model::{EntityId, Metric, Source},
    names,
    syntax::workspace::region as written,
};

pub(super) fn lower(it: &mut Lowering<'_>, region: &written::Region, sources: &[Source]) -> Vec<Metric> {
    let mut seen = HashMap::new();
    let mut metrics: Vec<Metric> = Vec::new();
    let mut names: HashMap<&str, MetricName> = region.metrics.iter().map(|(name, _)| (name.text.as_str(), MetricName::Below)).collect();
    names.extend(region.unread.iter().map(|name| (name.text.as_str(), MetricName::Failed)));
    let source_lost = region.broken || sources.len() < region.source.len();
    for (name, value) in &region.metrics {
        if !collect::first(it, &mut seen, "metric", name) {
            continue;
        }
        let Some((expr, ty, entities)) = expr::metric(it, Metrics { above: &metrics, names: Some(&names), sources, source_lost }, value)
        else {
            names.insert(&name.text, MetricName::Failed);
            continue;
        };
        names.insert(&name.text, MetricName::Above(metrics.len()));
        let metric = Metric { name: name.text.clone(), title: names::humanise(&name.text), expr, ty, entities, span: name.span };
        if region.group_by.is_some() {
            grouped(it, &metric, sources);
        }
        metrics.push(metric);
    }
    let failed = names.iter().filter(|(_, known)| **known == MetricName::Failed);
    it.unread_metrics.extend(failed.map(|(name, _)| (*name).to_owned()));
    metrics
}

/// Checks that a metric of a grouped region counts rows of the source.
fn grouped(it: &mut Lowering<'_>, metric: &Metric, sources: &[Source]) {
    let strange = |entity: &&EntityId| !sources.iter().any(|source| source.entity == **entity);
    let (Some(strange), Some(source)) = (metric.entities.iter().find(strange), sources.first()) else { return };
    let (strange, source) = (it.entities[strange.0].name.clone(), it.entities[source.entity.0].name.clone());
    it.out.push(
        Diagnostic::error(
            "metric-not-grouped",
            metric.span,
            format!("`{}` counts rows of `{strange}`, which are in no group", metric.name),
        )
        .help(format!("`group_by` groups rows of `{source}`; count these, or put the metric into a region without `group_by`")),
    );
}
