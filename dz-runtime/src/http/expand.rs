//! `?expand=`: what a row refers to, and the rows that refer to it, inside the answer.

use super::{Call, params};
use crate::{
    Error, Result, Tx, Value,
    access::List,
    def::{EntityDef, FieldDef, FieldIx, Kind, Path},
    field,
    rows::{self, Extra, Filter, FilterOp, Query, Row},
};

/// Rows that refer to those of an answer, at most, for each relation.
const MOST: u64 = 1_000;

/// What of an entity is expanded.
#[derive(Default)]
pub(super) struct Expansion {
    refs: Vec<Target>,
    relations: Vec<Children>,
}

/// A ref whose target stands in the answer: joined like any hop, under the target's own rule.
struct Target {
    at: FieldIx,
    target: &'static EntityDef,
    fields: Vec<(FieldIx, &'static FieldDef)>,
    path: Path,
    /// Where its columns begin among the extra ones.
    start: usize,
}

/// A relation whose rows stand in the answer: one list for all rows, under the children's own rule.
struct Children {
    at: FieldIx,
    child: &'static EntityDef,
    via: FieldIx,
    one: bool,
    rows: Vec<Row>,
}

impl Expansion {
    /// Reads `expand`.
    ///
    /// # Errors
    /// 400 for a name that is neither a reference nor a relation, with the nearest one.
    pub fn parse(tx: &Tx<'_>, call: &Call, entity: &'static EntityDef) -> Result<Expansion> {
        let mut expansion = Expansion::default();
        let names = call.query.iter().filter(|(name, _)| name == "expand").flat_map(|(_, value)| value.split(','));
        for name in names.map(str::trim).filter(|name| !name.is_empty()) {
            let (at, field) = entity.find(name).filter(|(_, field)| expandable(field)).ok_or_else(|| unknown(entity, name))?;
            match field.kind {
                _ if expansion.has(at) => {}
                Kind::Ref(target) => expansion.target(entity, at, tx.app.entity(target)),
                Kind::HasMany { entity: child, via } => expansion.children(at, tx.app.entity(child), via, false),
                Kind::HasOne { entity: child, via } => expansion.children(at, tx.app.entity(child), via, true),
                _ => {}
            }
        }
        Ok(expansion)
    }

    fn has(&self, at: FieldIx) -> bool {
        self.refs.iter().any(|it| it.at == at) || self.relations.iter().any(|it| it.at == at)
    }

    fn target(&mut self, entity: &'static EntityDef, at: FieldIx, target: &'static EntityDef) {
        let shown = |field: &FieldDef| field.has_value() && !field.secret && !field.sensitive;
        let fields = (0..).zip(target.fields).filter(|(_, field)| shown(field)).collect();
        let start = self.refs.iter().map(|it| it.fields.len()).sum();
        let path = Path { from: entity.ix, hops: params::hop(at), field: target.pk };
        self.refs.push(Target { at, target, fields, path, start });
    }

    fn children(&mut self, at: FieldIx, child: &'static EntityDef, via: FieldIx, one: bool) {
        self.relations.push(Children { at, child, via, one, rows: Vec::new() });
    }

    /// The columns that references need.
    pub fn extras(&self) -> Vec<Extra> {
        let columns = |it: &Target| it.fields.iter().map(|(field, _)| Path { field: *field, ..it.path }).collect::<Vec<_>>();
        self.refs.iter().flat_map(columns).map(Extra::Field).collect()
    }

    /// Reads the rows that refer to those of the answer: one statement for each relation.
    ///
    /// # Errors
    /// 400 when there are more than an answer should hold.
    pub fn load(&mut self, tx: &mut Tx<'_>, entity: &'static EntityDef, rows: &[Row]) -> Result<()> {
        let keys: Vec<Value> = rows.iter().map(|row| row.value(entity.pk).clone()).collect();
        for relation in self.relations.iter_mut().filter(|_| !keys.is_empty()) {
            let child = relation.child;
            // What the caller may not list is not there.
            let Ok(grant) = tx.ask::<List>(child) else { continue };
            let path = Path { from: child.ix, hops: &[], field: relation.via };
            let sort = params::list_surface(tx.app, child).map_or(&[][..], |surface| surface.ux.sort);
            let query = Query {
                filters: vec![Filter { path, op: FilterOp::In(keys.clone()) }],
                sort: sort.iter().map(|key| (key.path, key.descending)).collect(),
                limit: MOST + 1,
                dynamic: true,
                ..Query::default()
            };
            relation.rows = rows::list(tx, &grant, &query)?.rows;
            if relation.rows.len() as u64 > MOST {
                let name = entity.field(relation.at).name;
                let (table, via) = (child.table, child.field(relation.via).name);
                return Err(Error::bad_request(format!(
                    "`{name}` of these rows are more than {MOST}; read them page by page at `/api/{table}?{via}=`"
                )));
            }
        }
        Ok(())
    }

    /// Writes a row with what is expanded in it.
    pub fn write(&self, entity: &'static EntityDef, row: &Row, out: &mut Vec<u8>) {
        out.push(b'{');
        let mut first = true;
        for (at, field) in (0..).zip(entity.fields) {
            let children = self.relations.iter().find(|it| it.at == at);
            if field.secret || !(field.has_value() || children.is_some()) {
                continue;
            }
            if !std::mem::take(&mut first) {
                out.push(b',');
            }
            write_name(field, out);
            match (children, self.refs.iter().find(|it| it.at == at)) {
                (Some(children), _) => children.write(row.value(entity.pk), out),
                (None, Some(target)) => target.write(row, out),
                (None, None) => field::write_json(field, row.value(at), out),
            }
        }
        out.push(b'}');
    }
}

impl Target {
    fn write(&self, row: &Row, out: &mut Vec<u8>) {
        let values = row.extra.get(self.start..).unwrap_or_default();
        let visible = self.fields.iter().zip(values).any(|((ix, _), value)| *ix == self.target.pk && !value.is_null());
        if !visible {
            out.extend_from_slice(b"null");
            return;
        }
        out.push(b'{');
        for (at, ((_, field), value)) in self.fields.iter().zip(values).enumerate() {
            if at > 0 {
                out.push(b',');
            }
            write_name(field, out);
            field::write_json(field, value, out);
        }
        out.push(b'}');
    }
}

impl Children {
    fn write(&self, key: &Value, out: &mut Vec<u8>) {
        let plain = Expansion::default();
        let mut own = self.rows.iter().filter(|row| row.value(self.via) == key);
        if self.one {
            match own.next() {
                Some(row) => plain.write(self.child, row, out),
                None => out.extend_from_slice(b"null"),
            }
            return;
        }
        out.push(b'[');
        for (at, row) in own.enumerate() {
            if at > 0 {
                out.push(b',');
            }
            plain.write(self.child, row, out);
        }
        out.push(b']');
    }
}

fn expandable(field: &FieldDef) -> bool {
    !field.secret && matches!(field.kind, Kind::Ref(_) | Kind::HasMany { .. } | Kind::HasOne { .. })
}

fn unknown(entity: &'static EntityDef, name: &str) -> Error {
    let names = entity.fields.iter().filter(|field| expandable(field)).map(|field| field.name).collect();
    let near = params::did_you_mean(name, names);
    Error::bad_request(format!("`{}` is no reference or relation that can be expanded{near}", name.escape_default()))
}

/// The beginning of a member.
pub(super) fn write_name(field: &FieldDef, out: &mut Vec<u8>) {
    // Names are identifiers: nothing in them needs an escape.
    out.push(b'"');
    out.extend_from_slice(field.name.as_bytes());
    out.extend_from_slice(b"\":");
}
