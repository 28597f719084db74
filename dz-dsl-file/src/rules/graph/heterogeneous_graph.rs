//! An edge whose source and target are different entities.

use crate::{
    Diagnostics, Severity,
    model::Model,
    rules::{ReportedBy, Rule},
};

pub(super) const RULE: Rule = Rule {
    name: "heterogeneous-graph",
    severity: Severity::Warning,
    summary: "source and target of an edge are different entities",
    wrong: "entity Place:\n  id: uuid pk\n  permit:\n    read: true\nentity Town:\n  id: uuid pk\n  permit:\n    read: true\nentity Road:\n  id: uuid pk\n  a: ref Place required\n  b: ref Town required\n  graph_edge:\n    source: a\n    target: b\n  permit:\n    read: true\n",
    right: super::SOUND,
    reported_by: ReportedBy::Model(check),
};

fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        let Some(edge) = &entity.edge else { continue };
        if let (Some(source), Some(target)) = (super::ref_target(entity, edge.source), super::ref_target(entity, edge.target))
            && source != target
        {
            let (source, target) = (&model.entity(source).name, &model.entity(target).name);
            out.push(
                RULE.diagnostic(edge.span, format!("edges lead from `{source}` to `{target}`: a heterogeneous graph"))
                    .label(entity.fields[edge.source.0].span, "the source")
                    .label(entity.fields[edge.target.0].span, "the target")
                    .help("this is supported; ids of different entities share one graph"),
            );
        }
    }
}
