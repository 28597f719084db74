//! Detection of duplicate members in JSON objects, whose value would be ambiguous.

use std::{borrow::Cow, collections::HashSet};

/// The first duplicate member of an object in a JSON text, at any depth. The text must be well-formed JSON.
///
/// `serde_json` keeps the last of two members with one name, other parsers the first. The scan is not recursive, so the depth of
/// the text does not matter.
pub fn find_duplicate_member(json: &str) -> Option<String> {
    let bytes = json.as_bytes();
    // The names in each open object; `None` for a list.
    let mut open: Vec<Option<HashSet<Cow<'_, str>>>> = Vec::new();
    let mut is_name = false;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' => {
                open.push(Some(HashSet::new()));
                is_name = true;
            }
            b'[' => {
                open.push(None);
                is_name = false;
            }
            b'}' | b']' => {
                open.pop();
                is_name = false;
            }
            b',' => is_name = matches!(open.last(), Some(Some(_))),
            b'"' => {
                let end = find_end(bytes, at);
                if std::mem::take(&mut is_name)
                    && let Some(Some(names)) = open.last_mut()
                {
                    let name = read_name(json.get(at..end)?)?;
                    if !names.insert(name.clone()) {
                        return Some(name.into_owned());
                    }
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The position after the text that starts at a quotation mark.
fn find_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// A name with its escapes resolved: `"\u0061"` is `"a"`.
fn read_name(quoted: &str) -> Option<Cow<'_, str>> {
    if quoted.contains('\\') {
        return serde_json::from_str::<String>(quoted).ok().map(Cow::Owned);
    }
    quoted.get(1..quoted.len().checked_sub(1)?).map(Cow::Borrowed)
}
