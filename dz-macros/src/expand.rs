//! Converts the model to Rust, with one file for each aspect. The generated code only describes; all behaviour is in the runtime.

mod app;
mod describe;
mod documents;
mod draft;
mod entity;
mod enumeration;
mod experience;
mod expr;
#[cfg(test)]
mod golden;
mod llm;
mod mark;
mod names;
mod positions;
mod schedules;
mod schema;
mod services;
mod signature;
mod surface;
mod template;
mod types;
mod variant;
mod workspace;

use dz_dsl_file::model::Model;
use proc_macro2::TokenStream;
use quote::quote;

use crate::manifest::Package;

/// The complete expansion of an application.
pub(crate) fn expand(model: &Model, package: &Package) -> TokenStream {
    let keys = package.settings.project.keys;
    let schema = schema::expand(model, keys);
    let enums = enumeration::expand_named(model);
    let entities = (0..model.entities.len()).map(|at| entity::expand(model, at, keys));
    let roles = positions::declare_roles(model);
    let app = app::expand(model, package);
    let services = services::expand(model);
    let documents = documents::expand(model, &package.settings.project);
    quote! {
        #schema
        #enums
        #(#entities)*
        #roles
        #app
        #services
        #documents
    }
}
