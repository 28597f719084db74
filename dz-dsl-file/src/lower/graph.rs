//! Graph declarations: resolves their fields and entities.

use super::Lowering;
use crate::{
    Diagnostic, Span,
    cursor::Name,
    model::{EntityId, Field, FieldId, FieldType, GraphEdge, GraphNode},
    syntax::graph as written,
};

pub(super) fn lower(it: &mut Lowering<'_>) {
    for at in 0..it.entities.len() {
        if let Some(edge) = it.declared[at].and_then(|declared| declared.body.graph_edge.as_ref()) {
            it.entities[at].edge = lower_edge(it, EntityId(at), edge);
        }
    }
    // Edges come first, because nodes name them.
    for at in 0..it.entities.len() {
        if let Some(node) = it.declared[at].and_then(|declared| declared.body.graph_node.as_ref()) {
            it.entities[at].node = lower_node(it, EntityId(at), node);
        }
    }
}

fn lower_edge(it: &mut Lowering<'_>, id: EntityId, edge: &written::GraphEdge) -> Option<GraphEdge> {
    for (name, key) in [("source", &edge.source), ("target", &edge.target)] {
        if key.is_none() {
            let found = Diagnostic::error("graph-edge-incomplete", edge.span, format!("`graph_edge` lacks its `{name}`"));
            it.out.push(found.help(format!("add `{name}: field` with a field that refers to a node")));
        }
    }
    let source = edge.source.as_ref().and_then(|name| end(it, id, name, &edge.target));
    let target = edge.target.as_ref().and_then(|name| end(it, id, name, &edge.source));
    let kind = edge.kind.as_ref().and_then(|name| of_type(it, id, name, Wanted::Kind));
    let weight = edge.weight.as_ref().and_then(|name| of_type(it, id, name, Wanted::Weight));
    let (source, target) = (source?, target?);
    if source == target
        && let (Some(first), Some(second)) = (&edge.source, &edge.target)
    {
        it.out.push(
            Diagnostic::error("same-source-and-target", second.span, format!("`{}` is both source and target", second.text))
                .label(first.span, "the source")
                .help("an edge needs two fields that refer to nodes"),
        );
        return None;
    }
    let acyclic = edge.acyclic.filter(|flag| flag.on).map(|flag| flag.span);
    Some(GraphEdge { source, target, kind, weight, directed: edge.directed.is_none_or(|flag| flag.on), acyclic, span: edge.span })
}

/// Resolves one end of an edge; `other` is the name of its other end, which is not suggested.
fn end(it: &mut Lowering<'_>, id: EntityId, name: &Name, other: &Option<Name>) -> Option<FieldId> {
    let free = |field: &Field| field.ty.target().is_some() && other.as_ref().is_none_or(|other| other.text != field.name);
    let at = resolve_field(it, id, name, "graph-unknown-field", free)?;
    let field = &it.entities[id.0].fields[at.0];
    if field.ty.target().is_some() {
        return Some(at);
    }
    let found = Diagnostic::error("graph-end-not-a-ref", name.span, format!("`{}` is not a reference, so it refers to no node", name.text))
        .label(field.span, "declared here")
        .help("name a `ref` or `belongs_to` field");
    it.out.push(found);
    None
}

#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    Kind,
    Weight,
}

fn of_type(it: &mut Lowering<'_>, id: EntityId, name: &Name, wanted: Wanted) -> Option<FieldId> {
    let fits = |ty: FieldType| match wanted {
        Wanted::Kind => ty.enumeration().is_some() || ty.is_str(),
        Wanted::Weight => ty.is_number() && !ty.is_money(),
    };
    let rule = if wanted == Wanted::Kind { "graph-type-field" } else { "graph-weight-field" };
    let at = resolve_field(it, id, name, rule, |field| fits(field.ty))?;
    let field = &it.entities[id.0].fields[at.0];
    if fits(field.ty) {
        return Some(at);
    }
    let (message, help) = match wanted {
        Wanted::Kind => {
            (format!("`{}` cannot distinguish edges: its type is neither enum nor str", name.text), "name an enum or `str(n)` field")
        }
        Wanted::Weight => {
            (format!("`{}` is not a number, so paths cannot be weighed by it", name.text), "name an `int`, `decimal` or `float` field")
        }
    };
    it.out.push(Diagnostic::error(rule, name.span, message).label(field.span, "declared here").help(help));
    None
}

/// Resolves a field of the entity, or reports it with the nearest one that fits.
fn resolve_field(it: &mut Lowering<'_>, id: EntityId, name: &Name, rule: &'static str, fits: impl Fn(&Field) -> bool) -> Option<FieldId> {
    let entity = &it.entities[id.0];
    if let Some(at) = it.field_names[id.0].get(&name.text).filter(|at| !entity.fields[**at].secret) {
        let at = *at;
        it.field_used(name.span, id, at);
        return Some(FieldId(at));
    }
    it.unknown_field(rule, id, name, |field| field.is_stored() && fits(field));
    None
}

fn lower_node(it: &mut Lowering<'_>, id: EntityId, node: &written::GraphNode) -> Option<GraphNode> {
    let display = node.display.as_ref().and_then(|name| {
        let at = resolve_field(it, id, name, "graph-display-field", |_| true)?;
        let labels = it.entities[id.0].fields[at.0].has_value();
        if !labels {
            let found = Diagnostic::error(
                "graph-display-field",
                name.span,
                format!("`{}` is a list of other rows and cannot label a row", name.text),
            );
            it.out.push(found.help("name a field with a value of its own"));
        }
        labels.then_some(at)
    });
    let Some(edges) = &node.edges else {
        let found = Diagnostic::error("graph-node-incomplete", node.span, "`graph_node` lacks its `edges`");
        it.out.push(found.help("add `edges: Entity` with an entity that declares `graph_edge:`"));
        return None;
    };
    let target = it.entity(edges)?;
    if it.declared[target.0].is_none_or(|declared| declared.body.graph_edge.is_none()) {
        let span = it.entities[target.0].span;
        let found = Diagnostic::error("graph-edges-without-edge", edges.span, format!("`{}` declares no `graph_edge:`", edges.text))
            .label(span, "declared here")
            .help(format!("add `graph_edge:` with `source` and `target` to `{}`, or name an entity that has one", edges.text));
        it.out.push(found);
        return None;
    }
    not_connected(it, id, target, edges.span);
    Some(GraphNode { edges: target, edges_span: edges.span, display, span: node.span })
}

/// Reports edges that neither begin nor end at the node.
fn not_connected(it: &mut Lowering<'_>, node: EntityId, edges: EntityId, span: Span) {
    let entity = &it.entities[edges.0];
    let Some(edge) = &entity.edge else { return };
    let leads_here = |field: FieldId| entity.fields[field.0].ty == FieldType::Ref(node);
    if leads_here(edge.source) || leads_here(edge.target) {
        return;
    }
    let found = Diagnostic::error(
        "edges-not-connected",
        span,
        format!("the edges of `{}` neither begin nor end at `{}`", entity.name, it.entities[node.0].name),
    )
    .label(edge.span, "its ends are declared here")
    .help("name edges whose source or target refers to this entity");
    it.out.push(found);
}
