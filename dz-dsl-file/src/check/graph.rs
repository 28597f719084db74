//! Graphs: what a validator should look at twice, and declarations that a graph seems to want.

use crate::{
    Diagnostic, Diagnostics,
    diagnostic::{Rule, Severity},
    model::{Entity, EntityId, FieldId, FieldType, Model},
};

macro_rules! graph {
    ($edge:literal, $more:literal, $node:literal) => {
        concat!(
            "entity Place:\n  id: uuid pk\n  name: str(40)\n",
            $node,
            "  permit:\n    list: true\n    read: true\nentity Road:\n  id: uuid pk\n  a: ref Place required\n  b: ref Place required\n",
            $edge,
            $more
        )
    };
}

const SOUND: &str = graph!(
    "  graph_edge:\n    source: a\n    target: b\n",
    "  permit:\n    list: true\n    read: true\n",
    "  graph_node:\n    edges: Road\n    display: name\n"
);

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "heterogeneous-graph",
        severity: Severity::Warning,
        summary: "source and target of an edge are different entities",
        wrong: "entity Place:\n  id: uuid pk\n  permit:\n    read: true\nentity Town:\n  id: uuid pk\n  permit:\n    read: true\nentity Road:\n  id: uuid pk\n  a: ref Place required\n  b: ref Town required\n  graph_edge:\n    source: a\n    target: b\n  permit:\n    read: true\n",
        right: SOUND,
    },
    Rule {
        name: "edge-without-access",
        severity: Severity::Warning,
        summary: "an edge entity has no access rules, so that its graph is empty for everybody",
        wrong: graph!("  graph_edge:\n    source: a\n    target: b\n", "", "  graph_node:\n    edges: Road\n    display: name\n"),
        right: SOUND,
    },
    Rule {
        name: "acyclic-not-enforced",
        severity: Severity::Warning,
        summary: "`acyclic` is a promise that no database keeps",
        wrong: graph!(
            "  graph_edge:\n    source: a\n    target: b\n    acyclic: true\n",
            "  permit:\n    read: true\n",
            "  graph_node:\n    edges: Road\n    display: name\n"
        ),
        right: SOUND,
    },
    Rule {
        name: "suggest-graph-edge",
        severity: Severity::Lint,
        summary: "an entity with two refs to one entity looks like an edge",
        wrong: graph!("", "  permit:\n    read: true\n", ""),
        right: SOUND,
    },
    Rule {
        name: "suggest-graph-node",
        severity: Severity::Lint,
        summary: "edges lead to an entity that is declared as no node",
        wrong: graph!("  graph_edge:\n    source: a\n    target: b\n", "  permit:\n    read: true\n", ""),
        right: SOUND,
    },
    Rule {
        name: "node-without-display",
        severity: Severity::Lint,
        summary: "a node has no field that labels it",
        wrong: graph!("  graph_edge:\n    source: a\n    target: b\n", "  permit:\n    read: true\n", "  graph_node:\n    edges: Road\n"),
        right: SOUND,
    },
];

pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    for entity in &model.entities {
        edge(model, entity, out);
        if let Some(node) = entity.node.as_ref().filter(|node| node.display.is_none()) {
            out.push(
                Diagnostic::lint("node-without-display", node.span, format!("nodes of `{}` are labelled by their keys", entity.name))
                    .help("add `display: field` with the field that people know them by"),
            );
        }
    }
    suggest_nodes(model, out);
}

fn target(entity: &Entity, field: FieldId) -> Option<EntityId> {
    match entity.fields[field.0].ty {
        FieldType::Ref(id) => Some(id),
        _ => None,
    }
}

fn edge(model: &Model, entity: &Entity, out: &mut Diagnostics) {
    let Some(edge) = &entity.edge else { return suggest_edge(model, entity, out) };
    if let (Some(source), Some(target)) = (target(entity, edge.source), target(entity, edge.target))
        && source != target
    {
        let (source, target) = (&model.entity(source).name, &model.entity(target).name);
        out.push(
            Diagnostic::warning(
                "heterogeneous-graph",
                edge.span,
                format!("edges lead from `{source}` to `{target}`: a heterogeneous graph"),
            )
            .label(entity.fields[edge.source.0].span, "the source")
            .label(entity.fields[edge.target.0].span, "the target")
            .help("this is supported; ids of different entities share one graph"),
        );
    }
    if entity.access.permissions.is_empty() {
        out.push(
            Diagnostic::warning(
                "edge-without-access",
                edge.span,
                format!("the edges of `{}` have no access rules, so nobody sees one", entity.name),
            )
            .help("add a `permit:` block with `list` and `read`"),
        );
    }
    if let Some(span) = edge.acyclic {
        out.push(
            Diagnostic::warning("acyclic-not-enforced", span, "nothing keeps people from making a cycle: only demo data is looked at")
                .help("check it in a hook before an edge is made, if a cycle would do harm"),
        );
    }
}

fn suggest_edge(model: &Model, entity: &Entity, out: &mut Diagnostics) {
    let mut seen: Vec<(EntityId, &str)> = Vec::new();
    for field in entity.fields.iter().filter(|field| field.is_stored()) {
        let FieldType::Ref(id) = field.ty else { continue };
        if let Some((_, first)) = seen.iter().find(|(other, _)| *other == id && Some(id) != model.tenant) {
            let message = format!("`{}` refers to `{}` twice, as the edges of a graph do", entity.name, model.entity(id).name);
            let help = format!("if it is one, add `graph_edge:` with `source: {first}` and `target: {}`", field.name);
            out.push(Diagnostic::lint("suggest-graph-edge", entity.span, message).help(help));
            return;
        }
        seen.push((id, &field.name));
    }
}

fn suggest_nodes(model: &Model, out: &mut Diagnostics) {
    for (at, entity) in model.entities.iter().enumerate().filter(|(_, entity)| entity.node.is_none() && entity.declared) {
        let leads_here = |edges: &&Entity| {
            edges.edge.as_ref().is_some_and(|edge| [edge.source, edge.target].iter().any(|end| target(edges, *end) == Some(EntityId(at))))
        };
        if let Some(edges) = model.entities.iter().find(leads_here) {
            out.push(
                Diagnostic::lint(
                    "suggest-graph-node",
                    entity.span,
                    format!("edges of `{}` lead to `{}`, which is no node", edges.name, entity.name),
                )
                .help(format!("add `graph_node:` with `edges: {}` to reach its graph", edges.name)),
            );
        }
    }
}
