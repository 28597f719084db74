//! Ranges of dates to choose in a filter, such as this week. They are links, so they work without a script.

use chrono::{Datelike, Days, Months, NaiveDate};

use crate::{
    Tx,
    web::page::{
        FilterInput, Preset,
        list::{ListRequest, with_query},
    },
};

/// A range; `None` for an open end.
type Range = (Option<NaiveDate>, Option<NaiveDate>);

/// Adds the presets to the filter of a date or a timestamp. The title of the selected one replaces the text of the filter.
pub(super) fn add(
    tx: &Tx<'_>,
    (mut control, now): (FilterInput, Option<String>),
    asked: &ListRequest,
    path: &str,
) -> (FilterInput, Option<String>) {
    let mut selected = None;
    if let FilterInput::Range { kind, from_name, from, to_name, to, presets } = &mut control {
        let bound = |day: Option<NaiveDate>, time: &str| {
            day.map_or_else(String::new, |day| if *kind == "date" { day.to_string() } else { format!("{day}{time}") })
        };
        for (label, (start, end)) in ranges(tx.caller().today) {
            let (start, end) = (bound(start, "T00:00"), bound(end, "T23:59:59.999"));
            let current = start == *from && end == *to;
            let mut pairs = asked.without(&[from_name.as_str(), to_name.as_str()]);
            let bounds = [(from_name.clone(), start), (to_name.clone(), end)];
            pairs.extend(bounds.into_iter().filter(|(_, value)| !value.is_empty()));
            presets.push(Preset { label, href: with_query(path, &pairs), current });
            if current {
                selected = Some(label.to_owned());
            }
        }
    }
    (control, selected.or(now))
}

/// The ranges around a day; a week begins on Monday.
fn ranges(today: NaiveDate) -> Vec<(&'static str, Range)> {
    let after = |days: u64| today.checked_add_days(Days::new(days));
    let before = |days: u64| today.checked_sub_days(Days::new(days));
    let monday = before(today.weekday().num_days_from_monday().into());
    let sunday = monday.and_then(|monday| monday.checked_add_days(Days::new(6)));
    let first = today.with_day(1);
    let last = first.and_then(|first| first.checked_add_months(Months::new(1))?.pred_opt());
    let all = [
        (say!("dz-today", "Today"), (Some(today), Some(today))),
        (say!("dz-yesterday", "Yesterday"), (before(1), before(1))),
        (say!("dz-tomorrow", "Tomorrow"), (after(1), after(1))),
        (say!("dz-this-week", "This week"), (monday, sunday)),
        (say!("dz-this-month", "This month"), (first, last)),
        (say!("dz-last-30-days", "Last 30 days"), (before(29), Some(today))),
        (say!("dz-next-30-days", "Next 30 days"), (Some(today), after(29))),
        (say!("dz-before-today", "Before today"), (None, before(1))),
        (say!("dz-from-today", "From today"), (Some(today), None)),
    ];
    all.into_iter().filter(|(_, range)| *range != (None, None)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_contain_whole_weeks_and_months() {
        let day = |text: &str| text.parse::<NaiveDate>().expect("a date");
        let of = |today: &str, wanted: &str| {
            let found = ranges(day(today)).into_iter().find(|(label, _)| *label == wanted).map(|(_, range)| range);
            found.map(|(from, to)| (from.map(|it| it.to_string()), to.map(|it| it.to_string()))).expect("a range")
        };
        let range = |from: &str, to: &str| (Some(from.to_owned()), Some(to.to_owned()));
        assert_eq!(of("2028-02-29", "This month"), range("2028-02-01", "2028-02-29"));
        assert_eq!(of("2026-12-31", "This month"), range("2026-12-01", "2026-12-31"));
        assert_eq!(of("2027-01-01", "This week"), range("2026-12-28", "2027-01-03"));
        assert_eq!(of("2026-11-23", "This week"), range("2026-11-23", "2026-11-29"));
        assert_eq!(of("2026-03-01", "Last 30 days"), range("2026-01-31", "2026-03-01"));
        assert_eq!(of("2026-03-01", "Before today"), (None, Some("2026-02-28".to_owned())));
    }
}
