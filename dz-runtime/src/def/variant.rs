//! What differs on a surface for some personas, as static data.

use super::{ColumnDef, Expr, FieldIx, Path};

/// `for PERSONA:` what differs on a surface for those who have one of some roles. It is no rule of access.
#[derive(Debug)]
pub struct VariantDef {
    /// Mask of the roles that it is for.
    pub roles: u64,
    /// Which rows the surface shows them; `None` is all.
    pub scope: Option<Expr>,
    /// One line under the title.
    pub purpose: Option<&'static str>,
    /// Fields shown in place of those of the sections; empty for all of these.
    pub show: &'static [ColumnDef],
    /// Fields that are nowhere on the surface.
    pub hide: &'static [Path],
    /// Nothing can be changed from here.
    pub read_only: bool,
    /// Where the button leads that stands out.
    pub primary: Option<PrimaryButtonDef>,
    /// Values that a form for a new row begins with.
    pub defaults: &'static [(FieldIx, Expr)],
    /// Positions of the sections that come first.
    pub focus: &'static [u16],
    /// Figures above a list.
    pub metrics: &'static [MetricDef],
    /// Words for an empty list.
    pub empty: Option<&'static str>,
}

impl VariantDef {
    /// One in which nothing differs.
    pub const fn new(roles: u64) -> VariantDef {
        VariantDef {
            roles,
            scope: None,
            purpose: None,
            show: &[],
            hide: &[],
            read_only: false,
            primary: None,
            defaults: &[],
            focus: &[],
            metrics: &[],
            empty: None,
        }
    }
}

/// A surface that opens from a page or from a row of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrimaryButtonDef {
    /// Position in [`AppDef::surfaces`](super::AppDef::surfaces).
    pub surface: u16,
    /// The ref that leads to the row that it shows; `None` for the row itself, and for surfaces that need none.
    pub via: Option<FieldIx>,
}

/// A figure over the rows of a list: the sum of a number, or in how many rows something holds.
#[derive(Debug, Clone, Copy)]
pub struct MetricDef {
    /// The field.
    pub field: FieldIx,
    /// What the figure is called.
    pub title: &'static str,
}
