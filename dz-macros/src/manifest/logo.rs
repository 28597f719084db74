//! The logo of an application: `theme.logo` in `dz.toml`.

use std::path::{Path, PathBuf};

/// The maximum size. Every page of a new visitor loads the logo.
const MOST_BYTES: usize = 64 << 10;

/// The path of the logo, if the file can be a logo. An error is one sentence.
pub(super) fn find(root: &Path, name: &str) -> Result<PathBuf, String> {
    let refuse = |reason: &str| Err(format!("dz.toml: `theme.logo` is `\"{name}\"`, {reason}"));
    // Absolute, because `include_str!` is relative to the file with the call.
    let Ok(path) = root.join(name).canonicalize() else {
        return refuse("and the folder of Cargo.toml has no such file");
    };
    let Ok(text) = std::fs::read_to_string(&path) else {
        return refuse("which cannot be read as text; write the path of an SVG file");
    };
    if text.len() > MOST_BYTES {
        return refuse(&format!("which has {} bytes; a logo has at most {MOST_BYTES}", text.len()));
    }
    if !text.contains("<svg") {
        return refuse("which has no element `svg`; write the path of an SVG file");
    }
    // The security policy of the pages applies neither of them. Any white space can be before an attribute.
    let spaced = text.to_ascii_lowercase().replace(|sign: char| sign.is_ascii_whitespace(), " ");
    match ["<script", "<style", ":script", ":style", " style="].into_iter().find(|part| spaced.contains(part)) {
        Some(part) => refuse(&format!(
            "which contains `{}`; browsers ignore it here: write colours as attributes, such as `fill=\"#1b6\"`",
            part.trim_start()
        )),
        None => Ok(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_drawings_are_logos() {
        let root = std::env::temp_dir().join(format!("dz-logo-{}", std::process::id()));
        std::fs::create_dir_all(&root).expect("a folder");
        let written = |text: &str| {
            std::fs::write(root.join("logo.svg"), text).expect("a file");
            find(&root, "logo.svg")
        };
        let drawing = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="green" d="M0 0h8v8z"/></svg>"#;
        assert!(written(drawing).is_ok_and(|path| path.is_absolute()));
        for (text, reason) in [
            ("not a drawing", "which has no element `svg`"),
            (r#"<svg><path style="fill:red"/></svg>"#, "which contains `style=`"),
            ("<svg><path\n  style=\"fill:red\"/></svg>", "which contains `style=`"),
            ("<svg><style>path{}</style></svg>", "which contains `<style`"),
            ("<svg:svg><svg:Style>path{}</svg:Style></svg:svg>", "which contains `:style`"),
            ("<svg><script>1</script></svg>", "which contains `<script`"),
            (&format!("<svg>{}</svg>", " ".repeat(70_000)), "which has 70011 bytes"),
        ] {
            let error = written(text).expect_err("an error");
            assert!(error.starts_with("dz.toml: `theme.logo` is `\"logo.svg\"`, ") && error.contains(reason), "{error}");
        }
        assert!(find(&root, "absent.svg").expect_err("an error").ends_with("has no such file"));
        std::fs::remove_dir_all(&root).expect("the folder");
    }
}
