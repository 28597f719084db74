//! The databases of a run, and the start of the applications.

use std::{
    env, fs, io,
    path::PathBuf,
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

use diesel::{Connection as _, connection::SimpleConnection};
use dz::Engine;

use super::{Outcome, SEEN, drive::UNDER};
use crate::bare::Bare;

/// Selects the application that this process serves, in place of the measurement.
pub const PART: &str = "DZ_BENCH_PART";
/// The engine of a part.
pub const ENGINE: &str = "DZ_BENCH_ENGINE";
/// The maximum size of a body, sufficient for 100,000 rows of CSV.
const BODY: u32 = 64 << 20;

/// An application of the bench.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The declared application.
    Dz,
    /// The application written by hand.
    ByHand,
    /// The lean application written by hand, with the same database.
    Lean,
    /// The declared application with a filtered list.
    Filtered,
    /// The declared application of a benchmark that has no second application.
    Single,
}

impl Part {
    /// Applications with a database of their own.
    const STORED: [Part; 3] = [Part::Dz, Part::ByHand, Part::Filtered];

    fn stored(self) -> Part {
        if self == Part::Lean { Part::ByHand } else { self }
    }

    /// The word for it in [`PART`].
    pub fn word(self) -> &'static str {
        match self {
            Part::Dz => "dz",
            Part::ByHand => "by-hand",
            Part::Lean => "lean",
            Part::Filtered => "filtered",
            Part::Single => "single",
        }
    }
}

/// The databases, which are deleted with this value.
pub struct Place {
    /// The engine.
    pub engine: Engine,
    /// The number of rows at the start.
    pub rows: u32,
    parts: &'static [Part],
    folder: PathBuf,
    server: String,
    name: String,
}

impl Place {
    /// A new folder, or new databases on the server of `DZ_TEST_POSTGRES`.
    ///
    /// # Errors
    /// If there is no server, or it refuses.
    pub fn new(engine: Engine, rows: u32) -> Outcome<Place> {
        Place::with_parts(engine, rows, &Part::STORED)
    }

    /// As [`new`](Place::new), with the database of a single application.
    ///
    /// # Errors
    /// If there is no server, or it refuses.
    pub fn single(engine: Engine, rows: u32) -> Outcome<Place> {
        Place::with_parts(engine, rows, &[Part::Single])
    }

    fn with_parts(engine: Engine, rows: u32, parts: &'static [Part]) -> Outcome<Place> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let name = format!("requests_{}_{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let folder = env::temp_dir().join(format!("dz-{name}"));
        fs::create_dir_all(&folder)?;
        let server = match engine {
            Engine::Sqlite => String::new(),
            Engine::Postgres => env::var("DZ_TEST_POSTGRES").map_err(|_| "set DZ_TEST_POSTGRES to the address of a PostgreSQL server")?,
        };
        let place = Place { engine, rows, parts, folder, server, name };
        if engine == Engine::Postgres {
            let mut conn = diesel::PgConnection::establish(&place.server)?;
            for part in parts {
                conn.batch_execute(&format!("CREATE DATABASE {}", place.database(*part)))?;
            }
        }
        Ok(place)
    }

    /// The number of accounts that own the rows.
    pub fn people(&self) -> usize {
        (self.rows / SEEN) as usize
    }

    fn database(&self, part: Part) -> String {
        format!("dz_{}_{}", self.name, part.stored().word().replace('-', "_"))
    }

    /// The address of an application's database.
    pub fn url(&self, part: Part) -> String {
        match (self.engine, part) {
            (Engine::Sqlite, Part::ByHand | Part::Lean) => self.file(part).display().to_string(),
            (Engine::Sqlite, part) => format!("sqlite://{}", self.file(part).display()),
            (Engine::Postgres, part) => {
                let base = self.server.rsplit_once('/').map_or(self.server.as_str(), |(base, _)| base);
                format!("{base}/{}", self.database(part))
            }
        }
    }

    fn file(&self, part: Part) -> PathBuf {
        self.folder.join(format!("{}.db", part.stored().word()))
    }

    /// Runs SQL on an application's database, and returns the milliseconds that it took.
    ///
    /// # Errors
    /// Errors of the database.
    pub fn run(&self, part: Part, sql: &str) -> Outcome<f64> {
        self.connect(part)?.run(sql)
    }

    /// Connects to an application's database.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn connect(&self, part: Part) -> Outcome<Bare> {
        match self.engine {
            Engine::Sqlite => Bare::sqlite(&self.file(part).display().to_string()),
            Engine::Postgres => Bare::postgres(&self.url(part)),
        }
    }

    /// Runs the analysis that PostgreSQL runs by itself after a minute.
    ///
    /// # Errors
    /// Errors of the database.
    pub fn analyse(&self) -> Outcome<()> {
        if self.engine == Engine::Postgres {
            for part in [Part::Dz, Part::ByHand] {
                self.run(part, "VACUUM ANALYZE")?;
            }
        }
        Ok(())
    }

    /// The command that starts an application.
    ///
    /// # Errors
    /// If this program cannot be found.
    pub fn command(&self, part: Part) -> io::Result<Command> {
        self.set_environment(Command::new(env::current_exe()?), part)
    }

    /// Runs the command `user` of a declared application.
    ///
    /// # Errors
    /// If it fails.
    pub fn user(&self, part: Part, args: &[&str]) -> Outcome<()> {
        let done = self.command(part)?.arg("user").args(args).stdout(Stdio::null()).status()?;
        if done.success() { Ok(()) } else { Err(format!("`user {}` failed", args.join(" ")).into()) }
    }

    /// As [`command`](Place::command), under the command that `DZ_BENCH_UNDER` names.
    ///
    /// # Errors
    /// If this program cannot be found.
    pub fn measured_command(&self, part: Part) -> io::Result<Command> {
        let under = env::var(UNDER).unwrap_or_default();
        let mut words = under.split_whitespace();
        let Some(program) = words.next() else { return self.command(part) };
        let mut command = Command::new(program);
        command.args(words.map(|word| word.replace("{part}", part.word())));
        command.arg(env::current_exe()?);
        self.set_environment(command, part)
    }

    fn set_environment(&self, mut command: Command, part: Part) -> io::Result<Command> {
        command
            .current_dir(&self.folder)
            .env(PART, part.word())
            .env(ENGINE, if self.engine == Engine::Postgres { "postgres" } else { "sqlite" })
            .env("DATABASE_URL", self.url(part))
            .env("ROCKET_DZ", format!("{{body_limit={BODY},log_level=\"warn\"}}"))
            .env("ROCKET_PROFILE", "release")
            .env("ROCKET_LOG_LEVEL", "off");
        Ok(command)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
        if let (Engine::Postgres, Ok(mut conn)) = (self.engine, diesel::PgConnection::establish(&self.server)) {
            for part in self.parts {
                let _ = conn.batch_execute(&format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.database(*part)));
            }
        }
    }
}
