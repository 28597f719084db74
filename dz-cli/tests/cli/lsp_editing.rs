//! `dz lsp`: what it offers while a text is written.

use serde_json::{Value, json};

use crate::{
    editor::{Editor, place},
    folder::Folder,
};

const SHOP: &str = "persona clerk \"Clerk\"
persona boss \"Boss\"

enum Level ordered:
  low
  high

# An order.
# It has lines.
entity Order \"Order\":
  id: uuid pk
  number: str(20) required
  note: text
  level: Level = low
  amount: int = 0
  owner: ref User
  permit:
    list: role(clerk, boss)
    read: role(clerk, boss)
    update: role(boss)

surface order_list \"Orders\":
  uses entity Order
  mode: list
  ux:
    sort: number asc
    search: number

service price:
  input:
    order: ref Order
  output:
    total: int

process billing:
  trigger: manual
  input:
    order: ref Order
  steps:
    - step ask:
      service: price
      inputs:
        order: order
    - step pause:
      wait: 1h
";

/// Relations, a graph, and figures.
const CRATES: &str = "persona porter \"Porter\"

entity Crate \"Crate\":
  id: uuid pk
  code: str(20) required
  state: enum[empty, full] = empty
  owner: ref User
  links: has_many Link via low
  permit:
    list: role(porter)

entity Link \"Link\":
  id: uuid pk
  low: ref Crate required
  high: ref Crate required
  pieces: int = 1
  graph_edge:
    source: low
    target: high
    weight: pieces
  permit:
    list: role(porter)

surface crate_list \"Crates\":
  uses entity Crate
  mode: list
  ux:
    search: code

workspace desk \"Desk\":
  figures:
    display: metrics
    aggregate:
      board: count(Crate)
";

/// The kinds of semantic tokens, in the order of the server.
fn legend(folder: &Folder) -> Vec<String> {
    let mut editor = Editor::start(folder);
    let answer = editor.initialize(&[]);
    let kinds = answer["result"]["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"].clone();
    kinds.as_array().expect("a list").iter().map(|it| it.as_str().expect("a name").to_owned()).collect()
}

fn editor(name: &str, text: &str) -> (Folder, Editor) {
    let folder = Folder::new(name, &[("app.dsl", text)]);
    let mut editor = Editor::open(&folder, &[]);
    editor.open_text("app.dsl", text);
    (folder, editor)
}

/// The labels of the completion at a place of the text with a replaced part.
fn labels(editor: &mut Editor, (base, old): (&str, &str), new: &str) -> Vec<String> {
    let text = base.replacen(old, &new.replace('|', ""), 1);
    editor.change_text("app.dsl", 2, &text);
    let at = json!({ "position": place(&text, new) });
    let found = editor.result("completion", "app.dsl", at);
    found.as_array().expect("a list").iter().map(|it| it["label"].as_str().expect("a label").to_owned()).collect()
}

/// Fails for a word that is not offered, or that is.
fn check_offer(found: &[String], new: &str, with: &[&str], without: &[&str]) {
    for word in with {
        assert!(found.iter().any(|it| it == word), "`{new}` does not offer `{word}`: {found:?}");
    }
    for word in without {
        assert!(!found.iter().any(|it| it == word), "`{new}` offers `{word}`: {found:?}");
    }
}

#[test]
fn expressions_offer_what_their_position_allows() {
    let (_folder, mut editor) = editor("lsp-expressions", CRATES);
    let rule = &["authenticated", "count", "Crate"];
    let caller = &["code", "current_user", "role", "Crate"];
    for (old, new, with, without) in [
        ("    search: code", "    attention notice:\n      when: |", &["code", "current_user"][..], &rule[..]),
        ("    search: code", "    attention notice:\n      when: owner.name = null and state = |", &["empty", "full"], &["code"]),
        ("  mode: list", "  mode: list\n  section main:\n    filter: |", &["code", "this"], rule),
        ("  permit:", "  total: computed sum(|\n  permit:", &["links"], &["code", "Crate", "current_user"]),
        ("  permit:", "  total: computed sum(links.|\n  permit:", &["pieces"], &["code", "links"]),
        ("  permit:", "  total: computed count(links where |\n  permit:", &["pieces", "today"], caller),
        ("  permit:", "  invariant: max(owner, |\n  permit:", &["code"], &["current_user", "role", "Crate"]),
        ("list: role(porter)", "list: any(|)", &["links"], &["code", "current_user"]),
        ("list: role(porter)", "list: any(links where high.state = |)", &["empty", "full"], &["code", "pieces"]),
        ("board: count(Crate)", "board: |", &["count", "round"], &["code", "current_user", "role", "empty"]),
        ("board: count(Crate)", "board: count(|)", &["Crate", "Link"], &["code", "pieces", "count"]),
        ("board: count(Crate)", "board: sum(Link.|)", &["pieces"], &["code", "Crate"]),
        ("board: count(Crate)", "board: count(Link where |)", &["pieces", "current_user"], &["code", "Crate", "count"]),
        ("board: count(Crate)", "board: count(Crate where state = |)", &["empty", "full"], &["code", "Crate"]),
        ("    source: low", "    source: |", &["low", "high"], &["pieces", "Crate", "true"]),
        ("    weight: pieces", "    weight: |", &["pieces"], &["low", "id"]),
    ] {
        check_offer(&labels(&mut editor, (CRATES, old), new), new, with, without);
    }
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn flows_offer_steps_and_starts() {
    let (_folder, mut editor) = editor("lsp-flows", SHOP);
    for (old, new, with, without) in [
        ("  trigger: manual", "  trigger: |", &["manual", "entity"][..], &["Order", "ask"][..]),
        ("  trigger: manual", "  trigger: entity |", &["Order"], &["manual", "created"]),
        ("  trigger: manual", "  trigger: entity Order |", &["created", "level"], &["Order", "number"]),
        ("  trigger: manual", "  trigger: entity Order level |", &["low", "high"], &["created"]),
        ("  trigger: manual", "  trigger: entity Order level low -> |", &["low", "high"], &["created"]),
        ("      wait: 1h", "      wait: 1h\n      on_success: |", &["ask", "pause", "complete", "fail"], &["Order", "price"]),
        ("      wait: 1h", "      wait: 1h\n      retry:\n        backoff: |", &["linear"], &["ask"]),
        ("    order: ref Order\n  output", "    order: |\n  output", &["ref", "text"], &["Order", "number"]),
    ] {
        check_offer(&labels(&mut editor, (SHOP, old), new), new, with, without);
    }
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn completion_offers_what_is_valid_at_the_cursor() {
    let (_folder, mut editor) = editor("lsp-completion", SHOP);
    for (old, new, with, without) in [
        ("\nservice price", "\nser|vice price", &["service", "entity"][..], &["Order", "permit"][..]),
        ("  note: text", "  note: |", &["text", "ref", "Level"], &["Order", "required", "permit"]),
        ("  note: text", "  note: text r|", &["required", "sensitive"], &["text", "Order"]),
        ("  note: text", "  note: ref |", &["Order", "User"], &["Level", "text", "order_list"]),
        ("  level: Level = low", "  level: Level = |", &["low", "high"], &["Order", "required"]),
        ("  permit:", "  per|", &["permit", "invariant"], &["Order", "entity", "list"]),
        ("    update: role(boss)", "    up|", &["update", "delete"], &["number", "permit"]),
        ("role(clerk, boss)", "role(clerk, |", &["clerk", "boss", "admin"], &["Order", "number"]),
        ("    update: role(boss)", "    update: level = |", &["low", "high"], &["Order", "number"]),
        ("    update: role(boss)", "    update: |", &["number", "current_user", "role"], &["Order", "required"]),
        ("  uses entity Order", "  uses entity |", &["Order"], &["Level", "price"]),
        ("  mode: list", "  mode: |", &["list", "create"], &["Order", "sort"]),
        ("    sort: number asc", "    sort: |", &["number", "level"], &["Order", "asc"]),
        ("    search: number", "    search: |", &["number", "note"], &["level", "amount", "owner", "id"]),
        ("    sort: number asc", "    sort: number |", &["asc", "desc"], &["number", "Order"]),
        ("    sort: number asc", "    sort: number asc, |", &["number", "level"], &["asc", "Order"]),
        ("    search: number", "    filter: owner.|", &["email", "name"], &["number", "level", "Order"]),
        ("    search: number", "    search: number |", &[], &["number", "note"]),
    ] {
        check_offer(&labels(&mut editor, (SHOP, old), new), new, with, without);
    }
    for new in ["  note: text # |", "  note: str(8) = \"a|b\"", "  note: str(8) = \"a|"] {
        assert_eq!(labels(&mut editor, (SHOP, "  note: text"), new), [""; 0], "{new}");
    }
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn completion_offers_no_field_that_the_place_refuses() {
    let base = SHOP.replace(
        "  amount: int = 0\n",
        "  amount: int = 0\n  pin: text sensitive\n  scan: file\n  extra: json\n  twice: computed amount * 2\n  unique number, amount\n",
    );
    let (_folder, mut editor) = editor("lsp-refused", &base);
    let refused = &["pin", "scan", "extra"][..];
    for (old, new, with, without) in [
        ("  unique number, amount", "  unique |", &["number", "amount", "pin"][..], &["scan", "twice"][..]),
        ("  unique number, amount", "  index |", &["number", "amount"], &["scan", "twice"]),
        ("    sort: number asc", "    sort: |", &["number", "twice"], refused),
        ("    sort: number asc", "    filter: |", &["number", "level"], refused),
        ("    search: number", "    search: |", &["number", "note"], refused),
    ] {
        check_offer(&labels(&mut editor, (&base, old), new), new, with, without);
    }
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn offers_have_documentation_and_snippets_only_for_clients_that_know_them() {
    let (folder, mut editor) = editor("lsp-snippets", SHOP);
    let at = json!({ "position": place(SHOP, "|service price") });
    let entity = |found: Value| found.as_array().expect("a list").iter().find(|it| it["label"] == "entity").expect("an entity").clone();
    let plain = entity(editor.result("completion", "app.dsl", at.clone()));
    assert_eq!(plain.get("insertText"), None, "{plain}");
    assert!(plain["documentation"]["value"].as_str().is_some_and(|it| it.len() > 40), "{plain}");
    assert_eq!(editor.end(), Some(0));
    let mut editor = Editor::start(&folder);
    let completion = json!({ "completion": { "completionItem": { "snippetSupport": true } } });
    editor.ask("initialize", json!({ "capabilities": { "textDocument": completion } }));
    editor.open_text("app.dsl", SHOP);
    let snippet = entity(editor.result("completion", "app.dsl", at));
    assert_eq!(snippet["insertTextFormat"], 2, "{snippet}");
    assert!(snippet["insertText"].as_str().is_some_and(|it| it.starts_with("entity ${1:Name}")), "{snippet}");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_call_shows_its_parameters() {
    let text = SHOP.replace("  amount: int = 0", "  amount: int = 0\n  age: computed days_since(");
    let (_folder, mut editor) = editor("lsp-signature", &text);
    let at = json!({ "position": place(&text, "days_since(|") });
    let found = editor.result("signatureHelp", "app.dsl", at);
    assert!(found["signatures"][0]["label"].as_str().is_some_and(|it| it.starts_with("days_since(")), "{found}");
    assert_eq!(editor.result("signatureHelp", "app.dsl", json!({ "position": place(&text, "mode: |list") })), Value::Null);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn actions_correct_findings() {
    let text = SHOP.replace("  note: text", "  note: txet").replace("number: str(20)", "Number: str(20)");
    let (_folder, mut editor) = editor("lsp-actions", &text);
    let at = place(&text, "note: |txet");
    let range = json!({ "start": at, "end": at });
    let found = editor.result("codeAction", "app.dsl", json!({ "range": range, "context": { "diagnostics": [] } }));
    let edit = &found[0]["edit"]["changes"][editor.url("app.dsl")][0];
    assert_eq!((&edit["newText"], &edit["range"]["start"]), (&json!("text"), &at), "{found}");
    assert_eq!(found[0]["kind"], "quickfix");
    let only = json!({ "diagnostics": [], "only": ["refactor"] });
    assert_eq!(editor.result("codeAction", "app.dsl", json!({ "range": range, "context": only })), json!([]));
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_comment_allows_a_warning() {
    let text = "entity Task:\n  id: uuid pk\n  title: str(80)\n";
    let (_folder, mut editor) = editor("lsp-allow", text);
    let range = json!({ "start": { "line": 0, "character": 8 }, "end": { "line": 0, "character": 8 } });
    let found = editor.result("codeAction", "app.dsl", json!({ "range": range, "context": { "diagnostics": [] } }));
    let edits: Vec<&Value> = found.as_array().expect("a list").iter().map(|it| &it["edit"]["changes"][editor.url("app.dsl")][0]).collect();
    assert!(
        edits.iter().any(|it| it["newText"].as_str().is_some_and(|it| it.starts_with("# dz: allow(no-access-rules) because"))),
        "{found}"
    );
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn semantic_tokens_name_the_kinds_of_words() {
    let (folder, mut editor) = editor("lsp-tokens", SHOP);
    let legend = legend(&folder);
    let data = editor.result("semanticTokens/full", "app.dsl", json!({}))["data"].clone();
    let numbers: Vec<usize> = data.as_array().expect("a list").iter().map(|it| it.as_u64().expect("a number") as usize).collect();
    let (mut line, mut column) = (0, 0);
    let mut found: Vec<(String, String)> = Vec::new();
    let lines: Vec<&str> = SHOP.lines().collect();
    for five in numbers.chunks(5) {
        column = if five[0] == 0 { column + five[1] } else { five[1] };
        line += five[0];
        found.push((lines[line][column..column + five[2]].to_owned(), legend[five[3]].clone()));
    }
    for (word, kind) in [
        ("Order", "class"),
        ("number", "property"),
        ("low", "enumMember"),
        ("clerk", "parameter"),
        ("entity", "keyword"),
        ("20", "number"),
        ("\"Order\"", "string"),
        ("# An order.", "comment"),
        ("billing", "function"),
    ] {
        assert!(found.iter().any(|it| *it == (word.to_owned(), kind.to_owned())), "`{word}` is not a {kind}: {found:?}");
    }
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 30 } });
    assert_eq!(editor.result("semanticTokens/range", "app.dsl", json!({ "range": range }))["data"].as_array().map(Vec::len), Some(15));
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn blocks_can_be_folded_and_selected() {
    let (_folder, mut editor) = editor("lsp-folding", SHOP);
    let found = editor.result("foldingRange", "app.dsl", json!({}));
    let has = |first: u64, last: u64| found.as_array().expect("a list").iter().any(|it| it["startLine"] == first && it["endLine"] == last);
    assert!(has(9, 19) && has(16, 19), "{found}");
    assert!(
        found.as_array().expect("a list").iter().any(|it| it["kind"] == "comment" && it["startLine"] == 7 && it["endLine"] == 8),
        "{found}"
    );
    let found = editor.result("selectionRange", "app.dsl", json!({ "positions": [place(SHOP, "update: ro|le(boss)")] }));
    let (mut at, mut texts) = (&found[0], Vec::new());
    while at.is_object() {
        texts.push(at["range"]["start"]["line"].as_u64().expect("a line"));
        at = &at["parent"];
    }
    assert_eq!(texts, [19, 19, 16, 9, 0], "{found}");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn hints_and_lenses_show_what_the_text_does_not() {
    let text = SHOP.replace("  search: number", "  search: number\n    filter: owner");
    let (_folder, mut editor) = editor("lsp-hints", &text);
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let found = editor.result("inlayHint", "app.dsl", json!({ "range": range }));
    let hint = |line: u64| {
        let labels = found.as_array().expect("a list").iter().filter(|it| it["position"]["line"] == line);
        labels.map(|it| it["label"].as_str().expect("a label").to_owned()).collect::<Vec<_>>().join(" | ")
    };
    assert!(hint(15).contains("index ") && hint(15).contains("owner"), "{found}");
    assert!(hint(17).contains("clerk, boss"), "{found}");
    let few = json!({ "start": { "line": 17, "character": 0 }, "end": { "line": 17, "character": 9 } });
    assert_eq!(editor.result("inlayHint", "app.dsl", json!({ "range": few })).as_array().map(Vec::len), Some(1));
    let lenses = editor.result("codeLens", "app.dsl", json!({}));
    let titles: Vec<&str> = lenses
        .as_array()
        .expect("a list")
        .iter()
        .filter(|it| it["range"]["start"]["line"] == 9)
        .filter_map(|it| it["command"]["title"].as_str())
        .collect();
    assert_eq!(titles, ["3 references", "2 roles may read"], "{lenses}");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn processes_have_a_call_hierarchy() {
    let (_folder, mut editor) = editor("lsp-calls", SHOP);
    let prepare =
        |editor: &mut Editor, at: &str| editor.result("prepareCallHierarchy", "app.dsl", json!({ "position": place(SHOP, at) }))[0].clone();
    let billing = prepare(&mut editor, "process bil|ling");
    assert_eq!(billing["name"], "billing");
    let out = editor.ask("callHierarchy/outgoingCalls", json!({ "item": billing }));
    assert_eq!(out["result"][0]["to"]["name"], "price", "{out}");
    let price = prepare(&mut editor, "service: pri|ce");
    let calls = editor.ask("callHierarchy/incomingCalls", json!({ "item": price }));
    assert_eq!(calls["result"][0]["from"]["name"], "billing", "{calls}");
    assert_eq!(calls["result"][0]["fromRanges"][0]["start"], place(SHOP, "service: |price"), "{calls}");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn words_of_the_language_have_a_meaning() {
    let (_folder, mut editor) = editor("lsp-words", SHOP);
    for at in ["ent|ity Order", "per|mit:", "required|", "note: te|xt"] {
        let found = editor.result("hover", "app.dsl", json!({ "position": place(SHOP, at) }));
        assert!(found["contents"]["value"].as_str().is_some_and(|it| it.len() > 20), "{at}: {found}");
    }
    assert_eq!(editor.result("hover", "app.dsl", json!({ "position": place(SHOP, "# An or|der") })), Value::Null);
    assert_eq!(editor.end(), Some(0));
}
