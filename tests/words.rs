//! Documentation, comments, messages, templates and names use the words of the vocabulary, and none of those that it replaces.
//!
//! A comment with the reason above a line allows such a word:
//!
//! * Markdown: `<!-- words: allow(move) because chess pieces move -->`
//! * Rust: `// words: allow(move) because chess pieces move`
//! * templates: `{# words: allow(move) because chess pieces move #}`
//!
//! The comment allows the word in the next paragraph of Markdown or of comments, and in the next line of Rust and of templates.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// What to write, and what not to write: words and phrases in lower case.
const VOCABULARY: &[(&str, &[&str])] = &[
    ("transition, timed transition", &["move", "moves", "moved", "timed move", "timed moves"]),
    ("soft delete, restore", &["mark", "marks", "marked", "comes back", "come back", "is over", "are over"]),
    ("tenant", &["house", "houses", "practice", "practices"]),
    ("row-level security, tenant filter", &["fence", "fences", "fenced"]),
    ("timestamp, duration, delay", &["moment", "moments", "the wait", "its wait"]),
    ("path, path segment", &["hop", "hops"]),
    ("button, action, submit", &["press", "pressed", "presses"]),
    ("singleton", &["the one row"]),
    ("authorization request, login attempt", &["errand", "errands"]),
    ("permit, slot, semaphore", &["desk", "desks", "takes turns", "take turns", "a turn", "its turn", "their turn"]),
    ("second factor, MFA, TOTP", &["the factor", "a factor", "its factor", "device that shows codes"]),
    ("dead letter, pending event", &["given up", "gave up", "gives up", "dead event", "dead events", "events that wait"]),
    ("visible rows, row condition, row filter", &["rows that one may see"]),
    ("oracle, property test", &["judge", "judges", "judged", "reckon", "reckons", "second reading"]),
    ("report, diagnostic", &["told", "tells"]),
    ("conflict", &["stale", "gone on"]),
    ("error, refusal code, problem document", &["wrongs", "what is wrong"]),
    ("standalone page, form, toolbar", &["solo", "handling"]),
    ("backfill", &["fill", "fills"]),
    ("revert", &["takes back", "take back", "taken back", "takes it back", "takes the last"]),
    ("typo, deletion, insertion, transposition", &["slip", "slips", "gap", "gaps", "hole", "holes", "swap", "swaps"]),
    ("the name of the actor: the caller, a user, an operator", &["whoever", "somebody", "nobody", "anybody"]),
    ("is, is in, applies", &["stand", "stands", "stood"]),
    ("results in, is", &["comes to", "come to", "came to"]),
    ("valid, sufficient, permanently", &["good for", "good until", "is good", "are good", "for good"]),
    ("is invalid", &["leads nowhere", "lead nowhere"]),
    ("except", &["but for", "save that"]),
    ("also", &["so is", "so are"]),
    ("return, restore, revert", &["the way back"]),
    ("is not a, are not", &["is no", "are no"]),
    ("no longer", &["any more"]),
    ("contains, is in", &["lies in", "lie in", "lies below", "lies above"]),
];

/// Terms of the field that contain such a word.
const TERMS: &[&str] = &[
    "quotation mark",
    "quotation marks",
    "question mark",
    "byte-order mark",
    "error handling",
    "fill in",
    "fills in",
    "fill this in",
    "is no longer",
    "are no longer",
    "there is no",
    "there are no",
];

/// The root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder").to_path_buf()
}

/// A word of a text, in lower case, with the number of its line.
type Word = (usize, String);

/// A text whose words belong together, with the words that its comment allows.
#[derive(Default)]
struct Passage {
    words: Vec<Word>,
    allowed: Vec<String>,
}

impl Passage {
    fn add(&mut self, line: usize, text: &str) {
        let words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’' | '-'));
        self.words.extend(words.filter(|word| !word.is_empty()).map(|word| (line, word.to_lowercase())));
    }
}

/// The word that a comment allows: `words: allow(word) because reason`.
fn allowance(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("words: allow(")?;
    let (word, reason) = rest.split_once(')')?;
    let reason = reason.trim_end_matches(['-', '>', '#', '}', ' ']).trim().strip_prefix("because ").unwrap_or_default();
    assert!(reason.len() > 5, "`words: allow({word})` needs `because` and a reason");
    Some(word.to_lowercase())
}

/// The paragraphs of Markdown without code, addresses and comments.
fn markdown(text: &str) -> Vec<Passage> {
    let mut passages = vec![Passage::default()];
    let mut fenced = false;
    for (number, line) in (1..).zip(text.lines()) {
        fenced ^= line.trim_start().starts_with("```");
        if fenced || line.trim().is_empty() {
            passages.push(Passage::default());
            continue;
        }
        if line.trim_start().starts_with("<!--") {
            let allowed = passages.last().into_iter().flat_map(|last| last.allowed.clone()).chain(allowance(line)).collect();
            passages.push(Passage { allowed, ..Passage::default() });
            continue;
        }
        // A row of a table and an item of a list are passages of their own; a comment allows the word in all of them.
        if line.starts_with('|') || line.trim_start().starts_with("* ") {
            let allowed = passages.last().map(|last| last.allowed.clone()).unwrap_or_default();
            passages.push(Passage { allowed, ..Passage::default() });
        }
        let last = passages.last_mut().expect("a passage");
        // Every other part lies between backticks; a mark in its place keeps the words around it apart.
        for (at, prose) in line.split('`').enumerate() {
            match at % 2 {
                0 => prose.split("](").enumerate().for_each(|(part, text)| {
                    last.add(number, if part == 0 { text } else { text.split_once(')').map_or(text, |(_, rest)| rest) });
                }),
                _ => last.words.push((number, "`".to_owned())),
            }
        }
    }
    passages
}

/// The comments of Rust, as Markdown.
fn comments(text: &str) -> Vec<Passage> {
    let line = |line: &str| {
        let comment = comment(line).trim_start();
        if comment.contains("words: allow(") { format!("<!-- {comment}") } else { comment.to_owned() }
    };
    markdown(&text.lines().map(line).collect::<Vec<_>>().join("\n"))
}

/// The text of the comment of a line, or an empty text.
fn comment(line: &str) -> &str {
    let code = line.trim_start();
    let own = code.strip_prefix("//!").or_else(|| code.strip_prefix("///")).or_else(|| code.strip_prefix("//"));
    // A `//` after an odd number of quotes is in a string.
    let behind = || line.match_indices(" // ").find(|(at, _)| line[..*at].matches('"').count().is_multiple_of(2));
    own.or_else(|| behind().map(|(at, _)| &line[at + 4..])).unwrap_or_default()
}

/// The texts of a template between its tags, one passage for each.
fn template(text: &str) -> Vec<Passage> {
    let mut passages = Vec::new();
    let mut allowed: Vec<String> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(word) = allowance(line) {
            allowed.push(word);
            continue;
        }
        let mut plain = String::new();
        let mut rest = line;
        // Askama's blocks and expressions are code.
        while let Some(at) = rest.find(['{']).filter(|at| rest[*at..].starts_with("{%") || rest[*at..].starts_with("{{")) {
            let close = if rest[at..].starts_with("{%") { "%}" } else { "}}" };
            plain.push_str(&rest[..at]);
            plain.push_str(" ` ");
            rest = rest[at..].split_once(close).map_or("", |(_, rest)| rest);
        }
        plain.push_str(rest);
        for part in plain.split('>').map(|part| part.split('<').next().unwrap_or_default()) {
            let mut passage = Passage { allowed: allowed.clone(), ..Passage::default() };
            passage.add(number, part);
            passages.push(passage);
        }
        allowed.clear();
    }
    passages
}

/// The sentences among the string literals of Rust: texts with a space in them. Tests come last in a file and are left out.
fn messages(text: &str) -> Vec<Passage> {
    let mut passages = Vec::new();
    let mut allowed: Vec<String> = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim() == "#[cfg(test)]" {
            break;
        }
        if open.is_none() && line.trim_start().starts_with("//") {
            allowed.extend(allowance(line));
            continue;
        }
        let mut characters = line.chars().peekable();
        while let Some(c) = characters.next() {
            match (&mut open, c) {
                (None, '\'') => {
                    // The character `'"'` opens no text.
                    let rest: String = characters.clone().take(2).collect();
                    if rest == "\"'" {
                        characters.nth(1);
                    }
                }
                (None, '/') if characters.peek() == Some(&'/') => break,
                (None, 'b') if characters.peek() == Some(&'"') => {
                    // Bytes are no message.
                    characters.next();
                    while characters.next().is_some_and(|byte| byte != '"') {}
                }
                (None, '"') => open = Some((number, String::new())),
                (None, _) => {}
                (Some((_, literal)), '\\') => {
                    literal.push(' ');
                    characters.next();
                }
                (Some(_), '"') => {
                    let (at, literal) = open.take().expect("a text");
                    if literal.trim().contains(' ') {
                        let mut passage = Passage { allowed: allowed.clone(), ..Passage::default() };
                        for (part, prose) in without_values(&literal).split('`').enumerate() {
                            match part % 2 {
                                0 => passage.add(at, prose),
                                _ => passage.words.push((at, "`".to_owned())),
                            }
                        }
                        passages.push(passage);
                    }
                }
                (Some((_, literal)), c) => literal.push(c),
            }
        }
        if let Some((_, literal)) = &mut open {
            literal.push(' ');
        } else {
            allowed.clear();
        }
    }
    passages
}

/// A format string with an empty piece of code for each value.
fn without_values(format: &str) -> String {
    let mut parts = format.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "``" + part.split_once('}').map_or(part, |(_, rest)| rest))
}

/// True if words begin with a phrase.
fn starts_with(words: &[Word], phrase: &str) -> bool {
    let mut words = words.iter();
    phrase.split(' ').all(|part| words.next().is_some_and(|(_, word)| word == part))
}

/// The words of a passage that the vocabulary replaces: line, word, and what to write.
fn replaced(passage: &Passage) -> Vec<(usize, &'static str, &'static str)> {
    let mut found = Vec::new();
    for (instead, phrases) in VOCABULARY {
        for phrase in *phrases {
            let at = (0..passage.words.len()).filter(|at| starts_with(&passage.words[*at..], phrase));
            let allowed = passage.allowed.iter().any(|word| word == phrase);
            let is_term =
                |at: usize| TERMS.iter().any(|term| (at.saturating_sub(1)..=at).any(|from| starts_with(&passage.words[from..], term)));
            found.extend(at.filter(|at| !allowed && !is_term(*at)).map(|at| (passage.words[at].0, *phrase, *instead)));
        }
    }
    found
}

/// The modules that a file declares for tests alone.
fn test_modules(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let declared = lines.windows(2).filter(|pair| pair[0].starts_with("#[cfg(") && pair[0].contains("test") && pair[1].ends_with(';'));
    declared.filter_map(|pair| pair[1].trim_end_matches(';').rsplit_once("mod ")).map(|(_, name)| name.to_owned()).collect()
}

/// The files below a folder with an extension.
fn every_file(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let inside = fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path());
            open.extend(inside.filter(|path| !path.ends_with("target")));
        } else if path.extension().is_some_and(|it| it == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The files below a folder with an extension, without modules of tests.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = every_file(folder, extension);
    let mut of_tests = vec!["tests".to_owned()];
    of_tests.extend(found.iter().flat_map(|path| test_modules(&fs::read_to_string(path).unwrap_or_default())));
    let named = |part: &str| of_tests.iter().any(|name| name == part.trim_end_matches(".rs"));
    let inside = |path: &Path| path.strip_prefix(root()).expect("a file of the project").to_path_buf();
    found.retain(|path| !inside(path).components().any(|part| part.as_os_str().to_str().is_some_and(named)));
    found
}

/// Every word that the vocabulary replaces in some files, one line for each.
fn check(paths: Vec<PathBuf>, read: fn(&str) -> Vec<Passage>) -> Vec<String> {
    assert!(!paths.is_empty(), "no files");
    let mut found = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let shown = path.strip_prefix(root()).expect("a file of the project").display().to_string();
        for (line, word, instead) in read(&text).iter().flat_map(replaced) {
            found.push(format!("{shown}:{line}: `{word}`; the vocabulary has: {instead}"));
        }
    }
    found
}

#[test]
fn documentation_uses_the_vocabulary() {
    let mut pages = files("docs", "md");
    pages.extend(files("examples", "md"));
    let single = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "benches/README.md"];
    pages.extend(single.map(|path| root().join(path)));
    let found = check(pages, markdown);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The folders whose comments and names are checked; in `tests` only names are.
const CODE: &[&str] = &[
    "src",
    "benches",
    "dz-graphql",
    "dz-knowledge",
    "dz-runtime",
    "examples",
    "dz-dsl-file",
    "dz-macros",
    "dz-cli",
    "dz-eject",
    "dz-reference",
    "dz-openapi",
    "dz-vocabulary",
    "dz-settings",
    "fuzz",
    "ui-tests",
];

/// The Rust files of a folder, tests included. Goldens follow from the macros.
fn sources(folder: &str) -> Vec<PathBuf> {
    let mut found = every_file(folder, "rs");
    found.retain(|path| !path.components().any(|part| part.as_os_str() == "goldens"));
    found
}

#[test]
fn comments_use_the_vocabulary() {
    let found = check(CODE.iter().flat_map(|folder| sources(folder)).collect(), comments);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Words that are no name of a file, a function or a type on their own: they do not say what it is or does.
const NO_NAMES: &[&str] = &[
    "acted", "asked", "desk", "done", "each", "errand", "fence", "given", "handling", "held", "known", "kept", "live", "made", "moved",
    "of", "only", "present", "reach", "said", "shown", "solo", "stale", "standing", "stands", "through", "told", "turns", "written",
    "wrongs",
];

/// The names that a file declares, and its own: line and name in lower case.
fn names(path: &Path, text: &str) -> Vec<(usize, String)> {
    const DECLARING: [&str; 6] = ["fn", "struct", "enum", "trait", "type", "mod"];
    let mut found = vec![(1, path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase())];
    for (number, line) in (1..).zip(text.lines()) {
        let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub") || ["const", "async", "in"].contains(word));
        let (Some(keyword), Some(name)) = (words.next(), words.next()) else { continue };
        if DECLARING.contains(&keyword) {
            let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
            found.push((number, name[..end].to_lowercase()));
        }
    }
    found
}

#[test]
fn names_say_what_they_name() {
    let mut found = Vec::new();
    for path in CODE.iter().chain(&["tests"]).flat_map(|folder| sources(folder)) {
        let text = fs::read_to_string(&path).expect("a text");
        let wrong = names(&path, &text).into_iter().filter(|(_, name)| NO_NAMES.contains(&name.as_str()));
        let shown = path.strip_prefix(root()).expect("a file of the project").display().to_string();
        found.extend(wrong.map(|(line, name)| format!("{shown}:{line}: `{name}` does not say what it names")));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    let declared = names(Path::new("moved.rs"), "// fn kept() {}\npub(crate) fn told<T>() {}\nstruct Wrongs(u8);\n");
    assert_eq!(declared.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>(), ["moved", "told", "wrongs"]);
}

#[test]
fn templates_use_the_vocabulary() {
    let found = check(files("dz-runtime/templates", "html"), template);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The texts of pages in the format of Fluent, one passage for each line. A text of one word is not a sentence.
fn catalogue(text: &str) -> Vec<Passage> {
    let lines = (1..).zip(text.lines()).filter_map(|(number, line)| {
        let prose = line.split_once(" = ").map_or(line, |(_, prose)| prose).trim();
        let parts = prose.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest).trim());
        let prose = parts.collect::<Vec<_>>().join(" ` ");
        let mut passage = Passage::default();
        passage.add(number, &prose);
        (!line.starts_with('#') && prose.split('`').any(|part| part.trim().contains(' '))).then_some(passage)
    });
    lines.collect()
}

#[test]
fn texts_of_pages_use_the_vocabulary() {
    let found = check(vec![root().join("dz-vocabulary/locales/en.ftl")], catalogue);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn messages_use_the_vocabulary() {
    let folders = [
        "dz-runtime/src",
        "dz-cli/src",
        "dz-eject/src",
        "dz-openapi/src",
        "dz-macros/src",
        "dz-dsl-file/src",
        "dz-knowledge/src",
        "dz-settings/src",
        "dz-graphql/src",
        "dz-vocabulary/src",
    ];
    let found = check(folders.into_iter().flat_map(|folder| files(folder, "rs")).collect(), messages);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The words that are found in a text.
fn words_in(passages: &[Passage]) -> Vec<&'static str> {
    passages.iter().flat_map(replaced).map(|(_, word, _)| word).collect()
}

#[test]
fn a_replaced_word_is_found_in_every_kind_of_text() {
    assert_eq!(words_in(&markdown("A user is\ntold of it, and `nobody` is not.\n\n```\nwhoever\n```\n")), ["told"]);
    assert_eq!(words_in(&markdown("The link [leads\nnowhere](stands.md).")), ["leads nowhere"]);
    assert_eq!(words_in(&template("<p title=\"moment\">{% if moved %}No {{ house }}{% endif %}The fence</p>")), ["fence"]);
    assert_eq!(
        words_in(&messages(
            "let a = x(\"Choose \\\n  a house\"); // nobody here\nlet b = '\"'; let c = b\"told \"; d(\"A {moment} `hop`\");"
        )),
        ["house"]
    );
    assert_eq!(words_in(&comments("/// Nobody reads it.\nlet stands = 1; // told\nlet url = \"http: // moved\";")), ["told", "nobody"]);
}

#[test]
fn a_comment_with_a_reason_allows_a_word() {
    assert_eq!(words_in(&markdown("<!-- words: allow(move) because chess pieces move -->\nPieces move.\n\nRows move.\n")), ["move"]);
    assert_eq!(words_in(&messages("// words: allow(move) because chess pieces move\na(\"Pieces move\");\nb(\"Rows move\");\n")), ["move"]);
    let commented = "// words: allow(move) because chess pieces move\n/// Pieces move.\nlet a = 1;\n/// Rows move.\n";
    assert_eq!(words_in(&comments(commented)), ["move"]);
    assert_eq!(words_in(&template("{# words: allow(move) because chess pieces move #}\n<p>Pieces move</p>\n<p>Rows move</p>")), ["move"]);
}

#[test]
#[should_panic = "needs `because` and a reason"]
fn a_comment_without_a_reason_is_refused() {
    markdown("<!-- words: allow(move) -->\nPieces move.\n");
}
