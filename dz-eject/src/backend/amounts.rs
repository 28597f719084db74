//! Amounts of money with a currency in each row.

use dz_dsl_file::model::{Currency, FieldType};

const AMOUNTS: &str = include_str!("../../template/amounts.rs.txt");

/// The module of applications with such amounts.
pub(super) fn write() -> String {
    let (precision, scale) = FieldType::Money(None).digits().unwrap_or_default();
    let letters = || (b'A'..=b'Z').map(char::from);
    let codes = letters().flat_map(|a| letters().flat_map(move |b| letters().map(move |c| String::from_iter([a, b, c]))));
    let currencies: String = codes
        .filter_map(|code| Currency::from_code(&code))
        .map(|currency| format!("({:?}, {}),\n", currency.code(), currency.digits()))
        .collect();
    AMOUNTS.replace("%PRECISION%", &precision.to_string()).replace("%SCALE%", &scale.to_string()).replace("%CURRENCIES%", &currencies)
}
