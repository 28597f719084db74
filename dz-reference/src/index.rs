//! The first page: the list of the others, and the rules for every text.

use super::{
    frames,
    page::{self, Page, Piece, further, sound, text, wrong},
};
use dz_dsl_file::names;

pub(super) fn page(others: &[Page]) -> Page {
    let mut pieces = vec![text(INTRODUCTION), text(contents(others))];
    pieces.extend(texts());
    pieces.extend(files());
    pieces.extend([text(NAMES), text(plurals())]);
    pieces.extend([text(FOREIGN), Piece::Listed("construct without meaning")]);
    pieces.extend(findings());
    Page { file: "README.md", title: "The language", summary: "Text, files, names, findings.", constructs: &["module", "use"], pieces }
}

const INTRODUCTION: &str = "An application is declared in one or more texts. The compiler resolves every name and checks the type of every expression. At the word that causes it, it reports an unknown name, a rule that is never true, or a state that no row can reach.

Each word of a text has a meaning or a finding. A name that cannot be resolved is an error. No word is reserved: an entity, a field or a value can have the name `status`, `type`, `list` or `match`, because a word is a keyword only where a keyword is allowed.

Every example on these pages is compiled by the tests. Fragments are shown without the application around them: a bicycle workshop \
with the entities `Bike`, `Repair` and `Part` and the personas `mechanic` and `counter`.";

fn contents(others: &[Page]) -> String {
    let mut written = "## Pages\n\n| Page | Constructs | About |\n|---|---|---|\n".to_owned();
    for page in others {
        let constructs = page::list(page.constructs);
        written.push_str(&format!("| [{}]({}) | {constructs} | {} |\n", page.title, page.file, page.summary));
    }
    written
}

fn texts() -> Vec<Piece> {
    vec![
        text("## Text\n\nUTF-8. A byte-order mark is ignored, and the line ends of all systems are accepted."),
        text(
            "### Comments\n\n`#` or `//` begins a comment that reaches to the end of the line, except inside a string. \
             An address needs quotes, because its `//` would begin a comment.",
        ),
        sound(frames::ALONE, "# a comment\napp workshop \"Workshop\": // another one\n  home: \"https://example.com\""),
        wrong("unquoted-url", "app workshop:\n  home: https://example.com\n"),
        text(
            "### Indentation\n\nThe lines of a block follow its first line and are indented further, by any width. A tab counts as 4 columns; a file uses tabs or spaces, not both. A line that is indented less must have the indentation of an earlier line. Blank lines and comments neither open nor close a block.",
        ),
        wrong("inconsistent-indentation", "entity Bike:\n    id: uuid pk\n  label: str(60)\n"),
        text(
            "### Continuation lines\n\nA line continues in the deeper lines after it if it ends in `and`, `or`, `not`, a comma, `->` or \
             an operator. Inside `( )`, `[ ]` and `{ }` line ends have no meaning.",
        ),
        sound(
            frames::IN_REPAIR,
            "forbid:\n  update: status = collected and\n      promised < today and\n      not express\nindex status,\n    promised",
        ),
        text(
            "### Names, texts, numbers, durations\n\nA name begins with a letter or `_`, followed by letters, digits and `_`, of any script. Displayed texts are plain text: they are escaped wherever they appear.",
        ),
        further("Written", frames::IN_REPAIR, LITERALS),
    ]
}

const LITERALS: &[page::Entry] = &[
    page::entry("\"", "A text in double or single quotes. It may reach over several lines.", "place: str(40) = \"left 'rack'\""),
    page::entry("\\", "An escape in a text: `\\n`, `\\t`, `\\r`, `\\\\`, `\\\"`, `\\'`, `\\u{e9}`.", "place: str(40) = \"caf\\u{e9}\\n\""),
    page::entry("12", "A whole number, up to 64 bits; `_` may group digits.", "limit: int = 12_000"),
    page::entry("3.5", "A decimal of at most 28 digits.", "rate: decimal(6, 2) = 3.50"),
    page::entry("-", "A number below zero.", "offset: int = -5"),
    page::entry(
        "7d",
        "A duration: `s`, `min`, `h`, `d`, `w`, `m` for months (for minutes in the delays of a `process`), `y`; a blank may separate them.",
        "due: date = today + 7d",
    ),
    page::entry(
        "days",
        "The same in words: `seconds`, `minutes`, `hours`, `days`, `weeks`, `months`, `years`, each also without the `s`.",
        "due: date = today + 2 weeks + 3 days",
    ),
    page::entry(
        "\"\"\"",
        "A long text: it can contain quotes, and the common indentation of its lines is removed.",
        "intent: \"\"\"\n  What a customer calls \"a repair\".\n  \"\"\"",
    ),
];

fn files() -> Vec<Piece> {
    vec![
        text(
            "## Files\n\nAn application is one file, or a folder of `*.dsl` files in the order of their paths. All of them share one namespace for each kind of construct, and the order of declarations has no effect. Beside Cargo.toml, `include_dsl!(\"app.dsl\")` \
             reads a file or a folder; `dz! { … }` contains the same language inside Rust.",
        ),
        text(
            "### `module`\n\nNames the module of a file, at its top. Several files can belong to one module.\n\n### `use`\n\nAllows this file to use names of another module. A file with a `module` line needs one `use` line for every other module whose names it uses; a file without `module` can use every name. Personas belong to the whole application and need no line. Modules cannot use each other in a cycle.",
        ),
        sound("", MODULES),
        wrong(
            "missing-import",
            "# --- file: sizes.dsl\nmodule sizes\nenum Size:\n  small\n  large\n# --- file: racks.dsl\nmodule racks\nentity Rack:\n  id: uuid pk\n  size: Size\n  permit:\n    list: authenticated\n    read: authenticated\n",
        ),
    ]
}

const MODULES: &str = "# --- file: people.dsl
module people

persona mechanic

# --- file: sizes.dsl
module sizes

enum Size:
  small
  large

# --- file: racks.dsl
module racks
use sizes

entity Rack:
  id: uuid pk
  size: Size
  permit:
    list: role(mechanic)
    read: role(mechanic)";

const NAMES: &str = "## Names

A construct can have a title after its name, in quotes; without one, the name is made readable (`line_item` becomes `Line item`).

| Declared | Becomes |
|---|---|
| entity `LineItem` | module `line_item` with `LineItem`, `NewLineItem`, `LineItemChanges`; table `line_items`; `/api/line_items` |
| field `created_at` | the column and the JSON member `created_at` |
| value `\"in progress\"`, `\"2fa\"` | the variants `InProgress`, `V2fa`; stored and in JSON as declared |
| surface `task_list` | `/app/task_list` |
| workspace `desk`, region `open` | `/app/desk`, and `/app/desk-open` for the region alone |

Entities, enums and archetypes are written `UpperCamelCase`, everything else `snake_case`. Two names that are equal in Rust, in the database or in a path are an error. A name that is a keyword of Rust becomes a raw identifier.";

/// Examples of plurals of entities.
fn plurals() -> String {
    let shown = ["repair", "city", "box", "person", "analysis", "news"].map(|one| format!("`{one}` → `{}`", names::plural(one)));
    format!("The plural, for the table and the path, follows from the name ({}), unless there is a line `plural:`.", shown.join(", "))
}

const FOREIGN: &str = "Constructs of related languages without a meaning in dz are kept too, with the warning `construct-not-supported`:";

fn findings() -> Vec<Piece> {
    vec![
        text(
            "## Findings\n\nEvery finding has a rule, listed under [Rules](rules.md), and is reported at the word that causes it. An error stops the build. A warning does not, but is probably a mistake. A lint is advice: `dz lint` shows it, and a build does not. All findings of all files are reported at once.\n\nA comment on the line above allows one warning or lint: in the line, or in the whole construct if the line opens one. A comment that allows a finding which does not occur is a lint itself.",
        ),
        sound("", "# dz: allow(no-access-rules) because nothing is stored here yet\nentity Bike:\n  id: uuid pk"),
        text("`dz.toml` sets a level for a rule everywhere: `allow`, `warn` or `deny`.\n\n```toml\n[lints]\nnaming = \"deny\"\n```"),
    ]
}
