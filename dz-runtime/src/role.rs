//! The roles of the declaration as a type.

/// A role of the declaration: a value of the generated enum `Role`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a role of the declaration: write a value of its enum, such as `Role::Lead`",
    label = "not the enum of the roles"
)]
pub trait DeclaredRole: Copy + Send + Sync + 'static {
    /// Every role, in the order of the declaration.
    const ALL: &'static [Self];

    /// The name of the persona.
    fn name(self) -> &'static str;

    /// The bit of the role in a mask such as [`Caller::roles`](crate::Caller::roles).
    fn mask(self) -> u64;
}
