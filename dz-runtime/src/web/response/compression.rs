//! Compression of pages and assets with gzip.
//!
//! An attacker who can make a browser repeat requests with chosen words, and who sees the lengths of the responses, could find out texts
//! of a compressed page (BREACH). Responses to requests that another site causes are therefore not compressed, and the length of the
//! others varies by a random number of bytes.

use std::io::Write as _;

use flate2::{Compression, GzBuilder, write::GzEncoder};

use crate::web::{Call, Reply};

/// Shorter bodies fit into one packet anyway.
const SHORTEST: usize = 1_400;
/// The level for pages, which are compressed for each request.
const PAGE_LEVEL: u32 = 4;
/// The maximum number of random bytes.
const PADDING: usize = 64;

/// True if the value of `Accept-Encoding` permits gzip.
pub(crate) fn accepts_gzip(header: &str) -> bool {
    let accepts = |coding: &str| {
        let mut parts = coding.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let refused = parts.any(|part| part.strip_prefix("q=").is_some_and(|weight| weight.trim().parse().is_ok_and(|it: f32| it <= 0.0)));
        name.eq_ignore_ascii_case("gzip") && !refused
    };
    header.split(',').any(accepts)
}

/// Compresses a page, if the client accepts it.
pub(crate) fn compress_page(call: &Call, mut reply: Reply) -> Reply {
    let is_page = reply.content_type.starts_with("text/html") && reply.export.is_none() && reply.file.is_none();
    if !is_page || reply.body.len() < SHORTEST {
        return reply;
    }
    note_negotiation(&mut reply);
    if !call.gzip || call.cross_site {
        return reply;
    }
    match gzip(&reply.body, Compression::new(PAGE_LEVEL), padding()) {
        Some(body) => encoded(reply, body),
        None => reply,
    }
}

/// The compressed bytes of an asset, which has no secrets.
pub(crate) fn compress_asset(bytes: &[u8]) -> Option<Vec<u8>> {
    gzip(bytes, Compression::best(), Vec::new()).filter(|body| bytes.len() >= SHORTEST && body.len() < bytes.len())
}

/// A reply with a compressed body.
pub(crate) fn encoded(mut reply: Reply, body: Vec<u8>) -> Reply {
    reply.headers.push(("Content-Encoding", "gzip".to_owned()));
    Reply { body, ..reply }
}

/// States that the response depends on `Accept-Encoding`.
pub(crate) fn note_negotiation(reply: &mut Reply) {
    match reply.headers.iter_mut().find(|(name, _)| *name == "Vary") {
        Some((_, names)) => names.push_str(", Accept-Encoding"),
        None => reply.headers.push(("Vary", "Accept-Encoding".to_owned())),
    }
}

/// `None` if the bytes cannot be compressed.
fn gzip(bytes: &[u8], level: Compression, padding: Vec<u8>) -> Option<Vec<u8>> {
    let builder = if padding.is_empty() { GzBuilder::new() } else { GzBuilder::new().filename(padding) };
    let mut encoder: GzEncoder<Vec<u8>> = builder.write(Vec::with_capacity(bytes.len() / 4), level);
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

/// A file name of random length for the header of the format; browsers ignore it.
fn padding() -> Vec<u8> {
    let mut bytes = [0_u8; PADDING + 1];
    if getrandom::fill(&mut bytes).is_err() {
        return vec![b'x'; PADDING];
    }
    let length = usize::from(bytes[PADDING]) % PADDING;
    bytes.iter().take(length).map(|byte| b'a' + byte % 26).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;

    use super::*;

    fn page(call: &Call) -> Reply {
        compress_page(call, Reply::html(200, "<p>row</p>".repeat(1_000)))
    }

    #[test]
    fn the_header_is_read() {
        for header in ["gzip", "deflate, GZIP", "br;q=1.0, gzip;q=0.5"] {
            assert!(accepts_gzip(header), "{header}");
        }
        for header in ["", "br", "gzip;q=0", "gzip; q=0.000, br", "gzipped", "*"] {
            assert!(!accepts_gzip(header), "{header}");
        }
    }

    #[test]
    fn pages_are_compressed_and_their_length_varies() {
        let call = Call { gzip: true, ..Call::default() };
        let mut lengths = std::collections::BTreeSet::new();
        for _ in 0..50 {
            let reply = page(&call);
            assert!(reply.headers.contains(&("Content-Encoding", "gzip".to_owned())), "{:?}", reply.headers);
            let mut text = String::new();
            GzDecoder::new(reply.body.as_slice()).read_to_string(&mut text).expect("gzip");
            assert_eq!(text, "<p>row</p>".repeat(1_000));
            lengths.insert(reply.body.len());
        }
        assert!(lengths.len() > 5, "{lengths:?}");
    }

    #[test]
    fn requests_of_other_sites_and_other_clients_get_the_text() {
        for call in [Call::default(), Call { gzip: true, cross_site: true, ..Call::default() }] {
            let reply = page(&call);
            assert_eq!(reply.body.len(), 10_000);
            assert_eq!(reply.headers, [("Vary", "Accept-Encoding".to_owned())]);
        }
        let short = compress_page(&Call { gzip: true, ..Call::default() }, Reply::html(200, "short".to_owned()));
        assert!(short.headers.is_empty());
    }
}
