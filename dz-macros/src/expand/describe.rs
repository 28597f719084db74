//! The static description of an entity, which the runtime's handlers read.

use dz_dsl_file::{
    emit::{access, phrase},
    model::{
        Audit, Auto, Entity, EntityId, Expr, Field, FieldId, FieldType, GraphEdge, Index, Invariant, Label, Model, OnDelete, Permission,
        StateMachine, Unique,
    },
};
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};

use super::{expr, mark, names, positions, surface, types};

pub(super) fn expand(model: &Model, at: usize) -> TokenStream {
    let entity = &model.entities[at];
    let id = EntityId(at);
    let ix = positions::entity(model, id);
    let Entity { name, title, title_plural, table, .. } = entity;
    let pk = positions::field(model, id, entity.pk);
    let fields = (0..entity.fields.len()).map(|at| describe_field(model, id, FieldId(at)));
    let (differing, mark) = (differing_parts(model, id), mark::choose(model, at));
    let doc = format!(" The description of `{name}`.");
    quote! {
        #[doc = #doc]
        pub static ENTITY: ::dz::__private::def::EntityDef = {
            use ::dz::__private::def::*;
            EntityDef {
                fields: &[#(#fields,)*],
                mark: #mark,
                #differing
                ..EntityDef::new(#ix, #name, #title, #title_plural, #table, #pk)
            }
        };
    }
}

/// The parts in which an entity differs from one that only has fields.
fn differing_parts(model: &Model, id: EntityId) -> TokenStream {
    let entity = model.entity(id);
    let mut differing = TokenStream::new();
    if let Some(intent) = &entity.intent {
        differing.extend(quote!(intent: Some(#intent),));
    }
    if entity.label != Label::own(entity.label.path.from, entity.pk, true) {
        let Label { path, titled } = &entity.label;
        let (hops, field) = positions::steps(model, path);
        differing.extend(quote!(label: LabelDef::new(&[#(#hops),*], #field, #titled),));
    }
    let mut list = |name: &str, items: Vec<TokenStream>| {
        if !items.is_empty() {
            let name = names::ident(name);
            differing.extend(quote!(#name: &[#(#items,)*],));
        }
    };
    list("rules", entity.access.permissions.iter().map(|permission| rule(model, entity, permission)).collect());
    list("indexes", entity.indexes.iter().map(|it| index(model, id, it)).collect());
    list("no_index", entity.no_index.iter().map(|field| positions::field(model, id, *field)).collect());
    list("audits", entity.access.audits.iter().map(|it| audit(model, it)).collect());
    list("invariants", entity.invariants.iter().map(|it| invariant(model, it)).collect());
    if let Some(machine) = &entity.states {
        let machine = states(model, id, machine);
        differing.extend(quote!(states: Some(#machine),));
    }
    if let Some(temporal) = entity.temporal {
        let [start, end] = [temporal.start, temporal.end].map(|field| positions::field(model, id, field));
        differing.extend(quote!(temporal: Some(TemporalDef { start: #start, end: #end }),));
    }
    if entity.soft_delete {
        differing.extend(quote!(soft_delete: true,));
    }
    if entity.account {
        differing.extend(quote!(account: true,));
    }
    if let Some(tenancy) = tenancy(model, id) {
        differing.extend(quote!(tenancy: #tenancy,));
    }
    if let Some(edge) = &entity.edge {
        let edge = graph_edge(model, id, edge);
        differing.extend(quote!(edge: Some(#edge),));
    }
    if let Some(node) = &entity.node {
        let edges = positions::entity(model, node.edges);
        let display = expr::option(node.display.map(|field| positions::field(model, id, field)));
        differing.extend(quote!(node: Some(NodeDef { edges: #edges, display: #display }),));
    }
    differing
}

fn graph_edge(model: &Model, id: EntityId, edge: &GraphEdge) -> TokenStream {
    let field = |at: FieldId| positions::field(model, id, at);
    let (source, target) = (field(edge.source), field(edge.target));
    let (kind, weight) = (expr::option(edge.kind.map(field)), expr::option(edge.weight.map(field)));
    let (directed, acyclic) = (edge.directed, edge.acyclic.is_some());
    quote! {
        EdgeDef {
            source: #source,
            target: #target,
            kind: #kind,
            weight: #weight,
            directed: #directed,
            acyclic: #acyclic
        }
    }
}

fn tenancy(model: &Model, id: EntityId) -> Option<TokenStream> {
    let entity = model.entity(id);
    let archetype = expr::option(entity.kind.map(expr::vocabulary));
    if model.tenant.is_none() && entity.kind.is_none() {
        return None;
    }
    let system_roles = model.tenant.is_some() && entity.asks_system_roles();
    let tenant = expr::option(entity.tenant.map(|field| positions::field(model, id, field)));
    Some(quote!(TenancyDef { archetype: #archetype, tenant: #tenant, system_roles: #system_roles }))
}

fn states(model: &Model, id: EntityId, machine: &StateMachine) -> TokenStream {
    let field = positions::field(model, id, machine.field);
    let state = |at: usize| match model.field(id, machine.field).ty.enumeration() {
        Some(values) => positions::value(model, values, at),
        None => types::unreachable_part(),
    };
    let initial = state(machine.initial);
    let rows = machine.rows.iter().map(|row| {
        let label = expr::option(row.label.as_ref().map(|label| quote!(#label)));
        let roles = positions::roles(model, row.roles.iter().copied());
        let requires = row.requires.iter().map(|(field, _)| positions::field(model, id, *field));
        let guard = expr::option(row.guard.as_ref().map(|guard| expr::expand(model, guard)));
        let message = expr::option(row.message.as_ref().map(|message| quote!(#message)));
        let (after, manual) = (row.after.map(|wait| (expr::integer(wait.months), expr::integer(wait.seconds))), row.manual);
        let after = expr::option(after.map(|(months, seconds)| quote!(Delay { months: #months, seconds: #seconds })));
        quote! {
            TransitionDef {
                label: #label,
                roles: #roles,
                requires: &[#(#requires),*],
                guard: #guard,
                after: #after,
                manual: #manual,
                message: #message
            }
        }
    });
    let moves = machine.in_order().into_iter().map(|it| {
        let (from, to, row) = (state(it.from), state(it.to), positions::index(it.row));
        quote!((#from, #to, #row))
    });
    quote!(&StatesDef { field: #field, initial: #initial, rows: &[#(#rows,)*], transitions: &[#(#moves),*] })
}

fn invariant(model: &Model, invariant: &Invariant) -> TokenStream {
    let condition = expr::expand(model, &invariant.condition);
    let message = expr::option(invariant.message.as_ref().map(|message| quote!(#message)));
    let code = expr::option(invariant.code.as_ref().map(|(code, _)| quote!(#code)));
    quote!(InvariantDef { condition: #condition, message: #message, code: #code })
}

fn describe_field(model: &Model, id: EntityId, at: FieldId) -> TokenStream {
    let entity = model.entity(id);
    let field = &entity.fields[at.0];
    let Field { name, title, required, sensitive, secret, identity, searchable, indexed, .. } = field;
    let kind = kind(model, id, field.ty);
    let unique = field.unique != Unique::No;
    let auto = expr::vocabulary(field.auto);
    let default = expr::option(field.default.as_ref().map(|default| expr::expand(model, default)));
    let on_delete = expr::vocabulary(field.on_delete);
    // The expansion contains only differences from the default field.
    let mut differing = TokenStream::new();
    let flags = [
        ("required", *required),
        ("unique", unique),
        ("sensitive", *sensitive),
        ("secret", *secret),
        ("identity", *identity),
        ("searchable", *searchable),
        ("indexed", *indexed),
    ];
    for (flag, on) in flags {
        if on {
            let flag = names::ident(flag);
            differing.extend(quote!(#flag: true,));
        }
    }
    if field.auto != Auto::No {
        differing.extend(quote!(auto: #auto,));
    }
    if let Some(computed) = &field.computed {
        let computed = expr::expand(model, computed);
        differing.extend(quote!(computed: Some(&#computed),));
    }
    if let Some(currency) = field.ty.currency() {
        let code = currency.code();
        differing.extend(quote!(currency: Some(#code),));
    }
    if let Some(currency) = entity.currency_of(at) {
        let currency = positions::field(model, id, currency);
        differing.extend(quote!(currency_in: Some(#currency),));
    }
    if field.ty.is_wide() {
        differing.extend(quote!(wide: true,));
    }
    if field.default.is_some() {
        differing.extend(quote!(default: #default,));
    }
    if let (Some(machine), Some(id)) = (entity.states.as_ref().filter(|machine| machine.field == at), field.ty.enumeration()) {
        let stages = machine.stages(model.enums[id.0].values.len()).into_iter().map(expr::vocabulary);
        differing.extend(quote!(stages: &[#(#stages),*],));
    }
    if field.on_delete != OnDelete::Restrict && field.ty.target().is_some() {
        differing.extend(quote!(on_delete: #on_delete,));
    }
    if differing.is_empty() {
        quote!(FieldDef::new(#name, #title, #kind))
    } else {
        quote!(FieldDef { #differing ..FieldDef::new(#name, #title, #kind) })
    }
}

/// The kind of a value that belongs to no entity.
pub(super) fn value_kind(model: &Model, ty: FieldType) -> TokenStream {
    // Only the currency of an amount refers to its entity, and a value has none.
    kind(model, model.account, ty)
}

fn kind(model: &Model, id: EntityId, ty: FieldType) -> TokenStream {
    match ty {
        FieldType::Uuid => quote!(Kind::Uuid),
        FieldType::Str(n) => {
            let n = positions::number(n);
            quote!(Kind::Str(#n))
        }
        FieldType::Text => quote!(Kind::Text),
        FieldType::Int { .. } => quote!(Kind::Int),
        FieldType::Float => quote!(Kind::Float),
        FieldType::Decimal { .. } | FieldType::Money(_) => {
            let (precision, scale) = ty.digits().unwrap_or_default();
            let (precision, scale) = (positions::number(precision), positions::number(scale));
            quote!(Kind::Decimal { precision: #precision, scale: #scale })
        }
        FieldType::Currency { amount } => {
            let amount = positions::field(model, id, amount);
            quote!(Kind::Currency { amount: #amount })
        }
        FieldType::Bool => quote!(Kind::Bool),
        FieldType::Date => quote!(Kind::Date),
        FieldType::DateTime => quote!(Kind::DateTime),
        FieldType::Enum(id) => {
            let path = types::enumeration(model, id);
            quote!(Kind::Enum(#path::DEF))
        }
        FieldType::Json => quote!(Kind::Json),
        FieldType::Email => quote!(Kind::Email),
        FieldType::Url => quote!(Kind::Url),
        FieldType::Timezone => quote!(Kind::Timezone),
        FieldType::Slug => quote!(Kind::Slug),
        FieldType::Ref(entity) => {
            let entity = positions::entity(model, entity);
            quote!(Kind::Ref(#entity))
        }
        FieldType::HasMany { entity, via } => {
            let (entity, via) = (positions::entity(model, entity), positions::field(model, entity, via));
            quote!(Kind::HasMany { via: FieldAt::new(#entity, #via) })
        }
        FieldType::HasOne { entity, via } => {
            let (entity, via) = (positions::entity(model, entity), positions::field(model, entity, via));
            quote!(Kind::HasOne { via: FieldAt::new(#entity, #via) })
        }
        FieldType::ManyToMany { entity, through } => {
            let (entity, through) = (positions::entity(model, entity), surface::junction(model, through));
            quote!(Kind::ManyToMany { entity: #entity, through: #through })
        }
        FieldType::File { limit } => {
            let limit = expr::option(limit.map(|bytes| positions::number(bytes).into_token_stream()));
            quote!(Kind::File { limit: #limit })
        }
    }
}

fn audit(model: &Model, audit: &Audit) -> TokenStream {
    let action = expr::option(audit.action.as_ref().map(|action| {
        let name = action.name();
        quote!(#name)
    }));
    let when = expr::option(audit.when.as_ref().map(|when| expr::expand(model, when)));
    quote!(AuditDef { action: #action, when: #when })
}

fn rule(model: &Model, entity: &Entity, permission: &Permission) -> TokenStream {
    let action = permission.action.name();
    // A part for each line, in order, so that the audit log can name the line that decided.
    let lines: Vec<Expr> = permission.lines.iter().filter(|line| !line.forbids).map(|line| line.condition.clone()).collect();
    let permit = match lines.as_slice() {
        [] | [_] => permission.permit.clone(),
        _ => Some(Expr::Or(lines)),
    };
    let clause = |name: TokenStream, condition: Option<&Expr>| {
        condition.map(|it| {
            let it = expr::expand(model, it);
            quote!(#name: Some(#it),)
        })
    };
    let permit = clause(quote!(permit), permit.as_ref());
    let forbid = clause(quote!(forbid), permission.forbid.as_ref());
    let scopes: Vec<_> = entity.access.scopes.iter().filter(|scope| scope.action == permission.action).collect();
    let scope = clause(quote!(scope), access::scope_condition(&scopes).as_ref());
    quote!(ActionRule { #permit #scope #forbid ..ActionRule::new(#action) })
}

fn index(model: &Model, id: EntityId, index: &Index) -> TokenStream {
    let entity = model.entity(id);
    let columns = index.columns.iter().map(|column| {
        let (field, descending) = (positions::field(model, id, column.field), column.descending);
        quote!(IndexColumn { field: #field, descending: #descending })
    });
    let unique = index.unique;
    let rows = expr::option(index.rows.as_ref().map(|rows| {
        let (condition, phrase) = (expr::expand(model, rows), phrase::text(model, entity, rows));
        quote!(RowsDef { condition: #condition, phrase: #phrase })
    }));
    quote!(IndexDef { columns: &[#(#columns,)*], unique: #unique, rows: #rows })
}
