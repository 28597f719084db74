//! No text is forgotten: in the language `xx` every text has brackets, so that a visible text without them has no key.

use std::path::Path;

use dz::testing::TestUser;
use dz_dsl_file::{SourceMap, analyse, locales, model::Model};

use super::{ANNA, id_of, page, start};

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("app/languages")
}

fn model() -> Model {
    let text = std::fs::read_to_string(folder().join("observatory.dsl")).expect("the declaration");
    analyse(SourceMap::single("observatory.dsl", text)).model.expect("a model")
}

/// Every text in brackets.
fn bracketed() -> String {
    let all = locales::complete(&model(), "xx", "").expect("texts");
    let line = |line: &str| {
        let start = match line.find("] ") {
            Some(at) if line.starts_with(' ') => at + 2,
            _ if line.starts_with([' ', '#']) || line.is_empty() || line.ends_with('=') || line.ends_with("= ") => return line.to_owned(),
            _ => line.find(" = ").map_or(0, |at| at + 3),
        };
        format!("{}⟦{}⟧", &line[..start], &line[start..])
    };
    all.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn the_files_of_languages_have_every_key() {
    let path = folder().join("locales/xx.ftl");
    let expected = bracketed();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &expected).expect("a file");
    }
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), expected, "run with UPDATE_EXPECT=1");
    let german = std::fs::read_to_string(folder().join("locales/de.ftl")).expect("a file");
    assert_eq!(locales::complete(&model(), "de", &german), None);
    assert_eq!(locales::check(&model(), &german), []);
}

/// Parts of a page that are not texts: names of keys, code, machine names, and letters of tiles.
const SKIPPED: [(&str, &str); 9] = [
    // The name of a language, in the language.
    ("<option lang=", "</option>"),
    ("<script", "</script>"),
    ("<style", "</style>"),
    ("<code", "</code>"),
    ("<pre", "</pre>"),
    ("<kbd", "</kbd>"),
    ("<span class=\"dz-brand-mark\"", "</span>"),
    ("<span class=\"dz-mono-mark\"", "</span>"),
    ("<span class=\"dz-avatar\"", "</span>"),
];

/// The texts of a page that a person sees or hears.
fn visible(html: &str) -> Vec<String> {
    let mut html = html.to_owned();
    for (from, to) in SKIPPED {
        while let Some(start) = html.find(from) {
            let end = html[start..].find(to).map_or(html.len(), |at| start + at + to.len());
            html.replace_range(start..end, "");
        }
    }
    let mut texts = Vec::new();
    for part in html.split('<') {
        let (tag, text) = part.split_once('>').unwrap_or(("", part));
        texts.push(text.to_owned());
        for name in ["aria-label", "placeholder", "title", "alt", "data-label", "data-dz-confirm"] {
            if let Some((_, rest)) = tag.split_once(&format!(" {name}=\"")) {
                texts.push(rest.split('"').next().unwrap_or_default().to_owned());
            }
        }
    }
    texts
}

/// What remains of a text without its bracketed parts, entities, mail addresses and keys of rows.
fn without_brackets(text: &str) -> String {
    let mut depth = 0;
    let mut rest = String::new();
    for letter in text.chars() {
        match letter {
            '⟦' => depth += 1,
            '⟧' => depth -= 1,
            _ if depth == 0 => rest.push(letter),
            _ => {}
        }
    }
    let is_key = |word: &str| word.len() == 36 && word.chars().all(|letter| letter == '-' || letter.is_ascii_hexdigit());
    let is_data = |word: &str| word.contains('@') || is_key(word) || word.starts_with('&') && word.ends_with(';');
    let words = rest.split_whitespace().filter(|word| !is_data(word));
    words.collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(user: &TestUser<'_>, path: &str, known: &[&str]) {
    check_html(&page(user, path, "xx").text(), path, known);
}

#[track_caller]
fn check_html(html: &str, path: &str, known: &[&str]) {
    assert!(html.contains('⟦'), "{path} has no text of the language:\n{html}");
    let is_forgotten = |text: &String| {
        let rest = without_brackets(text);
        rest.chars().filter(char::is_ascii_alphabetic).count() > 1 && !known.iter().any(|word| rest.contains(word))
    };
    let forgotten: Vec<String> = visible(html).into_iter().filter(is_forgotten).collect();
    assert!(forgotten.is_empty(), "{path} has texts without a key: {forgotten:#?}");
}

#[test]
fn every_text_of_a_page_has_a_key() {
    let app = start();
    let anna = app.sign_in(ANNA);
    let comet = id_of(&anna, "observations", "subject", "Κομήτης");
    let view = format!("/app/observation_view/{comet}");
    anna.patch(&format!("/api/observations/{comet}"), dz::serde_json::json!({ "frames": 13 }));
    for path in [
        "/login",
        "/auth/forgot",
        "/app/-/nothing",
        "/app/observation_list",
        "/app/observation_list?search=zzz",
        "/app/observation_list/import",
        "/app/telescope_list",
        "/app/observation_create",
        "/app/tonight",
        "/app/tonight-board",
        "/app/tonight-nights",
        "/app/tonight-nights?span=week",
        "/app/tonight-nights?span=day",
        "/app/tonight-totals",
        "/app/tonight-frames",
        "/app/-/factor",
        "/app/-/search",
        "/app/-/search?q=%CE%9A%CE%BF%CE%BC%CE%AE%CF%84%CE%B7%CF%82",
        "/app/-/search?q=zzz",
        "/app/-/shortcuts",
        "/admin/sessions",
        &view,
        &format!("/app/observation_edit/{comet}"),
        &format!("/app/observation_edit/{comet}/delete"),
    ] {
        check(&anna, path, &[]);
    }
    // The program of the test is the device of its session.
    check(&anna, "/app/-/account", &["dz"]);
    // Sizes, durations and classes of status.
    check(&anna, "/app/-/system", &["kB", "MB", "ms", "xx"]);
    // The conditions of rules, and the names of actions and of entities, are those of the declaration.
    let declared = ["create", "update", "list", "read", "delete", "permit", "frames", "sign", "session", "role", "system"];
    let changes = ["id:", "night:", "remarks:", "status:", "subject:", "telescope:"];
    check(&anna, "/admin/audit", &[&declared[..], &changes[..]].concat());
}

#[test]
fn every_text_of_a_refused_form_has_a_key() {
    let app = start();
    let anna = app.sign_in(ANNA);
    let send = |path: &str, fields: &[(&str, &str)]| anna.request("POST", path).form(fields).header("Accept-Language", "xx").send();
    let values = [("subject", ""), ("night", "never"), ("frames", "many"), ("begins", "later"), ("telescope", "none")];
    check_html(&send("/app/observation_create", &values).text(), "a refused form", &["many", "never", "later"]);
    let comet = id_of(&anna, "observations", "subject", "Κομήτης");
    check_html(&send("/app/observation_list/bulk", &[("do", "delete"), ("id", &comet)]).text(), "the question before a deletion", &[]);
    let stale = [("subject", "Νέος"), ("frames", "1"), ("version", "7"), ("dz.was.subject", "x")];
    check_html(&send(&format!("/app/observation_edit/{comet}"), &stale).text(), "a form with an old version", &[]);
    let zeus = id_of(&anna, "telescopes", "name", "Δίας");
    check_html(&send(&format!("/app/telescope_list/{zeus}/delete"), &[("version", "1")]).text(), "a page that does not exist", &[]);
}
