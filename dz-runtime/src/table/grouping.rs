//! Which columns may stand beside a grouped query: a column itself, and every column of a table that is grouped by its key.
//! diesel says so with an implementation for each pair of columns; here it is reckoned from their places.

use diesel::expression::is_contained_in_group_by::{No, Yes};

/// Yes, as a type.
#[derive(Debug, Clone, Copy)]
pub struct True;

/// No, as a type.
#[derive(Debug, Clone, Copy)]
pub struct False;

/// Whether a table is the same as another one, for tables that may stand in one query.
pub trait SameTable<T> {
    /// [`True`] or [`False`].
    type Same;
}

/// Whether two bits, or two places, are the same.
pub trait Same<T> {
    /// [`True`] or [`False`].
    type Output;
}

/// Whether both are so.
pub trait And<T> {
    /// [`True`] or [`False`].
    type Output;
}

/// What diesel calls it when a column is the key, or both tables and both places are the same.
pub trait Contained<SameTable, SamePlace> {
    /// diesel's `Yes` or `No`.
    type Output;
}

impl Same<True> for True {
    type Output = True;
}
impl Same<False> for False {
    type Output = True;
}
impl Same<False> for True {
    type Output = False;
}
impl Same<True> for False {
    type Output = False;
}

impl<T> And<T> for True {
    type Output = T;
}
impl<T> And<T> for False {
    type Output = False;
}

impl<A, B, C, D, E, V, W, X, Y, Z> Same<(V, W, X, Y, Z)> for (A, B, C, D, E)
where
    A: Same<V>,
    B: Same<W>,
    C: Same<X>,
    D: Same<Y>,
    E: Same<Z>,
    D::Output: And<E::Output>,
    C::Output: And<<D::Output as And<E::Output>>::Output>,
    B::Output: And<<C::Output as And<<D::Output as And<E::Output>>::Output>>::Output>,
    A::Output: And<<B::Output as And<<C::Output as And<<D::Output as And<E::Output>>::Output>>::Output>>::Output>,
{
    type Output = <A::Output as And<<B::Output as And<<C::Output as And<<D::Output as And<E::Output>>::Output>>::Output>>::Output>>::Output;
}

/// The key of a table is worth all its columns.
impl<SamePlace> Contained<True, SamePlace> for True {
    type Output = Yes;
}
impl Contained<True, True> for False {
    type Output = Yes;
}
impl Contained<True, False> for False {
    type Output = No;
}
/// Another table's columns are never worth each other.
impl<Key, SamePlace> Contained<False, SamePlace> for Key {
    type Output = No;
}

/// The places of 32 columns, which is how many diesel has without a costly feature, as five bits each.
#[allow(missing_docs)]
pub mod place {
    use super::{False, True};

    pub type P0 = (False, False, False, False, False);
    pub type P1 = (False, False, False, False, True);
    pub type P2 = (False, False, False, True, False);
    pub type P3 = (False, False, False, True, True);
    pub type P4 = (False, False, True, False, False);
    pub type P5 = (False, False, True, False, True);
    pub type P6 = (False, False, True, True, False);
    pub type P7 = (False, False, True, True, True);
    pub type P8 = (False, True, False, False, False);
    pub type P9 = (False, True, False, False, True);
    pub type P10 = (False, True, False, True, False);
    pub type P11 = (False, True, False, True, True);
    pub type P12 = (False, True, True, False, False);
    pub type P13 = (False, True, True, False, True);
    pub type P14 = (False, True, True, True, False);
    pub type P15 = (False, True, True, True, True);
    pub type P16 = (True, False, False, False, False);
    pub type P17 = (True, False, False, False, True);
    pub type P18 = (True, False, False, True, False);
    pub type P19 = (True, False, False, True, True);
    pub type P20 = (True, False, True, False, False);
    pub type P21 = (True, False, True, False, True);
    pub type P22 = (True, False, True, True, False);
    pub type P23 = (True, False, True, True, True);
    pub type P24 = (True, True, False, False, False);
    pub type P25 = (True, True, False, False, True);
    pub type P26 = (True, True, False, True, False);
    pub type P27 = (True, True, False, True, True);
    pub type P28 = (True, True, True, False, False);
    pub type P29 = (True, True, True, False, True);
    pub type P30 = (True, True, True, True, False);
    pub type P31 = (True, True, True, True, True);
}
