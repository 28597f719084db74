//! Indexes: unique ones, declared ones, and those that follow from refs, rules, timers and the order of lists.

mod regions;

pub(crate) use regions::compared_by_region;

use super::{
    EngineSql, Index, Order, Part, check,
    entity::{key, stored_fields},
    framework, sql,
};
use crate::model::{Action, Archetype, Comparison, Entity, Expr, Field, FieldId, Mode, Model, Surface, Unique};

/// An index with its reasons.
pub(crate) struct Explained {
    /// The index.
    pub index: Index,
    /// The reasons, each as the end of "this index …".
    pub reasons: Vec<String>,
}

pub(super) fn infer(model: &Model, entity: &Entity) -> Vec<Index> {
    explain(model, entity).into_iter().map(|made| made.index).collect()
}

/// The indexes of a table. Each index costs time at every write, so an index that begins with another one replaces it.
pub(crate) fn explain(model: &Model, entity: &Entity) -> Vec<Explained> {
    let mut all = Vec::new();
    add_unique(model, entity, &mut all);
    for index in entity.indexes.iter().filter(|index| !index.unique) {
        let part =
            |column: &crate::model::IndexColumn| Part { descending: column.descending, ..plain_part(&entity.fields[column.field.0]) };
        let rows = index.rows.as_ref().and_then(|rows| check::rows(model, entity, rows));
        let parts = tenant_first(entity, index.columns.iter().map(part).collect());
        add_index(&mut all, Index { parts, unique: false, rows, distinct: false }, "is declared".to_owned());
    }
    if entity.kind == Some(Archetype::UserMembership) {
        let why = "finds the memberships of an account, before it is known in which tenant a caller is";
        add_index(&mut all, Index::plain(&["user"], false), why.to_owned());
    }
    let lists = lists(model, entity);
    add_own_rows_index(entity, lists.first(), &mut all);
    // If every list shows only the caller's own rows, no list uses an index on its order alone.
    if own_fields(entity).is_empty() {
        for List { name, order } in &lists {
            let first = order.first().and_then(|part| entity.fields.iter().position(|field| field.name == part.column));
            if first.is_none_or(|at| !has_no_index(entity, FieldId(at))) {
                let parts = tenant_first(entity, ordered_keys(entity, Vec::new(), order));
                add_index(
                    &mut all,
                    Index { parts, unique: false, rows: None, distinct: false },
                    format!("has the order of the list `{name}`"),
                );
            }
        }
    }
    add_filters(model, entity, &mut all);
    regions::add(model, entity, &mut all);
    let has_none = |field: &Field| field.is_stored() && field.unique == Unique::No && !std::ptr::eq(field, key(entity));
    for (at, field) in entity.fields.iter().enumerate().filter(|(_, field)| has_none(field)) {
        let name = &field.name;
        if filtered_fields(entity).contains(&FieldId(at)) && !has_no_index(entity, FieldId(at)) {
            add_leading(entity, field, &mut all, format!("finds the rows of a caller by `{name}`, as a rule asks"));
        }
        if is_mail_token(entity, field) {
            // Only few accounts have such a token at one time.
            let rows = Some(EngineSql::both(format!("{} IS NOT NULL", sql::quoted(name))));
            add_index(
                &mut all,
                Index { rows, ..Index::plain(&[name], false) },
                format!("finds an account by `{name}`, as a link in a mail asks"),
            );
        }
        if field.indexed {
            add_leading(entity, field, &mut all, format!("is declared: `{name}` is `indexed`"));
        }
        if field.ty.target().is_some() && !has_no_index(entity, FieldId(at)) {
            add_leading(entity, field, &mut all, format!("finds the rows that refer to another one by `{name}`"));
        }
    }
    add_timer_indexes(model, entity, &mut all);
    all
}

/// True if an index finds rows by a field, in rows that have one value in each of the fields `compared`.
pub(crate) fn has_index_on(model: &Model, entity: &Entity, field: &Field, compared: &[FieldId]) -> bool {
    let all = explain(model, entity);
    let fixed = [fixed_fields(entity).as_slice(), compared].concat();
    // Columns before the field must have the same value in every row that a list shows.
    let own = |part: &&Part| {
        let at = entity.fields.iter().position(|field| field.name == part.column).map(FieldId);
        at.is_some_and(|at| entity.tenant == Some(at) || (part.column != field.name && fixed.contains(&at)))
    };
    // A list shows no deleted row.
    let live = not_deleted(entity);
    let found = |explained: &Explained| {
        let Index { parts, rows, .. } = &explained.index;
        (rows.is_none() || *rows == live) && parts.iter().find(|part| !own(part)).is_some_and(|it| it.column == field.name)
    };
    leading_index(entity, field, &all).is_some() || all.iter().any(found)
}

/// The index of all rows that begins with a field, after the tenant; every index of all rows begins with the tenant.
fn leading_index(entity: &Entity, field: &Field, all: &[Explained]) -> Option<usize> {
    let tenant = entity.tenant.map(|tenant| entity.fields[tenant.0].name.as_str()).filter(|tenant| *tenant != field.name);
    let first = |index: &Index| {
        let part = index.parts.iter().find(|part| Some(part.column.as_str()) != tenant);
        part.is_some_and(|part| part.column == field.name && finds_values(part))
    };
    all.iter().position(|explained| explained.index.rows.is_none() && first(&explained.index))
}

/// True if a line `no_index` excludes the field.
fn has_no_index(entity: &Entity, field: FieldId) -> bool {
    entity.no_index.contains(&field)
}

/// Adds an index that begins with a field, unless there is one.
fn add_leading(entity: &Entity, field: &Field, all: &mut Vec<Explained>, why: String) {
    match leading_index(entity, field, all) {
        Some(at) => all[at].add_reason(why),
        None => {
            add_index(all, Index { parts: tenant_first(entity, vec![plain_part(field)]), unique: false, rows: None, distinct: false }, why)
        }
    }
}

impl Explained {
    fn add_reason(&mut self, why: String) {
        if !self.reasons.contains(&why) {
            self.reasons.push(why);
        }
    }
}

/// Adds an index for the order of lists of the caller's own rows. It finds and sorts them, and also finds all rows of an
/// account.
fn add_own_rows_index(entity: &Entity, list: Option<&List<'_>>, all: &mut Vec<Explained>) {
    let Some(List { name, order }) = list else { return };
    for at in filtered_fields(entity).into_iter().filter(|at| !has_no_index(entity, *at)) {
        let field = &entity.fields[at.0];
        if field.is_stored()
            && field.unique == Unique::No
            && at != entity.pk
            && order.iter().all(|part| part.column != field.name)
            && leading_index(entity, field, all).is_none()
        {
            let parts = tenant_first(entity, ordered_keys(entity, vec![plain_part(field)], order));
            let why = format!("finds the rows of a caller by `{}`, in the order of the list `{name}`", field.name);
            add_index(all, Index { parts, unique: false, rows: None, distinct: false }, why);
        }
    }
}

/// True for a token by which a link in a mail finds its account.
fn is_mail_token(entity: &Entity, field: &Field) -> bool {
    entity.account && matches!(field.name.as_str(), "email_verify_token" | "password_reset_token")
}

/// The keys of an index: `parts`, then the fields that the rule about lists compares with literals, then an order.
fn ordered_keys(entity: &Entity, mut parts: Vec<Part>, order: &[Part]) -> Vec<Part> {
    let own = own_fields(entity);
    let literals = fixed_fields(entity).into_iter().filter(|field| !own.contains(field)).map(|FieldId(at)| plain_part(&entity.fields[at]));
    for part in literals.chain(order.iter().cloned()) {
        if parts.iter().all(|known| known.column != part.column) {
            parts.push(part);
        }
    }
    parts
}

/// A stored field that a condition compares for equality: with the caller, or with a literal.
#[derive(Clone, Copy, PartialEq)]
struct Equality<'e> {
    field: FieldId,
    /// The literal; `None` is the caller.
    with: Option<&'e Expr>,
}

/// The alternatives of a condition, each with the comparisons that every row of the alternative meets.
fn alternatives<'e>(entity: &Entity, condition: &'e Expr) -> Vec<Vec<Equality<'e>>> {
    match condition {
        Expr::And(parts) => parts.iter().fold(vec![Vec::new()], |all, part| combine(&all, &alternatives(entity, part))),
        Expr::Or(parts) => limit_alternatives(parts.iter().flat_map(|part| alternatives(entity, part)).collect()),
        condition => {
            let mut fields = Vec::new();
            compared_with_caller(condition, &mut fields);
            let caller = fields.into_iter().map(|field| Equality { field, with: None });
            let all = caller.chain(compared_with_literal(condition));
            vec![all.filter(|it| entity.fields[it.field.0].is_stored()).collect()]
        }
    }
}

/// The largest number of alternatives of a rule with indexes of their own. If there are more, only their common part counts.
const WAYS: usize = 4;

fn limit_alternatives(ways: Vec<Vec<Equality<'_>>>) -> Vec<Vec<Equality<'_>>> {
    if ways.len() > WAYS { vec![common_comparisons(ways)] } else { ways }
}

/// The comparisons of every alternative.
fn common_comparisons(ways: Vec<Vec<Equality<'_>>>) -> Vec<Equality<'_>> {
    let mut ways = ways.into_iter();
    let first = ways.next().unwrap_or_default();
    ways.fold(first, |common, way| common.into_iter().filter(|it| way.contains(it)).collect())
}

fn compared_with_literal(condition: &Expr) -> Option<Equality<'_>> {
    let Expr::Compare(Comparison::Eq, left, right) = condition else { return None };
    let ((Expr::Path(path), literal) | (literal, Expr::Path(path))) = (&**left, &**right) else { return None };
    let is_literal = matches!(literal, Expr::Bool(_) | Expr::Int(_) | Expr::Text(_) | Expr::Typed(..) | Expr::EnumValue(..));
    (is_literal && path.hops.is_empty()).then_some(Equality { field: path.field, with: Some(literal) })
}

/// The alternatives in which the rule about lists shows rows, limited by the scope lines.
fn list_alternatives(entity: &Entity) -> Vec<Vec<Equality<'_>>> {
    let access = &entity.access;
    let rule = access.permissions.iter().find(|it| it.action == Action::List).and_then(|it| it.permit.as_ref());
    let permitted = rule.map(|rule| alternatives(entity, rule)).unwrap_or_default();
    let mut scopes = access.scopes.iter().filter(|it| it.action == Action::List).peekable();
    if scopes.peek().is_none() {
        return permitted;
    }
    let all_rows = || vec![Vec::new()];
    let scoped: Vec<Vec<Equality<'_>>> =
        scopes.flat_map(|scope| scope.rows.as_ref().map_or_else(all_rows, |rows| alternatives(entity, rows))).collect();
    combine(&permitted, &scoped)
}

/// Each alternative of one condition with each of another.
fn combine<'e>(all: &[Vec<Equality<'e>>], others: &[Vec<Equality<'e>>]) -> Vec<Vec<Equality<'e>>> {
    limit_alternatives(all.iter().flat_map(|way| others.iter().map(|other| [way.as_slice(), other.as_slice()].concat())).collect())
}

/// The fields that each alternative compares: those with the caller before those with literals.
fn compared_fields(way: &[Equality<'_>]) -> Vec<FieldId> {
    let (caller, literal): (Vec<_>, Vec<_>) = way.iter().partition(|it| it.with.is_none());
    let mut fields = Vec::new();
    for Equality { field, .. } in caller.into_iter().chain(literal) {
        if !fields.contains(&field) {
            fields.push(field);
        }
    }
    fields
}

/// The fields that the rule about lists compares for equality in every row that it shows.
fn fixed_fields(entity: &Entity) -> Vec<FieldId> {
    compared_fields(&common_comparisons(list_alternatives(entity)))
}

/// The fields in which the rule about lists requires the caller's own values.
fn own_fields(entity: &Entity) -> Vec<FieldId> {
    let own: Vec<Equality<'_>> = common_comparisons(list_alternatives(entity)).into_iter().filter(|it| it.with.is_none()).collect();
    compared_fields(&own)
}

/// The fields that rules about lists and reads compare with the caller.
fn filtered_fields(entity: &Entity) -> Vec<FieldId> {
    let mut fields = Vec::new();
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

/// Adds an index for each state with a timed transition, by the time at which rows entered it.
fn add_timer_indexes(model: &Model, entity: &Entity, all: &mut Vec<Explained>) {
    let Some(machine) = entity.states.as_ref() else { return };
    let field = &entity.fields[machine.field.0];
    let Some(of) = field.ty.enumeration() else { return };
    let mut states: Vec<usize> = machine.transitions.iter().filter(|it| machine.rows[it.row].after.is_some()).map(|it| it.from).collect();
    states.sort_unstable();
    states.dedup();
    for at in states {
        let state = &model.enums[of.0].values[at].name;
        let rows = EngineSql::both(format!("{} = {}", sql::quoted(&field.name), sql::literal(state)));
        let index = Index { rows: Some(rows), ..Index::plain(&[framework::STATE_SINCE], false) };
        add_index(all, index, format!("finds the rows that leave `{state}` by themselves"));
    }
}

fn add_unique(model: &Model, entity: &Entity, all: &mut Vec<Explained>) {
    // A soft-deleted row does not conflict with other rows.
    let live = || not_deleted(entity);
    for field in stored_fields(entity).filter(|field| field.unique != Unique::No && !std::ptr::eq(*field, key(entity))) {
        let index = Index { parts: tenant_first(entity, vec![plain_part(field)]), unique: true, rows: live(), distinct: false };
        add_index(all, index, format!("keeps `{}` unique", field.name));
    }
    for index in entity.indexes.iter().filter(|index| index.unique) {
        let parts = index.columns.iter().map(|column| plain_part(&entity.fields[column.field.0])).collect();
        let declared = index.rows.as_ref().and_then(|rows| check::rows(model, entity, rows));
        let rows = match (live(), declared) {
            (Some(live), Some(declared)) => Some(live.and(&declared)),
            (live, declared) => live.or(declared),
        };
        let names: Vec<String> = index.columns.iter().map(|column| format!("`{}`", entity.fields[column.field.0].name)).collect();
        let index = Index { parts: tenant_first(entity, parts), unique: true, rows, distinct: false };
        add_index(all, index, format!("keeps {} unique", names.join(" and ")));
    }
    let referred = |other: &Entity| {
        other.tenant.is_some()
            && other.fields.iter().any(|field| field.ty.target().is_some_and(|to| model.entity(to).table == entity.table))
    };
    if entity.tenant.is_some() && model.entities.iter().any(referred) {
        let index = Index { parts: tenant_first(entity, vec![plain_part(key(entity))]), unique: true, rows: None, distinct: false };
        add_index(all, index, "keeps references within a tenant".to_owned());
    }
}

/// A list with its order.
struct List<'m> {
    name: &'m str,
    order: Vec<Part>,
}

/// The orders of lists that use only fields of the row itself.
fn lists<'m>(model: &'m Model, entity: &'m Entity) -> Vec<List<'m>> {
    list_surfaces(model, entity).filter_map(|surface| Some(List { name: &surface.name, order: order(model, entity, surface)? })).collect()
}

fn order(model: &Model, entity: &Entity, surface: &Surface) -> Option<Vec<Part>> {
    key_order(model, entity, &surface.ux.sort).filter(|_| !surface.ux.sort.is_empty())
}

/// The parts of an order, the key last; `None` if it uses a field of another row or one that is not stored.
fn key_order(model: &Model, entity: &Entity, sort: &[crate::model::SortKey]) -> Option<Vec<Part>> {
    if !sort.iter().all(|key| key.path.hops.is_empty() && entity.fields[key.path.field.0].is_stored()) {
        return None;
    }
    // Amounts of one currency are adjacent.
    let fields = |key: &crate::model::SortKey| entity.currency_of(key.path.field).into_iter().chain([key.path.field]);
    let part = |key: &crate::model::SortKey, FieldId(at): FieldId| {
        let field = &entity.fields[at];
        Part { column: field.name.clone(), descending: key.descending, order: list_order(model, field) }
    };
    let mut parts: Vec<Part> = sort.iter().flat_map(|key| fields(key).map(|at| part(key, at))).collect();
    if parts.iter().all(|part| part.column != key(entity).name) {
        parts.push(plain_part(key(entity)));
    }
    Some(parts)
}

fn list_surfaces<'m>(model: &'m Model, entity: &'m Entity) -> impl Iterator<Item = &'m Surface> {
    model.surfaces.iter().filter(|it| it.mode == Mode::List && model.entity(it.entity).table == entity.table)
}

/// Adds an index for each field that a list filters by and each alternative of the rule: the fields that the rule compares
/// for equality, then the field, then the order of the list. A page of rows and their count are then read from the index, without
/// rows that do not match.
fn add_filters(model: &Model, entity: &Entity, all: &mut Vec<Explained>) {
    let mut ways: Vec<Vec<FieldId>> = Vec::new();
    for way in list_alternatives(entity).iter().map(|way| compared_fields(way)) {
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    for surface in list_surfaces(model, entity) {
        let order = order(model, entity, surface).unwrap_or_else(|| vec![plain_part(key(entity))]);
        for path in surface.ux.filter.iter().filter(|path| path.it.hops.is_empty() && has_filter_index(entity, path.it.field)) {
            let why = format!("finds the rows of the list `{}` by its filter `{}`", surface.name, entity.fields[path.it.field.0].name);
            for way in &ways {
                add_filter(entity, way, path.it.field, &order, &why, all);
            }
        }
    }
}

fn add_filter(entity: &Entity, way: &[FieldId], at: FieldId, order: &[Part], why: &str, all: &mut Vec<Explained>) {
    let field = &entity.fields[at.0];
    let compared = way.iter().copied().filter(|field| *field != at);
    let parts = tenant_first(entity, compared.chain([at]).map(|FieldId(at)| plain_part(&entity.fields[at])).collect());
    // dz itself also finds rows by their refs, including deleted ones.
    let rows = if field.ty.target().is_some() { None } else { not_deleted(entity) };
    let same = |known: &&mut Explained| {
        (known.index.rows.is_none() || known.index.rows == rows) && starts_with_columns(&known.index.parts, &parts)
    };
    if let Some(known) = all.iter_mut().find(same) {
        known.add_reason(why.to_owned());
        return;
    }
    // After a range the rows of the index are not in the order of the list.
    let order = order.iter().filter(|part| !is_ranged(field) && parts.iter().all(|known| known.column != part.column)).cloned();
    let parts = parts.iter().cloned().chain(order.collect::<Vec<_>>()).collect();
    add_index(all, Index { parts, unique: false, rows, distinct: false }, why.to_owned());
}

/// True for a field whose filter compares it with a value that an index can contain, and matches more than one row.
fn has_filter_index(entity: &Entity, at: FieldId) -> bool {
    let field = &entity.fields[at.0];
    let alone = field.unique != Unique::No || at == entity.pk || Some(at) == entity.tenant;
    field.is_stored() && field.ty.is_indexable() && !alone && !field.secret && !field.sensitive && !has_no_index(entity, at)
}

/// True for a field with a range filter.
fn is_ranged(field: &Field) -> bool {
    field.ty.is_ranged()
}

/// True if an index finds rows by these columns.
fn starts_with_columns(parts: &[Part], columns: &[Part]) -> bool {
    parts.len() >= columns.len() && parts.iter().zip(columns).all(|(part, column)| part.column == column.column && finds_values(part))
}

/// True for a key that is the column itself, and not its sort key.
fn finds_values(part: &Part) -> bool {
    matches!(part.order, Order::Plain | Order::List)
}

fn list_order(model: &Model, field: &Field) -> Order {
    let ordered = field.ty.enumeration().map(|id| &model.enums[id.0]).filter(|values| values.ordered);
    match ordered {
        Some(values) => Order::Positions(values.values.iter().map(|value| value.name.clone()).collect()),
        None if field.ty.is_text() => Order::Text,
        None => Order::List,
    }
}

/// The rows that are not soft-deleted.
fn not_deleted(entity: &Entity) -> Option<EngineSql> {
    entity.soft_delete.then(|| EngineSql::both(format!("{} IS NULL", sql::quoted(framework::DELETED_AT))))
}

fn plain_part(field: &Field) -> Part {
    Part { column: field.name.clone(), descending: false, order: Order::Plain }
}

/// Puts the tenant first, as in every index of a tenant's rows.
fn tenant_first(entity: &Entity, mut parts: Vec<Part>) -> Vec<Part> {
    if let Some(tenant) = entity.tenant.map(|tenant| &entity.fields[tenant.0])
        && parts.iter().all(|part| part.column != tenant.name)
    {
        parts.insert(0, plain_part(tenant));
    }
    parts
}

fn add_index(all: &mut Vec<Explained>, index: Index, why: String) {
    // A unique index replaces another one with the same keys.
    let same = |known: &Index| known.parts == index.parts && known.rows == index.rows && (known.unique || !index.unique);
    match all.iter_mut().find(|made| same(&made.index)) {
        Some(made) => made.add_reason(why),
        None => all.push(Explained { index, reasons: vec![why] }),
    }
}
