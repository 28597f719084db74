//! Indexes: what is unique, what is declared, and what follows from refs, rules, timers and the order of lists.

use super::{
    Index, Order, Part,
    entity::{key, stored},
    framework, sql,
};
use crate::model::{Action, Comparison, Entity, Expr, Field, FieldId, FieldType, Mode, Model, Unique};

pub(super) fn of(model: &Model, entity: &Entity) -> Vec<Index> {
    let mut all = Vec::new();
    unique(model, entity, &mut all);
    for index in entity.indexes.iter().filter(|index| !index.unique) {
        let part = |column: &crate::model::IndexColumn| Part { descending: column.descending, ..plain(&entity.fields[column.field.0]) };
        add(&mut all, Index { parts: led(entity, index.columns.iter().map(part).collect()), unique: false, rows: None });
    }
    for field in stored(entity).filter(|field| field.unique == Unique::No) {
        if matches!(field.ty, FieldType::Ref(_)) || field.indexed {
            add(&mut all, Index { parts: led(entity, vec![plain(field)]), unique: false, rows: None });
        }
    }
    for field in asked(entity).into_iter().map(|field| &entity.fields[field.0]).filter(|it| it.is_stored() && it.unique == Unique::No) {
        add(&mut all, Index { parts: led(entity, vec![plain(field)]), unique: false, rows: None });
    }
    all.extend(timed(model, entity));
    sorted(model, entity, &mut all);
    all
}

/// The fields by which rules about lists and reads, and dz itself, ask for rows of the caller's.
fn asked(entity: &Entity) -> Vec<FieldId> {
    let mut fields = Vec::new();
    if entity.account {
        // A link in a mail asks by these.
        let by_mail = |field: &&str| entity.fields.iter().position(|it| it.name == **field).map(FieldId);
        fields.extend(["email_verify_token", "password_reset_token"].iter().filter_map(by_mail));
    }
    let rules = entity.access.permissions.iter().filter(|it| matches!(it.action, Action::List | Action::Read));
    let scopes = entity.access.scopes.iter().filter(|it| matches!(it.action, Action::List | Action::Read));
    for condition in rules.filter_map(|it| it.permit.as_ref()).chain(scopes.filter_map(|it| it.rows.as_ref())) {
        compared_with_caller(condition, &mut fields);
    }
    fields
}

fn compared_with_caller(condition: &Expr, fields: &mut Vec<FieldId>) {
    match condition {
        Expr::And(parts) | Expr::Or(parts) => parts.iter().for_each(|part| compared_with_caller(part, fields)),
        Expr::Compare(Comparison::Eq, left, right) | Expr::In(left, right) => {
            for (own, other) in [(left, right), (right, left)] {
                if let (Expr::Path(path), Expr::CurrentUser | Expr::CurrentTenant | Expr::CurrentUserPath(_)) = (&**own, &**other)
                    && path.hops.is_empty()
                {
                    fields.push(path.field);
                }
            }
        }
        _ => {}
    }
}

/// One for each state that ends by itself, by the moment when rows entered it.
fn timed(model: &Model, entity: &Entity) -> Vec<Index> {
    let Some(machine) = entity.states.as_ref() else { return Vec::new() };
    let field = &entity.fields[machine.field.0];
    let FieldType::Enum(of) = field.ty else { return Vec::new() };
    let mut states: Vec<usize> = machine.moves.iter().filter(|it| machine.rows[it.row].after.is_some()).map(|it| it.from).collect();
    states.sort_unstable();
    states.dedup();
    let index = |at: usize| {
        let state = sql::literal(&model.enums[of.0].values[at].name);
        Index { rows: Some(format!("{} = {state}", sql::quoted(&field.name))), ..Index::plain(&[framework::STATE_SINCE], false) }
    };
    states.into_iter().map(index).collect()
}

fn unique(model: &Model, entity: &Entity, all: &mut Vec<Index>) {
    // Rows that are marked as deleted stand in nobody's way.
    let rows = || entity.soft_delete.then(|| format!("{} IS NULL", sql::quoted(framework::DELETED_AT)));
    for field in stored(entity).filter(|field| field.unique != Unique::No && !std::ptr::eq(*field, key(entity))) {
        add(all, Index { parts: led(entity, vec![plain(field)]), unique: true, rows: rows() });
    }
    for index in entity.indexes.iter().filter(|index| index.unique) {
        let parts = index.columns.iter().map(|column| plain(&entity.fields[column.field.0])).collect();
        add(all, Index { parts: led(entity, parts), unique: true, rows: rows() });
    }
    let referred = |other: &Entity| {
        other.tenant.is_some()
            && other.fields.iter().any(|field| matches!(field.ty, FieldType::Ref(to) if model.entity(to).table == entity.table))
    };
    if entity.tenant.is_some() && model.entities.iter().any(referred) {
        add(all, Index { parts: led(entity, vec![plain(key(entity))]), unique: true, rows: None });
    }
}

/// One for the order of every list.
fn sorted(model: &Model, entity: &Entity, all: &mut Vec<Index>) {
    for surface in model.surfaces.iter().filter(|surface| surface.mode == Mode::List && model.entity(surface.entity).table == entity.table)
    {
        let sort = &surface.ux.sort;
        let direct = sort.iter().all(|key| key.path.hops.is_empty() && entity.fields[key.path.field.0].is_stored());
        if sort.is_empty() || !direct {
            continue;
        }
        let part = |key: &crate::model::SortKey| {
            let field = &entity.fields[key.path.field.0];
            Part { column: field.name.clone(), descending: key.descending, order: list_order(model, field) }
        };
        let mut parts: Vec<Part> = sort.iter().map(part).collect();
        if parts.iter().all(|part| part.column != key(entity).name) {
            parts.push(plain(key(entity)));
        }
        add(all, Index { parts: led(entity, parts), unique: false, rows: None });
    }
}

fn list_order(model: &Model, field: &Field) -> Order {
    match field.ty {
        FieldType::Enum(of) if model.enums[of.0].ordered => {
            Order::Positions(model.enums[of.0].values.iter().map(|value| value.name.clone()).collect())
        }
        ty if ty.is_text() => Order::Text,
        _ => Order::List,
    }
}

fn plain(field: &Field) -> Part {
    Part { column: field.name.clone(), descending: false, order: Order::Plain }
}

/// The tenant comes first in every index of its rows.
fn led(entity: &Entity, mut parts: Vec<Part>) -> Vec<Part> {
    if let Some(tenant) = entity.tenant.map(|tenant| &entity.fields[tenant.0])
        && parts.iter().all(|part| part.column != tenant.name)
    {
        parts.insert(0, plain(tenant));
    }
    parts
}

fn add(all: &mut Vec<Index>, index: Index) {
    // A unique index serves as well as another one of the same keys.
    if !all.iter().any(|known| known.parts == index.parts && known.rows == index.rows && (known.unique || !index.unique)) {
        all.push(index);
    }
}
