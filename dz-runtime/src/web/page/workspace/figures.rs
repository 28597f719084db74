//! Metrics of regions: expressions over aggregates of entities, each over the rows that the caller may list. All aggregates of an entity
//! are loaded by one statement.

use super::{groups, variant::WorkspaceVariant};
use crate::{
    Result, Tx, Value,
    access::{Grant, List},
    db::emit::constant,
    def::{Aggregate, AppDef, EntityIx, Expr, FigureDef, RegionDef},
    field,
    rows::{self, GroupAggregate, Query},
    web::page::{Metric, columns},
};

/// An aggregate of an expression.
#[derive(Debug, Clone, Copy)]
pub(super) struct Needed {
    /// The position of its value.
    pub at: u16,
    /// The entity whose rows it aggregates.
    pub entity: EntityIx,
    /// The aggregate.
    pub aggregate: GroupAggregate,
}

/// The aggregates of a figure.
pub(super) fn needed(figure: &'static FigureDef) -> Vec<Needed> {
    let mut found: Vec<Needed> = Vec::new();
    collect(&figure.expr, &mut found);
    found
}

fn collect(expr: &'static Expr, found: &mut Vec<Needed>) {
    match expr {
        Expr::EntityAggregate { at, kind, entity, value, condition } => {
            let aggregate = GroupAggregate { kind: *kind, value: *value, condition: *condition, level: None };
            found.push(Needed { at: *at, entity: *entity, aggregate });
        }
        Expr::List(parts) | Expr::And(parts) | Expr::Or(parts) | Expr::Call(_, parts, _) => parts.iter().for_each(|it| collect(it, found)),
        Expr::Not(inner) | Expr::Negate(inner) => collect(inner, found),
        Expr::Compare(_, left, right) | Expr::In(left, right) | Expr::Arithmetic(_, left, right, _) => {
            collect(left, found);
            collect(right, found);
        }
        Expr::If(branches, otherwise) => {
            for (condition, value) in *branches {
                collect(condition, found);
                collect(value, found);
            }
            collect(otherwise, found);
        }
        _ => {}
    }
}

/// The entities whose rows the figures of a region aggregate.
pub(super) fn entities(region: &'static RegionDef) -> Vec<EntityIx> {
    let mut found: Vec<EntityIx> = region.figures.iter().flat_map(needed).map(|it| it.entity).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The titles of the figures of a region that the caller sees.
pub(super) fn titles(tx: &Tx<'_>, region: &'static RegionDef) -> Vec<&'static str> {
    let is_shown = |figure: &&'static FigureDef| needed(figure).into_iter().all(|it| tx.ask::<List>(tx.app.entity(it.entity)).is_ok());
    region.figures.iter().filter(is_shown).map(|figure| figure.title).collect()
}

/// The values of all aggregates of some figures, by position; `None` for those of an entity that the caller may not list.
/// The rows of `within` are those of a list, and not all that the caller may list.
fn load_aggregates(tx: &mut Tx<'_>, figures: &[&'static FigureDef], within: Option<(&Grant<List>, &Query)>) -> Result<Vec<Option<Value>>> {
    let mut all: Vec<Needed> = figures.iter().copied().flat_map(needed).collect();
    all.sort_by_key(|it| (it.entity, it.at));
    all.dedup_by_key(|it| it.at);
    let count = all.iter().map(|it| usize::from(it.at) + 1).max().unwrap_or(0);
    let mut values = vec![None; count];
    for of_entity in all.chunk_by(|left, right| left.entity == right.entity) {
        let Some(first) = of_entity.first() else { continue };
        let wanted: Vec<GroupAggregate> = of_entity.iter().map(|it| it.aggregate).collect();
        let groups = match within.filter(|(grant, _)| grant.entity().ix == first.entity) {
            Some((grant, query)) => rows::aggregate_groups(tx, grant, query, &[], &wanted, 1)?,
            None => {
                let Ok(grant) = tx.ask::<List>(tx.app.entity(first.entity)) else { continue };
                rows::aggregate_groups(tx, &grant, &Query::default(), &[], &wanted, 1)?
            }
        };
        let loaded = groups.into_iter().next().map(|group| group.values).unwrap_or_default();
        for (it, value) in of_entity.iter().zip(loaded) {
            values[usize::from(it.at)] = Some(value);
        }
    }
    Ok(values)
}

/// The values of those figures whose entities the caller may all list.
fn load_values(
    tx: &mut Tx<'_>,
    figures: &[&'static FigureDef],
    within: Option<(&Grant<List>, &Query)>,
) -> Result<Vec<(&'static FigureDef, Value)>> {
    let values = load_aggregates(tx, figures, within)?;
    let is_loaded = |it: Needed| values.get(usize::from(it.at)).is_some_and(Option::is_some);
    let inputs: Vec<Value> = values.iter().map(|value| value.clone().unwrap_or_default()).collect();
    let shown = figures.iter().copied().filter(|figure| needed(figure).into_iter().all(is_loaded));
    Ok(shown.map(|figure| (figure, evaluate_with(tx, figure, &inputs))).collect())
}

fn evaluate_some(tx: &mut Tx<'_>, figures: &[&'static FigureDef], within: Option<(&Grant<List>, &Query)>) -> Result<Vec<Metric>> {
    let loaded = load_values(tx, figures, within)?;
    Ok(loaded.into_iter().map(|(figure, value)| to_metric(tx.app, figure, &value)).collect())
}

fn to_metric(app: &'static AppDef, figure: &FigureDef, value: &Value) -> Metric {
    Metric { label: figure.title, text: text(app, figure, value) }
}

/// Figures above a list, over the rows of the list. Each figure is a metric of a region, so the positions of their aggregates can
/// coincide, and each is evaluated alone.
pub(crate) fn evaluate_over(tx: &mut Tx<'_>, figures: &[&'static FigureDef], grant: &Grant<List>, query: &Query) -> Result<Vec<Metric>> {
    let mut shown = Vec::new();
    for figure in figures {
        shown.extend(evaluate_some(tx, &[*figure], Some((grant, query)))?);
    }
    Ok(shown)
}

/// All figures of a region, each with its number.
pub(super) fn load_numbers(tx: &mut Tx<'_>, region: &'static RegionDef) -> Result<Vec<(Metric, Option<f64>)>> {
    let loaded = load_values(tx, &region.figures.iter().collect::<Vec<_>>(), None)?;
    let number = |(figure, value): (&'static FigureDef, Value)| (to_metric(tx.app, figure, &value), groups::to_number(&value));
    Ok(loaded.into_iter().map(number).collect())
}

/// The value of a figure for values of its aggregates.
pub(super) fn evaluate_with(tx: &Tx<'_>, figure: &FigureDef, inputs: &[Value]) -> Value {
    constant::figure(&figure.expr, tx.caller(), tx.app, inputs)
}

/// All figures of a region that the caller sees, each with its position in the declaration.
pub(super) fn evaluate_with_positions(tx: &mut Tx<'_>, region: &'static RegionDef) -> Result<Vec<(usize, Metric)>> {
    let loaded = load_values(tx, &region.figures.iter().collect::<Vec<_>>(), None)?;
    let position = |figure: &FigureDef| region.figures.iter().position(|other| std::ptr::eq(other, figure));
    Ok(loaded.into_iter().filter_map(|(figure, value)| Some((position(figure)?, to_metric(tx.app, figure, &value)))).collect())
}

/// All figures of a region.
pub(super) fn evaluate(tx: &mut Tx<'_>, region: &'static RegionDef) -> Result<Vec<Metric>> {
    evaluate_some(tx, &region.figures.iter().collect::<Vec<_>>(), None)
}

/// The figures above the regions of a workspace, which the variants of the caller name.
pub(super) fn load_shown(tx: &mut Tx<'_>, variant: &WorkspaceVariant) -> Result<Vec<Metric>> {
    let mut shown = Vec::new();
    let wanted = variant.figures();
    for of_region in wanted.chunk_by(|(left, _), (right, _)| left.id == right.id) {
        let figures: Vec<&'static FigureDef> = of_region.iter().filter_map(|(region, at)| region.figures.get(*at)).collect();
        shown.extend(evaluate_some(tx, &figures, None)?);
    }
    Ok(shown)
}

/// The text of the value of a figure: as that of its field for a sum or an extreme of a field.
pub(super) fn text(app: &'static AppDef, figure: &FigureDef, value: &Value) -> String {
    if value.is_null() {
        return "–".to_owned();
    }
    if let Expr::EntityAggregate { kind: Aggregate::Sum | Aggregate::Min | Aggregate::Max, value: Some(path), .. } = &figure.expr {
        let field = path.end(app).field(app);
        return columns::show(app, field, &rows::widen(field.kind, value.clone())).text;
    }
    let text = field::display_plain(value, field::zone(app));
    figure.currency.map_or(text.clone(), |currency| format!("{text} {currency}"))
}
