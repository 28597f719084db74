//! Programs between clients, instances and the database: PgBouncer in transaction mode, and HAProxy.
//!
//! `./test.sh` installs both (Debian packages). Without a program, its tests only report that it is not installed.

pub(crate) mod haproxy;
mod pgbouncer;

use std::{
    net::TcpListener,
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A program that a test has started.
pub(crate) struct Program {
    child: Child,
    folder: PathBuf,
    pub(crate) port: u16,
}

/// A free port on this machine.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port").port()
}

impl Program {
    /// Starts a program with a configuration file, unless it is not installed; `port` is where it then listens.
    fn start(name: &str, port: u16, configuration: &str, arguments: &[&str]) -> Option<Program> {
        let found = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"].map(|folder| PathBuf::from(folder).join(name));
        let Some(path) = found.iter().find(|path| path.exists()) else {
            println!("{name} is not installed: install it to run this test");
            return None;
        };
        let folder = std::env::temp_dir().join(format!("dz-{name}-{}-{port}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("configuration");
        std::fs::write(&file, configuration).expect("a configuration");
        let mut command = Command::new(path);
        command.args(arguments).arg(&file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let program = Program { child: command.spawn().expect("the program starts"), folder, port };
        let start = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed() < Duration::from_secs(60), "{name} does not answer");
            thread::sleep(Duration::from_millis(20));
        }
        Some(program)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
