//! The formats of graphs: for Cytoscape.js, for d3-force, and rows as they are.

use crate::{
    Error, Result, Value,
    def::{AppDef, EntityDef, FieldIx},
    field,
    graph::{Graph, Node, Subgraph, id_text},
    rows::Row,
    suggest::did_you_mean,
    web::api::expand::{Expansion, write_name},
};

/// A format of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// `{"elements":[…],"stats":{…}}`
    Cytoscape,
    /// `{"nodes":[…],"links":[…]}`
    D3,
    /// `{"nodes":[…],"edges":[…]}` with rows as the JSON API shows them.
    Raw,
}

const FORMATS: [(&str, Format); 3] = [("cytoscape", Format::Cytoscape), ("d3", Format::D3), ("raw", Format::Raw)];

impl Format {
    /// Parses `format`; `others` are further formats of the address, for the message.
    ///
    /// # Errors
    /// 400 for an unknown format, with the nearest name.
    pub fn parse(text: &str, others: &[&'static str]) -> Result<Format> {
        let known = FORMATS.iter().find(|(name, _)| *name == text).map(|(_, format)| *format);
        known.ok_or_else(|| {
            let names: Vec<&str> = FORMATS.iter().map(|(name, _)| *name).chain(others.iter().copied()).collect();
            let (near, list) = (did_you_mean(text, names.clone()), names.join(", "));
            Error::bad_request(format!("unknown format `{}`{near}; the formats are {list}", text.escape_default()))
        })
    }
}

/// Writes a graph as an object; `more` are further members, each with its JSON.
pub(super) fn write(app: &'static AppDef, graph: &Graph, found: &Subgraph, format: Format, more: &[(&str, Vec<u8>)], out: &mut Vec<u8>) {
    let writer = Writer { app, graph };
    out.push(b'{');
    match format {
        Format::Cytoscape => writer.write_elements(found, out),
        Format::D3 => {
            write_list("nodes", &found.nodes, out, |node, out| writer.write_node(node, out));
            out.push(b',');
            write_list("links", &found.edges, out, |edge, out| writer.write_edge(edge, out));
        }
        Format::Raw => {
            write_list("nodes", &found.nodes, out, |node, out| writer.write_row(node, out));
            out.push(b',');
            write_list("edges", &found.edges, out, |edge, out| Expansion::default().write(graph.edges, edge, out));
        }
    }
    for (name, json) in more {
        out.push(b',');
        write_text(name, out);
        out.push(b':');
        out.extend_from_slice(json);
    }
    out.push(b'}');
}

/// Writes a member with a list.
pub(super) fn write_list<T>(name: &str, items: &[T], out: &mut Vec<u8>, mut write: impl FnMut(&T, &mut Vec<u8>)) {
    write_text(name, out);
    out.extend_from_slice(b":[");
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        write(item, out);
    }
    out.push(b']');
}

/// Writes a JSON string.
pub(super) fn write_text(text: &str, out: &mut Vec<u8>) {
    // Writing to memory cannot fail.
    let _ = serde_json::to_writer(out, text);
}

struct Writer<'g> {
    app: &'static AppDef,
    graph: &'g Graph,
}

impl Writer<'_> {
    fn write_elements(&self, found: &Subgraph, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\"elements\":[");
        for (at, node) in found.nodes.iter().enumerate() {
            out.extend_from_slice(if at > 0 { b"," } else { b"" });
            out.extend_from_slice(b"{\"group\":\"nodes\",\"data\":");
            self.write_node(node, out);
            out.push(b'}');
        }
        for (at, edge) in found.edges.iter().enumerate() {
            out.extend_from_slice(if at > 0 || !found.nodes.is_empty() { b"," } else { b"" });
            out.extend_from_slice(b"{\"group\":\"edges\",\"data\":");
            self.write_edge(edge, out);
            out.push(b'}');
        }
        let (nodes, edges) = (found.nodes.len(), found.edges.len());
        out.extend_from_slice(format!("],\"stats\":{{\"nodes\":{nodes},\"edges\":{edges}}}").as_bytes());
    }

    /// Writes a node with its id, its label and its fields.
    fn write_node(&self, node: &Node, out: &mut Vec<u8>) {
        let key = node.row.value(node.entity.pk);
        let id = id_text(node.entity, key);
        out.extend_from_slice(b"{\"id\":");
        write_text(&id, out);
        out.extend_from_slice(b",\"label\":");
        write_text(&node.label(self.app).unwrap_or(id), out);
        let mut own = vec!["id", "label"];
        if self.graph.is_heterogeneous() {
            out.extend_from_slice(b",\"entity\":");
            write_text(node.entity.name, out);
            own.push("entity");
        }
        write_fields(node.entity, &node.row, &own, out);
        out.push(b'}');
    }

    /// Writes an edge with its id, its ends, its type and weight if they are declared, and its fields.
    fn write_edge(&self, edge: &Row, out: &mut Vec<u8>) {
        let Graph { edges, edge: declared, source, target } = *self.graph;
        out.extend_from_slice(b"{\"id\":");
        write_text(&id_text(edges, edge.value(edges.pk)), out);
        for (name, entity, at) in [("source", source, declared.source), ("target", target, declared.target)] {
            out.extend_from_slice(format!(",\"{name}\":").as_bytes());
            write_text(&id_text(entity, edge.value(at)), out);
        }
        let mut own = vec!["id", "source", "target"];
        if let Some(kind) = declared.kind {
            out.extend_from_slice(b",\"type\":");
            field::write_json(edges.field(kind), edge.value(kind), out);
            own.push("type");
        }
        if let Some(weight) = declared.weight {
            out.extend_from_slice(b",\"weight\":");
            write_number(edge.value(weight), out);
            own.push("weight");
        }
        write_fields(edges, edge, &own, out);
        out.push(b'}');
    }

    /// Writes a row as the JSON API shows it; in a graph of two entities, with the name of its entity.
    fn write_row(&self, node: &Node, out: &mut Vec<u8>) {
        let start = out.len();
        Expansion::default().write(node.entity, &node.row, out);
        if self.graph.is_heterogeneous() && node.entity.find("entity").is_none() {
            let member = format!("\"entity\":\"{}\",", node.entity.name);
            out.splice(start + 1..start + 1, member.into_bytes());
        }
    }
}

/// Writes the fields of a row as members, except those that the graph itself has.
fn write_fields(entity: &'static EntityDef, row: &Row, own: &[&str], out: &mut Vec<u8>) {
    let shown = (0..).zip(entity.fields).filter(|(_, field)| !field.secret && field.has_value() && !field.is_currency_of_amount());
    for (at, field) in shown.filter(|(_, field)| !own.contains(&field.name)) {
        let at: FieldIx = at;
        out.push(b',');
        write_name(field, out);
        field::write_row_field(entity, at, |at| row.value(at), out);
    }
}

/// Writes a number as a JSON number, for every type of its field.
pub(super) fn write_number(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Int(number) => out.extend_from_slice(number.to_string().as_bytes()),
        Value::Decimal(number) => out.extend_from_slice(number.normalize().to_string().as_bytes()),
        // Writing to memory cannot fail.
        Value::Float(number) if number.fract() == 0.0 && number.abs() < 1e15 => out.extend_from_slice(format!("{number:.0}").as_bytes()),
        Value::Float(number) => drop(serde_json::to_writer(out, number)),
        Value::Null | Value::Bool(_) | Value::Text(_) | Value::Uuid(_) | Value::Date(_) | Value::DateTime(_) | Value::Json(_) => {
            out.extend_from_slice(b"null")
        }
    }
}
