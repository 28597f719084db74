//! `dz dev`, with a program that responds like an application and compiles within a second.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, ChildStdout, Command, Stdio},
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::folder::{Folder, says};

const DECLARATION: &str =
    "app shop \"Shop\"\n\nentity Maker \"Maker\":\n  id: uuid pk\n  name: str(40) required\n  permit:\n    list: true\n    read: true\n";
const MANIFEST: &str = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";

/// `/echo` shows the request, `/port` the port of the process, and everything else a page.
const PROGRAM: &str = r#"
use std::{io::{Read, Write}, net::TcpListener};

fn main() {
    let port = std::env::var("ROCKET_PORT").unwrap();
    let listener = TcpListener::bind(format!("127.0.0.1:{port}")).unwrap();
    println!("Shop is at http://127.0.0.1:{port}");
    for stream in listener.incoming() {
        let mut stream = stream.unwrap();
        let mut bytes = vec![0; 4096];
        let count = stream.read(&mut bytes).unwrap();
        let request = String::from_utf8_lossy(&bytes[..count]).into_owned();
        let (kind, body) = match request.split(' ').nth(1).unwrap_or_default() {
            "/echo" => ("text/plain", request),
            "/port" => ("text/plain", port.clone()),
            "/part" => ("text/html", "<p>part</p>".to_owned()),
            _ => ("text/html; charset=utf-8", "<html><head></head><body>VERSION ONE</body></html>".to_owned()),
        };
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Security-Policy: script-src 'self'\r\nContent-Length: {}\r\n\r\n", body.len());
        let _ = stream.write_all((head + &body).as_bytes());
    }
}
"#;

/// The time limit of a test. Streams of events never end by themselves, so a test that waits for the wrong event would wait forever.
const LIMIT: Duration = Duration::from_secs(300);

/// A run of the command in a folder.
struct Dev {
    folder: Folder,
    child: Child,
    lines: BufReader<ChildStdout>,
    address: String,
    /// Ends the thread that observes the limit.
    _limit: Sender<()>,
}

impl Drop for Dev {
    fn drop(&mut self) {
        end(self.child.id());
        let _ = self.child.wait();
    }
}

/// The command ends its application when it is asked to end, and not when it is killed.
fn end(process: u32) {
    let _ = Command::new("kill").args(["-TERM", &process.to_string()]).status();
}

impl Dev {
    fn start(name: &str, program: &str) -> Dev {
        let files = [("Cargo.toml", MANIFEST), ("src/main.rs", program), ("app.dsl", DECLARATION)];
        let folder = Folder::new(name, &files);
        let mut command = Command::new(env!("CARGO_BIN_EXE_dz"));
        command.args(["dev", "--port", "0"]).current_dir(&folder.0).env("CARGO_TARGET_DIR", folder.0.join("target"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("dz runs");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut first = String::new();
        lines.read_line(&mut first).expect("a line");
        let address = first.split("http://").nth(1).and_then(|rest| rest.split(' ').next()).expect("an address").to_owned();
        let (limit, over) = channel();
        let process = child.id();
        thread::spawn(move || {
            if over.recv_timeout(LIMIT) == Err(RecvTimeoutError::Timeout) {
                end(process);
            }
        });
        Dev { folder, child, lines, address, _limit: limit }
    }

    fn change(&self, file: &str, from: &str, to: &str) {
        let text = self.folder.read(file);
        assert!(text.contains(from), "`{from}` is not in {file}");
        fs::write(self.folder.0.join(file), text.replace(from, to)).expect("written");
    }

    fn get(&self, path: &str) -> String {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: shop.example\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n"))
    }

    fn send(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("the command answers");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    /// Waits for a version whose page contains these words.
    fn wait_for(&self, events: &mut Events, words: &str) {
        while !self.get("/").contains(words) {
            events.next("ready");
        }
    }

    /// The events that pages get.
    fn events(&self) -> Events {
        let mut stream = TcpStream::connect(&self.address).expect("the command answers");
        stream.write_all(b"GET /-/dz-dev/events HTTP/1.1\r\nHost: shop.example\r\n\r\n").expect("sent");
        Events(BufReader::new(stream))
    }
}

struct Events(BufReader<TcpStream>);

impl Events {
    /// The next event of this state; those before it have another one.
    fn next(&mut self, state: &str) -> Value {
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).expect("an event") > 0, "the stream of events ended");
            let Some(event) = line.strip_prefix("data: ") else { continue };
            let event: Value = serde_json::from_str(event).expect("JSON");
            if event["state"] == state {
                return event;
            }
        }
    }
}

#[test]
fn pages_follow_the_files_and_the_last_version_remains() {
    let mut dev = Dev::start("dev", PROGRAM);
    let mut events = dev.events();
    let first = events.next("ready");
    let page = dev.get("/");
    let version = first["version"].as_str().expect("a version").to_owned();
    let tags = format!(
        "<head><link rel=\"stylesheet\" href=\"/-/dz-dev/client.css\">\
         <script src=\"/-/dz-dev/client.js\" data-version=\"{version}\" defer></script></head>"
    );
    assert!(
        page.contains(&tags) && page.contains("VERSION ONE") && page.contains("content-security-policy: script-src 'self'\r\n"),
        "{page}"
    );
    assert!(dev.get("/-/dz-dev/client.js").contains("new EventSource(\"/-/dz-dev/events\")"));
    assert!(dev.get("/part").ends_with("\r\n\r\n<p>part</p>"));

    // A mistake in the declaration is shown with its place, before anything is compiled.
    let begun = Instant::now();
    dev.change("app.dsl", "str(40)", "strr(40)");
    let failed = events.next("failed");
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    let text = failed["text"].as_str().expect("a text");
    assert!(
        text.contains("error[unknown-type]") && text.contains("app.dsl:5:9") && text.contains("5 |   name: strr(40) required"),
        "{text}"
    );
    assert_eq!((failed["title"].as_str(), failed["version"].as_str()), (Some("The declaration has errors"), Some(version.as_str())));
    assert!(dev.get("/").contains("VERSION ONE"));
    // A page that is opened now shows it too.
    assert_eq!(dev.events().next("failed"), failed);
    dev.change("app.dsl", "strr(40)", "str(40)");
    assert_eq!(events.next("ready")["version"], version);

    dev.change("src/main.rs", "fn main() {", "fn main() {\n    let count: u8 = \"three\";");
    let failed = events.next("failed");
    let text = failed["text"].as_str().expect("a text");
    assert!(text.contains("mismatched types") && text.contains("src/main.rs:5:21"), "{text}");
    assert!(dev.get("/").contains("VERSION ONE"));
    dev.change("src/main.rs", "\n    let count: u8 = \"three\";", "");
    events.next("ready");

    dev.change("src/main.rs", "VERSION ONE", "VERSION TWO");
    dev.wait_for(&mut events, "VERSION TWO");
    assert_ne!(dev.events().next("ready")["version"], version);

    // A file in a new folder counts too.
    fs::create_dir_all(dev.folder.0.join("src/words")).expect("a folder");
    fs::write(dev.folder.0.join("src/words/three.rs"), "pub const WORDS: &str = \"VERSION THREE\";").expect("written");
    dev.change("src/main.rs", "VERSION TWO</body></html>\".to_owned()", "\".to_owned() + three::WORDS");
    dev.change("src/main.rs", "fn main() {", "#[path = \"words/three.rs\"]\nmod three;\n\nfn main() {");
    dev.wait_for(&mut events, "VERSION THREE");

    dev.change(
        "src/main.rs",
        "fn main() {",
        "fn main() {\n    eprintln!(\"error: the database does not fit\");\n    std::process::exit(1);",
    );
    let failed = events.next("failed");
    assert_eq!(failed["title"], "The application does not start");
    assert!(failed["text"].as_str().is_some_and(|text| text.contains("the database does not fit")), "{failed}");
    assert!(dev.get("/").contains("VERSION THREE"));

    // The terminal shows the address of the proxy, and not that of the process behind it.
    let mut line = String::new();
    while !line.starts_with("Shop is at ") {
        line.clear();
        dev.lines.read_line(&mut line).expect("a line");
    }
    assert_eq!(line, format!("Shop is at http://{}\n", dev.address));
}

#[test]
fn a_change_during_a_build_does_not_lose_the_one_before() {
    let dev = Dev::start("dev-during", PROGRAM);
    let mut events = dev.events();
    events.next("ready");
    dev.change("src/main.rs", "VERSION ONE", "VERSION TWO");
    events.next("building");
    // The build that follows has nothing to compile.
    fs::create_dir_all(dev.folder.0.join("locales")).expect("a folder");
    fs::write(dev.folder.0.join("locales/de.ftl"), "maker = Hersteller").expect("written");
    dev.wait_for(&mut events, "VERSION TWO");
}

/// As [`PROGRAM`], for a debug build of dz: it takes edits over, which `/edits` shows, unless they contain `refused`.
fn editable_program() -> String {
    let reads = r#"
    static EDITS: std::sync::Mutex<String> = std::sync::Mutex::new(String::new());
    assert_eq!(std::env::var("DZ_DEV_EDITS").unwrap(), "stdin");
    println!("dz-dev-edits: ready");
    std::thread::spawn(|| for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let answer = if line.contains("refused") { "no" } else { "taken over" };
        *EDITS.lock().unwrap() = line;
        println!("dz-dev-edits: {answer}");
    });
    "#;
    let program = PROGRAM.replacen("fn main() {", &format!("fn main() {{{reads}"), 1);
    program.replace("\"/port\" =>", "\"/edits\" => (\"text/plain\", EDITS.lock().unwrap().clone()),\n            \"/port\" =>")
}

#[test]
fn edits_of_texts_and_lists_need_no_build() {
    let dev = Dev::start("dev-edits", &editable_program());
    let mut events = dev.events();
    let first = events.next("ready");
    // The head of an answer has the time.
    let body = |dev: &Dev, path: &str| dev.get(path).rsplit("\r\n").next().expect("a body").to_owned();
    let port = body(&dev, "/port");
    let edits = |dev: &Dev| serde_json::from_str::<Value>(&body(dev, "/edits")).expect("JSON");
    dev.change("app.dsl", "app shop \"Shop\"", "app shop \"Corner shop\"");
    let second = events.next("ready");
    assert_ne!(second["version"], first["version"], "the pages are loaded again");
    assert_eq!(edits(&dev)["texts"], "app-title = Corner shop\n");
    // An error in between is shown, and its correction needs no build either.
    dev.change("app.dsl", "str(40)", "strr(40)");
    events.next("failed");
    dev.change("app.dsl", "strr(40)", "str(40)");
    assert_eq!(events.next("ready")["version"], second["version"]);
    // The declaration of the build has no edits.
    dev.change("app.dsl", "Corner shop", "Shop");
    events.next("ready");
    assert_eq!(edits(&dev), serde_json::json!({ "texts": "", "lists": [] }));
    assert_eq!(body(&dev, "/port"), port, "the same process answers");
    // A change of the program is built, and edits that the application refuses, too.
    dev.change("app.dsl", "list: true", "list: role(admin)");
    events.next("building");
    events.next("ready");
    assert_ne!(body(&dev, "/port"), port, "another process answers");
    dev.change("app.dsl", "\"Maker\"", "\"refused\"");
    events.next("building");
    events.next("ready");
}

#[test]
fn requests_reach_the_application_as_they_are() {
    let dev = Dev::start("dev-requests", PROGRAM);
    dev.events().next("ready");
    let answer = dev.send(
        "POST /echo HTTP/1.1\r\nHost: shop.example\r\nOrigin: http://shop.example\r\nConnection: close\r\nContent-Length: 5\r\n\r\na=b&c",
    );
    for part in ["POST /echo HTTP/1.1\r\n", "host: shop.example\r\n", "origin: http://shop.example\r\n", "\r\n\r\na=b&c"] {
        assert!(answer.to_lowercase().contains(&part.to_lowercase()), "{answer}");
    }
    assert!(!dev.get("/echo").contains("gzip"));
    // The application ends with the command.
    let port = dev.get("/port").rsplit("\r\n").next().expect("a body").to_owned();
    assert!(TcpStream::connect(format!("127.0.0.1:{port}")).is_ok());
    drop(dev);
    assert!(TcpStream::connect(format!("127.0.0.1:{port}")).is_err());
}

#[test]
fn a_page_waits_for_the_first_version() {
    let dev = Dev::start("dev-first", "fn main() { wrong }");
    let mut events = dev.events();
    let failed = events.next("failed");
    assert!(failed["text"].as_str().is_some_and(|text| text.contains("cannot find value `wrong`")), "{failed}");
    let page = dev.get("/");
    assert!(page.starts_with("HTTP/1.1 503 ") && page.contains("data-version=\"none\"") && page.contains("is not running yet"), "{page}");
    fs::write(dev.folder.0.join("src/main.rs"), PROGRAM).expect("written");
    events.next("ready");
    assert!(dev.get("/").contains("VERSION ONE"));
}

#[test]
fn a_folder_without_a_package_is_refused() {
    let folder = Folder::new("dev-refused", &[("app.dsl", DECLARATION)]);
    says(&folder.dz(&["dev", "--port", "0"]), 1, &["has no Cargo.toml; `dz new` creates an application"]);
    let folder = Folder::new("dev-empty", &[]);
    says(&folder.dz(&["dev", "--port", "0"]), 1, &["there is no app.dsl"]);
}
