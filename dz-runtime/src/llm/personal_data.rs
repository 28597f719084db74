//! Personal data in texts: mail addresses, account numbers (IBAN), payment cards and telephone numbers.

/// Replaces personal data. Returns the text, and the kinds that it contains.
pub(super) fn redact(text: &str) -> (String, Vec<&'static str>) {
    let mut found = Vec::new();
    let mut redacted = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = None;
    while let Some(first) = rest.chars().next() {
        let starts = before.is_none_or(|before: char| !is_word(before));
        match starts.then(|| find(rest)).flatten() {
            Some((length, kind)) => {
                if !found.contains(&kind) {
                    found.push(kind);
                }
                redacted.push_str(kind);
                before = rest[..length].chars().next_back();
                rest = &rest[length..];
            }
            None => {
                redacted.push(first);
                before = Some(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    (redacted, found)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The personal data at the beginning of a text: its length and its replacement.
fn find(text: &str) -> Option<(usize, &'static str)> {
    let email = email(text).map(|length| (length, "[email]"));
    email.or_else(|| iban(text).map(|length| (length, "[iban]"))).or_else(|| number(text))
}

/// The length of a mail address.
fn email(text: &str) -> Option<usize> {
    let local = |c: char| c.is_alphanumeric() || "!#$%&'*+/=?^_`{|}~.-".contains(c);
    let at = text.find(|c: char| !local(c)).filter(|at| *at > 0 && text[*at..].starts_with('@'))?;
    let domain = &text[at + 1..];
    let end = domain.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '.')).unwrap_or(domain.len());
    let domain = domain[..end].trim_end_matches(['.', '-']);
    let labels: Vec<&str> = domain.split('.').collect();
    (labels.len() > 1 && labels.iter().all(|label| !label.is_empty())).then_some(at + 1 + domain.len())
}

/// The length of an IBAN with a correct checksum (ISO 13616), with single blanks between its groups.
fn iban(text: &str) -> Option<usize> {
    let mut characters = Vec::new();
    let mut longest = None;
    let mut blank = true;
    for (at, c) in text.char_indices() {
        match c {
            ' ' if !blank => blank = true,
            c if c.is_ascii_alphanumeric() => {
                blank = false;
                characters.push(c.to_ascii_uppercase());
                let ends = text[at + 1..].chars().next().is_none_or(|next| !is_word(next));
                if ends && is_iban(&characters) {
                    longest = Some(at + 1);
                }
            }
            _ => break,
        }
        if characters.len() > 34 {
            break;
        }
    }
    longest
}

fn is_iban(characters: &[char]) -> bool {
    let shape =
        characters.len() >= 15 && characters[..2].iter().all(char::is_ascii_uppercase) && characters[2..4].iter().all(char::is_ascii_digit);
    let digits = characters.iter().cycle().skip(4).take(characters.len());
    let remainder = digits.filter_map(|c| c.to_digit(36)).fold(0u64, |sum, digit| {
        let shifted = if digit < 10 { sum * 10 } else { sum * 100 };
        (shifted + u64::from(digit)) % 97
    });
    shape && remainder == 1
}

/// A payment card or a telephone number: digits, with blanks and other separators between them.
fn number(text: &str) -> Option<(usize, &'static str)> {
    let mut digits = Vec::new();
    let mut end = 0;
    let mut card = None;
    for (at, c) in text.char_indices() {
        match c {
            '0'..='9' => {
                digits.extend(c.to_digit(10));
                end = at + 1;
                let is_end = text[end..].chars().next().is_none_or(|next| !is_word(next));
                if is_end && (13..=19).contains(&digits.len()) && has_luhn_checksum(&digits) {
                    card = Some(end);
                }
            }
            '+' | '(' if digits.is_empty() => {}
            ' ' | '-' | '.' | '/' | '(' | ')' if !digits.is_empty() && at < end + 2 => {}
            _ => break,
        }
    }
    let is_end = text[end..].chars().next().is_none_or(|next| !is_word(next));
    match card {
        Some(length) => Some((length, "[card]")),
        None if digits.len() >= 7 && is_end && !is_timestamp(&text[..end]) => Some((end, "[phone]")),
        None => None,
    }
}

/// The checksum of payment cards (ISO/IEC 7812).
fn has_luhn_checksum(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| match (at % 2 == 1, digit * 2) {
            (false, _) => *digit,
            (true, doubled) if doubled > 9 => doubled - 9,
            (true, doubled) => doubled,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// True for a date such as `2026-01-31`, which has as many digits as a telephone number.
fn is_timestamp(text: &str) -> bool {
    text.get(..10).is_some_and(|day| chrono::NaiveDate::parse_from_str(day, "%Y-%m-%d").is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(redact(text).0, expected);
    }

    #[test]
    fn personal_data_is_replaced() {
        check("Mail ann.b+c@mail.example.com, or bo@x.de.", "Mail [email], or [email].");
        check("call +49 (30) 123-45 67 now", "call [phone] now");
        check("call 030/1234567, not 123456", "call [phone], not 123456");
        check("card 4111 1111 1111 1111 expires", "card [card] expires");
        check("pay to DE89 3704 0044 0532 0130 00 today", "pay to [iban] today");
        check("pay to GB82WEST12345698765432", "pay to [iban]");
        assert_eq!(redact("a@b.de 5500005555555559 a@b.de").1, ["[email]", "[card]"]);
    }

    #[test]
    fn other_texts_stay() {
        for text in [
            "",
            "at 2026-01-31 the price was 48.50",
            "order A1234567",
            "x@y",
            "5 apples, 7 pears",
            "ünï 12",
            "@home",
            "v1.2.3.4",
            "a_1234567",
        ] {
            check(text, text);
        }
        // A wrong checksum is no account number, and the digits are not a card; they are long enough for a telephone number.
        check("DE89370400440532013001", "DE89370400440532013001");
        check("4111111111111112", "[phone]");
    }
}
