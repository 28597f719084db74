//! The expressions that a scoped query accepts: a closed list, which other crates cannot extend.

use diesel::{
    dsl::{self, AsSelect},
    expression::{Selectable, array_comparison::Many},
    internal::{
        derives::as_expression::Bound,
        table_macro::{NullableExpression, ops as numeric},
    },
};

use super::statement::Subquery;
use crate::table::{CanFail, Column, ColumnDef, Operation, TableDef};

mod sealed {
    pub trait Sealed {}
}

/// The expressions that a scoped query accepts: columns, values, the operators of columns, and other scoped queries.
///
/// The trait is sealed. Its implementors write only names of columns, the symbols of operators, and parameters; only dz writes
/// tables. The compiler or the database refuses a column that no table of the query has.
///
/// ```compile_fail,E0277
/// struct Own;
/// impl dz_runtime::scoped::Safe for Own {
///     const FAILS: bool = false;
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "a scoped query takes only columns, values, the operators of columns, and other scoped queries",
    label = "the access rules do not cover this expression",
    note = "operators of columns: `tasks::title.eq(\"Paint\").and(!tasks::done)`; other scoped queries: `tasks::project.eq_any(…)`",
    note = "`tx.as_system(reason, …)` runs any query of diesel, without the access rules"
)]
pub trait Safe: sealed::Sealed {
    /// True if it can fail on a value, such as a division. It must then not be evaluated for a row that is not visible to the
    /// caller.
    #[doc(hidden)]
    const FAILS: bool;
}

macro_rules! safe {
    ($([$($generics:tt)*] $type:ty = $fails:expr;)*) => {$(
        impl<$($generics)*> sealed::Sealed for $type {}
        impl<$($generics)*> Safe for $type {
            const FAILS: bool = $fails;
        }
    )*};
}

safe! {
    [T: TableDef, C: ColumnDef<T>] Column<T, C> = false;
    [ST, U] Bound<ST, U> = false;
    [ST, U] Many<ST, U> = false;
    [E, P: Safe] Operation<E, P> = P::FAILS;
    [P: Safe] CanFail<P> = true;
    [E: Safe] NullableExpression<E> = E::FAILS;
    [E: Safe] dsl::Asc<E> = E::FAILS;
    [E: Safe] dsl::Desc<E> = E::FAILS;
    [] dsl::count_star = false;
    [] () = false;
    [L: Safe, R: Safe] numeric::Add<L, R> = true;
    [L: Safe, R: Safe] numeric::Sub<L, R> = true;
    [L: Safe, R: Safe] numeric::Mul<L, R> = true;
    [L: Safe, R: Safe] numeric::Div<L, R> = true;
    [F, S: Safe, G] Subquery<F, S, G> = false;
}

/// Tuples of safe expressions.
macro_rules! tuples {
    ($first:ident $($rest:ident)*) => {
        safe! { [$first: Safe, $($rest: Safe),*] ($first, $($rest,)*) = $first::FAILS $(|| $rest::FAILS)*; }
        tuples! { $($rest)* }
    };
    () => {};
}

tuples! { A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 A16 A17 A18 A19 A20 A21 A22 A23 A24 A25 A26 A27 A28 A29 A30 A31 }

impl<T: Selectable<DB>, DB: diesel::backend::Backend> sealed::Sealed for AsSelect<T, DB> {}
impl<T: Selectable<DB, SelectExpression: Safe>, DB: diesel::backend::Backend> Safe for AsSelect<T, DB> {
    const FAILS: bool = <T::SelectExpression as Safe>::FAILS;
}
