//! Constructs without which the rules or the data of the ejected application would differ: they stop the ejection.

use dz_dsl_file::{
    Span,
    model::{Archetype, Entity, Model},
    names::is_column_renamed,
};

/// Something in a declaration that cannot be ejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What it is, with its name.
    pub what: String,
    /// Why it cannot be ejected.
    pub reason: String,
    /// Its place.
    pub span: Option<Span>,
}

impl Refusal {
    /// A refusal at a place.
    pub(crate) fn new(what: impl Into<String>, reason: impl Into<String>, span: Span) -> Refusal {
        Refusal { what: what.into(), reason: reason.into(), span: Some(span) }
    }
}

/// Everything in a declaration that stops the ejection.
pub(crate) fn find(model: &Model) -> Vec<Refusal> {
    let entities = model.entities.iter().filter_map(|entity| refuse_entity(model, entity));
    entities.chain(model.entities.iter().flat_map(refuse_fields)).collect()
}

/// The fields whose columns have another name, which the ejected backend does not know.
fn refuse_fields(entity: &Entity) -> impl Iterator<Item = Refusal> {
    let renamed = entity.fields.iter().filter(|field| field.is_stored() && is_column_renamed(&field.name));
    renamed.map(|field| {
        let what = format!("`{}.{}`", entity.name, field.name);
        Refusal::new(what, "a database refuses or loses a column of this name", field.span)
    })
}

fn refuse_entity(model: &Model, entity: &Entity) -> Option<Refusal> {
    if entity.fields[entity.pk.0].ty.is_uuid() {
        return None;
    }
    let is_node = |edges: &Entity| {
        let edge = edges.edge.as_ref()?;
        Some(
            [edge.source, edge.target]
                .iter()
                .any(|end| edges.fields[end.0].ty.target().is_some_and(|id| std::ptr::eq(model.entity(id), entity))),
        )
    };
    let reason = match entity.kind {
        Some(Archetype::Tenant | Archetype::User | Archetype::UserMembership) => {
            "tenants, accounts and memberships have keys of type `uuid`"
        }
        _ if entity.account => "accounts have keys of type `uuid`",
        _ if entity.edge.is_some() || model.entities.iter().filter_map(is_node).any(|it| it) => {
            "the nodes and edges of an ejected graph have keys of type `uuid`"
        }
        _ => return None,
    };
    Some(Refusal::new(format!("the key of `{}`", entity.name), reason, entity.span))
}
