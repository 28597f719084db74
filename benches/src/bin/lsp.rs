//! `dz lsp` while a user types: from the last byte of `didChange` to the findings of the changed text, and to those of the project.

use std::{
    env,
    error::Error,
    fs,
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Instant,
};

use dz_benches::{
    declaration::{Edits, declaration},
    median,
    whole::whole,
};
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Keystrokes in each text.
const ROUNDS: usize = 41;

/// Entities with their surfaces in about 10,000 lines.
const ENTITIES: usize = 238;

/// Files of the project.
const FILES: usize = 200;

fn main() -> Outcome<()> {
    let program = env::args().nth(1).unwrap_or_else(|| "target/release/dz".to_owned());
    let program = Path::new(&program).canonicalize()?;
    let folder = env::temp_dir().join(format!("dz-lsp-{}", std::process::id()));
    let measured = cases(&folder).and_then(|cases| {
        println!("| text | files | lines | findings of the text, ms | slowest, ms | findings of the project, ms | memory |");
        println!("|---|---|---|---|---|---|---|");
        cases.iter().try_for_each(|case| measure(&program, case))
    });
    fs::remove_dir_all(&folder)?;
    measured
}

/// A folder with texts, of which one is edited.
struct Case {
    what: &'static str,
    folder: PathBuf,
    /// The text that is edited.
    name: String,
    text: String,
    files: usize,
    lines: usize,
}

fn cases(root: &Path) -> Outcome<Vec<Case>> {
    let entities = declaration(ENTITIES, Edits::default());
    let all = whole(10_000);
    let block = |text: &str| format!("//! An application.\n\ndz::dz! {{\n{text}}}\n\nfn main() {{}}\n");
    let mut cases = vec![
        single(root, "entities and surfaces", "app.dsl", entities.clone())?,
        single(root, "every construct", "whole.dsl", all)?,
        single(root, "entities and surfaces in `dz! { }`", "main.rs", block(&entities))?,
    ];
    cases.push(project(root, &entities)?);
    Ok(cases)
}

fn single(root: &Path, what: &'static str, name: &str, text: String) -> Outcome<Case> {
    let folder = root.join(name.replace('.', "-"));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), &text)?;
    let lines = text.lines().count();
    Ok(Case { what, folder, name: name.to_owned(), text, files: 1, lines })
}

/// The same text, divided into files.
fn project(root: &Path, text: &str) -> Outcome<Case> {
    let folder = root.join("project");
    fs::create_dir_all(folder.join("dsl"))?;
    fs::write(folder.join("dz.toml"), "[project]\ndsl = [\"dsl\"]\n")?;
    let mut parts: Vec<String> = vec![String::new(); FILES];
    for (at, part) in text.split("\nentity ").enumerate() {
        let part = if at == 0 { part.to_owned() } else { format!("\nentity {part}") };
        parts[at % FILES].push_str(&part);
    }
    for (at, part) in parts.iter().enumerate() {
        fs::write(folder.join(format!("dsl/part{at:03}.dsl")), part)?;
    }
    let text = parts.swap_remove(1);
    let what = "entities and surfaces in a project";
    Ok(Case {
        what,
        folder,
        name: "dsl/part001.dsl".to_owned(),
        text,
        files: FILES,
        lines: parts.iter().map(|it| it.lines().count()).sum(),
    })
}

fn measure(program: &Path, case: &Case) -> Outcome<()> {
    let mut server = Server::start(program, case)?;
    // A word in the middle of the text, which gets and loses a letter; every fourth time a quote, which the text needs as a pair.
    let middle = case.text.len() / 2;
    let at = case.text[middle..].find("title: str").or_else(|| case.text.find("title: str")).ok_or("no line to edit")?;
    let at = if case.text[middle..].contains("title: str") { middle + at } else { at };
    let line = case.text[..at].matches('\n').count();
    let character = at - case.text[..at].rfind('\n').map_or(0, |it| it + 1) + "title".len();
    let (mut of_text, mut of_project) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let typed = if round % 4 == 3 { "\"" } else { "x" };
        for (end, text) in [(character, typed), (character + 1, "")] {
            let range = json!({ "start": { "line": line, "character": character }, "end": { "line": line, "character": end } });
            let (first, all) = server.change(case, &json!([{ "range": range, "text": text }]))?;
            of_text.push(first);
            of_project.push(all);
        }
    }
    let slowest = of_text.iter().copied().fold(0.0, f64::max);
    let memory = server.memory()?;
    println!(
        "| {} | {} | {} | {:.1} | {slowest:.1} | {:.1} | {memory} MB |",
        case.what,
        case.files,
        case.lines,
        median(of_text),
        median(of_project)
    );
    server.end()
}

/// A running server.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    version: i64,
}

impl Server {
    fn start(program: &Path, case: &Case) -> Outcome<Server> {
        let mut command = Command::new(program);
        command.arg("lsp").current_dir(&case.folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn()?;
        let (input, output) = child.stdin.take().zip(child.stdout.take()).ok_or("no pipes")?;
        let mut server = Server { child, input, output: BufReader::new(output), version: 1 };
        let root = format!("file://{}", case.folder.display());
        let params = json!({ "processId": null, "rootUri": root, "capabilities": {} });
        server.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }))?;
        server.receive()?;
        server.send(&json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }))?;
        let language = if case.name.ends_with(".rs") { "rust" } else { "dz" };
        let item = json!({ "uri": case.url(), "languageId": language, "version": 1, "text": case.text });
        server.send(&json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": item } }))?;
        server.findings(case, 1)?;
        Ok(server)
    }

    fn send(&mut self, message: &Value) -> Outcome<()> {
        let body = message.to_string();
        self.input.write_all(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())?;
        Ok(self.input.flush()?)
    }

    fn receive(&mut self) -> Outcome<Vec<u8>> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err("the server has ended".into());
            }
            match line.trim().strip_prefix("Content-Length: ") {
                Some(value) => length = value.parse()?,
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body)?;
        Ok(body)
    }

    /// Receives the findings of every file, and returns the times of those of the edited text and of the last file.
    fn findings(&mut self, case: &Case, version: i64) -> Outcome<(Instant, Instant)> {
        let mut of_text = None;
        for _ in 0..case.files {
            let body = self.receive()?;
            let instant = Instant::now();
            let message: Value = serde_json::from_slice(&body)?;
            if message["params"]["uri"] == case.url().as_str() {
                if message["params"]["version"] != version {
                    return Err(format!("the findings are not those of version {version}").into());
                }
                of_text = Some(instant);
            }
        }
        Ok((of_text.ok_or("no findings of the edited text")?, Instant::now()))
    }

    /// The milliseconds from a change to the findings of its text, and to those of every file.
    fn change(&mut self, case: &Case, changes: &Value) -> Outcome<(f64, f64)> {
        self.version += 1;
        let document = json!({ "uri": case.url(), "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.send(&json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": params }))?;
        let start = Instant::now();
        let (of_text, all) = self.findings(case, self.version)?;
        let milliseconds = |instant: Instant| (instant - start).as_secs_f64() * 1_000.0;
        Ok((milliseconds(of_text), milliseconds(all)))
    }

    /// The highest resident memory in megabytes.
    fn memory(&self) -> Outcome<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no memory")?;
        Ok(line.trim().trim_end_matches(" kB").trim().parse::<u64>()? / 1024)
    }

    fn end(mut self) -> Outcome<()> {
        self.send(&json!({ "jsonrpc": "2.0", "id": 2, "method": "shutdown" }))?;
        self.receive()?;
        self.send(&json!({ "jsonrpc": "2.0", "method": "exit" }))?;
        let ended = self.child.wait()?;
        if ended.success() { Ok(()) } else { Err(format!("{ended}").into()) }
    }
}

impl Case {
    fn url(&self) -> String {
        format!("file://{}", self.folder.join(&self.name).display())
    }
}
