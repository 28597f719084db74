//! Servers of other languages for the same schema and the same database.

use std::{
    env, fs,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use dz::Engine;

use crate::{install, requests::Outcome};

/// The programs.
const STRAWBERRY: &str = include_str!("graphql/strawberry_server.py");
const YOGA: &str = include_str!("graphql/yoga_server.mjs");
/// The time limit of a start.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running server; its folder is deleted with this value.
pub struct Other {
    /// Its name.
    pub name: &'static str,
    /// Its port.
    pub port: u16,
    child: Child,
    folder: PathBuf,
}

impl Drop for Other {
    fn drop(&mut self) {
        // It can have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn folder(name: &str) -> Outcome<PathBuf> {
    let folder = env::temp_dir().join(format!("dz-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn start(name: &'static str, folder: &Path, mut command: Command) -> Outcome<Other> {
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let child = command.arg(port.to_string()).stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
    let mut other = Other { name, port, child, folder: folder.to_owned() };
    let begun = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if begun.elapsed() > PATIENCE || other.child.try_wait()?.is_some() {
            return Err(format!("{name} does not start").into());
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(other)
}

/// A server with Strawberry on uvicorn; `None` with a message if it cannot be installed.
///
/// # Errors
/// If it does not start.
pub fn strawberry(engine: Engine, address: &str) -> Outcome<Option<Other>> {
    let folder = folder("strawberry")?;
    let packages = ["strawberry-graphql[asgi]", "uvicorn[standard]", "psycopg[binary]"];
    let Some(python) = install::python(&folder, &packages)? else {
        fs::remove_dir_all(&folder)?;
        return Ok(None);
    };
    let file = folder.join("server.py");
    fs::write(&file, STRAWBERRY)?;
    let mut command = Command::new(python);
    command.arg(&file).arg(if engine == Engine::Sqlite { "sqlite" } else { "postgres" }).arg(address);
    start("Strawberry (Python)", &folder, command).map(Some)
}

/// A server with graphql-yoga on Node.js, over PostgreSQL; `None` with a message if it cannot be installed.
///
/// # Errors
/// If it does not start.
pub fn yoga(address: &str) -> Outcome<Option<Other>> {
    let folder = folder("yoga")?;
    if !install::node(&folder, &["graphql", "graphql-yoga", "dataloader", "pg"]) {
        fs::remove_dir_all(&folder)?;
        return Ok(None);
    }
    let file = folder.join("server.mjs");
    fs::write(&file, YOGA)?;
    let mut command = Command::new("node");
    command.current_dir(&folder).env("NODE_ENV", "production").arg(&file).arg(address);
    start("graphql-yoga (Node.js)", &folder, command).map(Some)
}
