//! `dz mcp` over a project of many constructs: the median of each operation, from the last byte of a request to its answer.

use std::{
    error::Error,
    fs,
    io::{BufRead, BufReader, Write, stderr, stdout},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Files of the project.
const FILES: usize = 200;

/// Groups of an entity with four surfaces in each file: 10,000 constructs in all.
const GROUPS: usize = 10;

/// Calls of each operation.
const ROUNDS: usize = 21;

fn main() -> Outcome<()> {
    let program = std::env::args().nth(1).unwrap_or_else(|| "target/release/dz".to_owned());
    let folder = std::env::temp_dir().join(format!("dz-knowledge-{}", std::process::id()));
    let measured = write_project(&folder).and_then(|()| measure(Path::new(&program), &folder));
    fs::remove_dir_all(&folder)?;
    measured
}

/// The text of a file: entities that refer to each other and to the first entity, each with its pages.
fn file(at: usize) -> String {
    let mut text = if at == 0 { "persona clerk \"Clerk\"\n\npersona boss \"Boss\"\n\n".to_owned() } else { String::new() };
    for group in 0..GROUPS {
        let (name, other) = (format!("Thing{}", at * GROUPS + group), format!("Thing{}", (at * GROUPS + group) / 2));
        let module = format!("thing_{}", at * GROUPS + group);
        text.push_str(&format!(
            "entity {name} \"Thing {at} {group}\":\n  intent: \"What department {at} keeps of subject {group}\"\n  id: uuid pk\n  title: str(120) \
             required\n  parent: ref {other}\n  due: date\n  amount: decimal(10, 2) = 0\n  status: enum[open, working, closed] = open\n  \
             transitions:\n    open -> working\n    working -> closed: role(boss)\n    final: closed\n  permit:\n    list: role(clerk, boss)\n    \
             read: role(clerk, boss)\n    create: role(clerk)\n    update: role(clerk, boss)\n\n"
        ));
        for mode in ["list", "view", "create", "edit"] {
            text.push_str(&format!("surface {module}_{mode} \"{mode} {at} {group}\":\n  uses entity {name}\n  mode: {mode}\n"));
            text.push_str("  section main:\n    field title\n    field due\n\n");
        }
    }
    text
}

fn write_project(folder: &Path) -> Outcome<()> {
    fs::create_dir_all(folder.join("dsl"))?;
    fs::write(folder.join("dz.toml"), "[project]\ndsl = [\"dsl\"]\n")?;
    for at in 0..FILES {
        fs::write(folder.join(format!("dsl/part{at:03}.dsl")), file(at))?;
    }
    Ok(())
}

/// A running server.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start(program: &Path, folder: &Path) -> Outcome<Server> {
        let program = program.canonicalize()?;
        let mut child = Command::new(program)
            .arg("mcp")
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()?;
        let (input, output) = child.stdin.take().zip(child.stdout.take()).ok_or("no pipes")?;
        Ok(Server { child, input, output: BufReader::new(output) })
    }

    /// The answer of a call.
    fn answer(&mut self, arguments: &Value) -> Outcome<Value> {
        self.send(arguments)?;
        let mut answer = String::new();
        self.output.read_line(&mut answer)?;
        Ok(serde_json::from_str(&answer)?)
    }

    fn send(&mut self, arguments: &Value) -> Outcome<Instant> {
        let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} });
        let params = json!({ "name": "graph", "arguments": arguments, "_meta": meta });
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string() + "\n";
        let start = Instant::now();
        self.input.write_all(request.as_bytes())?;
        Ok(start)
    }

    /// The time of a call, and the length of its answer.
    fn call(&mut self, arguments: &Value) -> Outcome<(Duration, usize)> {
        let start = self.send(arguments)?;
        let mut answer = String::new();
        self.output.read_line(&mut answer)?;
        let time = start.elapsed();
        if answer.contains("\"isError\":true") || answer.contains("\"code\":-3") {
            return Err(answer.into());
        }
        Ok((time, answer.len()))
    }

    /// Resident memory in megabytes.
    fn memory(&self) -> Outcome<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no memory")?;
        Ok(line.trim().trim_end_matches(" kB").trim().parse::<u64>()? / 1024)
    }
}

fn measure(program: &Path, folder: &Path) -> Outcome<()> {
    let mut out = stdout().lock();
    let start = Instant::now();
    let mut server = Server::start(program, folder)?;
    server.call(&json!({ "operation": "stats" }))?;
    writeln!(out, "| first answer after the start | {:.0} ms |", start.elapsed().as_secs_f64() * 1000.0)?;
    let id = "entity:Thing700";
    for arguments in [
        json!({ "operation": "query", "text": "what department 7 keeps" }),
        json!({ "operation": "query", "text": "departmant of subjct" }),
        json!({ "operation": "neighbourhood", "entity_id": id, "depth": 2 }),
        json!({ "operation": "dependencies", "entity_id": id, "transitive": true }),
        json!({ "operation": "dependents", "entity_id": "entity:Thing3", "transitive": true }),
        json!({ "operation": "paths", "source_id": id, "target_id": "entity:Thing21" }),
        json!({ "operation": "concept", "name": "approval" }),
        json!({ "operation": "inference", "text": "a manager must approve" }),
        json!({ "operation": "propose", "text": "tickets that agents take" }),
        json!({ "operation": "topology", "entity": "Thing700" }),
        json!({ "operation": "triggers", "entity": "Thing700" }),
        json!({ "operation": "stats" }),
        json!({ "operation": "access", "entity": "Thing700" }),
        json!({ "operation": "access" }),
        json!({ "operation": "impact", "entity": "Thing700", "field": "due" }),
        json!({ "operation": "impact", "entity": "Thing700" }),
        json!({ "operation": "impact", "role": "clerk" }),
        json!({ "operation": "validate", "text": "entity Note:\n  id: uuid pk\n  titel: strr(20)\n" }),
        json!({ "operation": "populate" }),
        json!({ "operation": "explain", "rule": "unknown-role" }),
        json!({ "operation": "topology" }),
        json!({ "operation": "export" }),
    ] {
        let mut times: Vec<Duration> = (0..ROUNDS).map(|_| server.call(&arguments).map(|it| it.0)).collect::<Outcome<_>>()?;
        times.sort();
        writeln!(
            out,
            "| `{}` | {:.1} ms |",
            arguments.to_string().chars().take(80).collect::<String>(),
            times[ROUNDS / 2].as_secs_f64() * 1000.0
        )?;
    }
    import(&mut server, folder, &mut out)?;
    change(&mut server, folder, &mut out)?;
    writeln!(out, "| memory | {} MB |", server.memory()?)?;
    let Server { mut child, input, .. } = server;
    drop(input);
    let ended = child.wait()?;
    if !ended.success() {
        writeln!(stderr(), "{ended}")?;
    }
    Ok(())
}

/// Imports what `export` returned, from a file.
fn import(server: &mut Server, folder: &Path, out: &mut impl Write) -> Outcome<()> {
    let exported = server.answer(&json!({ "operation": "export" }))?;
    fs::write(folder.join("graph.json"), exported["result"]["structuredContent"].to_string())?;
    for mode in ["merge", "replace"] {
        let (time, _) = server.call(&json!({ "operation": "import", "file_path": "graph.json", "mode": mode }))?;
        writeln!(out, "| `import`, {mode} | {:.0} ms |", time.as_secs_f64() * 1000.0)?;
    }
    let empty = json!({ "version": "1.0", "entities": [], "relations": [] });
    server.call(&json!({ "operation": "import", "data": empty, "mode": "replace" }))?;
    server.call(&json!({ "operation": "populate" }))?;
    Ok(())
}

/// Changes a file several times, and measures the next call of each operation that reads the change.
fn change(server: &mut Server, folder: &Path, out: &mut impl Write) -> Outcome<()> {
    let changed: PathBuf = folder.join("dsl/part100.dsl");
    let calls = [
        ("a call", json!({ "operation": "topology", "entity": "Thing1000" })),
        ("`query`", json!({ "operation": "query", "text": "what department 100 keeps" })),
        ("`access`", json!({ "operation": "access", "entity": "Thing1000" })),
        ("`impact`", json!({ "operation": "impact", "entity": "Thing1000", "field": "title" })),
        ("`populate`", json!({ "operation": "populate" })),
    ];
    for (name, arguments) in calls {
        let mut times = Vec::new();
        for round in 0..9 {
            fs::write(&changed, file(100).replace("due", &format!("due_{round}")))?;
            times.push(server.call(&arguments)?.0);
        }
        times.sort();
        writeln!(out, "| {name} after a change of a file | {:.1} ms |", times[4].as_secs_f64() * 1000.0)?;
    }
    Ok(())
}
