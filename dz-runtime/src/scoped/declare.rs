//! `alias!`: the part of a second name of a table that must be in the crate of the application.

/// Declares a second name of the table of an entity, for joins of a table with itself: `dz::alias! { parents = task::Task; }`.
///
/// The name is a module. `parents::scoped(tx, Read)?` are the rows of the entity under this name, with the rules of the entity, and
/// `parents::field(tasks::title)` is a column of them. `dz::allow_tables_together! { parents, notes; }` allows the name beside other tables.
#[macro_export]
macro_rules! alias {
    ($($(#[$meta:meta])* $vis:vis $name:ident = $row:ty;)*) => {$(
        $(#[$meta])*
        #[allow(dead_code, missing_docs, non_camel_case_types, non_upper_case_globals, unreachable_pub, unused_imports)]
        $vis mod $name {
            use super::*;

            type Original = <$row as ::diesel::associations::HasTable>::Table;

            /// The table.
            #[derive(Debug, Clone, Copy, Default)]
            pub struct table;

            /// Every column.
            pub const all_columns: <table as ::diesel::Table>::AllColumns =
                <<Original as ::diesel::Table>::AllColumns as $crate::table::ColumnsOf<table>>::COLUMNS;

            /// The rows of the entity for which the caller may do `action`, under this name.
            pub fn scoped<A: $crate::access::Action>(
                tx: &$crate::Tx<'_>,
                action: A,
            ) -> $crate::Result<$crate::ScopedRows<table>> {
                $crate::scoped::scoped_as(tx, table, action)
            }

            /// A column under this name.
            pub fn field<C: $crate::table::ColumnDef<Original>>(column: $crate::table::Column<Original, C>) -> $crate::table::Column<table, C> {
                let _ = column;
                $crate::table::Column::new()
            }

            impl $crate::table::AliasDef for table {
                type Row = $row;
                type Original = Original;
            }

            impl $crate::table::TableDef for table {
                type Key = <Original as $crate::table::TableDef>::Key;
                const NAME: &'static ::core::primitive::str = ::core::stringify!($name);
            }

            impl ::diesel::Table for table {
                type PrimaryKey = $crate::table::Column<table, <Original as $crate::table::TableDef>::Key>;
                type AllColumns = <<Original as ::diesel::Table>::AllColumns as $crate::table::ColumnsOf<table>>::Columns;

                fn primary_key(&self) -> Self::PrimaryKey {
                    $crate::table::Column::new()
                }

                fn all_columns() -> Self::AllColumns {
                    all_columns
                }
            }

            impl ::diesel::query_builder::AsQuery for table {
                type SqlType = <Original as ::diesel::query_builder::AsQuery>::SqlType;
                type Query = $crate::table::TableQuery<table>;

                fn as_query(self) -> Self::Query {
                    $crate::table::TableQuery::simple(self)
                }
            }

            impl ::diesel::query_source::TableNotEqual<Original> for table {}
            impl ::diesel::query_source::TableNotEqual<table> for Original {}

            impl $crate::table::SameTable<Original> for table {
                type Same = $crate::table::False;
            }

            impl $crate::table::SameTable<table> for Original {
                type Same = $crate::table::False;
            }

            $crate::table_source! { ::core::stringify!($name) }
            $crate::table_joins! {}
        }
    )*};
}
