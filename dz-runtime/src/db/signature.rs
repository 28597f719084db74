//! The encoding of operations for the functions registered on SQLite.

use chrono_tz::Tz;
use rust_decimal::Decimal;

use crate::def::{Arithmetic, Function, Type};

/// The operations, as the first argument names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    /// The result is -1, 0 or 1; null for a null operand.
    Compare,
    /// Addition of months and seconds.
    Shift {
        /// Calendar months.
        months: i64,
        /// Seconds.
        seconds: i64,
    },
    /// A number rounded half away from zero to a decimal column; null if it does not fit.
    Keep {
        /// Digits in all.
        precision: u8,
    },
    /// An arithmetic operator.
    Arithmetic(Arithmetic),
    /// A function.
    Call(Function),
}

pub(super) const ARITHMETIC: [(&str, Arithmetic); 5] =
    [("add", Arithmetic::Add), ("sub", Arithmetic::Sub), ("mul", Arithmetic::Mul), ("div", Arithmetic::Div), ("rem", Arithmetic::Rem)];

pub(super) const TYPES: [(&str, Type); 9] = [
    ("b", Type::Bool),
    ("i", Type::Int),
    ("f", Type::Float),
    ("n", Type::Decimal),
    ("t", Type::Text),
    ("d", Type::Date),
    ("m", Type::DateTime),
    ("s", Type::Duration),
    ("u", Type::Uuid),
];

/// The first argument of `dz_call`.
pub(crate) fn signature(operation: Operation, types: &str, result: Type, places: u32, zone: Tz) -> String {
    let name = match operation {
        Operation::Compare => "cmp".to_owned(),
        Operation::Shift { months, seconds } => format!("shift {months} {seconds}"),
        Operation::Keep { precision } => format!("keep {precision}"),
        Operation::Arithmetic(op) => find_name(&ARITHMETIC, op).to_owned(),
        Operation::Call(function) => function.word().to_owned(),
    };
    format!("{name}:{types}:{}:{places}:{}", type_code(result), zone.name())
}

/// The letter of a type.
pub(crate) fn type_code(ty: Type) -> &'static str {
    find_name(&TYPES, ty)
}

fn find_name<T: PartialEq + Copy>(table: &[(&'static str, T)], wanted: T) -> &'static str {
    table.iter().find(|(_, entry)| *entry == wanted).map_or("", |(name, _)| name)
}

#[cfg(feature = "sqlite")]
pub(super) fn find_entry<T: Copy>(table: &[(&'static str, T)], wanted: &str) -> Option<T> {
    table.iter().find(|(name, _)| *name == wanted).map(|(_, entry)| *entry)
}

/// The text of a decimal between operations.
pub(crate) fn decimal_text(value: Decimal) -> String {
    format!("n{}", value.normalize())
}
