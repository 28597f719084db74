//! Opening a connection: parsing of database addresses, and errors for operators.

#[cfg(feature = "sqlite")]
use std::path::{Path, PathBuf};

use diesel::connection::{Connection, SimpleConnection};

use super::Conn;
use crate::{Engine, Error};

/// The address of a database.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    #[cfg(feature = "sqlite")]
    Sqlite(PathBuf),
    /// A database in memory that the connections of the process share.
    #[cfg(all(feature = "sqlite", feature = "testing"))]
    Memory(String),
    #[cfg(feature = "postgres")]
    Postgres(String),
}

/// The prefix of the address of a database in memory, for tests.
#[cfg(all(feature = "sqlite", feature = "testing"))]
pub(crate) const MEMORY: &str = "memory://";

/// The purpose of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Read,
    Write,
}

/// An error of the configuration, as one sentence for the operator.
fn refusal(sentence: String) -> Error {
    Error::new(500, "DATABASE", sentence)
}

impl Target {
    /// Parses `url` for an application on `engine`.
    pub(crate) fn parse(engine: Engine, url: &str) -> Result<Target, Error> {
        let of_postgres = ["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme));
        match engine {
            #[cfg(feature = "sqlite")]
            Engine::Sqlite if of_postgres => Err(refusal(format!(
                "`{}` is the address of a PostgreSQL database, but this application is built for SQLite: write `sqlite://path/to/file.db`, or build it for PostgreSQL, with `database = \"postgres\"` in dz.toml and dz's feature `postgres`",
                without_password(url)
            ))),
            #[cfg(all(feature = "sqlite", feature = "testing"))]
            Engine::Sqlite if url.starts_with(MEMORY) => Ok(Target::Memory(memory_uri(url))),
            #[cfg(feature = "sqlite")]
            Engine::Sqlite => sqlite_path(url).map(Target::Sqlite),
            #[cfg(feature = "postgres")]
            Engine::Postgres if of_postgres => Ok(Target::Postgres(url.to_owned())),
            #[cfg(feature = "postgres")]
            Engine::Postgres => Err(refusal(format!(
                "`{}` is not the address of a PostgreSQL database, for which this application is built: write `postgres://user@host/database`",
                without_password(url)
            ))),
            #[cfg(not(feature = "sqlite"))]
            Engine::Sqlite => Err(refusal("SQLite is not compiled in: turn on dz's feature `sqlite`, or select another engine".into())),
            #[cfg(not(feature = "postgres"))]
            Engine::Postgres => {
                Err(refusal("PostgreSQL is not compiled in: turn on dz's feature `postgres`, or select another engine".into()))
            }
        }
    }

    /// The file of the database.
    pub(crate) fn file(&self) -> Option<&std::path::Path> {
        match self {
            #[cfg(feature = "sqlite")]
            Target::Sqlite(path) => Some(path),
            #[cfg(all(feature = "sqlite", feature = "testing"))]
            Target::Memory(_) => None,
            #[cfg(feature = "postgres")]
            Target::Postgres(_) => None,
        }
    }

    /// Opens and configures a connection.
    ///
    /// On PostgreSQL every connection serves both purposes.
    #[cfg_attr(not(feature = "sqlite"), expect(unused_variables, reason = "only SQLite distinguishes them"))]
    pub(crate) fn connect(&self, purpose: Purpose) -> Result<Conn, Error> {
        match self {
            #[cfg(feature = "sqlite")]
            Target::Sqlite(path) => connect_sqlite(path, purpose),
            #[cfg(all(feature = "sqlite", feature = "testing"))]
            Target::Memory(uri) => {
                let failed = |error: &dyn std::fmt::Display| refusal(format!("cannot open a database in memory ({error})"));
                configure_sqlite(uri, purpose, &failed)
            }
            #[cfg(feature = "postgres")]
            Target::Postgres(url) => connect_postgres(url),
        }
    }
}

#[cfg(feature = "sqlite")]
fn sqlite_path(url: &str) -> Result<PathBuf, Error> {
    let path = match url.split_once("://") {
        Some(("sqlite", path)) => path,
        Some((scheme, _)) => {
            return Err(refusal(format!("`{scheme}://` is not a database that dz supports: write `sqlite://path/to/file.db`")));
        }
        None => url.strip_prefix("sqlite:").unwrap_or(url),
    };
    if path.is_empty() {
        return Err(refusal(format!("`{url}` names no file: write `sqlite://path/to/file.db`")));
    }
    if path == ":memory:" {
        return Err(refusal(
            "with `:memory:` each connection has a database of its own: name a file, for example `sqlite://test.db`".into(),
        ));
    }
    if path.contains('?') {
        return Err(refusal(format!("`{url}` has options after `?`, which dz does not support: write only the path of the file")));
    }
    let path = Path::new(path);
    // The leading `./` prevents SQLite from interpreting a path as a URI.
    Ok(if path.is_absolute() { path.to_owned() } else { Path::new(".").join(path) })
}

/// The URI of SQLite for a database in memory. It exists as long as a connection to it is open.
#[cfg(all(feature = "sqlite", feature = "testing"))]
fn memory_uri(url: &str) -> String {
    format!("file:/{}?vfs=memdb", url.trim_start_matches(MEMORY))
}

#[cfg(feature = "sqlite")]
fn connect_sqlite(path: &Path, purpose: Purpose) -> Result<Conn, Error> {
    if purpose == Purpose::Write {
        check_file(path)?;
    }
    let shown = path.strip_prefix(".").unwrap_or(path).display();
    let text = path.to_str().ok_or_else(|| refusal(format!("`{shown}` is not UTF-8: give the database file another name")))?;
    let failed = |error: &dyn std::fmt::Display| {
        let reason = error.to_string();
        if reason.contains("file is not a database") {
            return refusal(format!("`{shown}` is not a SQLite database: name another file, or rename this one"));
        }
        if reason.contains("locked") {
            return refusal(format!("`{shown}` is locked by another program: end that program, or name another file"));
        }
        if path.exists() && (reason.contains("unable to open") || reason.contains("readonly")) {
            return not_writable(path, &reason);
        }
        refusal(format!("cannot open `{shown}` ({reason}): check the file and its directory, or name another file"))
    };
    configure_sqlite(text, purpose, &failed)
}

/// Opens a connection of SQLite and sets its options.
#[cfg(feature = "sqlite")]
fn configure_sqlite(address: &str, purpose: Purpose, failed: &dyn Fn(&dyn std::fmt::Display) -> Error) -> Result<Conn, Error> {
    let mut conn = diesel::sqlite::SqliteConnection::establish(address).map_err(|error| failed(&error))?;
    // With the write-ahead log and NORMAL, the operating system has every commit before it is acknowledged, so a crash of this
    // process does not lose it.
    let setup: &[&str] = match purpose {
        // All requests wait during a checkpoint. At 16 MB instead of the default 4 MB, pages that many writes change are written
        // back a quarter as often.
        Purpose::Write => &[
            "PRAGMA busy_timeout = 5000",
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = NORMAL",
            "PRAGMA wal_autocheckpoint = 4000",
            "PRAGMA foreign_keys = ON",
        ],
        // The kernel caches the pages of the file. A memory map would count as memory of the process, once for each reader.
        Purpose::Read => &["PRAGMA busy_timeout = 5000", "PRAGMA foreign_keys = ON", "PRAGMA query_only = ON", "PRAGMA cache_size = -1024"],
    };
    for pragma in setup {
        conn.batch_execute(pragma).map_err(|error| failed(&error))?;
    }
    super::functions::register(&mut conn).map_err(|error| failed(&error))?;
    Ok(Conn::from_sqlite(conn))
}

/// Finds the cause of the SQLite error "unable to open database file".
///
/// It never opens the file: to close any descriptor of a file ends all POSIX locks of the process on it, also those of SQLite. Another
/// process that closes the database would then remove the write-ahead log while this one uses it.
#[cfg(feature = "sqlite")]
fn check_file(path: &Path) -> Result<(), Error> {
    let shown = path.strip_prefix(".").unwrap_or(path).display();
    if path.is_dir() {
        return Err(refusal(format!("`{shown}` is a directory: name a file in it, for example `sqlite://{shown}/app.db`")));
    }
    match (path.metadata(), path.parent()) {
        (Ok(file), _) if file.permissions().readonly() => Err(not_writable(path, &"it is read-only")),
        (Err(_), Some(directory)) if !directory.is_dir() => Err(refusal(format!(
            "cannot create `{shown}`: the directory `{}` does not exist; create it, or name another file",
            directory.strip_prefix(".").unwrap_or(directory).display()
        ))),
        (Err(_), _) => {
            create_file(path);
            Ok(())
        }
        (Ok(_), _) => Ok(()),
    }
}

/// Creates an empty database that other users of the machine cannot read. SQLite gives the files beside it the same permissions, and
/// reports why it cannot create them. It never opens a file that exists, as [`check_file`].
#[cfg(feature = "sqlite")]
fn create_file(path: &Path) {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let _ = options.open(path);
}

#[cfg(feature = "sqlite")]
fn not_writable(path: &Path, reason: &dyn std::fmt::Display) -> Error {
    let shown = path.strip_prefix(".").unwrap_or(path).display();
    refusal(format!("cannot read and write `{shown}` ({reason}): change its permissions, or name another file"))
}

#[cfg(feature = "postgres")]
fn connect_postgres(url: &str) -> Result<Conn, Error> {
    let failed = |error: &dyn std::fmt::Display| {
        let reason = error.to_string();
        let reason = reason.lines().next().unwrap_or_default().trim();
        refusal(format!("cannot connect to `{}` ({reason}): start the server, or correct the address", without_password(url)))
    };
    let mut conn = diesel::pg::PgConnection::establish(&with_timeouts(url)).map_err(|error| failed(&error))?;
    conn.batch_execute("SET TIME ZONE 'UTC'; SET client_min_messages = warning").map_err(|error| failed(&error))?;
    Ok(Conn::from_postgres(conn))
}

/// The address with limits of the time in which a server must respond, unless it has them: otherwise a connection to a machine that has
/// failed would wait for minutes, and the next of several servers would not be tried.
#[cfg(feature = "postgres")]
fn with_timeouts(url: &str) -> String {
    let (_, authority) = url.split_once("://").unwrap_or_default();
    let is_list = authority.split('/').next().is_some_and(|hosts| hosts.contains(','));
    let limits = [
        ("connect_timeout", if is_list { "2" } else { "5" }),
        // Milliseconds until sent data must be acknowledged.
        ("tcp_user_timeout", "5000"),
        ("keepalives_idle", "5"),
        ("keepalives_interval", "2"),
        ("keepalives_count", "3"),
    ];
    limits.iter().filter(|(name, _)| !url.contains(&format!("{name}="))).fold(url.to_owned(), |url, (name, value)| {
        let separator = if url.contains('?') { '&' } else { '?' };
        format!("{url}{separator}{name}={value}")
    })
}

/// The address without its password. An address with several hosts is not a URL, so that its text is read.
fn without_password(address: &str) -> String {
    let hidden = |user: &str| user.split_once(':').map(|(name, _)| format!("{name}:…"));
    let parts = address.split_once("://").and_then(|(scheme, rest)| {
        let end = rest.find('?').unwrap_or(rest.len());
        let at = rest[..end].rfind('@')?;
        Some(format!("{scheme}://{}{}", hidden(&rest[..at])?, &rest[at..]))
    });
    let shown = parts.unwrap_or_else(|| address.to_owned());
    match shown.split_once("password=") {
        Some((before, rest)) => format!("{before}password=…{}", rest.find('&').map_or("", |end| &rest[end..])),
        None => shown,
    }
}

#[cfg(all(test, feature = "postgres"))]
mod tests {
    use super::*;

    #[test]
    fn no_message_has_a_password() {
        for (address, shown) in [
            ("postgres://me:secret@one/x", "postgres://me:…@one/x"),
            ("postgres://me:a%2Fb@one:1,two:2/x?sslmode=require", "postgres://me:…@one:1,two:2/x?sslmode=require"),
            ("postgres://me@one/x?password=secret&user=me", "postgres://me@one/x?password=…&user=me"),
            ("postgres://one/x@y", "postgres://one/x@y"),
        ] {
            assert_eq!(without_password(address), shown);
        }
    }

    #[test]
    fn connections_have_limits_of_time_unless_the_address_sets_them() {
        assert!(with_timeouts("postgres://one/x").starts_with("postgres://one/x?connect_timeout=5&tcp_user_timeout=5000&"));
        let several = with_timeouts("postgres://one,two/x?target_session_attrs=read-write&tcp_user_timeout=9");
        assert!(
            several.starts_with("postgres://one,two/x?target_session_attrs=read-write&tcp_user_timeout=9&connect_timeout=2&"),
            "{several}"
        );
        assert!(!several.contains("tcp_user_timeout=5000"));
    }
}
