//! The times of a cron expression in a time zone.
//!
//! The expression names local times, which `croner` finds on a calendar without a time zone. A time that daylight saving skips is the
//! time at which the clock continues, and a time that it repeats is the first of both.

use chrono::{DateTime, MappedLocalTime, NaiveDateTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;
use croner::{
    Cron,
    parser::{CronParser, Seconds, Year},
};

/// The times of a cron expression with five fields.
#[derive(Debug, Clone)]
pub(crate) struct Times {
    cron: Cron,
    zone: Tz,
}

/// The maximum number of repeated local times that are skipped: the minutes of a day.
const MAX_REPEATED: usize = 24 * 60;

impl Times {
    /// # Errors
    /// A sentence about the expression.
    pub(crate) fn parse(text: &str, zone: Tz) -> Result<Times, String> {
        let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).build();
        let form = "write five fields: minute, hour, day of the month, month, weekday, such as `0 6 * * Mon-Fri`";
        let cron = parser.parse(text).map_err(|error| format!("`{text}` is not a cron expression: {error}; {form}"))?;
        Ok(Times { cron, zone })
    }

    /// The first time after another one; `None` if there is none.
    pub(crate) fn next_after(&self, after: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let mut local = after.with_timezone(&self.zone).naive_local();
        for _ in 0..MAX_REPEATED {
            local = self.cron.find_next_occurrence(&local.and_utc(), false).ok()?.naive_utc();
            let at = self.to_utc(local)?;
            if at > after {
                return Some(at);
            }
        }
        None
    }

    fn to_utc(&self, local: NaiveDateTime) -> Option<DateTime<Utc>> {
        match self.zone.from_local_datetime(&local) {
            MappedLocalTime::Single(at) | MappedLocalTime::Ambiguous(at, _) => Some(at.to_utc()),
            MappedLocalTime::None => self.skip_forward(local),
        }
    }

    /// The time at which the clock continues after a local time that it skips: a whole minute, less than two days later.
    fn skip_forward(&self, local: NaiveDateTime) -> Option<DateTime<Utc>> {
        let mut later = (1..2 * 24 * 60).map(|minutes| local + TimeDelta::minutes(minutes));
        later.find_map(|at| self.zone.from_local_datetime(&at).earliest()).map(|at| at.to_utc())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first times after a time.
    fn times(cron: &str, zone: Tz, after: &str, count: usize) -> Vec<String> {
        let times = Times::parse(cron, zone).expect("a cron expression");
        let start: DateTime<Utc> = after.parse().expect("a time");
        let all = std::iter::successors(times.next_after(start), |at| times.next_after(*at));
        all.take(count).map(|at| at.format("%m-%dT%H:%MZ").to_string()).collect()
    }

    #[test]
    fn weekdays_and_time_zones() {
        // 2026-03-06 is a Friday. Berlin is one hour ahead of UTC.
        let found = times("0 6 * * Mon-Fri", Tz::Europe__Berlin, "2026-03-06T00:00:00Z", 3);
        assert_eq!(found, ["03-06T05:00Z", "03-09T05:00Z", "03-10T05:00Z"]);
        assert_eq!(times("0 6 * * 1-5", Tz::UTC, "2026-03-06T06:00:00Z", 1), ["03-09T06:00Z"]);
        assert_eq!(times("*/30 9 1 * *", Tz::UTC, "2026-03-01T08:59:59Z", 3), ["03-01T09:00Z", "03-01T09:30Z", "04-01T09:00Z"]);
    }

    #[test]
    fn a_skipped_time_is_the_time_at_which_the_clock_continues() {
        // On 2026-03-29 the clocks in Berlin go from 2:00 to 3:00, at 01:00 UTC.
        let found = times("30 2 * * *", Tz::Europe__Berlin, "2026-03-28T00:00:00Z", 3);
        assert_eq!(found, ["03-28T01:30Z", "03-29T01:00Z", "03-30T00:30Z"]);
        // Several skipped times are one time.
        let found = times("*/20 2 * * *", Tz::Europe__Berlin, "2026-03-28T20:00:00Z", 2);
        assert_eq!(found, ["03-29T01:00Z", "03-30T00:00Z"]);
    }

    #[test]
    fn a_time_in_a_repeated_hour_happens_once() {
        // On 2026-10-25 the clocks in Berlin go from 3:00 to 2:00, at 01:00 UTC.
        let found = times("30 2 * * *", Tz::Europe__Berlin, "2026-10-24T12:00:00Z", 2);
        assert_eq!(found, ["10-25T00:30Z", "10-26T01:30Z"]);
        let found = times("*/30 * * * *", Tz::Europe__Berlin, "2026-10-24T23:45:00Z", 4);
        assert_eq!(found, ["10-25T00:00Z", "10-25T00:30Z", "10-25T02:00Z", "10-25T02:30Z"]);
    }

    #[test]
    fn wrong_expressions_are_refused() {
        for wrong in ["", "0 6 * *", "0 0 6 * * Mon", "61 * * * *", "0 6 * * Mond"] {
            let sentence = Times::parse(wrong, Tz::UTC).expect_err(wrong);
            assert!(sentence.contains("write five fields"), "{sentence}");
        }
        assert_eq!(Times::parse("0 0 30 2 *", Tz::UTC).expect("five fields").next_after(Utc::now()), None);
    }
}
