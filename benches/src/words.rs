//! The words of a command line: names, and numbers as `name=5`.

use dz::Engine;

/// The words after the name of the program.
pub struct Words(Vec<String>);

impl Words {
    /// Those of this process.
    pub fn read() -> Words {
        Words(std::env::args().skip(1).collect())
    }

    /// True if the name is one of them.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|word| word == name)
    }

    /// A number, or `otherwise` without it.
    pub fn number(&self, name: &str, otherwise: u32) -> u32 {
        self.0.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('=')?.parse().ok()).unwrap_or(otherwise)
    }

    /// The named engines, or both.
    pub fn engines(&self) -> Vec<Engine> {
        let all = [("sqlite", Engine::Sqlite), ("postgres", Engine::Postgres)];
        let none = all.iter().all(|(name, _)| !self.has(name));
        all.into_iter().filter(|(name, _)| none || self.has(name)).map(|it| it.1).collect()
    }
}

/// The engine of an application that a benchmark has started.
pub fn engine_of_part() -> Engine {
    let name = std::env::var(crate::requests::place::ENGINE);
    if name.is_ok_and(|it| it == "postgres") { Engine::Postgres } else { Engine::Sqlite }
}
