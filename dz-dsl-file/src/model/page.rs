//! What surfaces and workspaces have in common: places, audiences, what opens a page.

use super::{FieldId, Path, RoleId, SurfaceId};
use crate::Span;

/// Something the text names or says, with its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placed<T> {
    /// What it is.
    pub it: T,
    /// Where the text says it.
    pub span: Span,
}

/// Who may open a page. It never widens what the entity's rules permit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Audience {
    /// Every caller, signed in or not.
    Public,
    /// Every account.
    Authenticated,
    /// Accounts that have one of these roles.
    Personas(Vec<Placed<RoleId>>),
    /// Accounts to which `admin` was granted for the whole system; being `admin` by a membership is not enough. No text says
    /// this, archetypes bring it.
    SystemAdmin,
    /// Accounts that are `admin` or `tenant_admin` where a tenant is active, by their membership or by a grant for the whole
    /// system. No text says this, archetypes bring it.
    TenantAdmin,
}

/// A surface that opens from a row or from a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    /// The surface.
    pub surface: SurfaceId,
    /// For a surface of one row: `None` opens it for the row at hand, a ref for the row that the ref points to.
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
