//! Drafts in diesel statements of the application: `diesel::insert_into(…).values(new)`, `.set(changes)`.
//!
//! The columns are those with a value in [`Draft::into_values`], so that an application contains no code for each column.

use std::marker::PhantomData;

use diesel::{
    QueryResult, Table,
    backend::Backend,
    insertable::{CanInsertInSingleQuery, InsertValues},
    query_builder::{AstPass, QueryFragment, QueryId, UndecoratedInsertRecord, ValuesClause},
};
use dz_vocabulary::column_of_field;

use crate::{
    Draft, Value,
    db::{BindKind, Statement},
    def::{EntityDef, Kind},
};

/// Columns with their values.
#[derive(Debug, Clone, Default)]
struct Columns(Vec<(&'static str, Statement)>);

/// The columns of a new row of the table `T`.
#[derive(Debug, Clone)]
pub struct DraftColumns<T> {
    columns: Columns,
    table: PhantomData<T>,
}

/// A new row of the table `T`, for an insert of diesel.
pub type New<T> = ValuesClause<DraftColumns<T>, T>;

/// Changes of columns, for an update of diesel.
#[derive(Debug, Clone)]
pub struct Changes {
    columns: Columns,
}

/// Converts a draft to a new row.
pub fn new<T, D: Draft>(entity: &'static EntityDef, draft: D) -> New<T> {
    let mut new = New::default();
    new.values.columns = Columns::new(entity, draft);
    new
}

/// Converts a draft to changes.
pub fn changes<D: Draft>(entity: &'static EntityDef, draft: D) -> Changes {
    Changes { columns: Columns::new(entity, draft) }
}

impl Columns {
    fn new<D: Draft>(entity: &'static EntityDef, draft: D) -> Columns {
        let values = draft.into_values().0.into_iter();
        Columns(
            values
                .filter_map(|(at, value)| entity.fields.get(usize::from(at)).map(|field| (field.name, bind_value(field.kind, value))))
                .collect(),
        )
    }

    fn walk<'b, DB: Backend>(
        &'b self,
        out: &mut AstPass<'_, 'b, DB>,
        mut each: impl FnMut(&'static str, &'b Statement, &mut AstPass<'_, 'b, DB>) -> QueryResult<()>,
    ) -> QueryResult<()> {
        for (at, (name, value)) in self.0.iter().enumerate() {
            if at > 0 {
                out.push_sql(", ");
            }
            each(name, value, out)?;
        }
        Ok(())
    }
}

/// A value as a parameter of its column's kind; a reference has the kind of the key of its target.
fn bind_value(kind: Kind, value: Value) -> Statement {
    let mut statement = Statement::new();
    if matches!(value, Value::Null) {
        statement.push("NULL");
        return statement;
    }
    let kind = match kind {
        Kind::Decimal { precision, scale } => BindKind::Decimal { precision, scale },
        Kind::Float => BindKind::Float,
        Kind::Json => BindKind::Json,
        Kind::Uuid
        | Kind::Str(_)
        | Kind::Text
        | Kind::Int
        | Kind::Bool
        | Kind::Date
        | Kind::DateTime
        | Kind::Enum(_)
        | Kind::Email
        | Kind::Url
        | Kind::Timezone
        | Kind::Currency { .. }
        | Kind::Slug
        | Kind::File { .. }
        | Kind::Ref(_)
        | Kind::HasMany { .. }
        | Kind::HasOne { .. }
        | Kind::ManyToMany { .. } => match &value {
            Value::Json(_) => BindKind::Json,
            Value::Bool(_) => BindKind::Bool,
            Value::Int(_) => BindKind::Int,
            Value::Float(_) => BindKind::Float,
            Value::Uuid(_) => BindKind::Uuid,
            Value::Date(_) => BindKind::Date,
            Value::DateTime(_) => BindKind::DateTime,
            Value::Null | Value::Text(_) | Value::Decimal(_) => BindKind::Text,
        },
    };
    statement.bind(value, kind);
    statement
}

impl<T> Default for DraftColumns<T> {
    fn default() -> Self {
        DraftColumns { columns: Columns::default(), table: PhantomData }
    }
}

impl<T> QueryId for DraftColumns<T> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<T, DB: Backend> CanInsertInSingleQuery<DB> for DraftColumns<T> {
    fn rows_to_insert(&self) -> Option<usize> {
        Some(1)
    }
}

impl<T> UndecoratedInsertRecord<T> for DraftColumns<T> {}

impl<T, DB: Backend> QueryFragment<DB> for DraftColumns<T>
where
    Statement: QueryFragment<DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.unsafe_to_cache_prepared();
        self.columns.walk(&mut out, |_, value, out| value.walk_ast(out.reborrow()))
    }
}

impl<T: Table, DB: Backend> InsertValues<DB, T> for DraftColumns<T>
where
    Statement: QueryFragment<DB>,
{
    fn column_names(&self, mut out: AstPass<'_, '_, DB>) -> QueryResult<()> {
        for (at, (name, _)) in self.columns.0.iter().enumerate() {
            if at > 0 {
                out.push_sql(", ");
            }
            out.push_identifier(&column_of_field(name))?;
        }
        Ok(())
    }
}

impl QueryId for Changes {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<DB: Backend> QueryFragment<DB> for Changes
where
    Statement: QueryFragment<DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.unsafe_to_cache_prepared();
        self.columns.walk(&mut out, |name, value, out| {
            out.push_identifier(&column_of_field(name))?;
            out.push_sql(" = ");
            value.walk_ast(out.reborrow())
        })
    }
}
