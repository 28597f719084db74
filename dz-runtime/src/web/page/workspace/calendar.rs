//! Calendars: rows on the days of a month, a week or a day.

use std::{collections::HashMap, ops::Range};

use askama::Template;
use chrono::{Datelike, Days, Months, NaiveDate, NaiveTime, TimeZone};
use url::form_urlencoded;

use super::{
    content::{Content, SourceRequest},
    rows::{Card, SourceRows},
};
use crate::{
    Error, Result, Tx, Value,
    access::{Grant, List},
    def::{Comparison, Path},
    field,
    rows::{self, Counting, Filter, FilterOp, Query, Row},
    template::Icon,
    texts,
};

/// The maximum number of rows of a page, and of a day of a month.
const MOST_ROWS: u64 = 500;
const ROWS_OF_DAY: usize = 3;
/// The maximum number of rows of a day of a week with too many rows for one page.
const ROWS_OF_CROWDED_DAY: u64 = MOST_ROWS / 7;

/// The days that a page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Span {
    Month,
    Week,
    Day,
}

impl Span {
    const ALL: [Span; 3] = [Span::Month, Span::Week, Span::Day];

    fn name(self) -> &'static str {
        match self {
            Span::Month => "month",
            Span::Week => "week",
            Span::Day => "day",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Span::Month => say!("dz-month", "Month"),
            Span::Week => say!("dz-week", "Week"),
            Span::Day => say!("dz-day", "Day"),
        }
    }

    /// The first day, and the first day after the last one; a month consists of whole weeks.
    fn days(self, date: NaiveDate) -> Option<(NaiveDate, NaiveDate)> {
        let monday = |day: NaiveDate| day.checked_sub_days(Days::new(u64::from(day.weekday().num_days_from_monday())));
        match self {
            Span::Day => Some((date, date.checked_add_days(Days::new(1))?)),
            Span::Week => Some((monday(date)?, monday(date)?.checked_add_days(Days::new(7))?)),
            Span::Month => {
                let first = date.with_day(1)?;
                let last = first.checked_add_months(Months::new(1))?.pred_opt()?;
                Some((monday(first)?, monday(last)?.checked_add_days(Days::new(7))?))
            }
        }
    }

    fn step(self, date: NaiveDate, forward: bool) -> Option<NaiveDate> {
        match (self, forward) {
            (Span::Month, true) => date.with_day(1)?.checked_add_months(Months::new(1)),
            (Span::Month, false) => date.with_day(1)?.checked_sub_months(Months::new(1)),
            (Span::Week, true) => date.checked_add_days(Days::new(7)),
            (Span::Week, false) => date.checked_sub_days(Days::new(7)),
            (Span::Day, true) => date.succ_opt(),
            (Span::Day, false) => date.pred_opt(),
        }
    }

    fn heading(self, date: NaiveDate) -> String {
        match self {
            Span::Day => {
                let (weekday, _) = texts::weekday(date.weekday().num_days_from_monday());
                say!("dz-weekday-and-date", "{weekday}, {date}", weekday = weekday, date = field::format_date(date))
            }
            Span::Week => say!("dz-week-of-year", "Week {week}, {year}", week = date.iso_week().week(), year = date.iso_week().year()),
            Span::Month => field::format_month(date),
        }
    }
}

/// The number of weeks that the month of a day has.
pub(super) fn weeks_of_month(date: NaiveDate) -> usize {
    let weeks = Span::Month.days(date).map(|(from, to)| (to - from).num_days() / 7);
    weeks.and_then(|weeks| usize::try_from(weeks).ok()).unwrap_or(5)
}

/// The names of the days of a week, short and in full.
fn weekdays() -> [(&'static str, &'static str); 7] {
    std::array::from_fn(|at| {
        let (name, short) = texts::weekday(at as u32);
        (short, name)
    })
}

struct Day {
    date: NaiveDate,
    number: u32,
    name: &'static str,
    today: bool,
    outside: bool,
    cards: Vec<Card>,
    /// The number of rows that are not shown, and the address of the day.
    more: usize,
    href: String,
}

struct Switch {
    title: &'static str,
    href: String,
    current: bool,
}

#[derive(Template)]
#[template(path = "region_calendar.html")]
struct CalendarHtml<'a> {
    target: &'a str,
    heading: String,
    weekdays: [(&'static str, &'static str); 7],
    is_day: bool,
    weeks: Vec<Vec<Day>>,
    switches: Vec<Switch>,
    back: Option<String>,
    now: String,
    forward: Option<String>,
    note: Option<String>,
}

/// The rows of some days, in the order of the days.
struct RowsOfDays {
    rows: Vec<Row>,
    /// The number of rows of each day that has more than it shows.
    totals: HashMap<NaiveDate, u64>,
    note: Option<String>,
}

/// Loads the rows of some days by one statement. If they are too many for a page, the first rows of each day are loaded day by day, so
/// that the last days are not empty.
fn read_days(tx: &mut Tx<'_>, grant: &Grant<List>, mut query: Query, span: Span, days: Range<NaiveDate>) -> Result<RowsOfDays> {
    let path = query.sort.first().map(|(path, _)| *path).ok_or_else(Error::not_found)?;
    let most = query.limit;
    let within = |tx: &Tx<'_>, days: Range<NaiveDate>| {
        [(Comparison::Ge, days.start), (Comparison::Lt, days.end)]
            .map(|(comparison, day)| Filter { path, op: FilterOp::Compare(comparison, start_of(tx, path, day)) })
    };
    let filters = query.filters.clone();
    query.filters.extend(within(tx, days.clone()));
    let found = rows::list(tx, grant, &query)?;
    let (is_over, mut totals) = (found.total.exceeds(most), HashMap::new());
    if !is_over || span == Span::Day || most < MOST_ROWS {
        let note = is_over.then(|| say!("dz-showing", "Showing {shown} of {total}", shown = most, total = found.total));
        return Ok(RowsOfDays { rows: found.rows, totals, note });
    }
    query.limit = if span == Span::Month { ROWS_OF_DAY as u64 } else { ROWS_OF_CROWDED_DAY };
    let (mut rows, mut day) = (Vec::new(), days.start);
    while day < days.end {
        let next = day.succ_opt().unwrap_or(days.end);
        query.filters = filters.iter().cloned().chain(within(tx, day..next)).collect();
        let found = rows::list(tx, grant, &query)?;
        totals.insert(day, found.total.known);
        rows.extend(found.rows);
        day = next;
    }
    Ok(RowsOfDays { rows, totals, note: None })
}

/// Loads the rows of some days, and puts each on its day.
pub(super) fn load(tx: &mut Tx<'_>, asked: SourceRequest<'_>) -> Result<Content> {
    let path = asked.source.date.ok_or_else(Error::not_found)?;
    let span = asked.parameter("span", |text| Span::ALL.into_iter().find(|span| span.name() == text)).unwrap_or(Span::Month);
    let today = tx.caller().today;
    let is_near = |date: &NaiveDate| (1..=9998).contains(&date.year());
    let date = asked.parameter("date", |text| text.parse::<NaiveDate>().ok().filter(is_near)).unwrap_or(today);
    let (from, to) = span.days(date).ok_or_else(Error::not_found)?;
    let mut source = SourceRows::resolve(tx, asked.region, asked.source, asked.read_only);
    let grant = source.grant(tx)?;
    let mut query = source.query(tx, &asked);
    query.sort.insert(0, (path, false));
    (query.limit, query.count) = (asked.region.limit.unwrap_or(MOST_ROWS), Counting::Limited);
    let found = read_days(tx, &grant, query, span, from..to)?;
    source.find_links(tx, &found.rows)?;
    let mut dated: HashMap<NaiveDate, Vec<Card>> = HashMap::new();
    for row in &found.rows {
        if let Some(day) = source.date(tx, row) {
            dated.entry(day).or_default().push(source.card(tx, row, 1));
        }
    }
    let href = |span: Span, date: NaiveDate| address(tx, &asked, span, date);
    let mut days = Vec::new();
    let mut at = from;
    while at < to {
        let mut cards = dated.remove(&at).unwrap_or_default();
        let total = found.totals.get(&at).and_then(|total| usize::try_from(*total).ok()).unwrap_or(cards.len()).max(cards.len());
        // The link to the other rows takes the place of the last one, so that every week is equally high.
        let shown = if span == Span::Month && total > ROWS_OF_DAY { ROWS_OF_DAY - 1 } else { cards.len() };
        cards.truncate(shown);
        let more = total - cards.len();
        days.push(Day {
            date: at,
            number: at.day(),
            name: texts::weekday(at.weekday().num_days_from_monday()).1,
            today: at == today,
            outside: span == Span::Month && at.month() != date.month(),
            cards,
            more,
            href: href(Span::Day, at),
        });
        at = at.succ_opt().unwrap_or(to);
    }
    let mut weeks = Vec::new();
    while !days.is_empty() {
        let rest = days.split_off(days.len().min(7));
        weeks.push(std::mem::replace(&mut days, rest));
    }
    let target = format!("#{}-body", asked.region.id);
    let page = CalendarHtml {
        target: &target,
        heading: span.heading(date),
        weekdays: weekdays(),
        is_day: span == Span::Day,
        weeks,
        switches: Span::ALL.into_iter().map(|it| Switch { title: it.title(), href: href(it, date), current: it == span }).collect(),
        back: span.step(date, false).filter(is_near).map(|date| href(span, date)),
        now: href(span, today),
        forward: span.step(date, true).filter(is_near).map(|date| href(span, date)),
        note: found.note,
    };
    Content::block(&page)
}

fn address(tx: &Tx<'_>, asked: &SourceRequest<'_>, span: Span, date: NaiveDate) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(asked.preserved(tx)).append_pair("span", span.name()).append_pair("date", &date.to_string());
    format!("{}?{}", asked.region.address(), query.finish())
}

/// The start of a day as a value of the field at the end of a path.
fn start_of(tx: &Tx<'_>, path: Path, day: NaiveDate) -> Value {
    if path.end(tx.app).field(tx.app).kind.is_date() {
        return Value::Date(day);
    }
    let zone = field::zone(tx.app);
    let local = day.and_time(NaiveTime::MIN);
    // A day whose start the zone skips starts an hour later.
    let start = zone.from_local_datetime(&local).earliest();
    let start = start.or_else(|| zone.from_local_datetime(&(local + chrono::TimeDelta::hours(1))).earliest());
    start.map_or(Value::Date(day), |at| Value::DateTime(at.to_utc()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a date")
    }

    #[test]
    fn a_month_consists_of_whole_weeks() {
        assert_eq!(Span::Month.days(day("2026-03-15")), Some((day("2026-02-23"), day("2026-04-06"))));
        assert_eq!(Span::Month.days(day("2026-06-01")), Some((day("2026-06-01"), day("2026-07-06"))));
        assert_eq!(Span::Week.days(day("2026-03-15")), Some((day("2026-03-09"), day("2026-03-16"))));
        assert_eq!(Span::Month.step(day("2026-01-31"), true), Some(day("2026-02-01")));
        assert_eq!((weeks_of_month(day("2026-03-15")), weeks_of_month(day("2026-06-01"))), (6, 5));
        assert_eq!(Span::Month.heading(day("2026-03-15")), "Mar 2026");
        assert_eq!(Span::Day.heading(day("2026-03-15")), "Sunday, 15 Mar 2026");
    }
}
