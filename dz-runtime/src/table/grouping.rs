//! The columns that can appear in a grouped query: the grouped column itself, and every column of a table that is grouped by its
//! key. diesel has an implementation for each pair of columns; here it is computed from their positions.

use diesel::expression::is_contained_in_group_by::{No, Yes};

/// True, as a type.
#[derive(Debug, Clone, Copy)]
pub struct True;

/// False, as a type.
#[derive(Debug, Clone, Copy)]
pub struct False;

/// Whether two tables of one query are the same.
pub trait SameTable<T> {
    /// [`True`] or [`False`].
    type Same;
}

/// Whether two bits or two positions are equal.
pub trait Same<T> {
    /// [`True`] or [`False`].
    type Output;
}

/// The conjunction.
pub trait And<T> {
    /// [`True`] or [`False`].
    type Output;
}

/// Whether a column is valid in a grouped query: it is the key, or table and position are equal.
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

/// The key of a table determines all its columns.
impl<SamePlace> Contained<True, SamePlace> for True {
    type Output = Yes;
}
impl Contained<True, True> for False {
    type Output = Yes;
}
impl Contained<True, False> for False {
    type Output = No;
}
/// Columns of different tables never determine each other.
impl<Key, SamePlace> Contained<False, SamePlace> for Key {
    type Output = No;
}

/// The positions of 32 columns, with five bits each; diesel supports more columns only with a feature that compiles slowly.
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
