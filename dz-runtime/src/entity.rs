//! The typed face of rows: what generated structs implement, and the calls that their methods make.

mod declare;

use crate::{
    Error, FromValue, IntoValue, Result, Tx, Value, access,
    def::{Comparison, EntityDef, FieldIx, Kind, Path},
    rows::{self, Filter, FilterOp, Query, Row},
};

/// A generated row struct.
pub trait Entity: Sized + 'static {
    /// What a new row is made of.
    type New: Draft;
    /// What a change is made of.
    type Changes: Draft;
    /// The entity's description.
    const DEF: &'static EntityDef;

    /// The struct of a row.
    ///
    /// # Errors
    /// 500 `INTERNAL` when a value is not of its field's type.
    fn from_row(row: Row) -> Result<Self>;

    /// The primary key.
    fn key(&self) -> Value;
}

/// A generated `New…` or `…Changes` struct.
pub trait Draft: Sized + 'static {
    /// The fields that are given.
    fn into_given(self) -> Given;

    /// The struct of given fields; fields that it does not have are left out.
    ///
    /// # Errors
    /// 422 `VALIDATION` when a field that it needs is missing.
    fn from_given(given: Given) -> Result<Self>;
}

/// Fields that are given, each with its value.
///
/// ```
/// use dz_runtime::entity::Given;
/// let mut given = Given::default();
/// given.set(1, "Paint");
/// given.maybe(2, None::<i64>);
/// assert_eq!(given.optional::<String>(1).unwrap().as_deref(), Some("Paint"));
/// assert_eq!(given.optional::<i64>(2).unwrap(), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Given(pub(crate) Vec<(FieldIx, Value)>);

impl Given {
    /// Gives a field, in place of what was given for it before.
    pub fn set(&mut self, field: FieldIx, value: impl IntoValue) {
        let value = value.into_value();
        match self.0.iter_mut().find(|(other, _)| *other == field) {
            Some((_, old)) => *old = value,
            None => self.0.push((field, value)),
        }
    }

    /// Gives a field when there is a value.
    pub fn maybe(&mut self, field: FieldIx, value: Option<impl IntoValue>) {
        if let Some(value) = value {
            self.set(field, value);
        }
    }

    /// Takes a field that must be there.
    ///
    /// # Errors
    /// 422 `VALIDATION` when it is not.
    pub fn required<V: FromValue>(&mut self, field: FieldIx) -> Result<V> {
        self.optional(field)?.ok_or_else(|| Error::new(422, "VALIDATION", "A required field is missing"))
    }

    /// Takes a field that may be there.
    ///
    /// # Errors
    /// 500 `INTERNAL` when it is of another type.
    pub fn optional<V: FromValue>(&mut self, field: FieldIx) -> Result<Option<V>> {
        let Some(at) = self.0.iter().position(|(other, _)| *other == field) else { return Ok(None) };
        V::from_value(self.0.swap_remove(at).1).map(Some)
    }

    /// What is given for a field.
    pub fn get(&self, field: FieldIx) -> Option<&Value> {
        self.0.iter().find(|(other, _)| *other == field).map(|(_, value)| value)
    }

    /// Takes a field back.
    pub fn remove(&mut self, field: FieldIx) {
        self.0.retain(|(other, _)| *other != field);
    }

    /// The fields that are given.
    pub fn fields(&self) -> impl Iterator<Item = FieldIx> {
        self.0.iter().map(|(field, _)| *field)
    }
}

impl Row {
    /// Takes the value of a field.
    ///
    /// # Errors
    /// 500 `INTERNAL` when it is of another type.
    pub fn take<V: FromValue>(&mut self, field: FieldIx) -> Result<V> {
        V::from_value(self.values.get_mut(usize::from(field)).map(std::mem::take).unwrap_or_default())
    }
}

/// The row with this key.
///
/// # Errors
/// 404 when the caller may not read it, or it does not exist.
pub fn find<E: Entity>(tx: &mut Tx<'_>, key: impl IntoValue) -> Result<E> {
    let grant = tx.ask::<access::Read>(E::DEF)?;
    E::from_row(rows::read(tx, &grant, &key.into_value(), &[])?)
}

/// The one row of an entity that has one, in the system or in the tenant where the caller is. It is made where it is not
/// there yet, which a connection that only reads cannot do.
///
/// # Errors
/// 401 and 403 when the caller may not read it; 409 `SINGLETON` where it is not there yet and the connection only reads.
pub fn only<E: Entity>(tx: &mut Tx<'_>) -> Result<E> {
    tx.ask::<access::Read>(E::DEF)?;
    let key = rows::only::only(tx, E::DEF)?;
    find(tx, key)
}

/// What is computed for a row, asked now: it may depend on the day and on other rows.
///
/// # Errors
/// 404 when the caller may not read the row, or it does not exist any more.
pub fn computed<E: Entity, V: FromValue>(tx: &mut Tx<'_>, row: &E, field: FieldIx) -> Result<V> {
    let grant = tx.ask::<access::Read>(E::DEF)?;
    rows::read(tx, &grant, &row.key(), &[])?.take(field)
}

/// The rows of a relation that the caller may list, by key: those whose field `via` points to a row.
///
/// # Errors
/// 403 when the caller may list none.
pub fn children<E: Entity, C: Entity>(tx: &mut Tx<'_>, row: &E, via: FieldIx) -> Result<Vec<C>> {
    let grant = tx.ask::<access::List>(C::DEF)?;
    let path = Path::own(C::DEF.ix, via);
    let filters = vec![Filter { path, op: FilterOp::Compare(Comparison::Eq, row.key()) }];
    let query = Query { filters, limit: u64::MAX, ..Query::default() };
    rows::list(tx, &grant, &query)?.rows.into_iter().map(C::from_row).collect()
}

/// The one row of a relation, as [`children`].
///
/// # Errors
/// 403 when the caller may list none.
pub fn child<E: Entity, C: Entity>(tx: &mut Tx<'_>, row: &E, via: FieldIx) -> Result<Option<C>> {
    children(tx, row, via).map(|rows| rows.into_iter().next())
}

/// The rows that the junction of the relation `field` connects with a row, as far as the caller may list them and what
/// connects them, by key.
///
/// # Errors
/// 403 when the caller may list none.
pub fn linked<E: Entity, C: Entity>(tx: &mut Tx<'_>, row: &E, field: FieldIx) -> Result<Vec<C>> {
    let Kind::ManyToMany { through, .. } = E::DEF.field(field).kind else {
        return Err(Error::internal("a relation without a junction"));
    };
    let grant = tx.ask::<access::List>(C::DEF)?;
    let link = Some(rows::Link::new(tx, through, row.key())?);
    let query = Query { link, limit: u64::MAX, ..Query::default() };
    rows::list(tx, &grant, &query)?.rows.into_iter().map(C::from_row).collect()
}

/// Makes a row; the answer is the row as it was made.
///
/// # Errors
/// As [`rows::create`].
pub fn create<E: Entity>(tx: &mut Tx<'_>, new: E::New) -> Result<E> {
    let grant = tx.ask::<access::Create>(E::DEF)?;
    E::from_row(rows::made(tx, &grant, new.into_given())?)
}

/// Changes a row; the answer is the row as it is then.
///
/// # Errors
/// As [`rows::update`].
pub fn update<E: Entity>(tx: &mut Tx<'_>, row: &E, changes: E::Changes) -> Result<E> {
    let grant = tx.ask::<access::Update>(E::DEF)?;
    E::from_row(rows::changed(tx, &grant, &row.key(), changes.into_given())?)
}

/// Moves a row to another state; the answer is the row as it is then.
///
/// # Errors
/// As [`rows::transition`].
pub fn transition<E: Entity>(tx: &mut Tx<'_>, row: &E, state: impl IntoValue) -> Result<E> {
    E::from_row(rows::moved(tx, E::DEF, &row.key(), state.into_value(), Given::default(), None)?)
}

/// Takes the mark from a deleted row; the answer is the row as it is then.
///
/// # Errors
/// As [`rows::restore`].
pub fn restore<E: Entity>(tx: &mut Tx<'_>, key: impl IntoValue) -> Result<E> {
    let grant = tx.ask::<access::Restore>(E::DEF)?;
    E::from_row(rows::restored(tx, &grant, &key.into_value(), None)?)
}

/// Removes a row.
///
/// # Errors
/// As [`rows::delete`].
pub fn delete<E: Entity>(tx: &mut Tx<'_>, row: E) -> Result<()> {
    let grant = tx.ask::<access::Delete>(E::DEF)?;
    rows::delete(tx, &grant, &row.key(), None)
}
