//! The two macros: each provides a text, and converts a byte range of it to a position for the user.

pub(crate) mod file;
pub(crate) mod inline;
mod options;
#[cfg(test)]
mod same;

use dz_dsl_file::{SourceMap, analyse, sketch};
use proc_macro2::TokenStream;
use quote::quote;

use crate::{expand, manifest::Package, report};

/// Converts texts to Rust, for both macros.
pub(crate) fn compile(sources: SourceMap, place: &dyn report::Place, package: &Package) -> TokenStream {
    let analysis = analyse(sources);
    let reported = report::diagnostics(&analysis, place, &package.settings);
    let reported = analysis.model.iter().fold(reported, |reported, model| {
        let of_locales = report::locales(model, place, package);
        quote!(#reported #of_locales)
    });
    let expanded = match &analysis.model {
        Some(model) => expand::expand(model, package),
        // The expansion cannot be compiled without errors. The sketch prevents further errors in the Rust that uses the application.
        None => sketch(&analysis).map_or_else(bare, |model| expand::expand(&model, package)),
    };
    quote!(#reported #expanded)
}

/// An `app` function without a body, for a declaration that cannot be understood.
pub(crate) fn bare() -> TokenStream {
    quote! {
        #[allow(missing_docs, clippy::diverging_sub_expression)]
        pub fn app() -> ::dz::App { ::core::unreachable!() }
    }
}
