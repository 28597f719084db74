//! Which columns may stand beside a grouped query: a column itself, and every column of a table that is grouped by its key.
//! diesel says so with an implementation for each pair of columns; here it is reckoned from their places.

use diesel::expression::is_contained_in_group_by::{No, Yes};

/// Yes, as a type.
#[derive(Debug, Clone, Copy)]
pub struct Is;

/// No, as a type.
#[derive(Debug, Clone, Copy)]
pub struct Not;

/// Whether a table is the same as another one, for tables that may stand in one query.
pub trait Beside<T> {
    /// [`Is`] or [`Not`].
    type Same;
}

/// Whether two bits, or two places, are the same.
pub trait Same<T> {
    /// [`Is`] or [`Not`].
    type Output;
}

/// Whether both are so.
pub trait And<T> {
    /// [`Is`] or [`Not`].
    type Output;
}

/// What diesel calls it when a column is the key, or both tables and both places are the same.
pub trait Contained<SameTable, SamePlace> {
    /// diesel's `Yes` or `No`.
    type Output;
}

impl Same<Is> for Is {
    type Output = Is;
}
impl Same<Not> for Not {
    type Output = Is;
}
impl Same<Not> for Is {
    type Output = Not;
}
impl Same<Is> for Not {
    type Output = Not;
}

impl<T> And<T> for Is {
    type Output = T;
}
impl<T> And<T> for Not {
    type Output = Not;
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
impl<SamePlace> Contained<Is, SamePlace> for Is {
    type Output = Yes;
}
impl Contained<Is, Is> for Not {
    type Output = Yes;
}
impl Contained<Is, Not> for Not {
    type Output = No;
}
/// Another table's columns are never worth each other.
impl<Key, SamePlace> Contained<Not, SamePlace> for Key {
    type Output = No;
}

/// The places of 32 columns, which is how many diesel has without a costly feature, as five bits each.
#[allow(missing_docs)]
pub mod place {
    use super::{Is, Not};

    pub type P0 = (Not, Not, Not, Not, Not);
    pub type P1 = (Not, Not, Not, Not, Is);
    pub type P2 = (Not, Not, Not, Is, Not);
    pub type P3 = (Not, Not, Not, Is, Is);
    pub type P4 = (Not, Not, Is, Not, Not);
    pub type P5 = (Not, Not, Is, Not, Is);
    pub type P6 = (Not, Not, Is, Is, Not);
    pub type P7 = (Not, Not, Is, Is, Is);
    pub type P8 = (Not, Is, Not, Not, Not);
    pub type P9 = (Not, Is, Not, Not, Is);
    pub type P10 = (Not, Is, Not, Is, Not);
    pub type P11 = (Not, Is, Not, Is, Is);
    pub type P12 = (Not, Is, Is, Not, Not);
    pub type P13 = (Not, Is, Is, Not, Is);
    pub type P14 = (Not, Is, Is, Is, Not);
    pub type P15 = (Not, Is, Is, Is, Is);
    pub type P16 = (Is, Not, Not, Not, Not);
    pub type P17 = (Is, Not, Not, Not, Is);
    pub type P18 = (Is, Not, Not, Is, Not);
    pub type P19 = (Is, Not, Not, Is, Is);
    pub type P20 = (Is, Not, Is, Not, Not);
    pub type P21 = (Is, Not, Is, Not, Is);
    pub type P22 = (Is, Not, Is, Is, Not);
    pub type P23 = (Is, Not, Is, Is, Is);
    pub type P24 = (Is, Is, Not, Not, Not);
    pub type P25 = (Is, Is, Not, Not, Is);
    pub type P26 = (Is, Is, Not, Is, Not);
    pub type P27 = (Is, Is, Not, Is, Is);
    pub type P28 = (Is, Is, Is, Not, Not);
    pub type P29 = (Is, Is, Is, Not, Is);
    pub type P30 = (Is, Is, Is, Is, Not);
    pub type P31 = (Is, Is, Is, Is, Is);
}
