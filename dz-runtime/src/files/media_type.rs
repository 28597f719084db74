//! Detection of media types by the first bytes of a file; its name and the type that a client sends are ignored.

/// The number of bytes that are examined.
pub(crate) const SNIFFED_BYTES: usize = 8_192;

/// The types that browsers may display instead of saving: none of them can execute code.
const INLINE: [&str; 5] = ["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"];

/// The media type of a file, by its first bytes.
pub(crate) fn sniff(head: &[u8]) -> &'static str {
    let head = head.get(..SNIFFED_BYTES).unwrap_or(head);
    match infer::get(head) {
        Some(kind) => kind.mime_type(),
        None if is_text(head) => "text/plain",
        None => "application/octet-stream",
    }
}

/// True for UTF-8 text; its last character can be incomplete.
fn is_text(head: &[u8]) -> bool {
    let readable = |text: &str| !text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'));
    match std::str::from_utf8(head) {
        Ok(text) => readable(text),
        Err(error) => {
            let whole = std::str::from_utf8(head.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default();
            error.error_len().is_none() && readable(whole)
        }
    }
}

/// True for types that a browser may display on a page of the application.
pub(crate) fn is_inline(media_type: &str) -> bool {
    INLINE.contains(&media_type)
}

/// True for images that may be displayed.
pub(crate) fn is_image(media_type: &str) -> bool {
    is_inline(media_type) && media_type.starts_with("image/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_determine_the_type() {
        for (head, kind) in [
            (&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], "image/png"),
            (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
            (b"GIF89a<script>alert(1)</script>", "image/gif"),
            (b"RIFF\x24\0\0\0WEBPVP8 ", "image/webp"),
            (b"%PDF-1.7\n", "application/pdf"),
            (b"<!DOCTYPE html><script>alert(1)</script>", "text/html"),
            (b"notes\n", "text/plain"),
            (b"half of an \xc3", "text/plain"),
            (b"", "text/plain"),
            (b"\0\x01\x02\x03", "application/octet-stream"),
        ] {
            assert_eq!(sniff(head), kind, "{}", String::from_utf8_lossy(head));
        }
        assert!(is_inline("image/gif") && is_image("image/webp") && is_inline("application/pdf") && !is_image("application/pdf"));
        for never in ["text/html", "image/svg+xml", "text/xml", "text/plain", "application/octet-stream", "video/mp4"] {
            assert!(!is_inline(never), "{never}");
        }
    }
}
