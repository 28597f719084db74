//! The two dialects of the markup: with and without the prefix `dz-`.

use crate::config::Markup;

impl Markup {
    /// Converts HTML to this dialect. Only names of attributes and classes change; user-written text and values are unchanged.
    pub fn apply(self, html: String) -> String {
        match self {
            Markup::Prefixed => html,
            Markup::Plain => remove_prefix(&html),
        }
    }

    /// Converts a stylesheet or script to this dialect.
    pub(crate) fn apply_to_asset(self, text: &str) -> String {
        match self {
            Markup::Prefixed => text.to_owned(),
            Markup::Plain => text.replace(".dz-", ".").replace("data-dz-", "data-"),
        }
    }
}

/// The state of the scanner.
enum ScanState {
    Text,
    Tag,
    Value,
}

fn remove_prefix(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut at = ScanState::Text;
    let mut in_class = false;
    let mut rest = html;
    while let Some(c) = rest.chars().next() {
        match (&at, c) {
            (ScanState::Text, '<') => at = ScanState::Tag,
            (ScanState::Tag, '>') => at = ScanState::Text,
            (ScanState::Tag, '"') => {
                in_class = out.ends_with("class=");
                at = ScanState::Value;
                out.push(c);
                rest = &rest[1..];
                rest = rest.strip_prefix("dz-").filter(|_| in_class).unwrap_or(rest);
                continue;
            }
            (ScanState::Value, '"') => at = ScanState::Tag,
            (ScanState::Tag, ' ' | '\n') if rest[1..].starts_with("data-dz-") => {
                out.push(c);
                out.push_str("data-");
                rest = &rest[9..];
                continue;
            }
            (ScanState::Value, ' ') if in_class && rest[1..].starts_with("dz-") => {
                out.push(c);
                rest = &rest[4..];
                continue;
            }
            _ => {}
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(html: &str, plain: &str) {
        assert_eq!(Markup::Plain.apply(html.to_owned()), plain);
        assert_eq!(Markup::Prefixed.apply(html.to_owned()), html);
    }

    #[test]
    fn the_prefix_is_removed_from_classes_and_data_attributes() {
        check(
            r#"<p class="dz-pagination dz-wide is-current" data-dz-pagination data-dz-grid-total="3">"#,
            r#"<p class="pagination wide is-current" data-pagination data-grid-total="3">"#,
        );
        check("<a\ndata-dz-x id=\"dz-nav\">", "<a\ndata-x id=\"dz-nav\">");
    }

    #[test]
    fn user_input_is_unchanged() {
        for html in [
            "class=\"dz-x\" data-dz-y",
            r#"<input value="my class=dz-1 data-dz-2 dz-3">"#,
            r#"<td title="a > b" class="x">dz-1 ünd &lt;b class="dz-2"&gt;</td>"#,
            "<",
            "",
        ] {
            check(html, html);
        }
    }
}
