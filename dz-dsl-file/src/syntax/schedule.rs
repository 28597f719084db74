//! `schedule`

use super::{
    PresentKeys,
    duration::{self, Duration},
    header, keyed,
    keys::Keys,
    process::{self, Step},
    words,
};
use crate::{Diagnostics, cursor::Name, layout::Line};

/// `schedule NAME "Title":` with its time and its work.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// `cron:`
    pub cron: Option<Name>,
    /// `interval:`
    pub interval: Option<Duration>,
    /// `timezone:`
    pub timezone: Option<Name>,
    /// `catch_up:`
    pub catch_up: Option<bool>,
    /// `overlap:`
    pub overlap: Option<Name>,
    /// `timeout:`
    pub timeout: Option<Duration>,
    /// `implements:`
    pub implements: Vec<Name>,
    /// `process:`
    pub process: Option<Name>,
    /// Steps in order.
    pub steps: Vec<Step>,
    /// The present keys.
    pub present: PresentKeys,
}

pub(crate) const KEYS: &[&str] = &["cron", "interval", "timezone", "catch_up", "overlap", "timeout", "implements", "process", "steps"];

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Schedule> {
    let head = header(line, "schedule", out)?;
    let mut schedule = Schedule {
        name: head.name,
        title: head.title,
        cron: None,
        interval: None,
        timezone: None,
        catch_up: None,
        overlap: None,
        timeout: None,
        implements: Vec::new(),
        process: None,
        steps: Vec::new(),
        present: PresentKeys::default(),
    };
    let mut keys = Keys::new("schedule", KEYS);
    for child in &line.children {
        let Some(key) = keys.meant(child, out) else { continue };
        match key.text.as_str() {
            "cron" => schedule.cron = keyed::value(child, out, keyed::text),
            "interval" => schedule.interval = keyed::value(child, out, duration::parse),
            "timezone" => schedule.timezone = keyed::value(child, out, |cursor| Some(words(cursor))),
            "catch_up" => schedule.catch_up = keyed::value(child, out, keyed::truth),
            "overlap" => schedule.overlap = process::overlap(child, out),
            "timeout" => schedule.timeout = keyed::value(child, out, duration::parse),
            "implements" => schedule.implements = process::story_ids(child, out),
            "process" => schedule.process = keyed::value(child, out, |cursor| cursor.expect_name("a process")),
            _ => schedule.steps = process::parse_steps(child, out),
        }
    }
    schedule.present = keys.into_present();
    Some(schedule)
}
