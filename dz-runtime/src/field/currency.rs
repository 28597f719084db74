//! Amounts with a currency in another field of the row: two fields that are one value.

use std::sync::LazyLock;

use iso_currency::Currency;
use rust_decimal::Decimal;
use serde_json::Value as Json;

use super::{check, json};
use crate::{
    Value,
    def::{EntityDef, FieldDef, FieldIx},
};

/// The error for a code that is not in ISO 4217.
pub(super) fn unknown() -> String {
    say!("dz-must-be-a-currency", "must be a currency by its code in ISO 4217, for example EUR").to_owned()
}

/// The number of decimal places of a currency; `None` for an unknown code.
pub(crate) fn digits(code: &str) -> Option<u8> {
    let currency = Currency::from_code(code)?;
    Some(currency.exponent().and_then(|digits| u8::try_from(digits).ok()).unwrap_or(2))
}

/// The currencies in circulation by code, with their names.
pub(crate) fn current_currencies() -> &'static [(&'static str, String)] {
    static ALL: LazyLock<Vec<(&'static str, String)>> = LazyLock::new(|| {
        let letters = b'A'..=b'Z';
        let codes = letters.clone().flat_map(|a| letters.clone().map(move |b| (a, b)));
        let codes = codes.flat_map(|(a, b)| (b'A'..=b'Z').map(move |c| [a, b, c].map(char::from).iter().collect::<String>()));
        let known = codes.filter_map(|code| Currency::from_code(&code)).filter(|currency| currency.flags().is_empty());
        known.map(|currency| (currency.code(), currency.name().to_owned())).collect()
    });
    &ALL
}

/// An amount with the decimal places of its currency, or more if it has more.
pub(crate) fn amount_text(mut amount: Decimal, currency: &Value) -> String {
    amount.normalize_assign();
    if let Value::Text(code) = currency
        && let Some(digits) = digits(code)
    {
        amount.rescale(amount.scale().max(u32::from(digits)));
    }
    amount.to_string()
}

/// Writes an amount with its currency.
pub(super) fn write(amount: &Value, currency: &Value, out: &mut Vec<u8>) {
    match (amount, currency) {
        (Value::Decimal(amount), Value::Text(code)) => {
            out.extend_from_slice(format!("{{\"amount\":\"{}\",\"currency\":\"{code}\"}}", amount_text(*amount, currency)).as_bytes());
        }
        _ => out.extend_from_slice(b"null"),
    }
}

/// Parses an amount with its currency from JSON; the error describes the expected form.
pub(crate) fn read(json: &Json) -> Result<(Value, Value), String> {
    let form = || Err("must be an amount with its currency, such as {\"amount\":\"48.50\",\"currency\":\"EUR\"}".to_owned());
    let members = match json {
        Json::Null => return Ok((Value::Null, Value::Null)),
        Json::Object(members) if members.keys().all(|name| matches!(name.as_str(), "amount" | "currency")) => members,
        _ => return form(),
    };
    match (members.get("amount"), members.get("currency")) {
        (Some(Json::String(amount)), Some(Json::String(code))) => {
            let Some(digits) = digits(code) else { return Err(unknown()) };
            let amount = json::decimal(amount)?;
            check_digits(&amount, digits)?;
            Ok((amount, Value::Text(code.clone())))
        }
        _ => form(),
    }
}

fn check_digits(amount: &Value, digits: u8) -> Result<(), String> {
    match amount {
        Value::Decimal(number) => check::digits(*number, INTEGER_DIGITS + digits, digits),
        _ => Ok(()),
    }
}

/// The number of digits before the point of an amount, as in the column.
const INTEGER_DIGITS: u8 = 14;

/// The errors of the amounts of a row and their currencies, by the field of the amount.
pub(crate) fn find_errors<'v>(entity: &'static EntityDef, value: impl Fn(FieldIx) -> &'v Value) -> Vec<(&'static FieldDef, String)> {
    let mut errors = Vec::new();
    for (field, at) in entity.fields.iter().filter_map(|field| Some((field, field.currency_in?))) {
        let Some((amount, _)) = entity.find(field.name) else { continue };
        if let Err(message) = check_pair(entity.field(at), value(amount), value(at)) {
            errors.push((field, message));
        }
    }
    errors
}

/// Checks that both the amount and the currency have a value, or neither has one.
pub(crate) fn check_pair(currency_field: &FieldDef, amount: &Value, currency: &Value) -> Result<(), String> {
    match (amount, currency) {
        (Value::Null, Value::Null) => Ok(()),
        (Value::Null, _) => {
            Err(say!("dz-is-required-with-currency", "is required together with the currency in `{field}`", field = currency_field.name))
        }
        (_, Value::Null) => Err(say!("dz-needs-a-currency", "needs a currency in `{field}`", field = currency_field.name)),
        (amount, Value::Text(code)) => digits(code).map_or(Ok(()), |digits| check_digits(amount, digits)),
        _ => Ok(()),
    }
}

impl FieldDef {
    /// True for the currency of an amount, which is not a separate value in API responses and forms.
    pub(crate) fn is_currency_of_amount(&self) -> bool {
        self.kind.is_currency()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn currencies_have_decimal_places() {
        for (code, expected) in
            [("EUR", Some(2)), ("JPY", Some(0)), ("KWD", Some(3)), ("CLF", Some(4)), ("eur", None), ("EUX", None), ("", None)]
        {
            assert_eq!(digits(code), expected, "{code}");
        }
        let known = |code: &str| current_currencies().iter().any(|(known, _)| *known == code);
        assert!(known("EUR") && known("KWD") && known("CHF"));
        assert!(!known("DEM") && !known("XAU") && !known("XXX"), "nobody pays with them");
        assert!(current_currencies().len() > 140, "{}", current_currencies().len());
    }

    #[test]
    fn amounts_have_the_decimal_places_of_their_currency() {
        for (amount, code, expected) in
            [("12.5", "EUR", "12.50"), ("12.5000", "EUR", "12.50"), ("3", "JPY", "3"), ("-0.5", "KWD", "-0.500"), ("1.255", "EUR", "1.255")]
        {
            let amount = amount.parse().unwrap();
            assert_eq!(amount_text(amount, &Value::Text(code.to_owned())), expected);
        }
        assert_eq!(amount_text("12.5000".parse().unwrap(), &Value::Null), "12.5");
    }

    #[test]
    fn no_currency_has_more_digits_than_the_column() {
        assert!(current_currencies().iter().all(|(code, _)| digits(code).is_some_and(|digits| digits <= 4)));
    }
}
