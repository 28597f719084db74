//! `dz docs generate`: the pages of an application, their links and diagrams, and the check of files on disk.

use std::{collections::BTreeMap, fs, path::Path};

use dz_dsl_file::{SourceMap, analyse, emit::docs::pages};

use crate::folder::{Folder, json, says};

const DESK: &str = r##"
app desk "Desk | <b>\"new\"</b>":
  description: "Tickets & `code` {{#include /etc/passwd}} [a](b)"

persona agent "Agent [1]":
  description: "1. Answers | tickets"

persona lead "Lead"

entity Ticket "Ticket *of* a <script>":
  intent: "# Work | that waits"
  id: uuid pk
  title: str(80) required
  amount: decimal(8, 2)
  parent: ref Ticket
  owner: ref User required
  notes: has_many Note
  status: enum["in progress", open, end, "a; b: \"c\""] = open
  transitions:
    open -> "in progress": role(agent, lead) requires amount
    * -> end: role(lead)
    "in progress" -> "a; b: \"c\"": auto after 2 days or manual
  invariant: amount > 0 or title != "a|b"
    message: "Pay | more"
    code: TICKET_AMOUNT
  permit:
    list: role(agent) and title != "x|y" or role(lead)
    read: role(lead)
    create: role(agent, lead)

entity Note "Note":
  id: uuid pk
  ticket: belongs_to Ticket required
  text: text

surface ticket_list "Tickets | open":
  uses entity Ticket
  mode: list
  section main:
    field title "T | <i>"
    field status
"##;

/// Every link of a page, as path and anchor.
fn links(text: &str) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        in_code ^= line.starts_with("```");
        if in_code {
            continue;
        }
        // A bracket in a text is escaped.
        for part in line.replace("\\](", "").split("](").skip(1) {
            let target = part.split(')').next().unwrap_or_default();
            let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor.to_owned())));
            found.push((path.to_owned(), anchor));
        }
    }
    found
}

/// The anchors of a page's headings, as mdBook writes them.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter_map(|line| line.strip_prefix("## ").or_else(|| line.strip_prefix("# ")));
    headings
        .map(|heading| {
            let chars = heading.replace('\\', "");
            let chars = chars.chars().filter(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '));
            chars.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
        })
        .collect()
}

/// Fails for a link to a page or heading that does not exist, and for a page without an entry in the table of contents.
#[track_caller]
fn check_links(name: &str, declaration: &str) -> BTreeMap<String, String> {
    let analysis = analyse(SourceMap::single("app.dsl", declaration));
    let model = analysis.model.unwrap_or_else(|| panic!("{name}: {:?}", analysis.diagnostics.first()));
    let pages: BTreeMap<String, String> = pages(&model, &analysis.files).into_iter().map(|page| (page.path, page.text)).collect();
    let mut count = 0;
    for (path, text) in pages.iter().filter(|(path, _)| path.ends_with(".md")) {
        let folder = path.rsplit_once('/').expect("a folder").0;
        for (to, anchor) in links(text) {
            let target = match to.strip_prefix("../") {
                Some(rest) => format!("{}/{rest}", folder.rsplit_once('/').expect("a folder above").0),
                None => format!("{folder}/{to}"),
            };
            let page = pages.get(&target).unwrap_or_else(|| panic!("{name}: {path} has a link to {target}, which does not exist"));
            if let Some(anchor) = anchor {
                assert!(anchors(page).contains(&anchor), "{name}: {path} has a link to {target}#{anchor}: {:?}", anchors(page));
            }
            count += 1;
        }
    }
    let summary = links(&pages["src/SUMMARY.md"]);
    for path in pages.keys().filter_map(|path| path.strip_prefix("src/")).filter(|path| *path != "SUMMARY.md") {
        assert!(summary.iter().any(|(to, _)| to == path), "{name}: {path} is not in the table of contents");
    }
    assert!(count > 20, "{name}: {count} links");
    pages
}

#[test]
fn no_link_is_dead() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a root");
    let folder = root.join("dz-dsl-file/tests/fixtures/whole");
    let mut checked = 0;
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|it| it == "dsl") {
            check_links(&path.display().to_string(), &fs::read_to_string(&path).expect("a text"));
            checked += 1;
        }
    }
    assert!(checked > 1);
    check_links("desk", DESK);
}

#[test]
fn texts_of_the_declaration_are_no_markup() {
    let pages = check_links("desk", DESK);
    for (path, text) in pages.iter().filter(|(path, _)| path.ends_with(".md")) {
        for markup in ["<b>", "<script>", "<i>", "{{#include", "[a](b)", "*of*", "| open](", "\n1. "] {
            assert!(!text.contains(markup), "{path} contains {markup}:\n{text}");
        }
        // Each row of a table has the cells of its head.
        let mut cells = 0;
        for line in text.lines() {
            let bars = if line.starts_with('|') { line.matches('|').count() } else { 0 };
            assert!(cells == 0 || bars == 0 || bars == cells, "{path}: {line}");
            cells = bars;
        }
    }
    let ticket = &pages["src/entities/ticket.md"];
    assert!(ticket.contains("Ticket \\*of\\* a &lt;script>") && ticket.contains("\\# Work &#124; that waits"), "{ticket}");
    assert!(pages["src/overview.md"].contains("# Desk &#124; &lt;b>\"new\"&lt;/b>\n"));
    let book: BTreeMap<&str, &str> = pages["book.toml"].lines().filter_map(|line| line.split_once(" = ")).collect();
    assert_eq!(book["src"], "\"src\"");
    assert!(book["title"].contains("Desk | <b>"), "{book:?}");
}

#[test]
fn diagrams_have_every_reference_and_transition() {
    let pages = check_links("desk", DESK);
    let er = &pages["src/er.md"];
    for line in [
        "    Ticket {\n        uuid id PK\n",
        "        decimal amount\n",
        "    Ticket }o--o| Ticket : \"parent\"\n",
        "    Ticket }o--|| User : \"owner\"\n",
        "    Note }o--|| Ticket : \"ticket\"\n",
    ] {
        assert!(er.contains(line), "`{line}` is not in {er}");
    }
    assert_eq!(er.matches("--").count() - er.matches("-->").count(), 3, "a has_many has no line of its own: {er}");
    let ticket = &pages["src/entities/ticket.md"];
    for line in [
        "stateDiagram-v2\n",
        "    state \"in progress\" as in_progress\n",
        "    state \"end\" as s_end\n",
        "    state \"a#59; b#58; #34;c#34;\" as a__b___c_\n",
        "    [*] --> open\n",
        "    open --> in_progress : role agent, lead · requires amount\n",
        "    in_progress --> a__b___c_ : manual or after 2d\n",
        "    open --> s_end : role lead\n",
        "    in_progress --> s_end : role lead\n",
        "    a__b___c_ --> s_end : role lead\n",
    ] {
        assert!(ticket.contains(line), "`{line}` is not in {ticket}");
    }
}

#[test]
fn the_access_matrix_equals_that_of_the_command() {
    let folder = Folder::new("docs-access", &[("app.dsl", DESK)]);
    says(&folder.dz(&["docs", "generate"]), 0, &["written  src/access.md", "docs/app"]);
    let page = folder.read("docs/app/src/access.md");
    let matrix = json(&folder.dz(&["access", "--format", "json"]));
    let callers: Vec<&str> = matrix["callers"].as_array().expect("callers").iter().map(|it| it.as_str().expect("a name")).collect();
    let section = page.split("## Ticket\n").nth(1).expect("a section");
    assert!(section.contains(&format!("| Action | {} |\n", callers.join(" | "))), "{section}");
    assert!(section.contains("| read | no | no | no | yes |"), "{section}");
    assert!(section.contains("| list | no | no | <code>title != \"x&#124;y\"</code> | yes |"), "{section}");
    assert!(page.contains("## Note\n") && page.contains("| delete | no | no | no | no |"), "{page}");
}

#[test]
fn equal_declarations_give_equal_bytes_and_the_check_finds_differences() {
    let folder = Folder::new("docs-check", &[("app.dsl", DESK)]);
    says(&folder.dz(&["docs", "generate", "--check"]), 1, &["written  src/overview.md", "dz docs generate"]);
    assert!(!folder.0.join("docs").exists());
    let report = json(&folder.dz(&["docs", "generate", "-o", "book", "--format", "json"]));
    assert!(report["files"].as_array().expect("files").iter().any(|it| it["path"] == "src/SUMMARY.md" && it["status"] == "written"));
    says(&folder.dz(&["docs", "generate", "-o", "book", "--check"]), 0, &[]);
    let page = folder.read("book/src/entities/note.md");
    let again = json(&folder.dz(&["docs", "generate", "-o", "book", "--format", "json"]));
    assert!(again["files"].as_array().expect("files").iter().all(|it| it["status"] == "kept"), "{again}");
    assert!(!page.contains(&folder.0.display().to_string()));
    fs::write(
        folder.0.join("app.dsl"),
        DESK.replace("entity Note \"Note\"", "entity Remark \"Remark\"").replace("has_many Note", "has_many Remark"),
    )
    .expect("written");
    says(
        &folder.dz(&["docs", "generate", "-o", "book", "--check"]),
        1,
        &["removed  src/entities/note.md", "written  src/entities/remark.md"],
    );
    fs::write(folder.0.join("book/src/own.md"), "Mine").expect("written");
    says(&folder.dz(&["docs", "generate", "-o", "book"]), 0, &["removed  src/entities/note.md"]);
    assert!(!folder.0.join("book/src/entities/note.md").exists() && folder.0.join("book/src/own.md").exists());
}

#[test]
fn a_broken_file_does_not_end_the_documentation_of_the_others() {
    let broken = "entity Broken \"Broken\":\n  id: uuid pk\n  due: dat\n\nsurfac x:\n";
    let folder = Folder::new("docs-broken", &[("dsl/a.dsl", DESK), ("dsl/b.dsl", broken), ("dz.toml", "[project]\ndsl = \"dsl\"\n")]);
    says(&folder.dz(&["docs", "generate"]), 1, &["unknown-type", "unknown-construct", "written  src/entities/ticket.md"]);
    assert!(folder.read("docs/app/src/SUMMARY.md").contains("[Ticket](entities/ticket.md)"));
    let report = json(&folder.dz(&["docs", "generate", "--format", "json"]));
    assert!(report["diagnostics"].as_array().is_some_and(|list| list.len() >= 2), "{report}");
}
