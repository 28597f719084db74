//! `?expand=`: referenced rows, and related rows, inside the response.

use std::collections::{BTreeSet, HashMap};

use crate::{
    Error, Result, Tx, Value,
    access::List,
    def::{EntityDef, FieldAt, FieldDef, FieldIx, Path, Relation, Via},
    field,
    rows::{self, Extra, Filter, FilterOp, Query, Row},
    suggest::did_you_mean,
    web::{Call, api::params},
};

/// The maximum number of related rows for each relation.
const MAX_ROWS: u64 = 1_000;

/// The expanded fields of an entity.
#[derive(Default)]
pub(crate) struct Expansion {
    refs: Vec<Target>,
    relations: Vec<Children>,
}

/// An expanded reference, joined under the read rule of its target.
struct Target {
    at: FieldIx,
    target: &'static EntityDef,
    fields: Vec<(FieldIx, &'static FieldDef)>,
    /// The paths of its fields.
    paths: Vec<Path>,
    /// The position of its first column among the extra columns.
    start: usize,
}

/// An expanded relation: one query for all rows, under the list rule of its entity.
struct Children {
    at: FieldIx,
    child: &'static EntityDef,
    via: Via,
    one: bool,
    rows: Vec<Row>,
    /// The positions in `rows` of the rows of each row, by its key.
    of_row: HashMap<String, Vec<usize>>,
}

impl Expansion {
    /// Parses `expand`.
    ///
    /// # Errors
    /// 400 for a name that is neither a reference nor a relation, with the nearest name.
    pub fn parse(tx: &Tx<'_>, call: &Call, entity: &'static EntityDef) -> Result<Expansion> {
        let mut expansion = Expansion::default();
        let names = call.query.iter().filter(|(name, _)| name == "expand").flat_map(|(_, value)| value.split(','));
        for name in names.map(str::trim).filter(|name| !name.is_empty()) {
            let (at, field) = entity.find(name).filter(|(_, field)| is_expandable(field)).ok_or_else(|| unknown_name(entity, name))?;
            if expansion.has(at) {
                continue;
            }
            if let Some(target) = field.kind.target() {
                expansion.add_target(entity, at, tx.app.entity(target));
            }
            if let Some(Relation { entity: child, via, is_single }) = field.kind.relation() {
                expansion.add_children(at, tx.app.entity(child), via, is_single);
            }
        }
        Ok(expansion)
    }

    fn has(&self, at: FieldIx) -> bool {
        self.refs.iter().any(|it| it.at == at) || self.relations.iter().any(|it| it.at == at)
    }

    fn add_target(&mut self, entity: &'static EntityDef, at: FieldIx, target: &'static EntityDef) {
        let shown = |field: &FieldDef| field.has_value() && !field.secret && !field.sensitive;
        let fields: Vec<_> = (0..).zip(target.fields).filter(|(_, field)| shown(field)).collect();
        let reference = FieldAt::new(entity.ix, at);
        let paths = fields.iter().filter_map(|(at, _)| Path::from_fields(&[reference, FieldAt::new(target.ix, *at)])).collect();
        let start = self.refs.iter().map(|it| it.fields.len()).sum();
        self.refs.push(Target { at, target, fields, paths, start });
    }

    fn add_children(&mut self, at: FieldIx, child: &'static EntityDef, via: Via, one: bool) {
        self.relations.push(Children { at, child, via, one, rows: Vec::new(), of_row: HashMap::new() });
    }

    /// The columns of the references.
    pub fn extra_columns(&self) -> Vec<Extra> {
        self.refs.iter().flat_map(|it| &it.paths).copied().map(Extra::Field).collect()
    }

    /// Loads the related rows: one statement for each relation, and one more for a junction.
    ///
    /// # Errors
    /// 400 if there are too many for a response.
    pub fn load(&mut self, tx: &mut Tx<'_>, entity: &'static EntityDef, rows: &[Row]) -> Result<()> {
        let keys: Vec<Value> = rows.iter().map(|row| row.value(entity.pk).clone()).collect();
        for relation in self.relations.iter_mut().filter(|_| !keys.is_empty()) {
            relation.load(tx, entity.field(relation.at).name, &keys)?;
        }
        self.shown_targets(rows).into_iter().try_for_each(|(target, keys)| rows::record_reads(tx, target, keys))
    }

    /// The referenced rows that the response shows, each once.
    fn shown_targets(&self, rows: &[Row]) -> Vec<(&'static EntityDef, Vec<Value>)> {
        let mut all: Vec<(&'static EntityDef, Vec<Value>)> = Vec::new();
        for (of, key) in self.refs.iter().flat_map(|of| rows.iter().filter_map(move |row| Some((of, of.key(row)?)))) {
            match all.iter_mut().find(|(target, _)| target.ix == of.target.ix) {
                _ if key.is_null() => {}
                Some((_, keys)) if keys.contains(key) => {}
                Some((_, keys)) => keys.push(key.clone()),
                None => all.push((of.target, vec![key.clone()])),
            }
        }
        all
    }

    /// Writes a row with its expanded fields.
    pub fn write(&self, entity: &'static EntityDef, row: &Row, out: &mut Vec<u8>) {
        out.push(b'{');
        let mut first = true;
        for (at, field) in (0..).zip(entity.fields) {
            let children = self.relations.iter().find(|it| it.at == at);
            if field.secret || field.is_currency_of_amount() || !(field.has_value() || children.is_some()) {
                continue;
            }
            if !std::mem::take(&mut first) {
                out.push(b',');
            }
            write_name(field, out);
            match (children, self.refs.iter().find(|it| it.at == at)) {
                (Some(children), _) => children.write(row.value(entity.pk), out),
                (None, Some(target)) => target.write(row, out),
                (None, None) => field::write_row_field(entity, at, |at| row.value(at), out),
            }
        }
        out.push(b'}');
    }
}

impl Target {
    /// The key of the referenced row; null if the caller cannot see it.
    fn key<'r>(&self, row: &'r Row) -> Option<&'r Value> {
        let at = self.fields.iter().position(|(ix, _)| *ix == self.target.pk)?;
        row.extra.get(self.start + at)
    }

    fn write(&self, row: &Row, out: &mut Vec<u8>) {
        let values = row.extra.get(self.start..).unwrap_or_default();
        if !self.fields.iter().zip(values).any(|((ix, _), value)| *ix == self.target.pk && !value.is_null()) {
            return out.extend_from_slice(b"null");
        }
        let value = |at: FieldIx| match self.fields.iter().zip(values).find(|((ix, _), _)| *ix == at) {
            Some((_, value)) => value,
            None => &Value::Null,
        };
        out.push(b'{');
        for (position, (at, field)) in self.fields.iter().filter(|(_, field)| !field.is_currency_of_amount()).enumerate() {
            if position > 0 {
                out.push(b',');
            }
            write_name(field, out);
            field::write_row_field(self.target, *at, value, out);
        }
        out.push(b'}');
    }
}

impl Children {
    fn load(&mut self, tx: &mut Tx<'_>, name: &str, keys: &[Value]) -> Result<()> {
        let child = self.child;
        let sort = params::list_surface(tx.app, child).map_or(&[][..], |surface| surface.ux.sort);
        let sort: Vec<_> = sort.iter().map(|key| (key.path, key.descending)).collect();
        // The rows to which each row is connected.
        let mut connected: HashMap<String, BTreeSet<String>> = HashMap::new();
        let (of, keys) = match self.via {
            Via::Ref(via) => (via, keys.to_vec()),
            Via::Junction(through) => {
                let found = list_by_keys(tx, through.near(), keys.to_vec(), Vec::new(), name)?;
                let between = through.entity(tx.app);
                let value = |row: &Row, of: FieldAt| row.value_at(between, of).clone();
                let mut far: Vec<Value> = Vec::new();
                for row in &found {
                    let (near, key) = (value(row, through.near()), value(row, through.far()));
                    let of_key = connected.entry(key_text(&key)).or_insert_with(|| {
                        far.push(key);
                        BTreeSet::new()
                    });
                    of_key.insert(key_text(&near));
                }
                (FieldAt::new(child.ix, child.pk), far)
            }
        };
        if !keys.is_empty() {
            self.rows = list_by_keys(tx, of, keys, sort, name)?;
        }
        for (at, row) in self.rows.iter().enumerate() {
            let parents = match self.via {
                Via::Ref(via) => BTreeSet::from([key_text(row.value_at(child, via))]),
                Via::Junction(_) => connected.remove(&key_text(row.value(child.pk))).unwrap_or_default(),
            };
            parents.into_iter().for_each(|parent| self.of_row.entry(parent).or_default().push(at));
        }
        Ok(())
    }

    fn write(&self, key: &Value, out: &mut Vec<u8>) {
        let plain = Expansion::default();
        let own = self.of_row.get(&key_text(key)).into_iter().flatten();
        let mut own = own.filter_map(|at| self.rows.get(*at));
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

/// The rows with a field that is one of `keys`; none if the caller cannot list any.
fn list_by_keys(tx: &mut Tx<'_>, field: FieldAt, keys: Vec<Value>, sort: Vec<(Path, bool)>, name: &str) -> Result<Vec<Row>> {
    let entity = field.entity(tx.app);
    let Ok(grant) = tx.ask::<List>(entity) else { return Ok(Vec::new()) };
    let filters = vec![Filter { path: field.path(), op: FilterOp::In(keys) }];
    let query = Query { filters, sort, limit: MAX_ROWS + 1, dynamic: true, ..Query::default() };
    let rows = rows::list(tx, &grant, &query)?.rows;
    if rows.len() as u64 > MAX_ROWS {
        let (table, via) = (entity.table, field.field(tx.app).name);
        return Err(Error::bad_request(format!(
            "these rows have more than {MAX_ROWS} `{name}`; read them page by page at `/api/{table}?{via}=`"
        )));
    }
    Ok(rows)
}

fn key_text(key: &Value) -> String {
    key.to_key_text().unwrap_or_default()
}

fn is_expandable(field: &FieldDef) -> bool {
    !field.secret && field.kind.is_expandable()
}

fn unknown_name(entity: &'static EntityDef, name: &str) -> Error {
    let names = entity.fields.iter().filter(|field| is_expandable(field)).map(|field| field.name).collect();
    let near = did_you_mean(name, names);
    Error::bad_request(format!("`{}` is not a reference or relation that can be expanded{near}", name.escape_default()))
}

/// Writes the name of a JSON member.
pub(crate) fn write_name(field: &FieldDef, out: &mut Vec<u8>) {
    // Names are identifiers and need no escape.
    out.push(b'"');
    out.extend_from_slice(field.name.as_bytes());
    out.extend_from_slice(b"\":");
}
