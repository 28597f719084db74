//! The variants of a surface for personas, as static data.

use dz_dsl_file::model::{AggregateOf, Column, Model, Path, SectionBody, ShownAggregate, Surface, Variant};
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};

use super::{expr, positions, surface, workspace};

/// The variants of a surface; `None` if there are none.
pub(super) fn expand(model: &Model, of: &Surface) -> Option<TokenStream> {
    let variants = of.variants.iter().map(|it| variant(model, of, it));
    (!of.variants.is_empty()).then(|| quote!(variants: &[#(#variants,)*],))
}

fn variant(model: &Model, of: &Surface, variant: &Variant) -> TokenStream {
    let roles = positions::roles(model, variant.personas.iter().map(|role| role.it));
    let mut said = TokenStream::new();
    if let Some(scope) = &variant.scope {
        let scope = expr::expand(model, &scope.it);
        said.extend(quote!(scope: Some(#scope),));
    }
    said.extend(variant.purpose.as_ref().map(|it| quote!(purpose: Some(#it),)));
    said.extend(variant.empty.as_ref().map(|it| quote!(empty: Some(#it),)));
    said.extend(list(quote!(show), variant.show.iter().map(|path| column(model, of, &path.it))));
    said.extend(list(quote!(hide), variant.hide.iter().map(|path| expr::expand_path(model, &path.it))));
    said.extend(variant.read_only.then(|| quote!(read_only: true,)));
    if let Some(opening) = &variant.action_primary {
        let opening = workspace::opening(model, of.entity, opening);
        said.extend(quote!(primary: Some(#opening),));
    }
    let defaults = variant.defaults.iter().map(|(field, value)| {
        let (field, value) = (positions::field(model, of.entity, field.it), expr::expand(model, value));
        quote!((#field, #value))
    });
    said.extend(list(quote!(defaults), defaults));
    said.extend(list(quote!(focus), variant.focus.iter().map(|at| positions::index(at.it).into_token_stream())));
    said.extend(list(quote!(metrics), variant.aggregates.iter().filter_map(|it| metric(model, of, it))));
    said.extend(list(quote!(figures), variant.aggregates.iter().filter_map(figure)));
    quote!(VariantDef { #said ..VariantDef::new(#roles) })
}

/// A list of a variant, unless it is empty.
fn list(name: TokenStream, items: impl Iterator<Item = TokenStream>) -> Option<TokenStream> {
    let items: Vec<TokenStream> = items.collect();
    (!items.is_empty()).then(|| quote!(#name: &[#(#items),*],))
}

/// The column of a section of the surface, else one with the title of its field.
pub(super) fn column(model: &Model, of: &Surface, path: &Path) -> TokenStream {
    let columns = of.sections.iter().flat_map(|section| match &section.body {
        SectionBody::Fields(columns) => columns.as_slice(),
        SectionBody::Nested(_) => &[],
    });
    let known: Option<&Column> = columns.into_iter().find(|column| column.path == *path);
    known.map_or_else(
        || {
            let (path, label) = (expr::expand_path(model, path), &title(model, path));
            quote!(ColumnDef::new(#path, #label))
        },
        |column| surface::column(model, column),
    )
}

fn title<'m>(model: &'m Model, path: &Path) -> &'m str {
    let (entity, field) = path.end(&model.entities);
    &model.field(entity, field).title
}

/// A figure of a workspace, by its position.
fn figure(of: &ShownAggregate) -> Option<TokenStream> {
    let AggregateOf::Metric(workspace, region, at) = of.of else { return None };
    let places = [workspace.0, region, at].map(positions::index);
    Some(quote!((#(#places),*)))
}

/// A metric over a field of the rows of the list.
fn metric(model: &Model, surface: &Surface, of: &ShownAggregate) -> Option<TokenStream> {
    let (AggregateOf::Sum(field) | AggregateOf::Count(field)) = of.of else { return None };
    let (field, title) = (positions::field(model, surface.entity, field), &of.title);
    Some(quote!(MetricDef { field: #field, title: #title }))
}
