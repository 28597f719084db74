//! A form that was filled in while somebody else saved: what differs, and whose value to keep.

use super::{
    Conflict,
    control::{self, Typed, Writable},
    form,
};
use crate::{Result, Tx, Value, rows::Row};

/// A short digest of a text, to tell later whether a control was changed.
pub(super) fn digest(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

/// What a field holds after two people changed a row.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    /// Both agree, or only one of them changed it.
    Settled(String),
    /// Both changed it.
    Differs,
}

/// `was` is the digest of what the form started with; without it a difference is taken for a change by both.
fn merge(mine: &str, stored: &str, was: Option<&str>) -> Outcome {
    let changed = |text: &str| was.is_none_or(|was| was != digest(text));
    match (control::same(mine, stored), changed(mine), changed(stored)) {
        (true, ..) | (_, _, false) => Outcome::Settled(mine.to_owned()),
        (_, false, true) => Outcome::Settled(stored.to_owned()),
        (_, true, true) => Outcome::Differs,
    }
}

/// Fields that both changed; what only the other one changed is put into `typed`.
pub(super) fn conflicts(
    tx: &mut Tx<'_>,
    writable: &[Writable],
    typed: &mut Typed,
    form: &[(String, String)],
    row: &Row,
) -> Result<Vec<Conflict>> {
    let mut conflicts = Vec::new();
    for of in writable {
        let name = of.field.name;
        let stored = row.values.get(usize::from(of.column.path.field)).unwrap_or(&Value::Null);
        let stored = control::text(tx.app, of.field, stored);
        let was_name = format!("was.{name}");
        let was = form.iter().find(|(given, _)| *given == was_name).map(|(_, value)| value.as_str());
        let mine = typed.get(name).cloned().unwrap_or_default();
        match merge(&mine, &stored, was) {
            Outcome::Settled(text) => {
                typed.insert(name.to_owned(), text);
            }
            Outcome::Differs => conflicts.push(Conflict {
                name,
                label: of.column.label,
                mine: form::cell_of_text(tx, of.field, &mine)?,
                theirs: form::cell_of_text(tx, of.field, &stored)?,
            }),
        }
    }
    Ok(conflicts)
}

/// Puts the stored value in place of the typed one wherever the stored one was chosen.
pub(super) fn choose(tx: &Tx<'_>, writable: &[Writable], typed: &mut Typed, form: &[(String, String)], row: &Row) {
    for of in writable {
        let choice = format!("keep.{}", of.field.name);
        if form.iter().any(|(name, value)| *name == choice && value == "theirs") {
            let stored = row.values.get(usize::from(of.column.path.field)).unwrap_or(&Value::Null);
            typed.insert(of.field.name.to_owned(), control::text(tx.app, of.field, stored));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_people_changed() {
        let was = digest("a");
        let was = Some(was.as_str());
        for (mine, stored, was, expected) in [
            ("a", "a", was, Outcome::Settled("a".into())),
            ("b", "a", was, Outcome::Settled("b".into())),
            ("a", "c", was, Outcome::Settled("c".into())),
            ("c", "c", was, Outcome::Settled("c".into())),
            ("b", "c", was, Outcome::Differs),
            ("a", "c", None, Outcome::Differs),
            ("x\r\ny", "x\ny", None, Outcome::Settled("x\r\ny".into())),
        ] {
            assert_eq!(merge(mine, stored, was), expected, "{mine} {stored}");
        }
    }
}
