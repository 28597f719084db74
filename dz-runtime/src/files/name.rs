//! Names of files, in the database and in headers.

/// The maximum length of a name.
const MAX_CHARACTERS: usize = 255;

/// The stored name of a file: without folders, and without characters that control terminals, headers or the direction of text. It
/// is not used as a path.
pub(crate) fn clean_name(sent: &str) -> String {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = last.chars().filter(|c| !c.is_control() && !is_direction_mark(*c)).collect();
    let plain = plain.trim().trim_start_matches('.').trim();
    let name: String = match plain.chars().count() {
        0..=MAX_CHARACTERS => plain.to_owned(),
        // The extension is preserved.
        _ => {
            let (stem, end) = plain.rsplit_once('.').filter(|(_, end)| end.chars().count() <= 16).unwrap_or((plain, ""));
            let room = MAX_CHARACTERS - end.chars().count() - 1;
            let stem: String = stem.chars().take(room).collect();
            if end.is_empty() { stem } else { format!("{stem}.{end}") }
        }
    };
    if name.is_empty() { "file".to_owned() } else { name }
}

/// True for control characters of text direction and other invisible characters.
fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// The header `Content-Disposition` (RFC 6266): the name in ASCII for old clients, and completely in UTF-8.
pub(crate) fn disposition(is_inline: bool, name: &str) -> String {
    let how = if is_inline { "inline" } else { "attachment" };
    let plain = |c: char| if (c.is_ascii_graphic() || c == ' ') && !matches!(c, '"' | '\\' | '%') { c } else { '_' };
    let ascii: String = name.chars().map(plain).collect();
    let mut encoded = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte) {
            encoded.push(byte.into());
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    format!("{how}; filename=\"{ascii}\"; filename*=UTF-8''{encoded}")
}

/// A number of bytes as text for users.
pub(crate) fn size_text(bytes: u64) -> String {
    let units = [("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1_000)];
    match units.into_iter().find(|(_, unit)| bytes >= *unit) {
        Some((name, unit)) if bytes.is_multiple_of(unit) => format!("{} {name}", bytes / unit),
        Some((name, unit)) => {
            let point = say!("dz-decimal-separator", ".");
            format!("{}{point}{} {name}", bytes / unit, bytes % unit * 10 / unit)
        }
        None => say!("dz-bytes", count = bytes; "{count} byte", "{count} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_contains_no_path() {
        for (sent, kept) in [
            ("plan.pdf", "plan.pdf"),
            ("../../etc/passwd", "passwd"),
            ("..\\..\\boot.ini", "boot.ini"),
            ("C:\\Users\\ann\\Photo 1.png", "Photo 1.png"),
            ("a\r\nSet-Cookie: x=1", "aSet-Cookie: x=1"),
            ("invoice\u{202e}fdp.exe", "invoicefdp.exe"),
            ("..", "file"),
            ("/", "file"),
            ("", "file"),
            (".htaccess", "htaccess"),
            ("Grüße.txt", "Grüße.txt"),
        ] {
            assert_eq!(clean_name(sent), kept, "{sent:?}");
        }
        let long = clean_name(&format!("{}.pdf", "x".repeat(400)));
        assert!(long.chars().count() == 255 && long.ends_with(".pdf"), "{long}");
        assert_eq!(clean_name(&"é".repeat(400)).chars().count(), 254);
    }

    #[test]
    fn a_name_cannot_end_a_header() {
        assert_eq!(disposition(true, "a b.png"), "inline; filename=\"a b.png\"; filename*=UTF-8''a%20b.png");
        let evil = disposition(false, "x\"; filename=\"evil.html\r\n\r\n<script>");
        assert!(!evil.contains(['\r', '\n']) && evil.matches('"').count() == 2, "{evil}");
        assert_eq!(disposition(false, "ü%41"), "attachment; filename=\"__41\"; filename*=UTF-8''%C3%BC%2541");
    }

    #[test]
    fn sizes() {
        for (bytes, text) in
            [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_536, "1.5 KB"), (20_000_000, "20 MB"), (1_000_000_000, "1 GB")]
        {
            assert_eq!(size_text(bytes), text);
        }
    }
}
