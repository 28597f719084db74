//! PostgreSQL servers of a test: a primary and its replicas, from the Debian package `postgresql`.
//!
//! They listen on loopback only, and their files are in a folder that the end of the test removes.

use std::{
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use diesel::{Connection, RunQueryDsl, pg::PgConnection, sql_query};

/// A server, which ends with this value.
pub(crate) struct Server {
    folder: PathBuf,
    pub(crate) port: u16,
}

/// The folder of the programs of PostgreSQL; `None` if it is not installed.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
    let mut found: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).filter(|bin| bin.join("initdb").exists()).collect();
    found.sort();
    let last = found.pop();
    if last.is_none() {
        println!("postgresql is not installed: install it to run this test");
    }
    last
}

fn is_root() -> bool {
    std::os::unix::fs::MetadataExt::uid(&std::fs::metadata("/proc/self").expect("this process")) == 0
}

/// Runs a program of PostgreSQL, which refuses to run as root.
fn run(program: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(if is_root() { Path::new("runuser") } else { program });
    if is_root() {
        command.args(["-u", "postgres", "--"]).arg(program);
    }
    // A server keeps the streams of the program that starts it.
    let done = command.args(arguments).current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).output();
    done.unwrap_or_else(|error| panic!("{}: {error}", program.display()))
}

#[track_caller]
fn succeed(program: &Path, arguments: &[&str]) {
    let done = run(program, arguments);
    assert!(done.status.success(), "{} {arguments:?}: {done:?}", program.display());
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port").port()
}

/// Repeats a question until its answer is yes; the machine determines how long this takes.
#[track_caller]
pub(crate) fn wait_for(what: &str, question: impl Fn() -> bool) {
    let start = Instant::now();
    while !question() {
        assert!(start.elapsed() < Duration::from_secs(120), "{what}: it does not happen");
        thread::sleep(Duration::from_millis(50));
    }
}

impl Server {
    /// A new primary; `None` if PostgreSQL is not installed.
    pub(crate) fn primary(of: &str) -> Option<Server> {
        let bin = programs()?;
        let server = Server::with_folder(of);
        succeed(
            &bin.join("initdb"),
            &["-D", &server.data(), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
        );
        server.start();
        Some(server)
    }

    /// A folder of the user who runs the server.
    fn with_folder(of: &str) -> Server {
        let port = free_port();
        let folder = std::env::temp_dir().join(format!("dz-server-{of}-{}-{port}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        if is_root() {
            let done = Command::new("chown").arg("postgres").arg(&folder).status().expect("chown runs");
            assert!(done.success());
        }
        Server { folder, port }
    }

    /// The folder of its data, which only its user may open.
    fn data(&self) -> String {
        self.folder.join("data").to_str().expect("UTF-8").to_owned()
    }

    /// A replica of this server.
    pub(crate) fn replica(&self, of: &str) -> Server {
        let (bin, copy) = (programs().expect("the programs of this server"), Server::with_folder(of));
        let port = self.port.to_string();
        let source =
            ["-h", "127.0.0.1", "-p", &port, "-U", "postgres", "-R", "-X", "stream", "-c", "fast", "--no-sync", "-D", &copy.data()];
        succeed(&bin.join("pg_basebackup"), &source);
        copy.start();
        copy
    }

    pub(crate) fn start(&self) {
        let bin = programs().expect("the programs of this server");
        let log = self.folder.join("log");
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c max_connections=200 -c shared_buffers=16MB",
            self.port
        );
        let log = log.to_str().expect("UTF-8");
        succeed(&bin.join("pg_ctl"), &["-D", &self.data(), "-w", "-t", "120", "-l", log, "-o", &options, "start"]);
    }

    /// Ends the server at once.
    pub(crate) fn stop(&self) {
        let bin = programs().expect("the programs of this server");
        run(&bin.join("pg_ctl"), &["-D", &self.data(), "-w", "-m", "immediate", "stop"]);
    }

    /// Kills the server and the processes of its sessions with SIGKILL.
    pub(crate) fn kill(&self) {
        let pid = std::fs::read_to_string(self.folder.join("data/postmaster.pid")).expect("a running server");
        let pid = pid.lines().next().expect("the process of the server").to_owned();
        // `pg_ctl` starts the server as the leader of a group.
        let killed = Command::new("kill").args(["-KILL", "--", &format!("-{pid}")]).status().expect("kill runs");
        assert!(killed.success(), "process group {pid}");
    }

    /// Stops or continues the server and its sessions, which keep their connections: it does not respond, as one whose disk hangs.
    pub(crate) fn hang(&self, hang: bool) {
        let pid = std::fs::read_to_string(self.folder.join("data/postmaster.pid")).expect("a running server");
        let pid = pid.lines().next().expect("the process of the server");
        let signal = if hang { "-STOP" } else { "-CONT" };
        for command in [["kill", signal, pid].as_slice(), &["pkill", signal, "-P", pid]] {
            let sent = Command::new(command[0]).args(&command[1..]).status().expect("the command runs");
            assert!(sent.success(), "{command:?}");
        }
    }

    /// Makes this replica the primary, and returns when it accepts changes.
    pub(crate) fn promote(&self) {
        let bin = programs().expect("the programs of this server");
        succeed(&bin.join("pg_ctl"), &["-D", &self.data(), "-w", "-t", "120", "promote"]);
    }

    /// The address of a database of this server.
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    /// Runs statements in a database.
    #[track_caller]
    pub(crate) fn run(&self, database: &str, sql: &str) {
        let mut conn = PgConnection::establish(&self.url(database)).expect("the server answers");
        sql_query(sql).execute(&mut conn).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    /// True if a condition holds.
    pub(crate) fn holds(&self, condition: &str) -> bool {
        #[derive(diesel::QueryableByName)]
        struct Found {
            #[diesel(sql_type = diesel::sql_types::Bool)]
            found: bool,
        }
        let Ok(mut conn) = PgConnection::establish(&self.url("postgres")) else { return false };
        sql_query(format!("SELECT ({condition}) AS found")).get_result::<Found>(&mut conn).is_ok_and(|row| row.found)
    }

    /// Stops or continues the replay of the log on a replica.
    pub(crate) fn pause(&self, pause: bool) {
        self.run("postgres", if pause { "SELECT pg_wal_replay_pause()" } else { "SELECT pg_wal_replay_resume()" });
        wait_for("the replay", || {
            self.holds(if pause { "pg_get_wal_replay_pause_state() = 'paused'" } else { "NOT pg_is_wal_replay_paused()" })
        });
    }

    /// Waits until this replica has everything that `primary` has written.
    pub(crate) fn catch_up(&self, primary: &Server) {
        #[derive(diesel::QueryableByName)]
        struct Position {
            #[diesel(sql_type = diesel::sql_types::Text)]
            at: String,
        }
        let mut conn = PgConnection::establish(&primary.url("postgres")).expect("the primary answers");
        // Commits that do not wait for the disk are flushed with one that does.
        sql_query("SELECT pg_logical_emit_message(true, 'catch up', '')").execute(&mut conn).expect("a record of the log");
        let position = sql_query("SELECT pg_current_wal_flush_lsn()::text AS at").get_result::<Position>(&mut conn).expect("a position");
        wait_for("the replica has everything", || self.holds(&format!("pg_last_wal_replay_lsn() >= '{}'", position.at)));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
