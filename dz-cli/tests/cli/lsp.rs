//! `dz lsp`, by a scripted client.

use serde_json::{Value, json};

use crate::{
    editor::{Editor, place},
    folder::Folder,
};

const PEOPLE: &str = "persona clerk \"Clerk\"\npersona boss \"Boss\"\n\nenum Level ordered:\n  low\n  high\n";

const TASKS: &str = "entity Task \"Task\":
  id: uuid pk
  title: str(80) required
  note: text
  level: Level = low
  owner: ref User
  permit:
    list: role(clerk, boss)
    read: role(clerk, boss)
    update: role(boss)

surface task_list \"Tasks\":
  uses entity Task
  mode: list
  ux:
    sort: title asc
    filter: level
    search: title
";

const PROJECT: &str = "[project]\ndsl = [\"people.dsl\", \"tasks.dsl\"]\n";

fn project(name: &str) -> Folder {
    Folder::new(name, &[("dz.toml", PROJECT), ("people.dsl", PEOPLE), ("tasks.dsl", TASKS)])
}

/// The texts at the ranges of locations, with the names of the files.
fn at_ranges(found: &Value) -> Vec<(String, String)> {
    let text = |name: &str| if name == "people.dsl" { PEOPLE } else { TASKS };
    let one = |it: &Value| {
        let name = it["uri"].as_str().expect("an address").rsplit('/').next().expect("a name").to_owned();
        let of = |key: &str, member: &str| it["range"][key][member].as_u64().expect("a number") as usize;
        let line = text(&name).lines().nth(of("start", "line")).expect("a line");
        let word = line[of("start", "character")..of("end", "character")].to_owned();
        (name, word)
    };
    found.as_array().expect("a list").iter().map(one).collect()
}

#[test]
fn a_session_begins_and_ends_as_the_protocol_says() {
    let folder = project("lsp-session");
    let mut editor = Editor::start(&folder);
    assert_eq!(editor.ask("textDocument/hover", json!({}))["error"]["code"], -32002);
    let answer = editor.initialize(&["utf-8", "utf-16"]);
    assert_eq!(answer["result"]["capabilities"]["positionEncoding"], "utf-8", "{answer}");
    assert_eq!(answer["result"]["serverInfo"]["name"], "dz");
    assert_eq!(editor.ask("initialize", json!({ "capabilities": {} }))["error"]["code"], -32600);
    assert_eq!(editor.ask("textDocument/unknown", json!({}))["error"]["code"], -32601);
    assert_eq!(editor.ask("textDocument/hover", json!({ "position": 1 }))["error"]["code"], -32602);
    assert_eq!(editor.about("hover", "absent.dsl", json!({ "position": { "line": 0, "character": 0 } }))["error"]["code"], -32602);
    assert_eq!(editor.ask("shutdown", Value::Null)["result"], Value::Null);
    assert_eq!(editor.ask("textDocument/hover", json!({}))["error"]["code"], -32600);
    editor.tell("exit", Value::Null);
    assert_eq!(editor.code(), Some(0));
    let mut editor = Editor::open(&folder, &[]);
    editor.tell("exit", Value::Null);
    assert_eq!(editor.code(), Some(1));
    // The end of the input ends the server too.
    assert_eq!(Editor::open(&folder, &[]).code(), Some(1));
}

#[test]
fn nothing_that_is_sent_ends_the_session() {
    let folder = project("lsp-noise");
    let mut editor = Editor::open(&folder, &[]);
    let deep = [b"[".repeat(100_000), b"]".repeat(100_000)].concat();
    for (body, code) in [(&b"{ not json"[..], -32700), (b"\xff\xfe", -32700), (&deep, -32700), (b"[{}]", -32600), (b"7", -32600)] {
        editor.send(body);
        let error = editor.response();
        assert_eq!((&error["error"]["code"], &error["id"]), (&json!(code), &Value::Null), "{error}");
    }
    editor.send_raw(b"no header\r\n\r\n");
    assert_eq!(editor.response()["error"]["code"], -32700);
    editor.send_raw(b"\r\n\r\nContent-Length: seven\r\n\r\n");
    assert_eq!(editor.response()["error"]["code"], -32700);
    editor.send(br#"{"jsonrpc":"2.0","id":1.5,"method":"shutdown"}"#);
    assert_eq!(editor.response()["error"]["code"], -32600);
    // Notifications have no answer, whatever they contain.
    editor.tell("textDocument/didOpen", json!({ "textDocument": 1 }));
    editor.tell("textDocument/didChange", json!({ "textDocument": { "uri": "file:///absent.dsl", "version": 1 }, "contentChanges": [] }));
    editor.tell("$/unknown", json!({}));
    editor.open_text("tasks.dsl", TASKS);
    let far = json!({ "start": { "line": 900, "character": 9 }, "end": { "line": 3, "character": 1 } });
    editor.change("tasks.dsl", 2, json!([{ "range": far, "text": "" }]));
    for method in ["documentSymbol", "formatting"] {
        assert!(editor.result(method, "tasks.dsl", json!({ "options": { "tabSize": 4, "insertSpaces": true } })).is_array(), "{method}");
    }
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_waiting_request_can_be_cancelled() {
    let folder = project("lsp-cancel");
    let mut editor = Editor::open(&folder, &[]);
    let many: String = (0..800).map(|n| format!("entity Kind{n}:\n  id: uuid pk\n  title: str(80)\n")).collect();
    editor.open_text("people.dsl", &many);
    // The first request takes long enough for the others to wait.
    let first = editor.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": editor.url("people.dsl") } }));
    let cancelled = editor.request(
        "textDocument/hover",
        json!({ "textDocument": { "uri": editor.url("people.dsl") }, "position": { "line": 0, "character": 8 } }),
    );
    editor.tell("$/cancelRequest", json!({ "id": cancelled }));
    editor.tell("$/cancelRequest", json!({ "id": 999 }));
    let answers = [editor.response(), editor.response()];
    assert_eq!((&answers[0]["id"], &answers[1]["id"]), (&json!(first), &json!(cancelled)));
    assert_eq!(answers[1]["error"]["code"], -32800, "{}", answers[1]);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn findings_follow_the_unsaved_text_of_every_file() {
    let folder = project("lsp-findings");
    let mut editor = Editor::open(&folder, &[]);
    editor.open_text("people.dsl", PEOPLE);
    let first = editor.findings("tasks.dsl");
    assert!(!first["diagnostics"].to_string().contains("\"severity\":1"), "{first}");
    assert_eq!(first.get("version"), None, "{first}");
    editor.change(
        "people.dsl",
        2,
        json!([{ "range": { "start": { "line": 1, "character": 8 }, "end": { "line": 1, "character": 12 } }, "text": "chief" }]),
    );
    assert_eq!(editor.findings("people.dsl")["version"], 2);
    let broken = editor.findings("tasks.dsl");
    let unknown: Vec<&Value> = broken["diagnostics"].as_array().expect("a list").iter().filter(|it| it["code"] == "unknown-role").collect();
    assert_eq!(unknown.len(), 3, "{broken}");
    assert_eq!((&unknown[0]["source"], &unknown[0]["severity"]), (&json!("dz"), &json!(1)));
    assert_eq!(unknown[0]["range"]["start"], place(TASKS, "list: role(clerk, |boss)"));
    assert!(unknown[0]["message"].as_str().expect("text").contains('\n'), "{broken}");
    // A project without an open text has no findings in the editor.
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": editor.url("people.dsl") } }));
    assert_eq!(editor.findings("tasks.dsl")["diagnostics"], json!([]));
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn lints_are_hints_and_levels_of_the_project_count() {
    let settings = format!("{PROJECT}[lints]\nstr-without-length = \"deny\"\n");
    let tasks = "entity Task:\n  id: uuid pk\n  title: str\n  Note: text\n";
    let folder = Folder::new("lsp-levels", &[("dz.toml", &settings), ("people.dsl", PEOPLE), ("tasks.dsl", tasks)]);
    let mut editor = Editor::open(&folder, &[]);
    editor.open_text("tasks.dsl", tasks);
    let found = editor.findings("tasks.dsl");
    let severity =
        |rule: &str| found["diagnostics"].as_array().expect("a list").iter().find(|it| it["code"] == rule).map(|it| it["severity"].clone());
    assert_eq!(severity("str-without-length"), Some(json!(1)), "{found}");
    assert_eq!(severity("naming"), Some(json!(4)), "{found}");
    assert_eq!(severity("no-access-rules"), Some(json!(2)), "{found}");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn names_lead_to_their_declaration_and_to_their_uses() {
    let folder = project("lsp-names");
    let mut editor = Editor::open(&folder, &[]);
    editor.open_text("tasks.dsl", TASKS);
    let role = json!({ "position": place(TASKS, "list: role(cl|erk, boss)") });
    let found = editor.result("definition", "tasks.dsl", role.clone());
    assert_eq!(at_ranges(&json!([found])), [("people.dsl".to_owned(), "clerk".to_owned())]);
    let mut with = role.clone();
    with["context"] = json!({ "includeDeclaration": true });
    assert_eq!(at_ranges(&editor.result("references", "tasks.dsl", with)).len(), 3);
    let field = json!({ "position": place(TASKS, "sort: |title asc"), "context": { "includeDeclaration": false } });
    assert_eq!(at_ranges(&editor.result("references", "tasks.dsl", field)).len(), 2);
    let marked = editor.result("documentHighlight", "tasks.dsl", json!({ "position": place(TASKS, "uses entity Task|") }));
    assert_eq!(marked.as_array().map(Vec::len), Some(2), "{marked}");
    for (at, words) in [
        ("  level|: Level", &["Task.level: Level = low", "| list |", "`clerk`"][..]),
        ("read: role(|clerk", &["persona clerk \"Clerk\"", "list `Task`"]),
        ("uses entity |Task", &["entity Task", "path `tasks`"]),
        ("Level = |low", &["A value of `Level`"]),
    ] {
        let text = editor.result("hover", "tasks.dsl", json!({ "position": place(TASKS, at) }))["contents"]["value"].to_string();
        for word in words {
            assert!(text.contains(&word.replace('"', "\\\"")), "`{word}` is not in {text}");
        }
    }
    assert_eq!(editor.result("definition", "tasks.dsl", json!({ "position": { "line": 10, "character": 0 } })), Value::Null);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_name_is_renamed_in_every_file_or_refused() {
    let folder = project("lsp-rename");
    let mut editor = Editor::open(&folder, &[]);
    editor.open_text("tasks.dsl", TASKS);
    let ask = |editor: &mut Editor, at: &str, new: &str| {
        editor.about("rename", "tasks.dsl", json!({ "position": place(TASKS, at), "newName": new }))
    };
    let renamed = ask(&mut editor, "read: role(clerk, |boss)", "chief")["result"]["changes"].clone();
    assert_eq!(renamed[editor.url("people.dsl")].as_array().map(Vec::len), Some(1), "{renamed}");
    assert_eq!(renamed[editor.url("tasks.dsl")].as_array().map(Vec::len), Some(3), "{renamed}");
    for (at, new) in
        [("uses entity |Task", "Job"), ("level: Level = |low", "lowest"), ("filter: |level", "rank"), ("surface |task_list", "jobs")]
    {
        assert!(ask(&mut editor, at, new)["result"]["changes"].is_object(), "{at}");
    }
    for (at, new, code) in [
        ("filter: |level", "1st", -32602),
        ("filter: |level", "two words", -32602),
        ("filter: |level", "and", -32602),
        ("filter: |level", "title", -32803),
        ("uses entity |Task", "Level", -32803),
        ("role(clerk, |boss)", "clerk", -32803),
        ("mode: |list", "view", -32803),
    ] {
        let error = ask(&mut editor, at, new);
        assert_eq!(error["error"]["code"], code, "{at} {new}: {error}");
    }
    let prepared = editor.result("prepareRename", "tasks.dsl", json!({ "position": place(TASKS, "filter: le|vel") }));
    assert_eq!((&prepared["placeholder"], &prepared["range"]["start"]), (&json!("level"), &place(TASKS, "filter: |level")));
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_renamed_state_is_renamed_in_stories() {
    let text = "entity Task:\n  id: uuid pk\n  state: enum[open, done] = open\n  permit:\n    read: true\n\nstory ST-1 \"Close a task\":\n  scope: [Task]\n  given: the state is \"open\"\n  then: the state is \"done\"\n";
    let folder = Folder::new("lsp-rename-state", &[("app.dsl", text)]);
    let mut editor = Editor::open(&folder, &[]);
    editor.open_text("app.dsl", text);
    let at = place(text, "enum[open, |done]");
    let renamed = editor.result("rename", "app.dsl", json!({ "position": at, "newName": "closed" }))["changes"].clone();
    let edits = renamed[editor.url("app.dsl")].as_array().expect("edits").clone();
    let starts: Vec<&Value> = edits.iter().map(|edit| &edit["range"]["start"]).collect();
    assert_eq!(starts, [&at, &place(text, "then: the state is \"|done")], "{renamed}");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn symbols_are_those_of_a_text_and_of_the_workspace() {
    let folder = project("lsp-symbols");
    let mut editor = Editor::open(&folder, &[]);
    editor.open_text("tasks.dsl", TASKS);
    let tree = editor.result("documentSymbol", "tasks.dsl", json!({}));
    let names = |list: &Value| {
        list.as_array().expect("a list").iter().map(|it| it["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&tree), ["Task", "task_list"]);
    assert_eq!(names(&tree[0]["children"]), ["id", "title", "note", "level", "owner"]);
    assert_eq!(tree[0]["range"]["end"], place(TASKS, "update: role(boss)|"));
    let found = editor.ask("workspace/symbol", json!({ "query": "clk" }));
    assert_eq!(names(&found["result"]), ["clerk"], "{found}");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn formatting_equals_the_command() {
    let untidy = "entity   Task:\n    id : uuid pk\n    title:str(80)   required\n";
    let folder = Folder::new("lsp-format", &[("app.dsl", untidy)]);
    let mut editor = Editor::open(&folder, &[]);
    editor.open_text("app.dsl", untidy);
    let options = json!({ "tabSize": 8, "insertSpaces": false });
    let applied = |edits: &Value| {
        let mut lines: Vec<String> = untidy.split_inclusive('\n').map(str::to_owned).collect();
        for edit in edits.as_array().expect("a list").iter().rev() {
            let line = |key: &str| edit["range"][key]["line"].as_u64().expect("a line") as usize;
            lines.splice(line("start")..line("end"), [edit["newText"].as_str().expect("text").to_owned()]);
        }
        lines.concat()
    };
    let all = applied(&editor.result("formatting", "app.dsl", json!({ "options": options })));
    let third = json!({ "start": { "line": 2, "character": 0 }, "end": { "line": 2, "character": 9 } });
    let some = applied(&editor.result("rangeFormatting", "app.dsl", json!({ "options": options, "range": third })));
    assert!(some.starts_with("entity   Task:\n    id : uuid pk\n  title: str(80)"), "{some}");
    let typed = json!({ "options": options, "position": { "line": 1, "character": 0 }, "ch": "\n" });
    assert!(applied(&editor.result("onTypeFormatting", "app.dsl", typed)).starts_with("entity Task:\n    id : uuid"));
    editor.change_text("app.dsl", 2, "entity Task \"open:\n");
    assert_eq!(editor.result("formatting", "app.dsl", json!({ "options": options })), Value::Null);
    assert_eq!(editor.end(), Some(0));
    folder.dz(&["fmt", "app.dsl"]);
    assert_eq!(all, folder.read("app.dsl"));
}

#[test]
fn columns_are_counted_in_the_unit_of_the_client() {
    let text = "entity Café \"😀\":\n  id: uuid pk\n  größe: text # 😀\n  other: computed größe\n";
    let folder = Folder::new("lsp-units", &[("app.dsl", text)]);
    for (encodings, length) in [(&["utf-8"][..], 7), (&["utf-16"], 5), (&[], 5)] {
        let mut editor = Editor::open(&folder, encodings);
        editor.open_text("app.dsl", text);
        // Typed behind letters outside of ASCII.
        let line = "  größe: text # 😀";
        let end = if encodings == ["utf-8"] { line.len() } else { line.encode_utf16().count() };
        let at = json!({ "line": 2, "character": end });
        editor.change("app.dsl", 2, json!([{ "range": { "start": at, "end": at }, "text": "!" }]));
        let place = json!({ "position": { "line": 3, "character": 19 } });
        let found = editor.result("definition", "app.dsl", place);
        assert_eq!(found["range"]["start"], json!({ "line": 2, "character": 2 }), "{found}");
        assert_eq!(found["range"]["end"], json!({ "line": 2, "character": 2 + length }), "{found}");
        assert_eq!(editor.end(), Some(0));
    }
}

#[test]
fn blocks_of_rust_files_are_applications_of_their_own() {
    let text = "// dz! { no }\nfn é() {}\ndz::dz! {\n    entity Task:\n      id:   uuid pk\n      title: str(80)\n      label: computed titel\n}\nconst S: &str = \"dz! { no }\";\n";
    let folder = Folder::new("lsp-rust", &[("lib.rs", text)]);
    let mut editor = Editor::open(&folder, &[]);
    editor.open_text("lib.rs", text);
    let found = editor.findings("lib.rs");
    let wrong = found["diagnostics"].as_array().expect("a list").iter().find(|it| it["severity"] == 1).expect("an error").clone();
    assert_eq!(wrong["range"]["start"], place(text, "computed |titel"), "{found}");
    editor.change_text("lib.rs", 2, &text.replace("titel", "title"));
    let at = json!({ "position": place(text, "computed |titel") });
    assert_eq!(editor.result("definition", "lib.rs", at)["range"]["start"], place(text, "|title: str"));
    assert_eq!(editor.result("hover", "lib.rs", json!({ "position": { "line": 0, "character": 10 } })), Value::Null);
    assert_eq!(editor.result("documentSymbol", "lib.rs", json!({}))[0]["name"], "Task");
    let edits = editor.result("formatting", "lib.rs", json!({ "options": { "tabSize": 4, "insertSpaces": true } }));
    assert!(edits.to_string().contains("      id: "), "{edits}");
    assert!(!edits.to_string().contains("fn "), "{edits}");
    assert_eq!(editor.end(), Some(0));
}
