//! Variants of surfaces for personas, as static data.

use super::{ColumnDef, Expr, FieldIx, Path};

/// `for PERSONA:` the differences of a surface for callers with one of some roles. It is not access control.
#[derive(Debug, Clone)]
pub struct VariantDef {
    /// The mask of the roles.
    pub roles: u64,
    /// The rows that the surface shows; `None` means all rows.
    pub scope: Option<Expr>,
    /// One line under the title.
    pub purpose: Option<&'static str>,
    /// The fields in place of those of the sections; empty for all of those.
    pub show: &'static [ColumnDef],
    /// The fields that the surface hides.
    pub hide: &'static [Path],
    /// True if nothing can be changed on the surface.
    pub read_only: bool,
    /// The target of the primary button.
    pub primary: Option<PrimaryButtonDef>,
    /// The initial values of the form for a new row.
    pub defaults: &'static [(FieldIx, Expr)],
    /// The positions of the sections that are shown first.
    pub focus: &'static [u16],
    /// The metrics above a list.
    pub metrics: &'static [MetricDef],
    /// Figures of workspaces above a list: the positions of the workspace, the region and the figure.
    pub figures: &'static [(u16, u16, u16)],
    /// The text of an empty list.
    pub empty: Option<&'static str>,
}

impl VariantDef {
    /// A variant without differences.
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
            figures: &[],
            empty: None,
        }
    }
}

/// The target of a primary button: a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrimaryButtonDef {
    /// Position in [`AppDef::surfaces`](super::AppDef::surfaces).
    pub surface: u16,
    /// The reference to the row that the surface shows; `None` for the row itself, and for surfaces without a row.
    pub via: Option<FieldIx>,
}

/// A metric over the rows of a list: the sum of a number field, or the number of rows in which a boolean field is true.
#[derive(Debug, Clone, Copy)]
pub struct MetricDef {
    /// The field.
    pub field: FieldIx,
    /// The title of the metric.
    pub title: &'static str,
}
