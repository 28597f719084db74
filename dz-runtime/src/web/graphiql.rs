//! `/graphiql`: an editor for GraphQL, embedded in debug builds.

use crate::{
    Error, Result,
    web::{Call, Reply},
};

/// The page loads only the embedded files; its styles are set by its scripts.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src data:; img-src data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE: &str = include_str!("../../assets/graphiql.html");

/// The files by name, with their content types.
const FILES: &[(&str, &str, &str)] = &[
    ("graphiql.js", "text/javascript; charset=utf-8", include_str!("../../assets/vendor/graphiql.min.js")),
    ("graphiql.css", "text/css; charset=utf-8", include_str!("../../assets/vendor/graphiql.min.css")),
    ("react.js", "text/javascript; charset=utf-8", include_str!("../../assets/vendor/react.production.min.js")),
    ("react-dom.js", "text/javascript; charset=utf-8", include_str!("../../assets/vendor/react-dom.production.min.js")),
    ("start.js", "text/javascript; charset=utf-8", include_str!("../../assets/graphiql.js")),
];

/// The page of the editor. It contains no data: its queries need a session.
pub(crate) fn show_editor() -> Reply {
    Reply { headers: vec![("Content-Security-Policy", POLICY.to_owned())], ..Reply::html(200, PAGE.to_owned()) }
}

/// A file of the editor.
///
/// # Errors
/// 404 for another name.
pub(crate) fn show_file(call: &Call) -> Result<Reply> {
    let (_, content_type, body) = FILES.iter().find(|(name, ..)| *name == call.value(0)).ok_or_else(Error::not_found)?;
    Ok(Reply { status: 200, content_type, body: body.as_bytes().to_vec(), ..Reply::default() })
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use sha2::{Digest, Sha256};

    use super::FILES;

    #[test]
    fn vendored_files_match_their_notes() {
        let noted = include_str!("../../assets/vendor/README.md");
        for (name, _, body) in FILES.iter().filter(|(name, ..)| *name != "start.js") {
            let mut hex = String::new();
            for byte in Sha256::digest(body) {
                let _ = write!(hex, "{byte:02x}");
            }
            assert!(noted.contains(&hex), "{name}: {hex}");
        }
    }
}
