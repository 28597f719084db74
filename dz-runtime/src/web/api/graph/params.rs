//! The parameters of requests about graphs: those with a fixed name, and filters on the fields of the edges.

use super::format::Format;
use crate::{
    Error, Result,
    def::{AppDef, EntityDef, SurfaceDef},
    graph::Graph,
    rows::{Filter, Query},
    web::{
        api::params::{self, Strictness},
        request::duplicates,
    },
};

/// The largest depth of a neighbourhood.
const MAX_DEPTH: u8 = 3;

/// The prefix of the name of a field of an edge, which distinguishes it from a parameter with the same name.
const EDGE: &str = "edge.";

/// A parameter with a fixed name, besides `format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(feature = "graph-algorithms"), expect(dead_code, reason = "only paths have an end and weights"))]
pub(super) enum Reserved {
    /// `depth` of a neighbourhood.
    Depth,
    /// `to`, the id of the node at the end of a path.
    To,
    /// `weighted`: whether a path is measured by the weights of its edges.
    Weighted,
}

impl Reserved {
    fn name(self) -> &'static str {
        match self {
            Reserved::Depth => "depth",
            Reserved::To => "to",
            Reserved::Weighted => "weighted",
        }
    }
}

/// The parameters of a request.
#[derive(Debug)]
pub(super) struct GraphParams {
    /// The number of edges between the first node and the last.
    pub depth: u8,
    /// The id of the node at the end of a path.
    pub to: Option<String>,
    /// True if a path is measured by the weights of its edges.
    pub weighted: bool,
    /// The format of the answer.
    pub format: Format,
    /// The filters on the edges.
    pub filters: Vec<Filter>,
}

impl GraphParams {
    /// Parses a query in which the parameters of `accepted`, `format` and filters can occur.
    ///
    /// # Errors
    /// 400 for an unknown parameter or format, or a wrong filter; 422 for a value out of bounds.
    pub fn parse(app: &'static AppDef, graph: &Graph, accepted: &[Reserved], pairs: &[(String, String)]) -> Result<GraphParams> {
        duplicates::check_query(pairs)?;
        let mut parsed = GraphParams { depth: 1, to: None, weighted: false, format: Format::Cytoscape, filters: Vec::new() };
        let mut filters = Vec::new();
        for (name, value) in pairs {
            match accepted.iter().find(|reserved| reserved.name() == name) {
                Some(Reserved::Depth) => parsed.depth = parse_depth(value)?,
                Some(Reserved::To) => parsed.to = Some(value.clone()),
                Some(Reserved::Weighted) => parsed.weighted = parse_weighted(graph, value)?,
                None if params::is_validity(graph.edges, name) => {}
                None if name == "format" => parsed.format = Format::parse(value, &[])?,
                None => filters.push((name.strip_prefix(EDGE).unwrap_or(name).to_owned(), value.clone())),
            }
        }
        let reserved: Vec<&str> = accepted.iter().map(|reserved| reserved.name()).chain(["format"]).collect();
        parsed.filters = params::parse_own_filters(app, graph.edges, &reserved, &filters)?;
        parsed.filters.extend(params::parse_validity(app, graph.edges, pairs)?);
        Ok(parsed)
    }
}

fn parse_depth(value: &str) -> Result<u8> {
    let depth = value.parse().ok().filter(|depth| (1..=MAX_DEPTH).contains(depth));
    depth.ok_or_else(|| Error::validation("depth", format!("must be a number from 1 to {MAX_DEPTH}")))
}

fn parse_weighted(graph: &Graph, value: &str) -> Result<bool> {
    match value {
        "false" | "0" => Ok(false),
        "true" | "1" if graph.edge.weight.is_some() => Ok(true),
        "true" | "1" => {
            let edges = graph.edges.name;
            Err(Error::validation("weighted", format!("`{edges}` declares no `weight`, so its paths have none")))
        }
        _ => Err(Error::validation("weighted", "must be true or false")),
    }
}

/// Parses the query of a list of edges as a graph, in which `edge.` can precede the name of a field.
///
/// # Errors
/// Those of the parameters of lists.
pub(super) fn parse_edge_list(
    app: &'static AppDef,
    entity: &'static EntityDef,
    surface: Option<&'static SurfaceDef>,
    pairs: &[(String, String)],
) -> Result<Query> {
    duplicates::check_query(pairs)?;
    let is_own = |(name, _): &&(String, String)| name.starts_with(EDGE);
    let own: Vec<(String, String)> =
        pairs.iter().filter(is_own).map(|(name, value)| (name[EDGE.len()..].to_owned(), value.clone())).collect();
    let rest: Vec<(String, String)> = pairs.iter().filter(|pair| !is_own(pair)).cloned().collect();
    let mut query = params::parse(app, entity, surface, &rest, Strictness::Api)?;
    query.filters.extend(params::parse_own_filters(app, entity, &[], &own)?);
    Ok(query)
}
