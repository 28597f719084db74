//! A table together with others: in a `FROM`, under an alias, and in nested joins.

/// diesel's implementations for the sources that contain a table, for a struct `table` in scope. A column is a constant there, so
/// no variable may have a name that a column could have.
#[doc(hidden)]
#[macro_export]
macro_rules! table_joins {
    () => {
        impl $crate::table::SameTable<table> for table {
            type Same = $crate::table::True;
        }

        impl ::diesel::query_source::AppearsInFromClause<table> for table {
            type Count = ::diesel::query_source::Once;
        }

        impl ::diesel::query_source::AppearsInFromClause<table> for $crate::table::parts::NoFromClause {
            type Count = ::diesel::query_source::Never;
        }

        impl<S> ::diesel::query_source::AppearsInFromClause<::diesel::query_source::Alias<S>> for table
        where
            S: ::diesel::query_source::AliasSource,
        {
            type Count = ::diesel::query_source::Never;
        }

        impl<S> $crate::table::parts::AliasAppearsInFromClause<S, table> for table
        where
            S: ::diesel::query_source::AliasSource<Target = table>,
        {
            type Count = ::diesel::query_source::Never;
        }

        impl<A, B> $crate::table::parts::AliasAliasAppearsInFromClause<table, B, A> for table
        where
            A: ::diesel::query_source::AliasSource<Target = table> + $crate::table::parts::AliasAliasAppearsInFromClauseSameTable<B, table>,
            B: ::diesel::query_source::AliasSource<Target = table>,
        {
            type Count = <A as $crate::table::parts::AliasAliasAppearsInFromClauseSameTable<B, table>>::Count;
        }

        impl<S, C> $crate::table::parts::FieldAliasMapperAssociatedTypesDisjointnessTrick<table, S, C> for table
        where
            S: ::diesel::query_source::AliasSource<Target = table> + ::core::clone::Clone,
            C: ::diesel::Column<Table = table>,
        {
            type Out = ::diesel::query_source::AliasedField<S, C>;

            fn map(__column: C, __alias: &::diesel::query_source::Alias<S>) -> Self::Out {
                __alias.field(__column)
            }
        }

        $crate::table_joins_with! {
            [Left: ::diesel::QuerySource, Right: ::diesel::QuerySource, Kind] $crate::table::parts::Join<Left, Right, Kind>;
            [Source, On] $crate::table::parts::JoinOn<Source, On>;
            [F: ::diesel::QuerySource, S, D, W, O, L, Of, G]
                $crate::table::parts::SelectStatement<$crate::table::parts::FromClause<F>, S, D, W, O, L, Of, G>;
            ['a, F: ::diesel::QuerySource, ST, DB]
                $crate::table::parts::BoxedSelectStatement<'a, $crate::table::parts::FromClause<F>, ST, DB>;
            [S] ::diesel::query_source::Alias<S>;
        }
        $crate::table_joins_on_postgres! {}
    };
}

/// A table can be joined with everything that can be joined with it.
#[doc(hidden)]
#[macro_export]
macro_rules! table_joins_with {
    ($([$($generics:tt)*] $source:ty;)*) => {$(
        impl<$($generics)*> ::diesel::JoinTo<$source> for table
        where
            $source: ::diesel::JoinTo<table>,
        {
            type FromClause = $source;
            type OnClause = <$source as ::diesel::JoinTo<table>>::OnClause;

            fn join_target(__source: $source) -> (Self::FromClause, Self::OnClause) {
                let (_, __on) = <$source as ::diesel::JoinTo<table>>::join_target(table);
                (__source, __on)
            }
        }
    )*};
}

/// `ONLY` and `TABLESAMPLE`.
#[cfg(feature = "postgres")]
#[doc(hidden)]
#[macro_export]
macro_rules! table_joins_on_postgres {
    () => {
        $crate::table_joins_with! {
            [S] ::diesel::query_builder::Only<S>;
            [S, M: $crate::table::parts::TablesampleMethod] ::diesel::query_builder::Tablesample<S, M>;
        }

        impl ::diesel::query_source::AppearsInFromClause<::diesel::query_builder::Only<table>> for table {
            type Count = ::diesel::query_source::Once;
        }

        impl ::diesel::query_source::AppearsInFromClause<table> for ::diesel::query_builder::Only<table> {
            type Count = ::diesel::query_source::Once;
        }

        impl<M> ::diesel::query_source::AppearsInFromClause<::diesel::query_builder::Tablesample<table, M>> for table
        where
            M: $crate::table::parts::TablesampleMethod,
        {
            type Count = ::diesel::query_source::Once;
        }

        impl<M> ::diesel::query_source::AppearsInFromClause<table> for ::diesel::query_builder::Tablesample<table, M>
        where
            M: $crate::table::parts::TablesampleMethod,
        {
            type Count = ::diesel::query_source::Once;
        }
    };
}

/// `ONLY` and `TABLESAMPLE`, which SQLite does not have.
#[cfg(not(feature = "postgres"))]
#[doc(hidden)]
#[macro_export]
macro_rules! table_joins_on_postgres {
    () => {};
}

/// Allows two tables in one query, and their columns together in a grouped one: `dz::allow_tables_together! { notes, tags; }`, with
/// the modules of the tables in scope. Tables that a reference connects need no such line.
#[macro_export]
macro_rules! allow_tables_together {
    ($($a:ident, $b:ident;)*) => {$(
        ::diesel::allow_tables_to_appear_in_same_query!($a, $b);

        impl $crate::table::SameTable<$b::table> for $a::table {
            type Same = $crate::table::False;
        }

        impl $crate::table::SameTable<$a::table> for $b::table {
            type Same = $crate::table::False;
        }
    )*};
}
