//! `topology`: entities with their references, surfaces, workspaces, and the entities that no page shows.

use serde_json::{Map, Value, json};

use super::Operation;
use crate::{
    Failure, Graph, Host, Kind, Node, Session,
    failure::nearest_or_some,
    parameters::{Arguments, Form, Parameter},
};

pub(super) const OPERATION: Operation = Operation {
    name: "topology",
    summary: "entities, surfaces and workspaces of the project and how they are connected; or those of one entity",
    parameters: &[Parameter::optional("entity", Form::Text)],
    run,
};

fn run(session: &mut Session, given: &Arguments<'_>, _: &mut dyn Host) -> Result<Value, Failure> {
    let graph = &session.graph;
    match given.text("entity") {
        Some(name) => of_entity(graph, entity(graph, "entity", name)?),
        None => Ok(whole(graph)),
    }
}

/// The entity with this name or id.
pub(super) fn entity<'g>(graph: &'g Graph, parameter: &str, name: &str) -> Result<&'g Node, Failure> {
    let id = if name.starts_with("entity:") { name.to_owned() } else { Kind::Entity.id(name) };
    graph.node(&id).ok_or_else(|| {
        let known = nodes(graph, Kind::Entity);
        let help = nearest_or_some(name.trim_start_matches("entity:"), known.iter().map(|node| node.name.as_str()));
        Failure::content(format!("`{parameter}` names no entity: `{name}`; {help}"))
    })
}

/// The nodes of a kind, by id.
fn nodes(graph: &Graph, kind: Kind) -> Vec<&Node> {
    let mut nodes: Vec<&Node> = graph.nodes().filter(|node| node.kind == kind.word()).collect();
    nodes.sort_by(|a, b| a.id.cmp(&b.id));
    nodes
}

fn names(nodes: Vec<&Node>) -> Vec<&str> {
    nodes.into_iter().map(|node| node.name.as_str()).collect()
}

fn whole(graph: &Graph) -> Value {
    let (entities, surfaces, workspaces) = (nodes(graph, Kind::Entity), nodes(graph, Kind::Surface), nodes(graph, Kind::Workspace));
    let has = |entity: &&&Node, kind: Kind| users(graph, entity, kind).next().is_some();
    let without_surfaces = entities.iter().filter(|entity| !has(entity, Kind::Surface));
    let without_workspaces = entities.iter().filter(|entity| has(entity, Kind::Surface) && !has(entity, Kind::Workspace));
    let map = |nodes: &[&Node], shown: &dyn Fn(&Node) -> Value| {
        Value::Object(nodes.iter().map(|node| (node.name.clone(), shown(node))).collect::<Map<_, _>>())
    };
    let surface = |node: &Node| json!({ "entity": member(node, "entity"), "mode": member(node, "mode"), "uses": names(graph.targets(&node.id, "uses")) });
    let workspace = |node: &Node| json!({ "regions": member(node, "regions"), "entities": names(graph.targets(&node.id, "uses")) });
    json!({
        "entities": entities.len(),
        "surfaces": surfaces.len(),
        "workspaces": workspaces.len(),
        "entity_graph": map(&entities, &|node| json!(names(graph.targets(&node.id, "references")))),
        "surface_map": map(&surfaces, &surface),
        "workspace_map": map(&workspaces, &workspace),
        "dead_constructs": {
            "entities_without_surfaces": names(without_surfaces.copied().collect()),
            "entities_without_workspaces": names(without_workspaces.copied().collect()),
        },
    })
}

fn member(node: &Node, name: &str) -> Value {
    node.metadata.get(name).cloned().unwrap_or_default()
}

/// The surfaces or workspaces that show or count the rows of an entity.
fn users<'g>(graph: &'g Graph, entity: &Node, kind: Kind) -> impl Iterator<Item = &'g Node> {
    graph.sources(&entity.id, "uses").into_iter().filter(move |node| node.kind == kind.word())
}

fn of_entity(graph: &Graph, entity: &Node) -> Result<Value, Failure> {
    let referring = |node: &&Node| {
        let fields = node.metadata.get("fields").and_then(Value::as_array).into_iter().flatten();
        let wanted = format!("ref {}", entity.name);
        let fields = fields.filter(|field| field.get("type").and_then(Value::as_str) == Some(wanted.as_str()));
        json!({ "entity": node.name, "fields": fields.filter_map(|field| field.get("name")).collect::<Vec<_>>() })
    };
    Ok(json!({
        "entity": entity.name,
        "details": entity.metadata,
        "surfaces": names(users(graph, entity, Kind::Surface).collect()),
        "in_workspaces": names(users(graph, entity, Kind::Workspace).collect()),
        "referenced_by": graph.sources(&entity.id, "references").iter().map(referring).collect::<Vec<_>>(),
    }))
}
