//! `table!`: the part of a table that must be in the crate of the application.

/// Declares a table for diesel, as `diesel::table!` does; see [`crate::table`].
#[doc(hidden)]
#[macro_export]
macro_rules! table {
    (
        $(#[sql_name = $sql:literal])?
        $table:ident ($key:ident) {
            $($(#[sql_name = $name:literal])? $column:ident -> $type:ty,)*
        }
    ) => {
        #[allow(dead_code, missing_docs, non_camel_case_types, non_upper_case_globals, unreachable_pub, unused_imports)]
        pub mod $table {
            pub use self::columns::*;

            /// The table and its columns, for import into the function that queries them.
            pub mod dsl {
                pub use super::{columns::{$($column,)*}, table as $table};
            }

            /// The table.
            #[derive(Debug, Clone, Copy, Default)]
            pub struct table;

            impl table {
                /// `table.*`, for counting.
                pub fn star(&self) -> star {
                    star
                }
            }

            /// Every column.
            pub const all_columns: ($($column,)*) = ($($column,)*);

            /// The SQL types of all columns.
            pub type SqlType = columns::__described::SqlType;

            /// A query of this table whose type does not contain its conditions.
            pub type BoxedQuery<'a, DB, ST = SqlType> = $crate::table::BoxedQuery<'a, table, ST, DB>;

            impl $crate::table::TableDef for table {
                type Key = columns::__described::$key;
                const NAME: &'static ::core::primitive::str = $crate::column_name!($table $($sql)?);
            }

            impl ::diesel::Table for table {
                type PrimaryKey = $key;
                type AllColumns = ($($column,)*);

                fn primary_key(&self) -> $key {
                    $key
                }

                fn all_columns() -> Self::AllColumns {
                    all_columns
                }
            }

            impl ::diesel::query_builder::AsQuery for table {
                type SqlType = SqlType;
                type Query = $crate::table::TableQuery<table>;

                fn as_query(self) -> Self::Query {
                    $crate::table::TableQuery::simple(self)
                }
            }

            $crate::table_source! { $crate::column_name!($table $($sql)?) }
            $crate::table_joins! {}

            /// The columns.
            pub mod columns {
                use super::table;

                /// `table.*`, for counting.
                pub type star = $crate::table::Star<table>;
                pub const star: star = $crate::table::Star::new();

                $(
                    pub type $column = $crate::table::Column<table, __described::$column>;
                    pub const $column: $column = $crate::table::Column::new();
                )*

                #[doc(hidden)]
                pub mod __described {
                    use super::super::table;
                    use $crate::sql_types::*;

                    pub type SqlType = ($($type,)*);

                    $crate::columns_at! {
                        [P0 P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11 P12 P13 P14 P15 P16 P17 P18 P19 P20 P21 P22 P23 P24 P25 P26 P27 P28 P29 P30 P31]
                        $($column ($crate::column_name!($column $($name)?)) $type,)*
                    }
                }
            }
        }
    };
}

/// The description of each column, with its position.
#[doc(hidden)]
#[macro_export]
macro_rules! columns_at {
    ([$($places:ident)*]) => {};
    ([$place:ident $($places:ident)*] $column:ident ($name:expr) $type:ty, $($rest:tt)*) => {
        pub struct $column;

        impl $crate::table::ColumnDef<table> for $column {
            type SqlType = $type;
            type Position = $crate::table::place::$place;
            const NAME: &'static ::core::primitive::str = $name;
        }

        $crate::columns_at! { [$($places)*] $($rest)* }
    };
}

/// The name in the database, if it differs from the name in Rust.
#[doc(hidden)]
#[macro_export]
macro_rules! column_name {
    ($column:ident) => {
        ::core::stringify!($column)
    };
    ($column:ident $name:literal) => {
        $name
    };
}

/// The table as the source and the target of queries.
#[doc(hidden)]
#[macro_export]
macro_rules! table_source {
    ($name:expr) => {
        impl $crate::table::parts::StaticQueryFragment for table {
            type Component = $crate::table::parts::Identifier<'static>;
            const STATIC_COMPONENT: &'static Self::Component = &$crate::table::parts::Identifier($name);
        }

        impl ::diesel::QuerySource for table {
            type FromClause = $crate::table::parts::StaticQueryFragmentInstance<table>;
            type DefaultSelection = <Self as ::diesel::Table>::AllColumns;

            fn from_clause(&self) -> Self::FromClause {
                $crate::table::parts::StaticQueryFragmentInstance::new()
            }

            fn default_selection(&self) -> Self::DefaultSelection {
                all_columns
            }
        }

        impl<DB: ::diesel::backend::Backend> ::diesel::query_builder::QueryFragment<DB> for table
        where
            $crate::table::parts::Identifier<'static>: ::diesel::query_builder::QueryFragment<DB>,
        {
            fn walk_ast<'b>(&'b self, __out: ::diesel::query_builder::AstPass<'_, 'b, DB>) -> ::diesel::QueryResult<()> {
                <Self as $crate::table::parts::StaticQueryFragment>::STATIC_COMPONENT.walk_ast(__out)
            }
        }

        impl ::diesel::query_builder::QueryId for table {
            type QueryId = table;
            const HAS_STATIC_QUERY_ID: ::core::primitive::bool = true;
        }

        impl ::diesel::associations::HasTable for table {
            type Table = table;

            fn table() -> table {
                table
            }
        }

        impl ::diesel::query_builder::IntoUpdateTarget for table {
            type WhereClause = <$crate::table::TableQuery<table> as ::diesel::query_builder::IntoUpdateTarget>::WhereClause;

            fn into_update_target(self) -> ::diesel::query_builder::UpdateTarget<table, Self::WhereClause> {
                ::diesel::query_builder::IntoUpdateTarget::into_update_target($crate::table::TableQuery::simple(self))
            }
        }

        impl<T> ::diesel::Insertable<T> for table
        where
            $crate::table::TableQuery<table>: ::diesel::Insertable<T>,
        {
            type Values = <$crate::table::TableQuery<table> as ::diesel::Insertable<T>>::Values;

            fn values(self) -> Self::Values {
                ::diesel::Insertable::values($crate::table::TableQuery::simple(self))
            }
        }

        impl<T> ::diesel::Insertable<T> for &table
        where
            table: ::diesel::Insertable<T>,
        {
            type Values = <table as ::diesel::Insertable<T>>::Values;

            fn values(self) -> Self::Values {
                ::diesel::Insertable::values(*self)
            }
        }
    };
}
