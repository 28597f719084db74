//! Surfaces as static data, and templates that the application replaces.

use dz_dsl_file::model::{
    Attention, Audience, Column, Event, Junction, ListUx, Mode, Model, NestedList, Path, Placed, Priority, Related, Section, SectionBody,
    Surface, Via,
};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{expr, positions, template, variant, workspace};
use crate::manifest::Package;

pub(super) fn expand(model: &Model, surface: &Surface, package: &Package) -> TokenStream {
    let (name, title, entity) = (&surface.name, &surface.title, positions::entity(model, surface.entity));
    let mode = expr::vocabulary(surface.mode);
    // The expansion contains only differences from the default surface.
    let purpose = surface.purpose.as_ref().map(|it| quote!(purpose: Some(#it),));
    let sections = sections(model, surface);
    let related = surface.related.iter().map(|it| related(model, it));
    let related = (!surface.related.is_empty()).then(|| quote!(related: &[#(#related,)*],));
    let ux = list_ux(model, &surface.ux).map(|ux| quote!(ux: #ux,));
    let templates = templates(surface, package).map(|templates| quote!(templates: #templates,));
    let variants = variant::expand(model, surface);
    let place = place(model, surface).map(|place| quote!(place: #place,));
    let mut signals: Vec<&Attention> = surface.attention.iter().collect();
    signals.sort_by_key(|it| it.level);
    let attention = signals.into_iter().map(|it| attention(model, surface, it));
    let attention = (!surface.attention.is_empty()).then(|| quote!(attention: &[#(#attention,)*],));
    let actions = actions(model, surface);
    let priority = (surface.priority != Priority::Medium).then(|| {
        let priority = expr::vocabulary(surface.priority);
        quote!(priority: #priority,)
    });
    quote! {
        &SurfaceDef {
            #purpose
            sections: &[#(#sections,)*],
            #related
            #ux
            #templates
            #place
            #attention
            #priority
            #actions
            #variants
            ..SurfaceDef::new(#name, #title, #entity, #mode)
        }
    }
}

fn place(model: &Model, surface: &Surface) -> Option<TokenStream> {
    let audience = surface.access.as_ref().map_or_else(|| quote!(Audience::Rules), |it| workspace::audience(model, it));
    if surface.route.is_none() && matches!(surface.access, None | Some(Audience::Public)) {
        return None;
    }
    let route = expr::option(surface.route.as_ref().map(|route| quote!(#route)));
    Some(quote!(PlaceDef { route: #route, audience: #audience }))
}

/// The sections; a list with `show` has these columns in place of those of its sections.
fn sections(model: &Model, surface: &Surface) -> Vec<TokenStream> {
    if surface.mode != Mode::List || surface.ux.show.is_empty() {
        return surface.sections.iter().map(|section| expand_section(model, section)).collect();
    }
    let columns = surface.ux.show.iter().map(|path| variant::column(model, surface, &path.it));
    vec![quote!(SectionDef { name: "main", title: None, note: None, body: SectionBody::Fields(&[#(#columns,)*]) })]
}

/// The buttons of the surface, by their event.
fn actions(model: &Model, surface: &Surface) -> TokenStream {
    let mut said = TokenStream::new();
    for (name, event) in [(quote!(clicks), Event::Click), (quote!(submits), Event::Submit)] {
        let of_event = surface.actions.iter().filter(|action| action.event == event).map(|action| {
            let (name, title, opens) = (&action.name, &action.title, workspace::opening(model, surface.entity, &action.opens));
            quote!(ActionDef { name: #name, title: #title, opens: #opens })
        });
        let of_event: Vec<TokenStream> = of_event.collect();
        if !of_event.is_empty() {
            said.extend(quote!(#name: &[#(#of_event,)*],));
        }
    }
    said
}

fn attention(model: &Model, surface: &Surface, attention: &Attention) -> TokenStream {
    let (level, when, message) = (expr::vocabulary(attention.level), expr::expand(model, &attention.when.it), &attention.message);
    let action = expr::option(attention.action.as_ref().map(|it| workspace::opening(model, surface.entity, it)));
    quote!(AttentionDef { level: #level, when: #when, message: #message, action: #action })
}

fn expand_section(model: &Model, section: &Section) -> TokenStream {
    let name = &section.name;
    let title = expr::option(section.title.as_ref().map(|it| quote!(#it)));
    let note = expr::option(section.note.as_ref().map(|it| quote!(#it)));
    let body = match &section.body {
        SectionBody::Fields(columns) => {
            let columns = columns.iter().map(|it| column(model, it));
            quote!(SectionBody::Fields(&[#(#columns,)*]))
        }
        SectionBody::Nested(nested) => {
            let nested = nested_list(model, nested);
            quote!(SectionBody::Nested(#nested))
        }
    };
    quote!(SectionDef { name: #name, title: #title, note: #note, body: #body })
}

fn nested_list(model: &Model, nested: &NestedList) -> TokenStream {
    let entity = positions::entity(model, nested.entity);
    let via = match nested.via {
        Via::Ref(field) => {
            let field = positions::field(model, nested.entity, field);
            quote!(Via::Ref(FieldAt::new(#entity, #field)))
        }
        Via::Junction(through) => {
            let through = junction(model, through);
            quote!(Via::Junction(#through))
        }
    };
    let filter = expr::option(nested.filter.as_ref().map(|it| expr::expand(model, it)));
    let columns = nested.columns.iter().map(|it| column(model, it));
    quote!(NestedList { entity: #entity, via: #via, filter: #filter, columns: &[#(#columns,)*] })
}

/// The junction of a relation.
pub(super) fn junction(model: &Model, through: Junction) -> TokenStream {
    let entity = positions::entity(model, through.entity);
    let [near, far] = [through.near, through.far].map(|field| positions::field(model, through.entity, field));
    quote!(Junction::new(#entity, #near, #far))
}

fn related(model: &Model, related: &Related) -> TokenStream {
    let (name, title) = (&related.name, &related.title);
    let lists = related.lists.iter().map(|list| nested_list(model, list));
    let display = expr::vocabulary(related.display);
    let limit = expr::option(related.limit.map(|limit| {
        let limit = positions::number(limit);
        quote!(#limit)
    }));
    quote!(RelatedDef { name: #name, title: #title, lists: &[#(#lists,)*], display: #display, limit: #limit })
}

pub(super) fn column(model: &Model, column: &Column) -> TokenStream {
    let (path, label, read_only) = (expr::expand_path(model, &column.path), &column.label, column.read_only);
    let mut said = TokenStream::new();
    said.extend(column.help.as_ref().map(|it| quote!(help: Some(#it),)));
    said.extend(read_only.then(|| quote!(read_only: true,)));
    let word = |name: TokenStream, value: TokenStream| quote!(#name: Some(#value),);
    said.extend(column.widget.map(|it| word(quote!(widget), expr::vocabulary(it))));
    said.extend(column.format.map(|it| word(quote!(format), expr::vocabulary(it))));
    said.extend(column.when.as_ref().map(|when| {
        let when = expr::expand(model, &when.it);
        quote!(when: Some(&#when),)
    }));
    if said.is_empty() {
        return quote!(ColumnDef::new(#path, #label));
    }
    quote!(ColumnDef { #said ..ColumnDef::new(#path, #label) })
}

fn list_ux(model: &Model, ux: &ListUx) -> Option<TokenStream> {
    if ux.sort.is_empty() && ux.filter.is_empty() && ux.search.is_empty() && ux.empty.is_none() {
        return None;
    }
    let paths = |paths: &[Placed<Path>]| {
        let paths = paths.iter().map(|path| expr::expand_path(model, &path.it));
        quote!(&[#(#paths),*])
    };
    let (filter, search) = (paths(&ux.filter), paths(&ux.search));
    let sort = ux.sort.iter().map(|key| {
        let (path, descending) = (expr::expand_path(model, &key.path), key.descending);
        quote!(SortDef { path: #path, descending: #descending })
    });
    let empty = expr::option(ux.empty.as_ref().map(|it| quote!(#it)));
    Some(quote!(ListUx { sort: &[#(#sort),*], filter: #filter, search: #search, empty: #empty }))
}

/// Function pointers to the application's own templates.
fn templates(surface: &Surface, package: &Package) -> Option<TokenStream> {
    let name = &surface.name;
    let (slot, data) = match surface.mode {
        Mode::List => ("list", "ListPage"),
        Mode::View => ("view", "ViewPage"),
        Mode::Create | Mode::Edit => ("form", "FormPage"),
    };
    let mut given = TokenStream::new();
    let mut add = |file: String, slot: &str, data: &str| {
        let Some(path) = package.template(&file) else { return };
        let (slot, data, check) = (format_ident!("{slot}"), format_ident!("{data}"), template::check_version(&file, &path));
        let path = path.to_string_lossy().into_owned();
        given.extend(quote! {
            #slot: {
                #check
                #[derive(::dz::__private::askama::Template)]
                #[template(path = #path, askama = ::dz::__private::askama)]
                struct Replaced<'a> { page: &'a ::dz::page::#data }
                fn render(page: &::dz::page::#data) -> ::dz::__private::askama::Result<::std::string::String> {
                    ::dz::__private::askama::Template::render(&Replaced { page })
                }
                ::core::option::Option::Some(render)
            },
        });
    };
    add(format!("{name}.html"), slot, data);
    if surface.mode == Mode::List {
        add(format!("{name}.rows.html"), "rows", "ListRows");
    }
    (!given.is_empty()).then(|| quote!(Templates { #given ..Templates::DEFAULT }))
}
