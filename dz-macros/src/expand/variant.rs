//! What differs on a surface for some personas, as static data.

use dz_dsl_file::model::{AggregateOf, Column, Model, Path, SectionBody, ShownAggregate, Surface, Variant};
use proc_macro2::TokenStream;
use quote::quote;

use super::{expr, surface};

/// The variants of a surface; nothing for one that is the same for everybody.
pub(super) fn expand(model: &Model, of: &Surface) -> Option<TokenStream> {
    let variants = of.variants.iter().map(|it| variant(model, of, it));
    (!of.variants.is_empty()).then(|| quote!(variants: &[#(#variants,)*],))
}

fn variant(model: &Model, of: &Surface, variant: &Variant) -> TokenStream {
    let roles = variant.personas.iter().fold(0u64, |mask, role| mask | (1 << role.it.0));
    let mut said = TokenStream::new();
    if let Some(scope) = &variant.scope {
        let scope = expr::expand(model, &scope.it);
        said.extend(quote!(scope: Some(#scope),));
    }
    said.extend(variant.purpose.as_ref().map(|it| quote!(purpose: Some(#it),)));
    said.extend(variant.empty.as_ref().map(|it| quote!(empty: Some(#it),)));
    said.extend(list(quote!(show), variant.show.iter().map(|path| shown(model, of, &path.it))));
    said.extend(list(quote!(hide), variant.hide.iter().map(|path| expr::of_path(&path.it))));
    said.extend(variant.read_only.then(|| quote!(read_only: true,)));
    if let Some(opening) = &variant.action_primary {
        let surface = opening.surface.0 as u16;
        let via = expr::option(opening.via.map(|field| {
            let field = field.0 as u16;
            quote!(#field)
        }));
        said.extend(quote!(primary: Some(OpeningDef { surface: #surface, via: #via }),));
    }
    let defaults = variant.defaults.iter().map(|(field, value)| {
        let (field, value) = (field.it.0 as u16, expr::expand(model, value));
        quote!((#field, #value))
    });
    said.extend(list(quote!(defaults), defaults));
    said.extend(list(
        quote!(focus),
        variant.focus.iter().map(|at| {
            let at = at.it as u16;
            quote!(#at)
        }),
    ));
    said.extend(list(quote!(figures), variant.aggregates.iter().filter_map(figure)));
    quote!(VariantDef { #said ..VariantDef::new(#roles) })
}

/// A field of a variant that is a list, where there is anything in it.
fn list(name: TokenStream, items: impl Iterator<Item = TokenStream>) -> Option<TokenStream> {
    let items: Vec<TokenStream> = items.collect();
    (!items.is_empty()).then(|| quote!(#name: &[#(#items),*],))
}

/// A column as a section of the surface has it, else with the title of its field.
fn shown(model: &Model, of: &Surface, path: &Path) -> TokenStream {
    let columns = of.sections.iter().flat_map(|section| match &section.body {
        SectionBody::Fields(columns) => columns.as_slice(),
        SectionBody::Nested(_) => &[],
    });
    let known: Option<&Column> = columns.into_iter().find(|column| column.path == *path);
    known.map_or_else(
        || {
            let (path, label) = (expr::of_path(path), &title(model, path));
            quote!(ColumnDef::new(#path, #label))
        },
        surface::column,
    )
}

fn title<'m>(model: &'m Model, path: &Path) -> &'m str {
    let (entity, field) = path.end(&model.entities);
    &model.field(entity, field).title
}

/// Metrics of workspaces are refused until there are workspaces.
fn figure(of: &ShownAggregate) -> Option<TokenStream> {
    let (AggregateOf::Sum(field) | AggregateOf::Count(field)) = of.of else { return None };
    let (field, title) = (field.0 as u16, &of.title);
    Some(quote!(FigureDef { field: #field, title: #title }))
}
