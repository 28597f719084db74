//! Every text gives diagnostics, and none a panic.

mod sweep;

use std::time::{Duration, Instant};

use dz_dsl_file::{SourceMap, analyse, decode, render};
use proptest::prelude::*;

fn survive(text: &str) {
    let analysis = analyse(SourceMap::single("app.dsl", text));
    for found in &analysis.diagnostics {
        render::short(&analysis.files, found);
        render::human(&analysis.files, found, render::Colour::Never);
    }
}

const GOOD: &str = "module a\nuse a\napp x \"X\":\n  timezone: \"UTC\"\npersona p \"P\":\n  goals:\n    - \"fast\"\nenum E:\n  a \"A\"\n\
archetype S:\n  at: datetime auto_add\nentity T \"T\":\n  extends: S\n  id: uuid pk\n  name: str(80) = 'x'\n  up: ref T\n  e: E = a\n  \
permit:\n    read: role(p) and (up.name != \"x\" or not e in [a]) # why\n  index name desc\nsurface s:\n  uses entity T\n  mode: list\n  \
section m:\n    field up.name \"Up\" help: \"h\"\n  ux:\n    sort: name desc\n    empty: \"\"\"\n      none\n      \"\"\"\n    \
attention info:\n      when: e = a\n      message: \"m\"\n    for p:\n      scope: up = null\n      hide: name\n      show_aggregate: n\n  \
action go: on click -> surface s\nworkspace w:\n  access: persona(p)\n  r:\n    source: T\n    group_by: bucket(at, day)\n    aggregate:\n      \
n: count(T where e = a)\n      m: round(n / 2, 1)\n  ux:\n    for p:\n      focus: r\n\
section m:\n    field up.name \"Up\" help: \"h\"\n  ux:\n    sort: name desc\n    empty: \"\"\"\n      none\n      \"\"\"\n\
story S-1 \"S\":\n  actor: p\n  scope: [T]\n  given:\n    - e is 'a' # it's\n  then: x\n  unless:\n    - y:\n        then: z\nexperience x:\n  \
context:\n    t: ref T\n  start at step a\n  step a:\n    surface c\n    saves_to: context.t\n    prefill:\n      name: context.t.name\n    \
when: context.t.e = a\n    on success -> step a\nsurface c:\n  uses entity T\n  mode: create\nscenario z:\n  for persona p:\n    \
start_route: \"/app/s\"\n  demo:\n    T:\n      - name: \"Q\", up: \"N\"\n\
demo:\n  T:\n    - @one name: \"N\"\n    - name: \"O\", up: @one\nquestion q:\n  who's there\n";

const WORDS: &[&str] = &[
    "entity",
    "Task",
    "surface",
    "persona",
    "permit",
    ":",
    "\n",
    "\n  ",
    "\n    ",
    "id",
    "uuid",
    "pk",
    "ref",
    "has_many",
    "read",
    "role",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "=",
    "and",
    "or",
    "not",
    "in",
    "is",
    "null",
    "if",
    "else",
    "\"",
    "'",
    "\"\"\"",
    "#",
    "//",
    "\t",
    "7d",
    "3.5",
    "-",
    "->",
    "@",
    "demo",
    "- ",
    "ux",
    "sort",
    "enum",
    "current_user",
    ".",
    ",",
    "this",
    "any",
    "where",
    "\u{0}",
    "é",
    "app",
    "workspace",
    "aggregate",
    "count",
    "for",
    "attention",
    "action",
    "story",
    "given:",
    "unless:",
    "experience",
    "step",
    "context",
    "scenario",
    "module",
    "use",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sweep::cases(400, 8)))]

    #[test]
    fn any_text(text in ".{0,200}") {
        survive(&text);
    }

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        match decode("app.dsl", bytes) {
            Ok(text) => survive(&text),
            Err(message) => prop_assert!(message.starts_with("app.dsl:")),
        }
    }

    #[test]
    fn a_good_text_with_a_piece_taken_out_or_put_in(from in 0..GOOD.len(), length in 0..40usize, word in proptest::sample::select(WORDS)) {
        let (start, end) = (from, (from + length).min(GOOD.len()));
        survive(&format!("{}{word}{}", &GOOD[..start], &GOOD[end..]));
        survive(&format!("{}{word}{}", &GOOD[..start], &GOOD[start..]));
        survive(&GOOD[..start]);
        survive(&GOOD[..start].replace('\n', "\r"));
    }

    #[test]
    fn any_words(words in proptest::collection::vec(proptest::sample::select(WORDS), 0..60)) {
        survive(&words.join(" "));
        survive(&words.concat());
    }
}

#[test]
fn deep_nesting_is_refused_not_recursed_into() {
    survive(&format!("entity T:\n  id: uuid pk\n  permit:\n    read: {}1{}\n", "(".repeat(5_000), ")".repeat(5_000)));
    survive(&format!("entity T:\n  id: uuid pk\n  permit:\n    read: {} true\n", "not ".repeat(5_000)));
    survive(&format!("entity T:\n  id: uuid pk\n  n: int = {}1\n", "-".repeat(5_000)));
    survive(&format!("entity T:\n  id: uuid pk\n  permit:\n    read: {}true\n", "true or ".repeat(20_000)));
    survive(&format!("entity T:\n  id: uuid pk\n  n: int = {}1\n", "(1 + ".repeat(3_000)));
    survive(&format!("entity T:\n  id: uuid pk\n  permit:\n    read: {}1{}\n", "if a: 1 else: (".repeat(2_000), ")".repeat(2_000)));
    survive(&format!("entity T:\n  id: uuid pk\n  permit:\n    read: {}\n", ["id = id"; 250].join(" and ")));
    let stairs: String = (0..500).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    survive(&stairs);
}

/// A workspace in which each metric uses all earlier ones.
fn figures(count: usize) -> String {
    let mut text =
        "entity T:\n  id: uuid pk\n  permit:\n    list: true\nworkspace w:\n  all:\n    aggregate:\n      m0: count(T)\n".to_owned();
    text.extend((1..count).map(|n| format!("      m{n}: m{} + 1\n", n - 1)));
    text.extend((0..count).map(|n| format!("  r{n}:\n    source: T\n")));
    let names = |letter: char| (0..count).map(|n| format!("{letter}{n}")).collect::<Vec<_>>().join(", ");
    format!("{text}  ux:\n    for admin:\n      focus: {}\n      show_aggregate: {}\n", names('r'), names('m'))
}
const STATED: &str = "entity T:\n  id: uuid pk\n  name: str(80)\n  up: ref T\n  status: enum[open, done]\n  permit:\n    read: true\nsurface s:\n  uses entity T\n  mode: create\n";

/// Texts whose analysis would take minutes if a step read the rest of the text each time.
#[test]
fn no_text_takes_long() {
    let (size, limit) = match (sweep::all(), sweep::is_quick()) {
        (true, _) => (100_000, 60),
        (false, false) => (25_000, 15),
        (false, true) => (6_000, 15),
    };
    let texts = [
        "(".repeat(size) + &"]".repeat(size),
        "\\\"\n".repeat(size),
        "'\n\\'\n".repeat(size),
        "\"\"\"\n".repeat(size + 1),
        format!("a \"{}\"\n", "line\n".repeat(size)),
        format!("persona {}\n", "a".repeat(size)),
        "€ ".repeat(size),
        format!("a \"{}\"\n", "\\q".repeat(size)),
        "1x ".repeat(size),
        "http://".repeat(size),
        format!("persona a:\n{}", "  goals: b\n".repeat(size / 10)),
        format!("entity T:\n  id: uuid pk\n  permit:\n    read: role({})\n", "a, ".repeat(size / 10)),
        "a:\n b\n".repeat(size / 4),
        "question q:\n who's (\n".repeat(size / 4),
        figures(size / 10),
        format!("story a \"b\":\n  given:\n{}", "    - it's 'a\n".repeat(size / 10)),
        format!("story a \"b\":\n  given:\n{}", "    - then: # x\n".repeat(size / 10)),
        format!("story a \"b\":\n{}", "  given: # x\n\n".repeat(size / 10)),
        format!("{STATED}story a \"b\":\n  scope: T\n  then: {}\n", "status 'a ".repeat(size / 10)),
        format!("{STATED}story a \"b\":\n  scope: T\n  then: {}\n", "to 'opne' ".repeat(size / 100)),
        format!("{STATED}story a \"b\":\n  scope: {}\n", "T, ".repeat(size / 10)),
        format!("story a-1{} \"b\":\n", "-1".repeat(size)),
        format!("persona a-1{}x\n", "-1".repeat(size)),
        (0..size / 20).map(|n| format!("story S{n} \"b\":\n  then: x\n")).collect(),
        (0..size / 50).map(|n| format!("module m{n}\nuse m{n}\n")).collect(),
        format!("{STATED}demo:\n  T:\n{}", "    - name: \"x\", up: \"x\"\n".repeat(size / 50)),
        format!(
            "{STATED}demo:\n  T:\n{}",
            (0..size / 50).map(|n| format!("    - @a{n} name: \"x{n}\", up: \"x{n}\"\n")).collect::<String>()
        ),
        format!(
            "{STATED}experience a:\n{}",
            (0..size / 50).map(|n| format!("  step s{n}:\n    surface s\n    on back -> step s{}\n", n + 1)).collect::<String>()
        ),
        format!("{STATED}experience a:\n  context:\n{}", (0..size / 50).map(|n| format!("    v{n}: int\n")).collect::<String>()),
    ];
    for text in texts {
        let start = Instant::now();
        let analysis = analyse(SourceMap::single("app.dsl", &text));
        for found in &analysis.diagnostics {
            render::short(&analysis.files, found);
        }
        let shown = text.chars().take(20).collect::<String>();
        assert!(start.elapsed() < Duration::from_secs(limit), "{shown:?} takes {:?}", start.elapsed());
    }
}
