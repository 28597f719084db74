//! Budgets of addresses, and the report of those that exceed them.

use dz::Engine;

/// The maximum number of statements of an address, on SQLite and on PostgreSQL.
pub struct Budget {
    name: &'static str,
    most: [u64; 2],
}

impl Budget {
    /// The maximum on an engine.
    pub fn most(&self, engine: Engine) -> u64 {
        self.most[usize::from(engine == Engine::Postgres)]
    }

    pub fn is(&self, name: &str) -> bool {
        self.name == name
    }
}

/// An entry of the table. One statement of each loads the session.
pub const fn budget(name: &'static str, most: u64) -> Budget {
    Budget { name, most: [most; 2] }
}

/// As [`budget`], with different numbers for the engines.
pub const fn budgets(name: &'static str, most: [u64; 2]) -> Budget {
    Budget { name, most }
}

/// The statements of each address by its name.
pub type Found = Vec<(&'static str, u64)>;

/// Compares the results with few and with many rows with the table, and with each other.
#[track_caller]
pub fn check(engine: Engine, table: &[Budget], few: &Found, many: &Found) {
    let mut wrong = Vec::new();
    for ((name, few), (_, many)) in few.iter().zip(many) {
        let most = table.iter().find(|it| it.is(name)).unwrap_or_else(|| panic!("`{name}` has no budget")).most(engine);
        if few != many {
            wrong.push(format!("{name}: {few} statements with few rows, {many} with many"));
        }
        if *few == 0 || *many > most {
            wrong.push(format!("{name}: {few} and {many} statements; it may take {most}"));
        }
    }
    assert_eq!(few.len(), table.len(), "a budget that nothing measures");
    assert!(wrong.is_empty(), "{engine:?}:\n{}", wrong.join("\n"));
}

/// Additional rows cost at most as much as single requests.
#[track_caller]
pub fn grows(name: &str, [few, many]: [u64; 2], rows: u64, alone: u64, engine: Engine) {
    assert!(many > few && many - few <= rows * alone, "{engine:?} {name}: {few} and {many} statements for {rows} rows more");
}
