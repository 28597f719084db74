//! Conflicts: a form was submitted after another user changed the row.

use crate::{
    Result, Tx,
    record::Row,
    web::{
        page::{
            Conflict,
            form::{
                self,
                control::{self, TypedTexts, WritableField},
            },
        },
        request::form_parameters,
    },
};

/// A short digest of a text, which shows later whether a control was changed.
pub(crate) fn digest(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

/// The value of a field after two users changed a row.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    /// Both users agree, or only one changed the field.
    Settled(Vec<String>),
    /// Both users changed the field.
    Differs,
}

/// `was` contains the digests of the values at the start of the form; without one, a difference counts as a conflict.
fn merge(mine: &[String], stored: &[String], was: &[Option<&str>]) -> Outcome {
    let changed = |texts: &[String]| texts.iter().zip(was).any(|(text, was)| was.is_none_or(|was| was != digest(text)));
    let same = mine.iter().zip(stored).all(|(mine, stored)| control::is_same_text(mine, stored));
    match (same, changed(mine), changed(stored)) {
        (true, ..) | (_, _, false) => Outcome::Settled(mine.to_vec()),
        (_, false, true) => Outcome::Settled(stored.to_vec()),
        (_, true, true) => Outcome::Differs,
    }
}

/// Groups the fields of a form: an amount and its currency are one value.
fn group_amounts(writable: &[WritableField]) -> impl Iterator<Item = Vec<&WritableField>> {
    let beside = |of: &WritableField| of.field.currency_in.and_then(|at| writable.iter().find(|other| other.at == at));
    writable.iter().filter(|of| !of.field.is_currency_of_amount()).map(move |of| std::iter::once(of).chain(beside(of)).collect())
}

/// Finds fields that both users changed; changes of only the other user are copied to `typed`.
pub(crate) fn find_conflicts(
    tx: &mut Tx<'_>,
    writable: &[WritableField],
    typed: &mut TypedTexts,
    form: &[(String, String)],
    row: &Row,
) -> Result<Vec<Conflict>> {
    let mut conflicts = Vec::new();
    for parts in group_amounts(writable) {
        let stored: Vec<String> = parts.iter().map(|of| control::stored_text(tx.app, of, row)).collect();
        let mine: Vec<String> = parts.iter().map(|of| typed.get(of.field.name).cloned().unwrap_or_default()).collect();
        let names: Vec<String> = parts.iter().map(|of| format!("{}{}", form_parameters::WAS, of.field.name)).collect();
        let was = |name: &String| form_parameters::find(form, name);
        match merge(&mine, &stored, &names.iter().map(was).collect::<Vec<_>>()) {
            Outcome::Settled(texts) => typed.extend(parts.iter().map(|of| of.field.name.to_owned()).zip(texts)),
            Outcome::Differs => {
                let Some(of) = parts.first() else { continue };
                conflicts.push(Conflict {
                    name: of.field.name,
                    label: of.column.label,
                    mine: form::build_cell(tx, of.field, &mine)?,
                    theirs: form::build_cell(tx, of.field, &stored)?,
                });
            }
        }
    }
    Ok(conflicts)
}

/// Replaces the entered value by the stored one where the user chose it.
pub(crate) fn apply_choices(tx: &Tx<'_>, writable: &[WritableField], typed: &mut TypedTexts, form: &[(String, String)], row: &Row) {
    for parts in group_amounts(writable) {
        let Some(choice) = parts.first().map(|of| format!("{}{}", form_parameters::KEEP, of.field.name)) else { continue };
        if form.iter().any(|(name, value)| *name == choice && value == "theirs") {
            typed.extend(parts.iter().map(|of| (of.field.name.to_owned(), control::stored_text(tx.app, of, row))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_two_users_are_merged() {
        let was = digest("a");
        let was = Some(was.as_str());
        for (mine, stored, was, expected) in [
            ("a", "a", was, Outcome::Settled(vec!["a".into()])),
            ("b", "a", was, Outcome::Settled(vec!["b".into()])),
            ("a", "c", was, Outcome::Settled(vec!["c".into()])),
            ("c", "c", was, Outcome::Settled(vec!["c".into()])),
            ("b", "c", was, Outcome::Differs),
            ("a", "c", None, Outcome::Differs),
            ("x\r\ny", "x\ny", None, Outcome::Settled(vec!["x\r\ny".into()])),
        ] {
            let of = |text: &str| vec![text.to_owned()];
            assert_eq!(merge(&of(mine), &of(stored), &[was]), expected, "{mine} {stored}");
        }
        // Changes of the amount and of the currency by two users are a conflict, not a combination.
        let of = |amount: &str, code: &str| vec![amount.to_owned(), code.to_owned()];
        let (ten, euro) = (digest("10"), digest("EUR"));
        let was = [Some(ten.as_str()), Some(euro.as_str())];
        assert_eq!(merge(&of("12", "EUR"), &of("10", "USD"), &was), Outcome::Differs);
        assert_eq!(merge(&of("10", "EUR"), &of("10", "USD"), &was), Outcome::Settled(of("10", "USD")));
    }
}
