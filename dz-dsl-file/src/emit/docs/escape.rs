//! Texts of the declaration in Markdown and in Mermaid, where they are only text.

/// A text in Markdown, in one line: no character of it is markup, in a table either.
pub(super) fn markdown(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let chars: Vec<char> = text.chars().collect();
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let list_sign = (number.len() < text.len() && number.starts_with(['.', ')'])).then(|| chars.len() - number.chars().count());
    let mut escaped = String::with_capacity(text.len());
    for (at, c) in chars.iter().enumerate() {
        let is_inside = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(|c| c.is_alphanumeric());
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            // Elsewhere it is not markup, because each `<` is escaped.
            '>' if at == 0 => escaped.push_str("&gt;"),
            '|' => escaped.push_str("&#124;"),
            // The preprocessors of mdBook read pairs of these before Markdown is parsed.
            '{' => escaped.push_str("&#123;"),
            '}' => escaped.push_str("&#125;"),
            // Inside a word it is not markup.
            '_' if is_inside(at.checked_sub(1)) && is_inside(Some(at + 1)) => escaped.push('_'),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '~' => escaped.extend(['\\', *c]),
            '-' | '+' | '=' | ':' if at == 0 => escaped.extend(['\\', *c]),
            '.' | ')' if list_sign == Some(at) => escaped.extend(['\\', *c]),
            c => escaped.push(*c),
        }
    }
    escaped
}

/// A text as code in one line, in a table too.
pub(super) fn code(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.contains(['`', '|', '{', '}']) {
        true => format!("<code>{}</code>", markdown(&text)),
        false if text.is_empty() => String::new(),
        false => format!("`{text}`"),
    }
}

/// A text in a label of a Mermaid diagram.
pub(super) fn label(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_alphanumeric() => escaped.push(c),
            ' ' | '_' | ',' | '.' | '/' | '=' | '?' | '\'' | '+' | '-' => escaped.push(c),
            c => escaped.push_str(&format!("#{};", u32::from(c))),
        }
    }
    escaped
}

/// A text in the label of a transition of a Mermaid diagram, which ends at `:`, `;` and the end of the line. Conditions stay readable.
pub(super) fn transition_label(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = text.split(' ').map(|word| match word {
        "<" | "<=" | ">" | ">=" | "!=" => word.to_owned(),
        word => word.split(READABLE).map(label).zip(word.matches(READABLE).chain([""])).map(|(part, sign)| part + sign).collect(),
    });
    words.collect::<Vec<String>>().join(" ")
}

/// Signs of conditions that have no meaning in such a label.
const READABLE: [char; 5] = ['(', ')', '*', '%', '·'];

/// The anchor of a heading as mdBook writes it: lower case, spaces as `-`, without other signs.
pub(super) fn anchor(text: &str) -> String {
    let chars = text.trim().chars().filter_map(|c| match c {
        c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c.to_ascii_lowercase()),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    });
    chars.collect()
}
