//! The macros of dz: they convert a declaration to Rust, and report diagnostics at their positions.
//!
//! Use them through the crate `dz`, which documents them.

mod expand;
mod input;
mod manifest;
mod report;

use proc_macro::TokenStream;

/// Expands a declaration in the call. See the crate `dz`.
#[proc_macro]
pub fn dz(input: TokenStream) -> TokenStream {
    input::inline::expand(input.into()).into()
}

/// Expands the declaration in a file or folder. See the crate `dz`.
#[proc_macro]
pub fn include_dsl(input: TokenStream) -> TokenStream {
    input::file::expand(input.into()).into()
}
