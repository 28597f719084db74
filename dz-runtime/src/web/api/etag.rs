//! `ETag`: the version of a row, with `If-Match`; and the digest of an answer, with 304 for a client that has it.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::{
    rows::Row,
    web::{Call, Reply, api::json_reply},
};

/// The number of bytes of the digest in an `ETag`.
const BYTES: usize = 16;

/// The header with the version of a row.
pub(super) fn of_row(row: &Row) -> (&'static str, String) {
    ("ETag", format!("\"{}\"", row.version))
}

/// The version of `If-Match`; an invalid one matches no row.
pub(crate) fn read_version(call: &Call) -> Option<i64> {
    let tag = call.if_match.as_deref()?.trim();
    if tag == "*" {
        return None;
    }
    Some(tag.trim_start_matches("W/").trim_matches('"').parse().unwrap_or(-1))
}

/// The answer with these bytes, or 304 if `If-None-Match` names their digest. The tag is that of the content that this caller sees, so
/// it also changes with the access rules.
pub(super) fn reply(call: &Call, body: Vec<u8>) -> Reply {
    let mut tag = String::from("\"");
    for byte in Sha256::digest(&body).iter().take(BYTES) {
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    let has_it = call.if_none_match.as_deref().is_some_and(|known| names_tag(known, &tag));
    let mut reply = if has_it { Reply { status: 304, ..Reply::default() } } else { json_reply(200, body) };
    reply.headers.extend([("ETag", tag), ("Cache-Control", "private, no-cache".to_owned()), ("Vary", "Cookie, Authorization".to_owned())]);
    reply
}

/// True if a list of tags contains the tag (RFC 9110, 13.1.2: a weak comparison).
fn names_tag(known: &str, tag: &str) -> bool {
    known.split(',').map(str::trim).any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_sent_again_only_if_it_changed() {
        let get = |known: Option<&str>, body: &str| {
            let call = Call { if_none_match: known.map(str::to_owned), ..Call::default() };
            reply(&call, body.as_bytes().to_vec())
        };
        let first = get(None, "{}");
        let tag = first.headers.iter().find(|(name, _)| *name == "ETag").map(|(_, tag)| tag.clone()).expect("a tag");
        assert_eq!((first.status, first.body.as_slice()), (200, b"{}".as_slice()));
        for known in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
            let again = get(Some(&known), "{}");
            assert_eq!((again.status, again.body.len()), (304, 0), "{known}");
        }
        assert_eq!(get(Some(&tag), "{\"nodes\":[]}").status, 200);
        assert_eq!(get(Some("\"other\""), "{}").status, 200);
    }
}
