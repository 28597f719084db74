//! A table under a second name, so that a query can join a table with itself.

use super::{Column, ColumnDef, TableDef};
use crate::record::Entity;

/// A second name of a table, which [`alias!`](crate::alias) declares.
pub trait AliasDef: TableDef {
    /// The row of the entity.
    type Row: Entity;

    /// The table of the entity.
    type Original: TableDef;
}

/// A column belongs to a table under each of its names.
impl<N: AliasDef, C: ColumnDef<N::Original>> ColumnDef<N> for C {
    type SqlType = <C as ColumnDef<N::Original>>::SqlType;
    type Position = <C as ColumnDef<N::Original>>::Position;
    const NAME: &'static str = <C as ColumnDef<N::Original>>::NAME;
}

/// The columns of a table, as those of the table `U`.
pub trait ColumnsOf<U> {
    /// The columns of `U`.
    type Columns;

    #[doc(hidden)]
    const COLUMNS: Self::Columns;
}

macro_rules! columns_of {
    ($first:ident $($rest:ident)*) => {
        impl<T, U, $first, $($rest),*> ColumnsOf<U> for (Column<T, $first>, $(Column<T, $rest>,)*) {
            type Columns = (Column<U, $first>, $(Column<U, $rest>,)*);
            const COLUMNS: Self::Columns = (Column::<U, $first>::new(), $(Column::<U, $rest>::new(),)*);
        }

        columns_of! { $($rest)* }
    };
    () => {};
}

columns_of! { A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 A16 A17 A18 A19 A20 A21 A22 A23 A24 A25 A26 A27 A28 A29 A30 A31 }
