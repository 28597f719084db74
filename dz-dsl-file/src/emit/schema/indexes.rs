//! Indexes: what is unique, what is declared, and what follows from refs, rules, timers and the order of lists.

use super::{
    Fill, Index, Order, Part, check,
    entity::{key, stored},
    framework, sql,
};
use crate::model::{Action, ArchetypeKind, Comparison, Entity, Expr, Field, FieldId, FieldType, Mode, Model, Surface, Unique};

pub(super) fn of(model: &Model, entity: &Entity) -> Vec<Index> {
    let mut all = Vec::new();
    unique(model, entity, &mut all);
    for index in entity.indexes.iter().filter(|index| !index.unique) {
        let part = |column: &crate::model::IndexColumn| Part { descending: column.descending, ..plain(&entity.fields[column.field.0]) };
        let rows = index.rows.as_ref().and_then(|rows| check::rows(model, entity, rows));
        add(&mut all, Index { parts: led(entity, index.columns.iter().map(part).collect()), unique: false, rows });
    }
    if entity.kind == Some(ArchetypeKind::UserMembership) {
        // Before it is known in which tenant a caller is, each request asks in which it can be.
        add(&mut all, Index::plain(&["user"], false));
    }
    let lists = lists(model, entity);
    own_rows(entity, lists.first(), &mut all);
    for field in stored(entity).filter(|field| field.unique == Unique::No) {
        let asked_for = asked(entity).iter().any(|asked| std::ptr::eq(&entity.fields[asked.0], field));
        if matches!(field.ty, FieldType::Ref(_)) || field.indexed || asked_for {
            lead(entity, field, &mut all);
        }
    }
    all.extend(timed(model, entity));
    // Where every list is one of the caller's own rows, its order alone finds nothing.
    if !asked(entity).iter().any(|field| always_own(entity, *field)) {
        for parts in &lists {
            add(&mut all, Index { parts: led(entity, parts.clone()), unique: false, rows: None });
        }
    }
    filtered(model, entity, &mut all);
    all
}

/// True when some index finds rows by a field.
pub(crate) fn finds(model: &Model, entity: &Entity, field: &Field) -> bool {
    leads(entity, field, &of(model, entity))
}

fn leads(entity: &Entity, field: &Field, all: &[Index]) -> bool {
    let tenant = entity.tenant.map(|tenant| &entity.fields[tenant.0].name);
    let first = |index: &Index| index.parts.iter().find(|part| Some(&part.column) != tenant).is_some_and(|it| it.column == field.name);
    all.iter().any(|index| index.rows.is_none() && first(index))
}

/// An index that begins with a field, unless one does already: each one costs every write.
fn lead(entity: &Entity, field: &Field, all: &mut Vec<Index>) {
    if !leads(entity, field, all) {
        add(all, Index { parts: led(entity, vec![plain(field)]), unique: false, rows: None });
    }
}

/// The order of lists, for the rows of which rules say that they are the caller's: found and sorted by one index, which also
/// finds all rows of an account.
fn own_rows(entity: &Entity, list: Option<&Vec<Part>>, all: &mut Vec<Index>) {
    let Some(order) = list else { return };
    for field in asked(entity).into_iter().map(|field| &entity.fields[field.0]) {
        if field.is_stored()
            && field.unique == Unique::No
            && order.iter().all(|part| part.column != field.name)
            && !leads(entity, field, all)
        {
            let parts = [&[plain(field)], &order[..]].concat();
            add(all, Index { parts: led(entity, parts), unique: false, rows: None });
        }
    }
}

/// True when the rule about lists lets nobody see a row of which the field is not the caller's.
fn always_own(entity: &Entity, field: FieldId) -> bool {
    fn implied(condition: &Expr, field: FieldId) -> bool {
        match condition {
            Expr::And(parts) => parts.iter().any(|part| implied(part, field)),
            Expr::Or(parts) => parts.iter().all(|part| implied(part, field)),
            condition => {
                let mut fields = Vec::new();
                compared_with_caller(condition, &mut fields);
                fields == [field]
            }
        }
    }
    let rule = entity.access.permissions.iter().find(|it| it.action == Action::List);
    rule.and_then(|it| it.permit.as_ref()).is_some_and(|permit| implied(permit, field))
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
        let rows = Fill::both(format!("{} = {state}", sql::quoted(&field.name)));
        Index { rows: Some(rows), ..Index::plain(&[framework::STATE_SINCE], false) }
    };
    states.into_iter().map(index).collect()
}

fn unique(model: &Model, entity: &Entity, all: &mut Vec<Index>) {
    // A soft-deleted row keeps no other row out.
    let live = || entity.soft_delete.then(|| Fill::both(format!("{} IS NULL", sql::quoted(framework::DELETED_AT))));
    for field in stored(entity).filter(|field| field.unique != Unique::No && !std::ptr::eq(*field, key(entity))) {
        add(all, Index { parts: led(entity, vec![plain(field)]), unique: true, rows: live() });
    }
    for index in entity.indexes.iter().filter(|index| index.unique) {
        let parts = index.columns.iter().map(|column| plain(&entity.fields[column.field.0])).collect();
        let declared = index.rows.as_ref().and_then(|rows| check::rows(model, entity, rows));
        let rows = match (live(), declared) {
            (Some(live), Some(declared)) => Some(live.and(&declared)),
            (live, declared) => live.or(declared),
        };
        add(all, Index { parts: led(entity, parts), unique: true, rows });
    }
    let referred = |other: &Entity| {
        other.tenant.is_some()
            && other.fields.iter().any(|field| matches!(field.ty, FieldType::Ref(to) if model.entity(to).table == entity.table))
    };
    if entity.tenant.is_some() && model.entities.iter().any(referred) {
        add(all, Index { parts: led(entity, vec![plain(key(entity))]), unique: true, rows: None });
    }
}

/// The orders of the lists, as far as they are of fields that the rows have themselves.
fn lists(model: &Model, entity: &Entity) -> Vec<Vec<Part>> {
    let mut all = Vec::new();
    for sort in of_lists(model, entity).map(|surface| &surface.ux.sort) {
        let direct = sort.iter().all(|key| key.path.hops.is_empty() && entity.fields[key.path.field.0].is_stored());
        if sort.is_empty() || !direct {
            continue;
        }
        // Amounts of one currency stand together.
        let fields = |key: &crate::model::SortKey| entity.currency_of(key.path.field).into_iter().chain([key.path.field]);
        let part = |key: &crate::model::SortKey, FieldId(at): FieldId| {
            let field = &entity.fields[at];
            Part { column: field.name.clone(), descending: key.descending, order: list_order(model, field) }
        };
        let mut parts: Vec<Part> = sort.iter().flat_map(|key| fields(key).map(|at| part(key, at))).collect();
        if parts.iter().all(|part| part.column != key(entity).name) {
            parts.push(plain(key(entity)));
        }
        all.push(parts);
    }
    all
}

fn of_lists<'m>(model: &'m Model, entity: &'m Entity) -> impl Iterator<Item = &'m Surface> {
    model.surfaces.iter().filter(|it| it.mode == Mode::List && model.entity(it.entity).table == entity.table)
}

/// One for each field that a list filters by, where a value leaves few rows: not for states and flags.
fn filtered(model: &Model, entity: &Entity, all: &mut Vec<Index>) {
    for path in of_lists(model, entity).flat_map(|surface| &surface.ux.filter).filter(|path| path.it.hops.is_empty()) {
        let field = &entity.fields[path.it.field.0];
        let many =
            matches!(field.ty, FieldType::Bool | FieldType::Enum(_) | FieldType::Currency { .. } | FieldType::Text | FieldType::Json);
        if field.is_stored() && field.unique == Unique::No && !many {
            lead(entity, field, all);
        }
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
