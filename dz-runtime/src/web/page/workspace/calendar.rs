//! Calendars: rows on the days of a month, a week or a day.

use askama::Template;
use chrono::{Datelike, Days, Months, NaiveDate, NaiveTime, TimeZone};
use url::form_urlencoded;

use super::{
    content::{Content, SourceRequest},
    rows::{Card, SourceRows},
};
use crate::{
    Error, Result, Tx, Value,
    def::{Comparison, Path},
    field,
    rows::{self, Counting, Filter, FilterOp},
    template::Icon,
    texts,
};

/// The maximum number of rows of a page, and of a day of a month.
const MOST_ROWS: u64 = 500;
const ROWS_OF_DAY: usize = 3;

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

/// Loads the rows of some days by one statement.
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
    query.filters.push(Filter { path, op: FilterOp::Compare(Comparison::Ge, start_of(tx, path, from)) });
    query.filters.push(Filter { path, op: FilterOp::Compare(Comparison::Lt, start_of(tx, path, to)) });
    query.sort.insert(0, (path, false));
    (query.limit, query.count) = (asked.region.limit.unwrap_or(MOST_ROWS), Counting::Limited);
    let found = rows::list(tx, &grant, &query)?;
    source.find_links(tx, &found.rows)?;
    let mut dated: Vec<(NaiveDate, Card)> =
        found.rows.iter().filter_map(|row| Some((source.date(tx, row)?, source.card(tx, row, 1)))).collect();
    let href = |span: Span, date: NaiveDate| address(tx, &asked, span, date);
    let mut days = Vec::new();
    let mut at = from;
    while at < to {
        let (of_day, rest): (Vec<_>, Vec<_>) = dated.into_iter().partition(|(date, _)| *date == at);
        dated = rest;
        let mut cards: Vec<Card> = of_day.into_iter().map(|(_, card)| card).collect();
        // The link to the other rows takes the place of the last one, so that every week is equally high.
        let shown = if span == Span::Month && cards.len() > ROWS_OF_DAY { ROWS_OF_DAY - 1 } else { cards.len() };
        let more = cards.len().saturating_sub(shown);
        cards.truncate(shown);
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
    let total = found.total;
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
        note: total.exceeds(query.limit).then(|| say!("dz-showing", "Showing {shown} of {total}", shown = query.limit, total = total)),
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
