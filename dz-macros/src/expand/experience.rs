//! Experiences as static data.

use dz_dsl_file::model::{ContextValue, Experience, ExperienceStep, Expr, Model, StepKind, Type};
use proc_macro2::TokenStream;
use quote::quote;

use super::{
    expr::{self, Figures},
    positions, types, workspace,
};

/// The description of an experience, for a block with the names of the description in scope.
pub(super) fn expand(model: &Model, it: &Experience) -> TokenStream {
    let Experience { name, title, .. } = it;
    let audience = audience(model, it.access.as_ref());
    let context = it.context.iter().map(|value| context_value(model, value));
    let figures = Figures { context: find_reads(it), ..Figures::default() };
    let reads = figures.context.iter().filter_map(|read| {
        let Expr::Context(at, path) = read else { return None };
        let (at, path) = (positions::index(*at), expr::option(path.as_ref().map(|path| expr::expand_path(model, path))));
        Some(quote!(ContextRead { value: #at, path: #path }))
    });
    let start = positions::index(it.start.0);
    let steps = it.steps.iter().map(|it| step(model, &figures, it));
    quote! {
        ExperienceDef {
            name: #name,
            title: #title,
            audience: #audience,
            context: &[#(#context,)*],
            reads: &[#(#reads,)*],
            start: #start,
            steps: &[#(#steps,)*],
        }
    }
}

/// The values of the context that expressions read, each once.
fn find_reads(it: &Experience) -> Vec<&Expr> {
    let mut reads: Vec<&Expr> = Vec::new();
    for step in &it.steps {
        let when = step.when.iter().map(|when| &when.it);
        for one in when.chain(step.prefill.iter().map(|(_, value)| value)) {
            one.visit(&mut |part| {
                if matches!(part, Expr::Context(..)) && !reads.contains(&part) {
                    reads.push(part);
                }
            });
        }
    }
    reads
}

fn step(model: &Model, figures: &Figures<'_>, it: &ExperienceStep) -> TokenStream {
    let ExperienceStep { name, title, .. } = it;
    let value = |expr: &Expr| expr::expand_in(model, Some(figures), expr);
    let mut entity = None;
    let screen = match it.kind {
        StepKind::Surface(surface) => {
            entity = Some(model.surfaces[surface.it.0].entity);
            let at = positions::index(surface.it.0);
            quote!(StepScreen::Surface(#at))
        }
        StepKind::Process(process) => {
            let name = &model.processes[process.it.0].name;
            quote!(StepScreen::Process(#name))
        }
    };
    let when = expr::option(it.when.as_ref().map(|when| value(&when.it)));
    let prefill = it.prefill.iter().filter_map(|(field, given)| {
        let (field, given) = (positions::field(model, entity?, field.it), value(given));
        Some(quote!((#field, #given)))
    });
    let saves_to = expr::option(it.saves_to.map(|value| positions::index(value.it)).map(|at| quote!(#at)));
    let audience = audience(model, it.access.as_ref());
    let next = it.transitions.iter().map(|line| {
        let (event, target) = (expr::vocabulary(line.event), positions::index(line.target.0));
        quote!((#event, #target))
    });
    quote! {
        StepDef {
            name: #name,
            title: #title,
            screen: #screen,
            when: #when,
            prefill: &[#(#prefill),*],
            saves_to: #saves_to,
            audience: #audience,
            next: &[#(#next),*],
        }
    }
}

fn audience(model: &Model, access: Option<&dz_dsl_file::model::Audience>) -> TokenStream {
    access.map_or_else(|| quote!(Audience::Rules), |access| workspace::audience(model, access))
}

/// A value of the context as an optional field.
fn context_value(model: &Model, it: &ContextValue) -> TokenStream {
    let name = &it.name;
    let title = dz_dsl_file::names::humanise(name);
    let kind = match &it.ty {
        Type::Bool => quote!(Kind::Bool),
        Type::Int => quote!(Kind::Int),
        Type::Float => quote!(Kind::Float),
        Type::Decimal | Type::Money(_) => quote!(Kind::Decimal { precision: 28, scale: 4 }),
        Type::Text | Type::Null => quote!(Kind::Text),
        Type::Date => quote!(Kind::Date),
        Type::DateTime => quote!(Kind::DateTime),
        Type::Uuid => quote!(Kind::Uuid),
        Type::Json | Type::List(_) | Type::Duration => quote!(Kind::Json),
        Type::Enum(id) => {
            let path = types::enumeration(model, *id);
            quote!(Kind::Enum(#path::DEF))
        }
        Type::Ref(entity) => {
            let entity = positions::entity(model, *entity);
            quote!(Kind::Ref(#entity))
        }
    };
    quote!(FieldDef::new(#name, #title, #kind))
}
