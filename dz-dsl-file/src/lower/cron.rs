//! Cron expressions: five fields, each a set of numbers.

use super::Lowering;
use crate::{Diagnostic, Span, cursor::Name, diagnostic::with_article, model::Cron};

struct Field {
    what: &'static str,
    least: u32,
    most: u32,
    names: &'static [&'static str],
}

const FIELDS: [Field; 5] = [
    Field { what: "minute", least: 0, most: 59, names: &[] },
    Field { what: "hour", least: 0, most: 23, names: &[] },
    Field { what: "day", least: 1, most: 31, names: &[] },
    Field {
        what: "month",
        least: 1,
        most: 12,
        names: &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
    },
    Field { what: "weekday", least: 0, most: 7, names: &["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];

const SHORT: &[(&str, &str)] = &[
    ("@hourly", "0 * * * *"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@weekly", "0 0 * * 0"),
    ("@monthly", "0 0 1 * *"),
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
];

/// The largest number of days of each month.
const DAYS: [u32; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const FORM: &str = "a cron has five fields: minute, hour, day of the month, month, weekday, such as \"30 6 * * mon-fri\"";

/// Parses a cron expression, or reports the wrong field.
pub(super) fn lower(it: &mut Lowering<'_>, text: &Name) -> Option<Cron> {
    match parse(&text.text) {
        Ok(cron) => Some(Cron { text: text.text.clone(), span: text.span, ..cron }),
        Err(wrong) => {
            let span = wrong.place.map_or(text.span, |place| inside(text, place));
            it.out.push(Diagnostic::error("bad-cron", span, wrong.message).help(wrong.help));
            None
        }
    }
}

/// The place of a part of a quoted text; the whole text if it has escapes.
fn inside(text: &Name, (from, to): (usize, usize)) -> Span {
    let plain = text.span.end - text.span.start == text.text.len() as u32 + 2;
    let start = text.span.start + 1;
    if plain { Span { start: start + from as u32, end: start + to as u32, ..text.span } } else { text.span }
}

#[derive(Debug)]
struct CronError {
    message: String,
    help: String,
    place: Option<(usize, usize)>,
}

fn parse(text: &str) -> Result<Cron, CronError> {
    let wrong = |message: String| CronError { message, help: FORM.to_owned(), place: None };
    let written = SHORT.iter().find(|(word, _)| *word == text.trim()).map_or(text, |(_, cron)| cron);
    let parts: Vec<&str> = written.split_ascii_whitespace().collect();
    if let [word] = parts.as_slice()
        && word.starts_with('@')
    {
        return Err(wrong(format!("`{word}` is not a cron expression")));
    }
    if parts.len() != FIELDS.len() {
        let fields = if parts.len() == 1 { "one field".to_owned() } else { format!("{} fields", parts.len()) };
        return Err(wrong(format!("this cron has {fields}, not five")));
    }
    let mut sets = [0u64; 5];
    for ((set, part), field) in sets.iter_mut().zip(&parts).zip(&FIELDS) {
        *set = numbers(part, field).map_err(|wrong| {
            let from = part.as_ptr() as usize - written.as_ptr() as usize;
            CronError { place: Some((from, from + part.len())), ..wrong }
        })?;
    }
    let [minutes, hours, days, months, weekdays] = sets;
    let restricted = |part: &str| !part.starts_with(['*', '?']);
    let either_day = restricted(parts[2]) && restricted(parts[4]);
    let exists = |month: &u32| months & (1 << month) != 0 && (1..=DAYS[*month as usize - 1]).any(|day| days & (1 << day) != 0);
    if !either_day && !(1..=12).any(|month| exists(&month)) {
        let help = "none of its months has such a day".to_owned();
        return Err(CronError { message: "this cron expression matches no time".to_owned(), help, place: None });
    }
    Ok(Cron {
        text: String::new(),
        minutes,
        hours: hours as u32,
        days: days as u32,
        months: months as u16,
        // Sunday is 0 and 7.
        weekdays: ((weekdays | weekdays >> 7) & 0x7f) as u8,
        either_day,
        span: Span { file: crate::FileId(0), start: 0, end: 0 },
    })
}

/// `*`, `5`, `1-5`, `*/10`, `mon-fri`, and lists of those.
fn numbers(text: &str, field: &Field) -> Result<u64, CronError> {
    let wrong = |message: String| CronError {
        message,
        help: match field.names.first() {
            Some(name) => format!(
                "{}s go from {} to {}, or have names such as `{name}`; `*`, `1-5`, `1,3` and `*/2` are known too",
                field.what, field.least, field.most
            ),
            None => format!("{}s go from {} to {}; `*`, `1-5`, `1,3` and `*/2` are known too", field.what, field.least, field.most),
        },
        place: None,
    };
    let mut set = 0;
    for item in text.split(',') {
        let (range, step) = item.split_once('/').map_or((item, "1"), |(range, step)| (range, step));
        let step = match step.parse::<u32>() {
            Ok(step) if (1..=field.most).contains(&step) => step,
            _ => return Err(wrong(format!("`{step}` is not a step between {}s", field.what))),
        };
        let value = |text: &str| number(text, field).ok_or_else(|| wrong(format!("`{text}` is not {}", with_article(field.what))));
        let (from, to) = match range.split_once('-') {
            _ if matches!(range, "*" | "?") => (field.least, field.most),
            Some((from, to)) => (value(from)?, value(to)?),
            None if item.contains('/') => (value(range)?, field.most),
            None => (value(range)?, value(range)?),
        };
        if from > to {
            return Err(wrong(format!("`{range}` ends before it begins")));
        }
        for number in (from..=to).step_by(step as usize) {
            set |= 1 << number;
        }
    }
    Ok(set)
}

fn number(text: &str, field: &Field) -> Option<u32> {
    if let Some(at) = field.names.iter().position(|name| name.eq_ignore_ascii_case(text)) {
        return Some(field.least + at as u32);
    }
    let digits = !text.is_empty() && text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| digits && (field.least..=field.most).contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_become_sets() {
        let cron = parse("*/15 8-10 1,15 jan-MAR 7").expect("a good cron");
        assert_eq!(cron.minutes, 1 | 1 << 15 | 1 << 30 | 1 << 45);
        assert_eq!(cron.hours, 0b111 << 8);
        assert_eq!(cron.days, 1 << 1 | 1 << 15);
        assert_eq!(cron.months, 0b1110);
        assert_eq!(cron.weekdays, 1);
        assert!(cron.either_day);
        let nights = parse("5/20 0 * * mon-fri").expect("a good cron");
        assert_eq!((nights.minutes, nights.weekdays, nights.either_day), (1 << 5 | 1 << 25 | 1 << 45, 0b11_1110, false));
        assert_eq!(parse("@daily").expect("a good cron").minutes, 1);
    }

    #[test]
    fn wrong_fields_are_named_and_placed() {
        for (text, message, place) in [
            ("60 * * * *", "`60` is not a minute", Some((0, 2))),
            ("0 25 * * *", "`25` is not an hour", Some((2, 4))),
            ("0 0 0 * *", "`0` is not a day", Some((4, 5))),
            ("0 0 * 13 *", "`13` is not a month", Some((6, 8))),
            ("0 0 * * mond", "`mond` is not a weekday", Some((8, 12))),
            ("0 5-2 * * *", "`5-2` ends before it begins", Some((2, 5))),
            ("*/0 * * * *", "`0` is not a step between minutes", Some((0, 3))),
            ("+5 * * * *", "`+5` is not a minute", Some((0, 2))),
            ("1,,2 * * * *", "`` is not a minute", Some((0, 4))),
            ("0 0 * *", "this cron has 4 fields, not five", None),
            ("@dayly", "`@dayly` is not a cron expression", None),
            ("0 0 30 2 *", "this cron expression matches no time", None),
        ] {
            let wrong = parse(text).expect_err(text);
            assert_eq!((wrong.message.as_str(), wrong.place), (message, place), "{text}");
        }
    }
}
