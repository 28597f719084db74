//! Workspaces as static data.

use dz_dsl_file::model::{
    Audience, EntityId, Expr, FieldId, GroupBy, Mode, Model, Opening, Path, Placed, Region, SortKey, Source, Type, Value, Workspace,
    WorkspaceVariant,
};
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};

use super::{
    expr::{self, Figures},
    positions,
};

/// The maximum number of columns of an entity without a list.
const COLUMNS: usize = 6;

pub(super) fn expand(model: &Model, workspace: &Workspace) -> TokenStream {
    let (name, title) = (&workspace.name, &workspace.title);
    let purpose = expr::option(workspace.purpose.as_ref().map(|it| quote!(#it)));
    let audience = workspace.access.as_ref().map_or_else(|| quote!(Audience::Authenticated), |it| audience(model, it));
    let regions = workspace.regions.iter().map(|it| region(model, workspace, it));
    let variants = workspace.variants.iter().map(|it| variant(model, it));
    quote! {
        WorkspaceDef {
            name: #name,
            title: #title,
            purpose: #purpose,
            audience: #audience,
            regions: &[#(#regions,)*],
            variants: &[#(#variants,)*],
        }
    }
}

/// The audience of a page.
pub(super) fn audience(model: &Model, audience: &Audience) -> TokenStream {
    match audience {
        Audience::Public => quote!(Audience::Rules),
        Audience::Authenticated => quote!(Audience::Authenticated),
        Audience::Personas(personas) => {
            let roles = positions::roles(model, personas.iter().map(|role| role.it));
            quote!(Audience::Roles(#roles))
        }
        Audience::SystemAdmin => quote!(Audience::SystemAdmin),
        Audience::TenantAdmin => quote!(Audience::TenantAdmin),
    }
}

fn region(model: &Model, workspace: &Workspace, region: &Region) -> TokenStream {
    let (id, title, display) = (format!("{}-{}", workspace.name, region.name), &region.title, expr::vocabulary(region.display));
    let sources = region.sources.iter().map(|it| source(model, it));
    let mut parts = quote!(sources: &[#(#sources),*],);
    parts.extend(region.limit.map(|limit| {
        let limit = positions::number(limit);
        quote!(limit: Some(#limit),)
    }));
    parts.extend(region.empty.as_ref().map(|it| quote!(empty: Some(#it),)));
    parts.extend(region.button.as_ref().map(|opening| {
        let surface = positions::index(opening.surface.0);
        quote!(button: Some(#surface),)
    }));
    let all = Figures::collect(&region.metrics);
    let figures = region.metrics.iter().map(|metric| {
        let (name, title, ty) = (&metric.name, &metric.title, expr::type_tokens(&metric.ty));
        let value = expr::expand_in(model, Some(&all), &metric.expr);
        let currency = if let Type::Money(Some(currency)) = metric.ty { Some(currency.code().to_owned()) } else { None };
        let currency = expr::option(currency.map(|code| quote!(#code)));
        quote!(FigureDef { name: #name, title: #title, expr: #value, ty: #ty, currency: #currency })
    });
    if !region.metrics.is_empty() {
        parts.extend(quote!(figures: &[#(#figures),*],));
    }
    quote!(RegionDef { #parts ..RegionDef::new(#id, #title, #display) })
}

fn source(model: &Model, source: &Source) -> TokenStream {
    let entity = positions::entity(model, source.entity);
    let mut parts = TokenStream::new();
    if let Some(filter) = &source.filter {
        let filter = expr::expand(model, &filter.it);
        parts.extend(quote!(filter: Some(#filter),));
    }
    if !source.sort.is_empty() {
        let sort = source.sort.iter().map(|key| sort_key(model, key));
        parts.extend(quote!(sort: &[#(#sort),*],));
    }
    parts.extend(source.action.as_ref().map(|it| {
        let opening = opening(model, source.entity, it);
        quote!(action: Some(#opening),)
    }));
    for (name, group) in [(quote!(group_by), &source.group_by), (quote!(across), &source.across)] {
        parts.extend(group.as_ref().map(|it| {
            let group = group_by(model, it);
            quote!(#name: Some(#group),)
        }));
    }
    let path = |path: &Path| expr::expand_path(model, path);
    parts.extend(source.date.as_ref().map(path).map(|it| quote!(date: Some(#it),)));
    parts.extend(source.title.as_ref().map(|title| path(&title.it)).map(|it| quote!(title: Some(#it),)));
    parts.extend(source.value.as_ref().map(|value| match value {
        Value::Field(field) => {
            let field = path(&field.it);
            quote!(value: Some(RegionValue::Field(#field)),)
        }
        Value::Metric(at) => {
            let at = positions::index(at.it);
            quote!(value: Some(RegionValue::Figure(#at)),)
        }
    }));
    match model.surfaces.iter().find(|it| it.mode == Mode::List && it.entity == source.entity) {
        Some(list) if list.names_columns() => parts.extend(quote!(has_named_columns: true,)),
        Some(_) => {}
        None => {
            let columns = columns(model, source.entity);
            parts.extend(quote!(columns: &[#(#columns),*],));
        }
    }
    quote!(SourceDef { #parts ..SourceDef::new(#entity) })
}

fn sort_key(model: &Model, key: &SortKey) -> TokenStream {
    let (path, descending) = (expr::expand_path(model, &key.path), key.descending);
    quote!(SortDef { path: #path, descending: #descending })
}

/// A surface, and the reference of a row of `entity` to the row that the surface shows.
pub(super) fn opening(model: &Model, entity: EntityId, opening: &Opening) -> TokenStream {
    let surface = positions::index(opening.surface.0);
    let via = expr::option(opening.via.map(|field| positions::field(model, entity, field)));
    quote!(PrimaryButtonDef { surface: #surface, via: #via })
}

fn group_by(model: &Model, group: &GroupBy) -> TokenStream {
    let path = expr::expand_path(model, &group.path);
    let bucket = expr::option(group.bucket.map(expr::vocabulary));
    quote!(GroupDef { path: #path, bucket: #bucket })
}

/// The first fields of an entity that people read.
fn columns(model: &Model, id: EntityId) -> Vec<TokenStream> {
    let entity = model.entity(id);
    let is_shown = |(at, field): &(usize, &dz_dsl_file::model::Field)| {
        field.ty.is_stored()
            && !field.secret
            && !field.identity
            && field.ty.amount().is_none()
            && ![Some(entity.pk), entity.tenant].contains(&Some(FieldId(*at)))
    };
    let fields = entity.fields.iter().enumerate().filter(is_shown).take(COLUMNS);
    fields
        .map(|(at, field)| {
            let (path, label) = (expr::expand_path(model, &Path::own(id, FieldId(at))), &field.title);
            quote!(ColumnDef::new(#path, #label))
        })
        .collect()
}

fn variant(model: &Model, variant: &WorkspaceVariant) -> TokenStream {
    let roles = positions::roles(model, variant.personas.iter().map(|role| role.it));
    let mut parts = TokenStream::new();
    parts.extend(variant.purpose.as_ref().map(|it| quote!(purpose: Some(#it),)));
    let mut list = |name: TokenStream, places: &[Placed<usize>]| {
        let places = places.iter().map(|at| positions::index(at.it).into_token_stream());
        parts.extend(quote!(#name: &[#(#places),*],));
    };
    list(quote!(show), &variant.show);
    list(quote!(hide), &variant.hide);
    list(quote!(focus), &variant.focus);
    let figures = variant.aggregates.iter().map(|it| {
        let (region, figure) = (positions::index(it.it.0), positions::index(it.it.1));
        quote!((#region, #figure))
    });
    parts.extend(quote!(figures: &[#(#figures),*],));
    // A workspace has no row, so the surface of the button needs none.
    parts.extend(variant.action_primary.as_ref().map(|opening| {
        let surface = positions::index(opening.surface.0);
        quote!(primary: Some(PrimaryButtonDef { surface: #surface, via: None }),)
    }));
    parts.extend(variant.read_only.then(|| quote!(read_only: true,)));
    quote!(WorkspaceVariantDef { #parts ..WorkspaceVariantDef::new(#roles) })
}

impl<'m> Figures<'m> {
    /// The figures of a region, with their aggregates, each once.
    fn collect(metrics: &'m [dz_dsl_file::model::Metric]) -> Figures<'m> {
        let mut aggregates: Vec<&Expr> = Vec::new();
        for metric in metrics {
            metric.expr.visit(&mut |part| {
                if matches!(part, Expr::EntityAggregate { .. }) && !aggregates.contains(&part) {
                    aggregates.push(part);
                }
            });
        }
        Figures { metrics, aggregates, context: Vec::new() }
    }
}
