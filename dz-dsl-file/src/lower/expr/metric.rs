//! Metrics of a workspace: aggregates over entities, and names of earlier metrics.

use std::collections::HashMap;

use super::{Position, Typed, Typer, type_of};
use crate::{
    Diagnostic, Span,
    cursor::Name,
    diagnostic::{near_word, nearest},
    dialect,
    lower::{Lowering, computed},
    model::{Aggregate, EntityId, Expr, Metric, Path, Source, Type},
    syntax::expr::{self as written, Arg, ExprKind},
};

/// The metrics that a metric can name, and those that it cannot.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Metrics<'m> {
    /// The earlier metrics, in order.
    pub above: &'m [Metric],
    /// All of them by name.
    pub names: Option<&'m HashMap<&'m str, MetricName>>,
    /// The entities whose rows the region shows.
    pub sources: &'m [Source],
    /// True if the region may have an unknown source.
    pub source_lost: bool,
}

/// The meaning of a name in a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MetricName {
    /// The earlier metric at this position.
    Above(usize),
    /// An earlier metric with an error, which is already reported.
    Failed,
    /// A later metric, or the metric itself.
    Below,
}

/// Types a metric: its expression, its type, and the entities that it counts.
pub(crate) fn metric(it: &mut Lowering<'_>, metrics: Metrics<'_>, expr: &written::Expr) -> Option<(Expr, Type, Vec<EntityId>)> {
    let mut typer = Typer::new(it, Position::Metric, None);
    typer.metrics = metrics;
    let (value, ty) = typer.typed(expr, None)?;
    let figure = is_number(&ty) || matches!(ty, Type::Date | Type::DateTime | Type::Text);
    if !figure {
        let found = typer.describe_type(&ty);
        let report = Diagnostic::error("type-mismatch", expr.span, format!("a metric is a number, a date or text, but this is {found}"));
        let report = report.help(typer.examples());
        typer.it.out.push(report);
        return None;
    }
    let mut counted = typer.counted;
    counted.sort_unstable();
    counted.dedup();
    Some((value, ty, counted))
}

/// True for types whose values can be added.
pub(crate) fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Int | Type::Decimal | Type::Float | Type::Money(Some(_)))
}

impl Typer<'_, '_> {
    /// Resolves a name in a metric: an earlier metric.
    pub(super) fn metric_name(&mut self, path: &[Name], span: Span) -> Typed {
        let [name] = path else { return self.outside_aggregate(path, span) };
        let metrics = self.metrics;
        let known = metrics.names.and_then(|names| names.get(name.text.as_str()));
        match known {
            Some(MetricName::Failed) => return None,
            Some(MetricName::Above(at)) => {
                let above = metrics.above.get(*at)?;
                self.counted.extend(&above.entities);
                self.it.used(name.span, above.span);
                return Some((Expr::Metric(*at), above.ty.clone()));
            }
            Some(MetricName::Below) | None => {}
        }
        if self.it.entity_names.contains_key(&name.text) {
            return self.outside_aggregate(path, span);
        }
        let mut found = Diagnostic::error("unknown-metric", span, format!("there is no earlier metric `{}`", name.text));
        let above = metrics.above.iter().map(|metric| metric.name.as_str());
        if known.is_some() {
            found = found.help("a metric can only use earlier metrics; put it before this one");
        } else if let Some(near) = near_word(&name.text, above) {
            found = found.help(format!("did you mean `{near}`?")).replace(span, near);
        } else {
            found = found.help(self.examples());
        }
        self.it.out.push(found);
        None
    }

    fn outside_aggregate(&mut self, path: &[Name], span: Span) -> Typed {
        let (Some(first), Some(last)) = (path.first(), path.last()) else { return None };
        self.it.entity(first)?;
        let (what, way) = if path.len() == 1 {
            (format!("`{}` is an entity and has no value of its own", first.text), format!("count its rows: `count({})`", first.text))
        } else {
            let whole = crate::syntax::paths::text_of(path);
            (format!("`{}` is a field of many rows and has no one value", last.text), format!("add it up: `sum({whole})`"))
        };
        self.it.out.push(Diagnostic::error("not-allowed-here", span, what).help(way));
        None
    }

    /// `count(*)`: the rows of the region.
    fn count_rows(&mut self, star: Span) -> Typed {
        let metrics = self.metrics;
        match metrics.sources {
            [source] if !metrics.source_lost => {
                let (kind, entity) = (Aggregate::Count, source.entity);
                self.counted.push(entity);
                let condition = source.filter.as_ref().map(|filter| Box::new(filter.it.clone()));
                Some((Expr::EntityAggregate { kind, entity, value: None, condition }, Type::Int))
            }
            _ if metrics.source_lost => None,
            [] => {
                let help = format!("add `source: ENTITY` to the region, or name the entity: `count({})`", self.some_entity());
                self.wrong(star, "`*` means the rows of the region, and this region has no source", &help)
            }
            [source, ..] => {
                let help = format!("name the entity: `count({})`", self.scope_name(source.entity));
                self.wrong(star, "`*` means the rows of one source, and this region has several", &help)
            }
        }
    }

    /// Examples of metrics.
    fn examples(&self) -> String {
        let entity = self.some_entity();
        format!("count rows, or add up a field: `count({entity} where …)`, `sum({entity}.FIELD)`")
    }

    /// An entity for an example: the source of the region, else the first one.
    fn some_entity(&self) -> String {
        let source = self.metrics.sources.first().map(|source| source.entity.0);
        let entity = source.or_else(|| self.it.entities.iter().position(|entity| entity.declared));
        entity.map_or_else(|| "ENTITY".to_owned(), |at| self.it.entities[at].name.clone())
    }

    /// `count(Task where …)`, `sum(Task.hours where …)`.
    pub(super) fn entity_aggregate(&mut self, kind: Aggregate, name: &Name, args: &[Arg]) -> Typed {
        if let (Aggregate::Count, [Arg::Star(star)]) = (kind, args) {
            return self.count_rows(*star);
        }
        let [Arg::Value(written::Expr { kind: ExprKind::Path(path), span }, condition)] = args else {
            let help = format!("write `{}({} where …)`", name.text, self.some_entity());
            let place = super::call::misplaced(args).unwrap_or(name.span);
            return self.wrong(place, &format!("`{}` takes one entity", name.text), &help);
        };
        let [first, rest @ ..] = path.as_slice() else { return None };
        if rest.is_empty() && self.is_bare_field(kind, first, name) {
            return None;
        }
        let entity = self.it.entity(first)?;
        self.counted.push(entity);
        let value = self.entity_value(kind, entity, rest, *span, name);
        let condition = match condition {
            None => Some(None),
            Some(condition) => {
                (self.position, self.scope) = (Position::Filter, Some(entity));
                let lowered = self.condition(condition);
                (self.position, self.scope) = (Position::Metric, None);
                lowered.map(|condition| Some(Box::new(condition)))
            }
        };
        let ((value, ty), condition) = (value?, condition?);
        Some((Expr::EntityAggregate { kind, entity, value, condition }, ty))
    }

    /// Reports a field without its entity; true if the word is a field or a misspelt one.
    fn is_bare_field(&mut self, kind: Aggregate, word: &Name, function: &Name) -> bool {
        let entities = &self.it.entities;
        let is_entity =
            self.it.entity_names.contains_key(&word.text) || nearest(&word.text, entities.iter().map(|it| it.name.as_str())).is_some();
        // A metric is mostly about the rows of its region.
        let sources = self.metrics.sources;
        let own = || sources.iter().map(|source| &entities[source.entity.0]);
        let all = || own().chain(entities.iter());
        let fields = || all().flat_map(|entity| entity.fields.iter().map(move |field| (entity, field.name.as_str())));
        let meant = nearest(&word.text, fields().map(|(_, field)| field));
        let Some((entity, field)) = fields().find(|(_, field)| *field == word.text || Some(*field) == meant).filter(|_| !is_entity) else {
            return false;
        };
        let counts = matches!(kind, Aggregate::Count | Aggregate::Any | Aggregate::All);
        let written = if counts { entity.name.clone() } else { format!("{}.{field}", entity.name) };
        // The metric of a region with a filter counts only some of the rows.
        let of_source = matches!(sources, [source] if source.filter.is_none() && entities[source.entity.0].name == entity.name);
        let sure = of_source && !counts && field == word.text;
        let phrase = dialect::phrase("field-of-the-source");
        let found = Diagnostic::error("unknown-entity", word.span, format!("unknown entity `{}`", word.text))
            .help(format!("{}: `{}({written})`", phrase.help, function.text))
            .replace(word.span, phrase.replacement(written, sure));
        self.it.out.push(found);
        true
    }

    fn entity_value(&mut self, kind: Aggregate, entity: EntityId, rest: &[Name], span: Span, name: &Name) -> Option<(Option<Path>, Type)> {
        let counts = matches!(kind, Aggregate::Count | Aggregate::Any | Aggregate::All);
        if counts && rest.is_empty() {
            return Some((None, if kind == Aggregate::Count { Type::Int } else { Type::Bool }));
        }
        let shown = self.it.entities[entity.0].name.clone();
        if counts {
            return self.wrong(span, "the entity is named here without a field", &format!("write `{}({shown})`", name.text));
        }
        if rest.is_empty() {
            return self.wrong(span, &format!("a field of `{shown}` is needed here"), &format!("write `{}({shown}.field)`", name.text));
        }
        let path = self.resolve(entity, rest)?;
        let (owner, field) = self.end(&path);
        if !computed::ensure(self.it, owner, field) {
            return None;
        }
        let field = &self.it.entities[owner.0].fields[field.0];
        let ty = type_of(field.ty);
        if let Some(hidden) = path.fields(&self.it.entities).find(|field| field.sensitive) {
            let found = format!("`{}` is sensitive, and a metric would disclose its values", hidden.name);
            self.it.out.push(Diagnostic::error("not-allowed-here", span, found).help("use another field"));
            return None;
        }
        let number = is_number(&ty);
        match kind {
            _ if ty == Type::Money(None) => self.any_currency(span, kind),
            Aggregate::Sum | Aggregate::Avg if !number => {
                self.wrong(span, "only numbers can be added up", "name a number, or count the rows: `count(ENTITY)`")
            }
            Aggregate::Avg if ty == Type::Int => Some((Some(path), Type::Decimal)),
            _ if number || matches!(ty, Type::Date | Type::DateTime | Type::Text) => Some((Some(path), ty)),
            Aggregate::Count | Aggregate::Any | Aggregate::All | Aggregate::Sum | Aggregate::Avg | Aggregate::Min | Aggregate::Max => {
                let found = self.describe_type(&ty);
                self.wrong(
                    span,
                    &format!("`{}` needs numbers, dates or text, but this is {found}", name.text),
                    "name a field that has an order",
                )
            }
        }
    }
}
