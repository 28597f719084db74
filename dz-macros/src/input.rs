//! The two fronts: text, and a way to show a byte range of it to the user.

pub(crate) mod file;
pub(crate) mod inline;
mod options;
#[cfg(test)]
mod same;

use dz_dsl_file::{NOT_AVAILABLE, SourceMap, analyse};
use proc_macro2::TokenStream;
use quote::quote;

use crate::{expand, manifest::Package, report};

/// The way from texts to Rust, the same for both fronts.
pub(crate) fn compile(sources: SourceMap, place: &dyn report::Place, package: &Package) -> TokenStream {
    let analysis = analyse(sources);
    let reported = report::diagnostics(&analysis, place, &package.project);
    let unbuilt = analysis.diagnostics.iter().any(|found| found.rule == NOT_AVAILABLE);
    match &analysis.model {
        Some(model) if !unbuilt => {
            let expanded = expand::expand(model, package);
            quote!(#reported #expanded)
        }
        // A bare `app` keeps the one mistake from being followed by "cannot find function".
        _ => quote! {
            #reported
            #[allow(missing_docs, clippy::diverging_sub_expression)]
            pub fn app() -> ::dz::App { ::core::unreachable!() }
        },
    }
}
