//! The names of the time zones.

/// The names of all time zones of the IANA database that the runtime has, sorted.
///
/// The database is that of `chrono-tz`, which the runtime uses. Its table of transitions takes seconds to compile, and a build needs only
/// the names; a test of the runtime compares both.
///
/// ```
/// assert!(dz_vocabulary::timezones().any(|zone| zone == "Europe/Lisbon"));
/// ```
pub fn timezones() -> impl Iterator<Item = &'static str> {
    include_str!("timezones.txt").lines()
}
