//! Loads the rows that a plan selects: one statement for each level of references and relations, however many rows it has.

use std::{collections::HashMap, sync::Arc, time::Instant};

use dz_graphql::{Operation, Schema, Source};

use super::{
    connection,
    data::{Data, Object},
    input::key,
    limits::{MAX_COMPLEXITY, MAX_LIMIT, MAX_PAIRS, MAX_TEXT, MAX_TIME},
    output,
    plan::{Selected, Selection},
    repeat::MutationEffect,
    scalar::{Output, Scalar},
    select, write,
};
use crate::{
    Error, Result, Tx, Value,
    access::{List, Read},
    def::{EntityDef, FieldAt, FieldIx, Junction, Relation, Via},
    error::Unresolved,
    rows::{self, Counting, Filter, FilterOp, Query, Row},
};

/// Loads data in a unit of work.
pub(super) struct Loader<'l, 't, 'c> {
    pub tx: &'t mut Tx<'c>,
    pub schema: &'l Schema,
    /// What each root field of a mutation has written.
    pub written: Vec<MutationEffect>,
    /// The bytes that the texts of the response can still have.
    left: usize,
    /// The number of values that can still be loaded.
    values_left: u64,
    /// When a query must be complete; a mutation has no such time, because it has written already.
    ends_at: Option<Instant>,
}

impl<'l, 't, 'c> Loader<'l, 't, 'c> {
    pub fn new(tx: &'t mut Tx<'c>, schema: &'l Schema) -> Self {
        Loader { tx, schema, written: Vec::new(), left: MAX_TEXT, values_left: MAX_COMPLEXITY, ends_at: None }
    }

    /// Counts data before it becomes a part of the response. Aliases and references can repeat one long text any number of times.
    ///
    /// # Errors
    /// 422 `TOO_COMPLEX` if the response becomes too large; then also for the fields that follow.
    fn hold(&mut self, data: Data) -> Result<Data> {
        let left = self.left.checked_sub(data.text_size());
        self.left = left.unwrap_or_default();
        left.map(|_| data).ok_or_else(too_large)
    }

    /// Counts values before they are loaded. The cost of the plan assumes a number of rows for each relation, which can be exceeded.
    ///
    /// # Errors
    /// 422 `TOO_COMPLEX` for too many values.
    fn take_values(&mut self, count: u64) -> Result<()> {
        let left = self.values_left.checked_sub(count);
        self.values_left = left.unwrap_or_default();
        left.map(drop).ok_or_else(too_many)
    }

    /// Checks the time of a query before a statement.
    ///
    /// # Errors
    /// 422 `TOO_COMPLEX` after [`MAX_TIME`].
    fn check_time(&self) -> Result<()> {
        match self.ends_at {
            Some(ends_at) if Instant::now() >= ends_at => Err(too_slow()),
            _ => Ok(()),
        }
    }

    /// At least the number of rows that can still be loaded with this selection, and one more, which shows that there are too many. It is
    /// a part of the text of a statement, so it has few values.
    fn rows_left(&self, selection: &Selection) -> u64 {
        (self.values_left / (selection.fields.len() as u64).max(1) + 1).next_power_of_two()
    }

    /// As [`hold`](Loader::hold), before the data is copied.
    fn hold_copy(&mut self, data: &Data) -> Result<Data> {
        self.take_values(data.value_count())?;
        let left = self.left.checked_sub(data.text_size());
        self.left = left.unwrap_or_default();
        left.map(|_| data.clone()).ok_or_else(too_large)
    }
}

impl Loader<'_, '_, '_> {
    /// The data of all root fields, in their order. A refused field becomes an error of the field.
    ///
    /// # Errors
    /// Errors that end the unit of work.
    pub fn root(&mut self, plan: &Selection) -> Result<Object> {
        write::lock_rows(self, plan)?;
        let mut sources = plan.fields.iter().filter_map(|selected| selected.describe(self.schema, plan.ty)).map(|field| &field.source);
        let is_query = sources.all(|source| if let Source::Root(_, operation) = source { is_read(operation) } else { true });
        self.ends_at = is_query.then(|| Instant::now() + MAX_TIME);
        let mut values = Vec::with_capacity(plan.fields.len());
        for (at, selected) in plan.fields.iter().enumerate() {
            // A field that has written nothing.
            self.written.resize(at, MutationEffect::Refused);
            let source = selected.describe(self.schema, plan.ty).map(|field| field.source.clone());
            let Some(Source::Root(entity, operation)) = source else {
                values.push(Data::null());
                continue;
            };
            let entity = self.tx.app.entities[entity];
            let data = match operation {
                Operation::Read | Operation::List | Operation::Connection | Operation::Aggregate => self.read(entity, &operation, selected),
                Operation::Create
                | Operation::Update
                | Operation::Delete
                | Operation::Transition
                | Operation::Restore
                | Operation::Act(_) => write::run(self, entity, &operation, selected),
                Operation::Changes => Err(Error::internal("a subscription is not a read")),
            };
            values.push(self.or_refusal(data)?);
        }
        self.written.resize(plan.fields.len(), MutationEffect::Refused);
        Ok(Object { selection: Arc::new(plan.clone()), values })
    }

    /// Reports a refusal as an error of its field. Failures of the server, and a singleton that another connection must create, end
    /// the unit of work. A violated constraint is a refusal, also one that concerns no column.
    pub fn or_refusal(&mut self, data: Result<Data>) -> Result<Data> {
        match data {
            Err(error) if is_refusal(&error) => {
                self.tx.note_refusal(&error);
                Ok(Data::Failed(error))
            }
            data => data,
        }
    }

    fn read(&mut self, entity: &'static EntityDef, operation: &Operation, selected: &Selected) -> Result<Data> {
        if self.left == 0 {
            return Err(too_large());
        }
        self.check_time()?;
        match operation {
            Operation::Read => {
                let grant = self.tx.ask::<Read>(entity)?;
                let row = key(self.tx, entity, selected.argument("id")).and_then(|key| rows::read(self.tx, &grant, &key, &[]));
                match row {
                    Ok(row) => self.object(entity, &row, &selected.selection),
                    Err(error) if error.status == 404 => {
                        self.tx.note_refusal(&error);
                        Ok(Data::null())
                    }
                    Err(error) => Err(error),
                }
            }
            Operation::List => {
                let grant = self.tx.ask::<List>(entity)?;
                if entity.tenancy.is_singleton() {
                    rows::singleton::find_or_create(self.tx, entity)?;
                }
                let only = Some(select::columns(self.schema, entity, &selected.selection));
                let query = Query { only, ..select::query(self.tx, entity, selected)? };
                let page = rows::list(self.tx, &grant, &query)?;
                self.objects(entity, &page.rows, &selected.selection).map(Data::List)
            }
            Operation::Connection => connection::load(self, entity, selected),
            Operation::Aggregate => self.aggregate(entity, selected),
            Operation::Create
            | Operation::Update
            | Operation::Delete
            | Operation::Transition
            | Operation::Restore
            | Operation::Act(_)
            | Operation::Changes => Err(Error::internal("the operation is not a read")),
        }
    }

    fn aggregate(&mut self, entity: &'static EntityDef, selected: &Selected) -> Result<Data> {
        let grant = self.tx.ask::<List>(entity)?;
        let query = Query { count: Counting::Exact, limit: 0, sort: Vec::new(), ..select::query(self.tx, entity, selected)? };
        let (schema, selection) = (self.schema, &selected.selection);
        let sources: Vec<_> =
            selection.fields.iter().map(|of| of.describe(schema, selection.ty).map(|field| field.source.clone())).collect();
        let summed = |source: &Option<Source>| if let Some(Source::Sum(at)) = source { FieldIx::try_from(*at).ok() } else { None };
        let fields: Vec<FieldIx> = sources.iter().filter_map(summed).collect();
        let mut sums = rows::aggregate(self.tx, &grant, &query, &fields)?.into_iter();
        let total = match sources.iter().any(|source| matches!(source, Some(Source::Count))) {
            true => rows::list(self.tx, &grant, &query)?.total.rows,
            false => 0,
        };
        let mut values = Vec::with_capacity(sources.len());
        for (source, of) in sources.iter().zip(&selection.fields) {
            values.push(match summed(source) {
                Some(at) => output::sum(schema, entity.field(at), &sums.next().unwrap_or_default(), of),
                None => Data::Leaf(Output::Scalar(i32::try_from(total).map_or(Scalar::Int(i32::MAX), Scalar::Int))),
            });
        }
        Ok(Data::Object(Object { selection: Arc::new(selection.clone()), values }))
    }

    /// One row with the selected fields.
    ///
    /// # Errors
    /// As [`objects`](Loader::objects).
    pub fn object(&mut self, entity: &'static EntityDef, row: &Row, selection: &Selection) -> Result<Data> {
        let mut objects = self.objects(entity, std::slice::from_ref(row), selection)?;
        Ok(objects.pop().unwrap_or_else(Data::null))
    }

    /// Rows with the selected fields; each field is loaded for all rows together.
    ///
    /// # Errors
    /// Errors that end the unit of work.
    pub fn objects(&mut self, entity: &'static EntityDef, rows: &[Row], selection: &Selection) -> Result<Vec<Data>> {
        self.take_values((rows.len() as u64).saturating_mul(selection.fields.len() as u64))?;
        let shared = Arc::new(selection.clone());
        let mut columns = Vec::with_capacity(selection.fields.len());
        for selected in selection.fields.iter().filter(|_| !rows.is_empty()) {
            let source = selected.describe(self.schema, selection.ty).map(|field| &field.source);
            let schema = self.schema;
            let column = match source {
                Some(Source::Value(at)) => {
                    let at = position(*at);
                    rows.iter().map(|row| self.hold(output::value(schema, entity, at, row, selected))).collect()
                }
                Some(Source::Reference(at)) => self.references(entity, position(*at), rows, selected),
                Some(Source::Many(at) | Source::One(at)) => self.relation(entity, position(*at), rows, selected),
                _ => Ok(vec![Data::null(); rows.len()]),
            };
            columns.push(column?.into_iter());
        }
        let mut objects = Vec::with_capacity(rows.len());
        for _ in rows {
            let values = columns.iter_mut().map(|column| column.next().unwrap_or_else(Data::null)).collect();
            objects.push(Data::Object(Object { selection: shared.clone(), values }));
        }
        Ok(objects)
    }

    /// The rows that a reference refers to; null for an invisible one.
    fn references(&mut self, entity: &'static EntityDef, at: FieldIx, rows: &[Row], selected: &Selected) -> Result<Vec<Data>> {
        let target = entity.field(at).kind.target().ok_or_else(|| Error::internal("a reference without a target"))?;
        let target = self.tx.app.entity(target);
        let Ok(grant) = self.tx.ask::<Read>(target) else { return Ok(vec![Data::null(); rows.len()]) };
        self.check_time()?;
        let keys: Vec<Value> = rows.iter().map(|row| row.value(at).clone()).filter(|key| !key.is_null()).collect();
        let only = select::columns(self.schema, target, &selected.selection);
        let found = rows::read_many(self.tx, &grant, &keys, Some(&only))?;
        let objects = self.objects(target, &found, &selected.selection)?;
        let by_key: HashMap<String, Data> = found.iter().map(|row| key_text(row.value(target.pk))).zip(objects).collect();
        let data = |row: &Row| by_key.get(&key_text(row.value(at)));
        rows.iter().map(|row| data(row).map_or_else(|| Ok(Data::null()), |data| self.hold_copy(data))).collect()
    }

    /// The rows of a relation for each row.
    fn relation(&mut self, entity: &'static EntityDef, at: FieldIx, rows: &[Row], selected: &Selected) -> Result<Vec<Data>> {
        let relation = entity.field(at).kind.relation().ok_or_else(|| Error::internal("a relation without rows"))?;
        let Relation { entity: child, via, is_single } = relation;
        let child = self.tx.app.entity(child);
        let keys: Vec<Value> = rows.iter().map(|row| row.value(entity.pk).clone()).collect();
        let page = match selected.page() {
            Ok(page) => page,
            Err(error) => return Ok(vec![Data::Failed(error); rows.len()]),
        };
        let mut of_parent = match via {
            Via::Ref(via) => self.children(child, via, keys, page, selected)?,
            Via::Junction(through) => self.connected(child, through, keys, page, selected)?,
        };
        let mut take = |row: &Row| of_parent.remove(&key_text(row.value(entity.pk))).unwrap_or_default();
        Ok(rows
            .iter()
            .map(|row| match is_single {
                true => take(row).into_iter().next().unwrap_or_else(Data::null),
                false => Data::List(take(row)),
            })
            .collect())
    }

    /// The child rows of each parent, by the key of the parent.
    fn children(
        &mut self,
        child: &'static EntityDef,
        via: FieldAt,
        keys: Vec<Value>,
        (offset, limit): (u64, u64),
        selected: &Selected,
    ) -> Result<HashMap<String, Vec<Data>>> {
        let Ok(grant) = self.tx.ask::<List>(child) else { return Ok(HashMap::new()) };
        self.check_time()?;
        let filters = vec![Filter { path: via.path(), op: FilterOp::In(keys) }];
        let mut only = select::columns(self.schema, child, &selected.selection);
        only.push(via.position());
        let query = Query { filters, offset, limit, only: Some(only), ..select::children(self.tx, child) };
        let found = rows::list_by_parent(self.tx, &grant, &query, via, self.rows_left(&selected.selection))?;
        let objects = self.objects(child, &found, &selected.selection)?;
        let mut of_parent: HashMap<String, Vec<Data>> = HashMap::new();
        for (row, object) in found.iter().zip(objects) {
            of_parent.entry(key_text(row.value_at(child, via))).or_default().push(object);
        }
        Ok(of_parent)
    }

    /// The rows that a junction connects with each parent, by the key of the parent.
    fn connected(
        &mut self,
        child: &'static EntityDef,
        through: Junction,
        keys: Vec<Value>,
        (offset, limit): (u64, u64),
        selected: &Selected,
    ) -> Result<HashMap<String, Vec<Data>>> {
        let (app, junction) = (self.tx.app, through.entity(self.tx.app));
        let (Ok(grant), Ok(far)) = (self.tx.ask::<List>(junction), self.tx.ask::<List>(child)) else { return Ok(HashMap::new()) };
        self.check_time()?;
        let filter = |path, keys| vec![Filter { path, op: FilterOp::In(keys) }];
        let ends = Some(vec![through.near().position(), through.far().position()]);
        let filters = filter(through.near().path(), keys);
        let query = Query { filters, only: ends, limit: MAX_PAIRS + 1, dynamic: true, ..Query::default() };
        let pairs = rows::list(self.tx, &grant, &query)?.rows;
        if pairs.len() as u64 > MAX_PAIRS {
            let title = app.entity(child.ix).title_plural;
            return Err(Error::bad_request(format!("these rows are connected with more than {MAX_PAIRS} {title}; select fewer rows")));
        }
        let mut wanted: Vec<Value> = Vec::new();
        let mut parents: HashMap<String, Vec<String>> = HashMap::new();
        for pair in &pairs {
            let key = pair.value_at(junction, through.far());
            let of_key = parents.entry(key_text(key)).or_insert_with(|| {
                wanted.push(key.clone());
                Vec::new()
            });
            of_key.push(key_text(pair.value_at(junction, through.near())));
        }
        let own_key = FieldAt::new(child.ix, child.pk);
        let only = Some(select::columns(self.schema, child, &selected.selection));
        let query = Query { limit: wanted.len() as u64, only, filters: filter(own_key.path(), wanted), ..select::children(self.tx, child) };
        let found = rows::list(self.tx, &far, &query)?.rows;
        let objects = self.objects(child, &found, &selected.selection)?;
        let mut of_parent: HashMap<String, Vec<Data>> = HashMap::new();
        for (row, object) in found.iter().zip(objects) {
            for parent in parents.get(&key_text(row.value(child.pk))).into_iter().flatten() {
                of_parent.entry(parent.clone()).or_default().push(self.hold_copy(&object)?);
            }
        }
        let (skip, most) = (usize::try_from(offset).unwrap_or(usize::MAX), usize::try_from(limit.min(MAX_LIMIT)).unwrap_or_default());
        Ok(of_parent.into_iter().map(|(key, rows)| (key, rows.into_iter().skip(skip).take(most).collect())).collect())
    }
}

fn too_many() -> Error {
    Error::new(422, "TOO_COMPLEX", format!("The operation loads more than {MAX_COMPLEXITY} values; select less or lower `limit`"))
}

fn too_slow() -> Error {
    let detail =
        format!("The query loads data for more than {} seconds; select fewer fields at its root, or filter them", MAX_TIME.as_secs());
    Error::new(422, "TOO_COMPLEX", detail)
}

fn is_read(operation: &Operation) -> bool {
    matches!(operation, Operation::Read | Operation::List | Operation::Connection | Operation::Aggregate)
}

fn is_refusal(error: &Error) -> bool {
    let is_final = match error.unresolved.as_deref() {
        Some(Unresolved::MissingSingleton(_)) => false,
        Some(Unresolved::Constraint(_)) | None => true,
    };
    is_final && (error.status < 500 || error.status == 501)
}

fn too_large() -> Error {
    let detail = format!("The texts of the response have more than {} MB; select less or lower `limit`", MAX_TEXT >> 20);
    Error::new(422, "TOO_COMPLEX", detail)
}

fn key_text(key: &Value) -> String {
    key.to_key_text().unwrap_or_default()
}

fn position(at: usize) -> FieldIx {
    FieldIx::try_from(at).unwrap_or_default()
}
