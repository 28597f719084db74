//! Rows of other entities in a form: the rows of a section with `uses entity`. They are saved in one transaction with the row of the
//! form, by the access rules of their own entity.
//!
//! The controls of a row are called `rows-{section}-{number}-{field}`. No field has such a name, because names contain no hyphen.

mod conditions;
mod controls;
mod files;
mod save;
mod sent;

pub(crate) use files::{file_fields, find_file_field, is_control_name};
pub(crate) use save::{REFUSED, save};
pub(crate) use sent::{read, split_name};

use std::collections::BTreeMap;

use crate::{
    Result, Tx, Value,
    access::{Action as _, Create, Delete, List, Update},
    def::{Auto, ColumnDef, Comparison, EntityDef, FieldIx, Mode, NestedList, Path, SectionBody, SectionDef, Via},
    rows::{self, Counting, Filter, FilterOp, Query, Row, RowTest},
    web::page::{
        columns::{self, Columns},
        form::{
            FormState, conflict,
            control::{self, WritableField},
            list_writable_columns,
        },
        variant::Variant,
    },
};

/// The maximum number of stored rows in a form.
const MOST_STORED: u64 = 20;

/// The rows of a section.
pub(crate) struct ChildRows {
    /// The section.
    pub section: &'static SectionDef,
    list: &'static NestedList,
    /// The reference to the row of the form.
    via: FieldIx,
    rows: Vec<ChildRow>,
    /// The number of stored rows, if the form does not have all of them.
    more_than_shown: Option<rows::Total>,
    /// True if another user deleted a row of the form.
    lost: bool,
    /// The key of the stored row of the form.
    parent: Option<Value>,
}

/// A row of a section.
struct ChildRow {
    /// Its controls with their errors, and the stored row.
    state: FormState,
    /// The key; `None` for a new row.
    key: Option<Value>,
    /// The values that the form sent.
    values: Vec<(FieldIx, Value)>,
    /// The field lines whose condition does not hold.
    hidden: Vec<&'static ColumnDef>,
    removed: bool,
    /// True if another user changed a field that this user changed too.
    stale: bool,
}

impl ChildRows {
    /// True if another user deleted a row of the form.
    pub fn has_lost_rows(&self) -> bool {
        self.lost
    }
}

impl ChildRow {
    /// True if the rules permit `action`, whose result is at this position after the additional columns.
    fn permits(&self, position: usize) -> bool {
        self.state.row.as_ref().is_some_and(|row| row.extra.get(position) == Some(&Value::Bool(true)))
    }
}

/// The entity of a section with its fields, as the caller can use them.
struct Fields {
    entity: &'static EntityDef,
    /// The field lines.
    shown: Vec<&'static ColumnDef>,
    /// The fields with controls in new rows, and in stored ones.
    in_new: Vec<WritableField>,
    in_stored: Vec<WritableField>,
    /// The additional columns, after which the results of the rules follow.
    columns: Columns,
}

impl Fields {
    fn new(tx: &Tx<'_>, variant: &Variant, of: &ChildRows) -> Fields {
        let entity = tx.app.entity(of.list.entity);
        let shown: Vec<&'static ColumnDef> = of.list.columns.iter().filter(|column| !variant.hides(tx.app, &column.path)).collect();
        let writable = |mode| -> Vec<WritableField> {
            let all = list_writable_columns(tx, entity, mode, shown.iter().copied());
            all.into_iter().filter(|field| field.at != of.via).collect()
        };
        let (in_new, in_stored) = (writable(Mode::Create), writable(Mode::Edit));
        let columns = Columns::new(tx.app, shown.iter().copied());
        Fields { entity, shown, in_new, in_stored, columns }
    }

    /// The fields with controls.
    fn writable(&self, row: &ChildRow) -> &[WritableField] {
        match row.state.row {
            None => &self.in_new,
            Some(_) if row.permits(self.update_rule()) => &self.in_stored,
            Some(_) => &[],
        }
    }

    fn update_rule(&self) -> usize {
        self.columns.extra.len()
    }

    fn delete_rule(&self) -> usize {
        self.columns.extra.len() + 1
    }

    /// True if the caller can add rows: the form has every required field.
    fn can_add(&self, tx: &Tx<'_>, of: &ChildRows) -> bool {
        let is_known = |at: FieldIx| at == of.via || Some(at) == self.entity.tenancy.tenant || self.in_new.iter().any(|it| it.at == at);
        let needs = |at: FieldIx| {
            let field = self.entity.field(at);
            let generated = at == self.entity.pk && field.kind.is_generated_key();
            field.required
                && field.is_stored()
                && field.default.is_none()
                && field.auto == Auto::No
                && !generated
                && !field.secret
                && !field.is_currency_of_amount()
        };
        let all = (0..).take(self.entity.fields.len());
        tx.ask::<Create>(self.entity).is_ok() && all.filter(|at| needs(*at)).all(is_known)
    }

    /// A new row with its initial values.
    fn new_row(&self, tx: &Tx<'_>) -> ChildRow {
        let mut state = FormState::default();
        for of in &self.in_new {
            if let Some(text) = control::default_text(tx, of.field) {
                state.typed.insert(of.field.name.to_owned(), of.text(text));
            }
        }
        ChildRow { state, key: None, values: Vec::new(), hidden: Vec::new(), removed: false, stale: false }
    }

    /// A stored row with its values.
    fn stored_row(&self, tx: &Tx<'_>, row: Row) -> ChildRow {
        let key = row.value(self.entity.pk).clone();
        let state = FormState { row: Some(row), ..FormState::default() };
        let mut row = ChildRow { state, key: Some(key), values: Vec::new(), hidden: Vec::new(), removed: false, stale: false };
        let typed = |of: &WritableField| Some((of.field.name.to_owned(), control::stored_text(tx.app, of, row.state.row.as_ref()?)));
        row.state.typed = self.writable(&row).iter().filter_map(typed).collect();
        row
    }

    /// The digests of the stored values, by field that the row has.
    fn digests(&self, tx: &Tx<'_>, row: &ChildRow) -> BTreeMap<&'static str, String> {
        let Some(stored) = &row.state.row else { return BTreeMap::new() };
        let digest = |of: &WritableField| (of.field.name, conflict::digest(&control::stored_text(tx.app, of, stored)));
        self.writable(row).iter().filter(|of| !row.hides(of.column)).map(digest).collect()
    }
}

/// The sections with rows of other entities; none if the caller cannot change anything on the surface.
fn sections(tx: &Tx<'_>, variant: &Variant, parent: Option<&Value>) -> Vec<ChildRows> {
    if variant.is_read_only() {
        return Vec::new();
    }
    let rows_of = |section: &'static SectionDef| match &section.body {
        SectionBody::Nested(list) => match list.via {
            Via::Ref(by) => by.position_in(tx.app.entity(list.entity)).map(|via| ChildRows {
                section,
                list,
                via,
                rows: Vec::new(),
                more_than_shown: None,
                lost: false,
                parent: parent.cloned(),
            }),
            Via::Junction(_) => None,
        },
        SectionBody::Fields(_) => None,
    };
    variant.sections(tx.app).into_iter().filter_map(|part| rows_of(part.section)).collect()
}

/// The rows of the form of a new row: an empty one for each section.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn list_new(tx: &mut Tx<'_>, variant: &Variant) -> Result<Vec<ChildRows>> {
    let mut all = sections(tx, variant, None);
    for of in &mut all {
        let fields = Fields::new(tx, variant, of);
        if fields.can_add(tx, of) {
            of.rows.push(fields.new_row(tx));
        }
        of.find_hidden(tx, &fields)?;
    }
    Ok(all)
}

/// The rows of the form of a stored row: the first ones that the caller can list.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn load(tx: &mut Tx<'_>, variant: &Variant, parent: &Value) -> Result<Vec<ChildRows>> {
    let mut all = sections(tx, variant, Some(parent));
    for of in &mut all {
        let fields = Fields::new(tx, variant, of);
        let found = find(tx, &fields, of, parent, None)?;
        of.more_than_shown = Some(found.total).filter(|total| total.exceeds(found.rows.len() as u64));
        of.rows = found.rows.into_iter().map(|row| fields.stored_row(tx, row)).collect();
        of.find_hidden(tx, &fields)?;
    }
    Ok(all)
}

/// The stored rows of a section: the first ones, or those with some keys.
fn find(tx: &mut Tx<'_>, fields: &Fields, of: &ChildRows, parent: &Value, keys: Option<Vec<Value>>) -> Result<rows::Page> {
    let entity = fields.entity;
    let Ok(grant) = tx.ask::<List>(entity) else { return Ok(rows::Page::default()) };
    let equal = Filter { path: Path::to_field(entity.ix, of.via), op: FilterOp::Compare(Comparison::Eq, parent.clone()) };
    let mut query = Query {
        filters: vec![equal],
        condition: of.list.filter.map(|filter| (filter, Some(parent.clone()))),
        extra: fields.columns.extra.clone(),
        tests: vec![RowTest::Rule(Update::NAME), RowTest::Rule(Delete::NAME)],
        limit: MOST_STORED,
        count: Counting::Limited,
        ..Query::default()
    };
    if let Some(keys) = keys {
        (query.limit, query.count) = (keys.len() as u64, Counting::Off);
        query.filters.push(Filter { path: Path::to_field(entity.ix, entity.pk), op: FilterOp::In(keys) });
    }
    rows::list(tx, &grant, &query)
}

/// The key of a row as in addresses.
fn key_text(key: &Value) -> String {
    columns::key_text(key).unwrap_or_default()
}
