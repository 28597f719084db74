//! The public API of the crate `dz`: every item that an application can name, with its signature, read from the sources.
//!
//! The list is read by `syn` and not by the compiler, so that it needs stable Rust and no build of the runtime. It follows `pub mod` and
//! `pub use` from the facade (`src/lib.rs`) into `dz-runtime`. Items that `macro_rules!` of the runtime declare are listed as the call of
//! their macro.
//!
//! Read in this order: [`source`] (the modules of a crate), [`names`] (what a path names), [`walk`] (the public names), [`print`](mod@print).

pub mod attributes;
pub mod names;
pub mod print;
pub mod source;
pub mod walk;

use std::path::Path;

use names::World;

/// The public API of the facade of the workspace in a folder, as text.
///
/// # Panics
/// If a source cannot be read or parsed.
#[must_use]
pub fn public_api(root: &Path) -> String {
    let facade = source::Crate::read("dz", &root.join("src/lib.rs"));
    let runtime = source::Crate::read("dz_runtime", &root.join("dz-runtime/src/lib.rs"));
    let world = World { crates: vec![facade, runtime] };
    let public = walk::public_names(&world, 0);
    print::print(&world, &public)
}
