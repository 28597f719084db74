//! Expressions as static data, for a block with the names of the description in scope.

use dz_dsl_file::model::{Expr, Metric, Model, Path, Type};
use dz_vocabulary::Vocabulary;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::{positions, types};

/// `Some(…)` or `None` by the names of the description, because an entity of the application can have one of these names.
pub(super) fn option(tokens: Option<TokenStream>) -> TokenStream {
    match tokens {
        Some(tokens) => quote!(Some(#tokens)),
        None => quote!(None),
    }
}

/// What an expression can contain beside values of a row: the figures of a region, or the values of an experience.
#[derive(Default)]
pub(super) struct Figures<'m> {
    /// The figures in order.
    pub metrics: &'m [Metric],
    /// Their aggregates over entities, by the position of their values.
    pub aggregates: Vec<&'m Expr>,
    /// The values of the context of an experience, by their position.
    pub context: Vec<&'m Expr>,
}

/// An expression outside of figures.
pub(super) fn expand(model: &Model, expr: &Expr) -> TokenStream {
    expand_in(model, None, expr)
}

/// An expression; in a figure with the figures of its region, in a step with the values of its experience.
pub(super) fn expand_in(model: &Model, figures: Option<&Figures<'_>>, expr: &Expr) -> TokenStream {
    let all = |items: &[Expr]| {
        let items = items.iter().map(|it| expand_in(model, figures, it));
        quote!(&[#(#items),*])
    };
    let one = |expr: &Expr| expand_in(model, figures, expr);
    match expr {
        Expr::Null => quote!(Expr::Null),
        Expr::Bool(value) => quote!(Expr::Bool(#value)),
        Expr::Int(value) => {
            let value = integer(*value);
            quote!(Expr::Int(#value))
        }
        Expr::Decimal(digits) => quote!(Expr::Decimal(#digits)),
        Expr::Float(value) => quote!(Expr::Float(#value)),
        Expr::Text(text) => quote!(Expr::Text(#text)),
        Expr::Typed(ty, text) => {
            let ty = type_tokens(ty);
            quote!(Expr::Typed(#ty, #text))
        }
        Expr::EnumValue(id, at) => {
            let (path, at) = (types::enumeration(model, *id), positions::value(model, *id, *at));
            quote!(Expr::EnumValue(#path::DEF, #at))
        }
        Expr::Duration(it) => {
            let (months, seconds) = (integer(it.months), integer(it.seconds));
            quote!(Expr::Duration { months: #months, seconds: #seconds })
        }
        Expr::Today => quote!(Expr::Today),
        Expr::Now => quote!(Expr::Now),
        Expr::CurrentTenant => quote!(Expr::CurrentTenant),
        Expr::CurrentUser => quote!(Expr::CurrentUser),
        Expr::CurrentUserPath(path) => {
            let path = expand_path(model, path);
            quote!(Expr::CurrentUserPath(#path))
        }
        Expr::CurrentUserRoles => quote!(Expr::CurrentUserRoles),
        Expr::Role(roles) => {
            let mask = positions::roles(model, roles.iter().copied());
            quote!(Expr::Role(#mask))
        }
        Expr::SignedIn => quote!(Expr::SignedIn),
        Expr::Anyone => quote!(Expr::Anyone),
        Expr::Path(path) => {
            let path = expand_path(model, path);
            quote!(Expr::Path(#path))
        }
        // Only processes read values of a running process, and no condition of a row is part of one.
        Expr::Data(_) => quote!(Expr::Null),
        Expr::This(path) => {
            let path = option(path.as_ref().map(|path| expand_path(model, path)));
            quote!(Expr::This(#path))
        }
        Expr::Context(..) => match figures.and_then(|all| all.context.iter().position(|it| *it == expr)).map(positions::index) {
            Some(at) => quote!(Expr::Data(#at)),
            None => types::unreachable_part(),
        },
        Expr::List(items) => {
            let items = all(items);
            quote!(Expr::List(#items))
        }
        Expr::Not(inner) => {
            let inner = one(inner);
            quote!(Expr::Not(&#inner))
        }
        Expr::And(items) => {
            let items = all(items);
            quote!(Expr::And(#items))
        }
        Expr::Or(items) => {
            let items = all(items);
            quote!(Expr::Or(#items))
        }
        Expr::Compare(op, left, right) => {
            let (op, left, right) = (vocabulary(*op), one(left), one(right));
            quote!(Expr::Compare(#op, &#left, &#right))
        }
        Expr::In(value, list) => {
            let (value, list) = (one(value), one(list));
            quote!(Expr::In(&#value, &#list))
        }
        Expr::Arithmetic(op, left, right, ty) => {
            let (op, left, right, ty) = (vocabulary(*op), one(left), one(right), type_tokens(ty));
            quote!(Expr::Arithmetic(#op, &#left, &#right, #ty))
        }
        Expr::Negate(inner) => {
            let inner = one(inner);
            quote!(Expr::Negate(&#inner))
        }
        Expr::Call(function, args, ty) => {
            let (function, args, ty) = (vocabulary(*function), all(args), type_tokens(ty));
            quote!(Expr::Call(#function, #args, #ty))
        }
        Expr::Aggregate { kind, relation, value, condition } => {
            let kind = vocabulary(*kind);
            let (entity, relation) = (positions::entity(model, relation.from), positions::field(model, relation.from, relation.field));
            let value = option(value.as_ref().map(|path| expand_path(model, path)));
            let condition = option(condition.as_ref().map(|it| {
                let it = one(it);
                quote!(&#it)
            }));
            quote!(Expr::Aggregate { kind: #kind, relation: FieldAt::new(#entity, #relation), value: #value, condition: #condition })
        }
        Expr::EntityAggregate { kind, entity, value, condition } => {
            let at = figures.and_then(|all| all.aggregates.iter().position(|it| *it == expr));
            let Some(at) = at.map(positions::index) else { return types::unreachable_part() };
            let (kind, entity) = (vocabulary(*kind), positions::entity(model, *entity));
            let value = option(value.as_ref().map(|path| expand_path(model, path)));
            let condition = option(condition.as_ref().map(|it| {
                let it = one(it);
                quote!(&#it)
            }));
            quote!(Expr::EntityAggregate { at: #at, kind: #kind, entity: #entity, value: #value, condition: #condition })
        }
        // An earlier figure is repeated, so that the runtime needs no order of evaluation.
        Expr::Metric(at) => match figures.and_then(|all| all.metrics.get(*at)) {
            Some(metric) => one(&metric.expr),
            None => types::unreachable_part(),
        },
        Expr::If(branches, rest) => {
            let branches = branches.iter().map(|(condition, value)| {
                let (condition, value) = (one(condition), one(value));
                quote!((#condition, #value))
            });
            let rest = one(rest);
            quote!(Expr::If(&[#(#branches),*], &#rest))
        }
    }
}

/// A path: its entity and the names of its fields.
pub(super) fn expand_path(model: &Model, path: &Path) -> TokenStream {
    let (from, (hops, field)) = (positions::entity(model, path.from), positions::steps(model, path));
    if path.hops.is_empty() {
        return quote!(Path::to_field(#from, #field));
    }
    quote!(Path::new(#from, &[#(#hops),*], #field))
}

/// An integer without a type suffix.
pub(super) fn integer(value: i64) -> Literal {
    Literal::i64_unsuffixed(value)
}

/// The type of a value.
pub(super) fn type_tokens(ty: &Type) -> TokenStream {
    let name = match ty {
        Type::Bool => "Bool",
        Type::Int => "Int",
        Type::Float => "Float",
        Type::Decimal | Type::Money(_) => "Decimal",
        Type::Text | Type::Enum(_) => "Text",
        Type::Date => "Date",
        Type::DateTime => "DateTime",
        Type::Duration => "Duration",
        Type::Uuid | Type::Ref(_) => "Uuid",
        Type::Json => "Json",
        Type::List(_) => "List",
        Type::Null => "Null",
    };
    let name = format_ident!("{name}");
    quote!(Type::#name)
}

/// A value of the shared vocabulary, by its Rust names.
pub(super) fn vocabulary<V: Vocabulary>(value: V) -> TokenStream {
    let (ty, variant) = (format_ident!("{}", V::TYPE), format_ident!("{}", value.variant()));
    quote!(#ty::#variant)
}
