//! Attention messages on the rows of a list (`attention:`): the most urgent message of each row, the number of rows of each level, and
//! the list of one level.

use std::ops::Range;

use crate::{
    Result, Tx, Value,
    access::{Grant, List},
    def::{EntityDef, FieldIx, Level, Mode, SurfaceDef},
    rows::{self, GroupAggregate, Query, Row, RowTest, RowsOfLevel},
    template::{AttentionMark, Icon, LevelCount},
    web::page::{
        list::{ListRequest, with_query},
        primary_button::PrimaryTarget,
    },
};

/// The parameter that selects a level.
const PARAMETER: &str = "attention";

/// The word of a level, which is also its colour and its icon.
fn word(level: Level) -> &'static str {
    match level {
        Level::Critical => "critical",
        Level::Warning => "warning",
        Level::Notice => "notice",
        Level::Info => "info",
    }
}

fn icon(level: Level) -> Icon {
    match level {
        Level::Critical => Icon("critical"),
        Level::Warning => Icon("warning"),
        Level::Notice | Level::Info => Icon("notice"),
    }
}

/// The levels of a surface with the positions of their messages, the most urgent first.
fn levels(surface: &'static SurfaceDef) -> Vec<(Level, Range<usize>)> {
    let mut found: Vec<(Level, Range<usize>)> = Vec::new();
    for (at, signal) in surface.attention.iter().enumerate() {
        match found.last_mut().filter(|(level, _)| *level == signal.level) {
            Some((_, range)) => range.end = at + 1,
            None => found.push((signal.level, at..at + 1)),
        }
    }
    found
}

fn rows_of(surface: &'static SurfaceDef, range: &Range<usize>) -> RowsOfLevel {
    let part = |range: Range<usize>| surface.attention.get(range).unwrap_or_default();
    RowsOfLevel { any_of: part(range.clone()), none_of: part(0..range.start) }
}

/// The level that a request selects, unless the entity has a field of this name; other values are ignored.
pub(super) fn selected(
    surface: &'static SurfaceDef,
    entity: &'static EntityDef,
    query: &[(String, String)],
) -> Option<(&'static str, RowsOfLevel)> {
    if entity.find(PARAMETER).is_some() {
        return None;
    }
    let given = query.iter().find(|(name, _)| name == PARAMETER)?;
    let (level, range) = levels(surface).into_iter().find(|(level, _)| word(*level) == given.1)?;
    Some((word(level), rows_of(surface, &range)))
}

/// The conditions of the messages, for each row of a list.
pub(crate) fn tests(surface: &'static SurfaceDef) -> Vec<RowTest> {
    surface.attention.iter().map(|signal| RowTest::When(&signal.when)).collect()
}

/// The fields of the rows that determine the surfaces of messages.
pub(crate) fn fields(surface: &'static SurfaceDef) -> impl Iterator<Item = FieldIx> {
    surface.attention.iter().filter_map(|signal| signal.action?.via)
}

/// The most urgent message of each row; the results of [`tests`] begin at a position of the additional columns. The links of each message
/// take at most one statement.
pub(crate) fn marks(
    tx: &mut Tx<'_>,
    surface: &'static SurfaceDef,
    entity: &'static EntityDef,
    rows: &[&Row],
    first: usize,
) -> Result<Vec<Option<AttentionMark>>> {
    let urgent = |row: &Row| row.extra.iter().skip(first).take(surface.attention.len()).position(|result| *result == Value::Bool(true));
    let signals: Vec<Option<usize>> = rows.iter().map(|row| urgent(row)).collect();
    let mut marks = vec![None; rows.len()];
    for (at, signal) in surface.attention.iter().enumerate() {
        let places: Vec<usize> = (0..rows.len()).filter(|place| signals.get(*place) == Some(&Some(at))).collect();
        let of_signal: Vec<&Row> = places.iter().filter_map(|place| rows.get(*place).copied()).collect();
        let target = signal.action.and_then(|opening| PrimaryTarget::open(tx, opening, false)).filter(|_| !of_signal.is_empty());
        let links = match target {
            Some(target) => target.addresses(tx, entity, &of_signal)?,
            None => vec![None; of_signal.len()],
        };
        for (place, href) in places.into_iter().zip(links) {
            marks[place] = Some(AttentionMark { level: word(signal.level), icon: icon(signal.level), message: signal.message, href });
        }
    }
    Ok(marks)
}

/// The number of rows of each level, each with the link to these rows. One statement counts all levels.
pub(super) fn counts(
    tx: &mut Tx<'_>,
    grant: &Grant<List>,
    surface: &'static SurfaceDef,
    asked: &ListRequest,
    path: &str,
) -> Result<Vec<LevelCount>> {
    let levels = levels(surface);
    if levels.is_empty() || surface.mode != Mode::List {
        return Ok(Vec::new());
    }
    let wanted: Vec<GroupAggregate> =
        levels.iter().map(|(_, range)| GroupAggregate { level: Some(rows_of(surface, range)), ..GroupAggregate::COUNT }).collect();
    let all = Query { attention: None, ..asked.query.clone() };
    let groups = rows::aggregate_groups(tx, grant, &all, &[], &wanted, 1)?;
    let values = groups.into_iter().next().map(|group| group.values).unwrap_or_default();
    let selected = asked.value(PARAMETER).to_owned();
    let count = |((level, _), value): (&(Level, Range<usize>), Value)| {
        let current = word(*level) == selected;
        let mut pairs = asked.without(&[PARAMETER]);
        if !current {
            pairs.push((PARAMETER.to_owned(), word(*level).to_owned()));
        }
        let rows = match value {
            Value::Int(rows) => u64::try_from(rows).unwrap_or(0),
            _ => 0,
        };
        LevelCount { level: word(*level), icon: icon(*level), rows, href: with_query(path, &pairs), current }
    };
    Ok(levels.iter().zip(values).map(count).filter(|count| count.rows > 0 || count.current).collect())
}

#[cfg(test)]
mod tests_of_levels {
    use super::*;
    use crate::def::{AttentionDef, Expr};

    static SURFACE: SurfaceDef = SurfaceDef {
        attention: &[
            AttentionDef { level: Level::Critical, when: Expr::Bool(true), message: "a", action: None },
            AttentionDef { level: Level::Warning, when: Expr::Bool(true), message: "b", action: None },
            AttentionDef { level: Level::Warning, when: Expr::Bool(true), message: "c", action: None },
        ],
        ..SurfaceDef::new("x", "X", 0, Mode::List)
    };

    #[test]
    fn a_row_has_its_most_urgent_level() {
        assert_eq!(levels(&SURFACE), [(Level::Critical, 0..1), (Level::Warning, 1..3)]);
        let warnings = rows_of(&SURFACE, &(1..3));
        assert_eq!((warnings.any_of.len(), warnings.none_of.len()), (2, 1));
    }
}
