//! `dz migrate diff --online`: migrations that are applied while two versions of the application run.

use dz_dsl_file::emit::schema::{
    Engine, Schema,
    diff::Step,
    online::{self, CONTRACT},
};

use super::{Change, Line, Part, summary};

/// The change from `old` to `new`; `None` if they are equal.
pub(super) fn change(old: &Schema, new: &Schema, engine: Engine) -> Result<Option<Change>, String> {
    if engine == Engine::Sqlite {
        return Err("`--online` is for PostgreSQL: SQLite has one writer, so that a migration there needs no steps between two versions; \
                    write it without `--online`"
            .to_owned());
    }
    let online = online::migration(old, new).map_err(|refusals| {
        format!("nothing is written, because two versions cannot run side by side with this change: {}", refusals.join(";\n"))
    })?;
    Ok(online.map(|online| {
        let mut halves = [false, true].map(|contraction| {
            let of_half = online.steps.iter().filter(|(of, _)| *of == contraction).map(|(_, step)| step.clone());
            Some(summary(&of_half.collect::<Vec<Step>>()))
        });
        let parts = online.parts.into_iter().map(|part| {
            // The first part of each half has its summary, after the line by which the application recognises a contraction.
            let half = halves[usize::from(part.contraction)].take().unwrap_or_default();
            let mut up = part.up;
            let mark = format!("{CONTRACT}\n");
            let summary = match up.sql.strip_prefix(&mark).map(str::to_owned) {
                Some(rest) => {
                    up.sql = rest;
                    mark + &half
                }
                None => half,
            };
            Part { name: Some(part.name), summary, up, down: part.down }
        });
        let parts = parts.collect();
        let lines = online.steps.into_iter().map(|(contraction, step)| Line::of_online(step, contraction)).collect();
        Change { lines, parts }
    }))
}
