//! Personal data in texts: mail addresses, account numbers (IBAN), payment cards and telephone numbers.
//!
//! The text can come from any user, so that each search takes linear time, and letters that look alike count as equal.

use std::ops::Range;

/// The longest IBAN (ISO 13616).
const MAX_IBAN: usize = 34;
/// The largest number of characters between two groups of digits.
const MAX_BETWEEN: usize = 2;

/// Replaces personal data. Returns the text, and the kinds that it contains.
pub(super) fn redact(text: &str) -> (String, Vec<&'static str>) {
    let letters = fold(text);
    let mut found = find_emails(&letters);
    let mut free = 0;
    let mut others = Vec::new();
    for (range, _) in &found {
        find_numbers(&letters[..range.start], free, &mut others);
        free = range.end;
    }
    find_numbers(&letters, free, &mut others);
    found.append(&mut others);
    found.sort_by_key(|(range, _)| range.start);
    let (mut kinds, mut redacted, mut end) = (Vec::new(), String::with_capacity(text.len()), 0);
    for (range, kind) in found {
        let (from, to) = (letters[range.start].start, letters[range.end - 1].end);
        redacted.push_str(&text[end..from]);
        redacted.push_str(kind);
        end = to;
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    redacted.push_str(&text[end..]);
    (redacted, kinds)
}

/// A character as the searches compare it, and its place in the text.
#[derive(Debug, Clone, Copy)]
struct Letter {
    c: char,
    start: usize,
    end: usize,
}

/// The characters of a text without invisible ones. Digits of other scripts, wide characters, blanks and hyphens become ASCII.
fn fold(text: &str) -> Vec<Letter> {
    let visible = text.char_indices().filter(|(_, c)| !is_invisible(*c));
    visible.map(|(start, c)| Letter { c: fold_char(c), start, end: start + c.len_utf8() }).collect()
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// The zeros of scripts whose ten digits follow each other.
const ZEROS: [char; 14] = [
    '\u{660}', '\u{6f0}', '\u{7c0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}', '\u{be6}', '\u{c66}', '\u{ce6}', '\u{d66}',
    '\u{e50}', '\u{ed0}',
];

fn fold_char(c: char) -> char {
    let code = u32::from(c);
    let digit = |number: u32| char::from_digit(number, 10).unwrap_or(c);
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(code - 0xfee0).unwrap_or(c),
        '\u{1d7ce}'..='\u{1d7ff}' => digit((code - 0x1d7ce) % 10),
        '\u{fe6b}' => '@',
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\t' => ' ',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' => '-',
        '\u{b7}' | '\u{2024}' | '\u{3002}' => '.',
        _ if c.is_ascii() => c,
        _ => ZEROS
            .iter()
            .find(|zero| (u32::from(**zero)..u32::from(**zero) + 10).contains(&code))
            .map_or(c, |zero| digit(code - u32::from(*zero))),
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The character before a place.
fn before(letters: &[Letter], at: usize) -> Option<char> {
    at.checked_sub(1).and_then(|at| letters.get(at)).map(|letter| letter.c)
}

/// A place of personal data, and its replacement.
type Found = (Range<usize>, &'static str);

fn find_emails(letters: &[Letter]) -> Vec<Found> {
    let local = |c: char| c.is_alphanumeric() || "!#$%&'*+/=?^_`{|}~.-".contains(c);
    let (mut found, mut free) = (Vec::new(), 0);
    for at in 0..letters.len() {
        if letters[at].c != '@' || at < free {
            continue;
        }
        let name = letters[free..at].iter().rev().take_while(|letter| local(letter.c)).count();
        let name = if name == 0 { quoted_name(&letters[free..at]) } else { name };
        let domain = letters[at + 1..].iter().take_while(|letter| letter.c.is_alphanumeric() || matches!(letter.c, '-' | '.'));
        let domain: String = domain.map(|letter| letter.c).collect();
        let domain = domain.trim_end_matches(['.', '-']);
        let is_domain = domain.contains('.') && domain.split('.').all(|label| !label.is_empty());
        if name > 0 && is_domain {
            free = at + 1 + domain.chars().count();
            found.push((at - name..free, "[email]"));
        }
    }
    found
}

/// The length of a name in quotes at the end, such as `"ann b"`.
fn quoted_name(letters: &[Letter]) -> usize {
    if letters.last().is_none_or(|letter| letter.c != '"') {
        return 0;
    }
    let inside = letters.iter().rev().skip(1).take(64).position(|letter| letter.c == '"');
    inside.map_or(0, |inside| inside + 2)
}

/// Adds IBANs, payment cards and telephone numbers from a place on.
fn find_numbers(letters: &[Letter], from: usize, found: &mut Vec<Found>) {
    let mut at = from;
    while at < letters.len() {
        if let Some(length) = iban(letters, from, at) {
            found.push((at..at + length, "[iban]"));
            at += length;
        } else if letters[at].c.is_ascii_digit() {
            let run = digit_run(letters, at);
            let end = run.last().map_or(at + 1, |group| group.end);
            add_numbers(letters, from, &run, found);
            at = end;
        } else {
            at += 1;
        }
    }
}

/// The length of an IBAN with a correct checksum (ISO 13616), with single separators between its groups.
fn iban(letters: &[Letter], from: usize, start: usize) -> Option<usize> {
    let starts = letters.get(start..start + 4)?;
    let shape = starts[..2].iter().all(|letter| letter.c.is_ascii_alphabetic());
    let named = || start >= from + 4 && letters[start - 4..start].iter().map(|letter| letter.c.to_ascii_uppercase()).eq("IBAN".chars());
    if !shape || before(letters, start).is_some_and(is_word) && !named() {
        return None;
    }
    let mut characters = Vec::new();
    let mut longest = None;
    let mut blank = true;
    for (at, letter) in letters.iter().enumerate().skip(start) {
        match letter.c {
            ' ' | '-' if !blank => blank = true,
            c if c.is_ascii_alphanumeric() && characters.len() < MAX_IBAN => {
                blank = false;
                characters.push(c.to_ascii_uppercase());
                let ends = letters.get(at + 1).is_none_or(|next| !is_word(next.c));
                if ends && is_iban(&characters) {
                    longest = Some(at + 1 - start);
                }
            }
            _ => break,
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

/// The groups of digits from a place on, with blanks and other separators between them.
fn digit_run(letters: &[Letter], start: usize) -> Vec<Range<usize>> {
    let (mut groups, mut at) = (Vec::new(), start);
    loop {
        let digits = letters[at..].iter().take_while(|letter| letter.c.is_ascii_digit()).count();
        groups.push(at..at + digits);
        at += digits;
        let between = letters[at..].iter().take(MAX_BETWEEN + 1).take_while(|letter| matches!(letter.c, ' ' | '-' | '.' | '/' | '(' | ')'));
        let between = between.count();
        if between > MAX_BETWEEN || !letters.get(at + between).is_some_and(|letter| letter.c.is_ascii_digit()) {
            return groups;
        }
        at += between;
    }
}

/// Adds the payment cards in groups of digits, and else a telephone number.
fn add_numbers(letters: &[Letter], from: usize, groups: &[Range<usize>], found: &mut Vec<Found>) {
    let mut free = 0;
    let mut first = 0;
    while first < groups.len() {
        match card(letters, &groups[first..]) {
            Some(count) => {
                add_phone(letters, from, &groups[free..first], found);
                found.push((groups[first].start..groups[first + count - 1].end, "[card]"));
                first += count;
                free = first;
            }
            None => first += 1,
        }
    }
    add_phone(letters, from, &groups[free..], found);
}

/// The number of groups that are a payment card: 13 to 19 digits with a correct checksum.
fn card(letters: &[Letter], groups: &[Range<usize>]) -> Option<usize> {
    let mut digits = Vec::new();
    let mut longest = None;
    for (at, group) in groups.iter().enumerate() {
        if digits.len() + group.len() > 19 {
            break;
        }
        digits.extend(letters[group.clone()].iter().filter_map(|letter| letter.c.to_digit(10)));
        if digits.len() >= 13 && has_luhn_checksum(&digits) {
            longest = Some(at + 1);
        }
    }
    longest
}

/// Adds the telephone number in groups of digits, if they have seven digits or more. A date before them, and a group that is part of a
/// word, do not belong to it.
fn add_phone(letters: &[Letter], from: usize, mut groups: &[Range<usize>], found: &mut Vec<Found>) {
    if let Some((first, rest)) = groups.split_first()
        && before(letters, first.start).is_some_and(is_word)
    {
        groups = rest;
    }
    if let Some((last, rest)) = groups.split_last()
        && letters.get(last.end).is_some_and(|next| is_word(next.c))
    {
        groups = rest;
    }
    if is_date(letters, groups) {
        groups = &groups[3..];
    }
    let (Some(first), Some(last)) = (groups.first(), groups.last()) else { return };
    if groups.iter().map(ExactSizeIterator::len).sum::<usize>() < 7 {
        return;
    }
    let signs = letters[from..first.start].iter().rev().take_while(|letter| matches!(letter.c, '+' | '(')).count();
    found.push((first.start - signs..last.end, "[phone]"));
}

/// True if the groups begin with a date such as `2026-01-31`, which has as many digits as a telephone number.
fn is_date(letters: &[Letter], groups: &[Range<usize>]) -> bool {
    let [year, _, day, ..] = groups else { return false };
    let text: String = letters[year.start..day.end].iter().map(|letter| letter.c).collect();
    text.len() == 10 && chrono::NaiveDate::parse_from_str(&text, "%Y-%m-%d").is_ok()
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
    fn personal_data_in_disguise_is_replaced() {
        for (text, expected) in [
            ("call 0171\u{a0}234\u{a0}567", "call [phone]"),
            ("call 030\u{2013}123\u{2011}456", "call [phone]"),
            ("call \u{ff10}\u{ff13}\u{ff10}\u{ff11}\u{ff12}\u{ff13}\u{ff14}", "call [phone]"),
            ("call \u{660}\u{661}\u{662}\u{663}\u{664}\u{665}\u{666}", "call [phone]"),
            ("call 03\u{200b}01\u{200b}23\u{200b}4", "call [phone]"),
            ("call 0171 1234567 8pm", "call [phone] 8pm"),
            ("on 2026-01-31 0301234567", "on 2026-01-31 [phone]"),
            ("card4111111111111111", "card[card]"),
            ("4111111111111111x", "[card]x"),
            ("7 12 4111 1111 1111 1111 0301234567", "7 12 [card] [phone]"),
            ("IBANDE89370400440532013000", "IBAN[iban]"),
            ("DE89-3704-0044-0532-0130-00", "[iban]"),
            ("de89\u{a0}3704\u{a0}0044\u{a0}0532\u{a0}0130\u{a0}00", "[iban]"),
            ("ann\u{ff20}x.de", "[email]"),
            ("a\u{200b}nn@x\u{ad}y.de", "[email]"),
            ("\"ann b\"@x.de", "[email]"),
            ("0301234567@x.de", "[email]"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn a_long_text_takes_no_long_time() {
        let started = std::time::Instant::now();
        for part in ["a-", "1-", "1-a", "a@", "a.@b.", "12 a", "DE89 ", "(", "+1", "\"@", "4111111111111111 ", "1 2345678901234567890 "] {
            redact(&part.repeat(200_000 / part.len()));
        }
        assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
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
        // A wrong checksum is not an account number, and the digits are not a card; they are long enough for a telephone number.
        check("DE89370400440532013001", "DE89370400440532013001");
        check("4111111111111112", "[phone]");
    }
}
