//! Parts that surfaces and workspaces share: places, audiences, openings.

use super::{FieldId, Path, RoleId, SurfaceId};
use crate::Span;

/// A resolved part of the text, with its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placed<T> {
    /// The part.
    pub it: T,
    /// Its place.
    pub span: Span,
}

/// Who can open a page, within the rules of the entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Audience {
    /// Every caller, signed in or not.
    Public,
    /// Every account.
    Authenticated,
    /// Accounts that have one of these roles.
    Personas(Vec<Placed<RoleId>>),
    /// Accounts with the role `admin` for the whole system; a membership with this role is not enough. Only archetypes set this.
    SystemAdmin,
    /// Accounts with the role `admin` or `tenant_admin` in the active tenant, by a membership or for the whole system. Only
    /// archetypes set this.
    TenantAdmin,
}

/// A surface that a row or a page opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    /// The surface.
    pub surface: SurfaceId,
    /// For a surface of one row: `None` opens it for the current row, a ref for the row that the ref references.
    pub via: Option<FieldId>,
    /// The surface's name where it is used.
    pub span: Span,
}

/// One key of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortKey {
    /// The field.
    pub path: Path,
    /// `desc`
    pub descending: bool,
    /// The path in the text.
    pub span: Span,
}
