//! The addresses of graphs: for an entity of nodes, and the formats of a list of edges.

use crate::{
    Api, Entity,
    document::{content, refer, refusals},
    json::{Json, object},
    schema,
};

/// The formats of a graph.
const FORMATS: [&str; 3] = ["cytoscape", "d3", "raw"];

/// An address of a graph.
struct Address {
    /// The end of the path.
    path: &'static str,
    /// The first word of the operation.
    verb: &'static str,
    summary: &'static str,
    /// True if the path has the key of a row.
    of_row: bool,
    /// The names of its parameters, besides `format` and filters.
    parameters: &'static [&'static str],
    /// The schema of the result.
    answer: &'static str,
    /// True if it needs the feature `graph-algorithms`.
    algorithm: bool,
}

const ADDRESSES: &[Address] = &[
    Address {
        path: "graph",
        verb: "neighbourhood",
        summary: "The rows around a row, and the edges between them",
        of_row: true,
        parameters: &["depth"],
        answer: "Graph",
        algorithm: false,
    },
    Address {
        path: "graph/shortest-path",
        verb: "shortestPath",
        summary: "The shortest path from a row to another one",
        of_row: true,
        parameters: &["to", "weighted"],
        answer: "GraphPath",
        algorithm: true,
    },
    Address {
        path: "graph/components",
        verb: "components",
        summary: "All rows in connected groups",
        of_row: false,
        parameters: &[],
        answer: "GraphComponents",
        algorithm: true,
    },
    Address {
        path: "graph/reachable",
        verb: "reachable",
        summary: "The rows that a row reaches over any number of edges",
        of_row: true,
        parameters: &[],
        answer: "GraphReachable",
        algorithm: true,
    },
    Address {
        path: "graph/degree",
        verb: "degree",
        summary: "The number of edges at a row",
        of_row: true,
        parameters: &[],
        answer: "GraphDegree",
        algorithm: true,
    },
    Address {
        path: "graph/centrality",
        verb: "centrality",
        summary: "The PageRank of all rows, the highest first",
        of_row: false,
        parameters: &[],
        answer: "GraphCentrality",
        algorithm: true,
    },
    Address {
        path: "graph/cycles",
        verb: "cycles",
        summary: "The groups of rows that lie on common cycles",
        of_row: false,
        parameters: &[],
        answer: "GraphCycles",
        algorithm: true,
    },
];

pub(crate) fn paths(api: &Api, entity: &Entity) -> Vec<(String, Json)> {
    let Some(edges) = entity.node.and_then(|at| api.entities.get(at)) else { return Vec::new() };
    let id = object! { "name" => "id", "in" => "path", "required" => true, "schema" => schema::key(api, entity) };
    let of_address = |of: &Address| {
        let get = operation(entity, edges, of);
        match of.of_row {
            true => (
                format!("/api/{}/{{id}}/{}", entity.table, of.path),
                object! { "parameters" => Json::List(vec![id.clone()]), "get" => get },
            ),
            false => (format!("/api/{}/{}", entity.table, of.path), object! { "get" => get }),
        }
    };
    ADDRESSES.iter().map(of_address).collect()
}

/// The parameter `format` of a list of edges.
pub(crate) fn format_of_list() -> Json {
    let formats: Vec<&str> = ["json", "csv"].into_iter().chain(FORMATS).collect();
    object! {
        "name" => "format", "in" => "query",
        "description" => "`csv` returns the rows of all pages as CSV; `cytoscape`, `d3` and `raw` return all edges and the rows at their ends as a graph",
        "schema" => object! { "type" => "string", "enum" => formats, "default" => "json" },
    }
}

/// The schema of a list, which for edges can be a graph.
pub(crate) fn list_schema(entity: &Entity) -> Json {
    let list = refer("schemas", &format!("{}List", entity.name));
    if entity.is_edge {
        object! { "anyOf" => Json::List(vec![list, refer("schemas", "Graph")]) }
    } else {
        list
    }
}

/// The schemas of answers about graphs, if the application has a graph.
pub(crate) fn schemas(api: &Api) -> Vec<(String, Json)> {
    if !api.entities.iter().any(|entity| entity.is_edge) {
        return Vec::new();
    }
    let objects = || object! { "type" => "array", "items" => object! { "type" => "object" } };
    let ids = || object! { "type" => "array", "items" => object! { "type" => "string" } };
    let number = || object! { "type" => "integer" };
    let element = object! {
        "type" => "object",
        "required" => vec!["group", "data"],
        "properties" => object! {
            "group" => object! { "type" => "string", "enum" => vec!["nodes", "edges"] },
            "data" => object! { "type" => "object", "required" => vec!["id"] },
        },
    };
    let graph = object! {
        "type" => "object",
        "description" => "`elements` and `stats` in the format `cytoscape`, `nodes` and `links` in `d3`, `nodes` and `edges` in `raw`",
        "properties" => object! {
            "elements" => object! { "type" => "array", "items" => element },
            "stats" => object! { "type" => "object", "properties" => object! { "nodes" => number(), "edges" => number() } },
            "nodes" => objects(),
            "links" => objects(),
            "edges" => objects(),
        },
    };
    let summary = object! {
        "type" => "object",
        "required" => vec!["path", "length"],
        "properties" => object! {
            "path" => ids(),
            "length" => object! { "type" => Json::List(vec!["integer".into(), "null".into()]) },
            "weight" => object! { "type" => "number" },
        },
    };
    let path = object! {
        "description" => "In the format `raw` only the summary, otherwise the graph of the path with its summary",
        "anyOf" => Json::List(vec![refer("schemas", "GraphPathSummary"), refer("schemas", "GraphOfPath")]),
    };
    let of_path = with_members(object! { "shortest_path" => refer("schemas", "GraphPathSummary") }, &["shortest_path"]);
    let groups = object! { "count" => number(), "components" => object! { "type" => "array", "items" => ids() } };
    let components = with_members(groups, &["count", "components"]);
    let reachable = object! {
        "description" => "In the format `raw` the ids, otherwise the graph of the rows",
        "anyOf" => Json::List(vec![refer("schemas", "GraphReachableIds"), refer("schemas", "Graph")]),
    };
    let reachable_ids = with_members(object! { "count" => number(), "nodes" => ids() }, &["count", "nodes"]);
    let degree = object! { "id" => object! { "type" => "string" }, "in" => number(), "out" => number(), "total" => number() };
    let score = object! { "id" => object! { "type" => "string" }, "score" => object! { "type" => "number" } };
    let scores = object! { "type" => "array", "items" => with_members(score, &["id", "score"]) };
    let groups = object! { "type" => "array", "items" => ids() };
    let cycles = object! { "acyclic" => object! { "type" => "boolean" }, "count" => number(), "cycles" => groups };
    [
        ("Graph", graph),
        ("GraphPathSummary", summary),
        ("GraphOfPath", of_path),
        ("GraphPath", path),
        ("GraphComponents", components),
        ("GraphReachableIds", reachable_ids),
        ("GraphReachable", reachable),
        ("GraphDegree", with_members(degree, &["id", "in", "out", "total"])),
        ("GraphCentrality", with_members(object! { "count" => number(), "nodes" => scores }, &["count", "nodes"])),
        ("GraphCycles", with_members(cycles, &["acyclic", "count", "cycles"])),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
    .into()
}

/// A graph with further members.
fn with_members(properties: Json, required: &[&'static str]) -> Json {
    object! { "type" => "object", "required" => required.to_vec(), "properties" => properties }
}

fn operation(entity: &Entity, edges: &Entity, of: &Address) -> Json {
    let query =
        |name: &str, text: &str, schema: Json| object! { "name" => name, "in" => "query", "description" => text, "schema" => schema };
    let mut parameters: Vec<Json> = of
        .parameters
        .iter()
        .map(|name| match *name {
            "depth" => {
                let schema = object! { "type" => "integer", "minimum" => 1, "maximum" => 3, "default" => 1 };
                query(name, "The maximum number of edges between the first row and another one", schema)
            }
            "to" => query(name, "The id of the row at the end of the path", object! { "type" => "string" }).with("required", true),
            _ => query(
                name,
                "Whether the length of a path is the sum of the weights of its edges",
                object! { "type" => "boolean", "default" => false },
            ),
        })
        .collect();
    let formats = object! { "type" => "string", "enum" => FORMATS.to_vec(), "default" => "cytoscape" };
    parameters.push(query("format", "The format of the graph", formats));
    parameters.push(object! {
        "name" => "filters", "in" => "query", "style" => "form", "explode" => true,
        "description" => "Filters on stored fields of the edges; write `edge.` before the name of a field that is also a parameter",
        "schema" => refer("schemas", &format!("{}Filters", edges.name)),
    });
    let found = object! { "description" => "The part of the graph that the caller may read", "content" => content("application/json", refer("schemas", of.answer)) };
    let unchanged = object! { "description" => "The response is the one that `If-None-Match` names" };
    let refused: &[&str] = if of.of_row { &["400", "401", "403", "404", "422"] } else { &["400", "401", "403", "422"] };
    let mut responses = vec![("200".to_owned(), found), ("304".to_owned(), unchanged)];
    responses.extend(refusals(refused).into_iter().chain(refusals(&["429"])));
    if of.algorithm {
        let missing = object! {
            "description" => "The application was built without the feature `graph-algorithms`",
            "content" => content("application/problem+json", refer("schemas", "Problem")),
        };
        responses.push(("501".to_owned(), missing));
    }
    responses.extend(refusals(&["503"]));
    object! {
        "operationId" => format!("{}{}", of.verb, entity.name),
        "tags" => vec![entity.title_plural],
        "summary" => of.summary,
        "parameters" => Json::List(parameters),
        "responses" => Json::object(responses),
    }
}
