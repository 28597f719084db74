//! Timed transitions. The database does not contain them; but a shorter delay makes existing rows due at once, which is
//! relevant for the person who applies a migration.

use serde::{Deserialize, Serialize};

use super::{Table, framework, sql};
use crate::model::{Duration, Entity, Model};

/// A timed transition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timer {
    /// The column that holds the state.
    pub column: String,
    /// The state that ends.
    pub from: String,
    /// The next state.
    pub to: String,
    /// The delay: months,
    #[serde(default)]
    pub months: i64,
    /// and seconds.
    #[serde(default)]
    pub seconds: i64,
}

pub(super) fn find_timers(model: &Model, entity: &Entity) -> Vec<Timer> {
    let Some(machine) = entity.states.as_ref() else { return Vec::new() };
    let field = &entity.fields[machine.field.0];
    let Some(of) = field.ty.enumeration() else { return Vec::new() };
    let name = |at: usize| model.enums[of.0].values[at].name.clone();
    let timer = |it: &crate::model::Transition| {
        let Duration { months, seconds } = machine.rows[it.row].after?;
        Some(Timer { column: field.name.clone(), from: name(it.from), to: name(it.to), months, seconds })
    };
    machine.transitions.iter().filter_map(timer).collect()
}

impl Timer {
    /// The delay as text.
    pub fn delay_text(&self) -> String {
        let plural = |count: i64, unit: &str| if count == 1 { format!("1 {unit}") } else { format!("{count} {unit}s") };
        let mut parts = Vec::new();
        if self.months > 0 {
            parts.push(plural(self.months, "month"));
        }
        let units = [("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)];
        if let Some((unit, length)) = units.into_iter().find(|(_, length)| self.seconds > 0 && self.seconds % length == 0) {
            parts.push(plural(self.seconds / length, unit));
        }
        if parts.is_empty() { "no time".to_owned() } else { parts.join(" and ") }
    }

    /// The approximate length for comparisons: months differ in length.
    fn length(&self) -> i64 {
        self.months.saturating_mul(2_629_746).saturating_add(self.seconds)
    }

    /// True if the delay is shorter than before.
    pub(super) fn is_shorter_than(&self, before: &Timer) -> bool {
        self.length() < before.length()
    }

    /// The line of a migration from which the application counts the rows that become due: those that are due by the new
    /// delay and were not by the old one.
    pub(super) fn line(&self, before: &Timer, table: &Table) -> String {
        let marked = table.column(framework::DELETED_AT).is_some();
        let rows = format!("{} = {}", sql::quoted(&self.column), sql::literal(&self.from));
        let rows = if marked { format!("{rows} AND {} IS NULL", sql::quoted(framework::DELETED_AT)) } else { rows };
        format!("-- due: {} {} {} {} {} {rows}\n", table.name, before.months, before.seconds, self.months, self.seconds)
    }
}
