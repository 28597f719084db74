//! The schema of the database, as SQL that was made at compile time.

use crate::Engine;

/// The schema for each engine.
#[derive(Debug, Clone, Copy)]
pub struct Schemas {
    sqlite: SchemaDef,
    postgres: SchemaDef,
    migrations: Option<(Engine, &'static [MigrationDef])>,
}

/// A migration, as its files say.
#[derive(Debug)]
pub struct MigrationDef {
    /// The digits of its moment, by which diesel knows it.
    pub version: &'static str,
    /// The name of its folder.
    pub name: &'static str,
    /// What makes it.
    pub up: &'static str,
    /// What takes it back; empty when there is no way back.
    pub down: &'static str,
    /// False when the script begins and ends its transaction itself.
    pub in_transaction: bool,
}

/// The schema for one engine.
#[derive(Debug, Clone, Copy)]
pub struct SchemaDef {
    /// The statements that make it.
    pub sql: &'static str,
    /// Its columns, a line each: table, column, type as the engine names it, and `!` where null is not allowed, with
    /// tabs between them.
    pub columns: &'static str,
    /// The columns of each constraint, a line each: the name, a tab, and the columns with commas between them.
    pub constraints: &'static str,
    /// What each index is for, a line each: its name, a tab, and its purposes with semicolons between them.
    pub indexes: &'static str,
    /// One word that changes with it.
    pub fingerprint: &'static str,
}

impl SchemaDef {
    /// No schema.
    pub const NONE: SchemaDef = SchemaDef { sql: "", columns: "", constraints: "", indexes: "", fingerprint: "" };
}

impl Schemas {
    /// No schema, for descriptions written by hand that never meet a database.
    pub const NONE: Schemas = Schemas { sqlite: SchemaDef::NONE, postgres: SchemaDef::NONE, migrations: None };

    /// The schemas; that of an engine which is not compiled in does not get into the program.
    pub const fn new(sqlite: SchemaDef, postgres: SchemaDef) -> Schemas {
        Schemas {
            sqlite: if cfg!(feature = "sqlite") { sqlite } else { SchemaDef::NONE },
            postgres: if cfg!(feature = "postgres") { postgres } else { SchemaDef::NONE },
            migrations: None,
        }
    }

    /// With the migrations that lead there, oldest first, on the engine they are written for.
    #[must_use]
    pub const fn with_migrations(self, engine: Engine, migrations: &'static [MigrationDef]) -> Schemas {
        Schemas { migrations: Some((engine, migrations)), ..self }
    }

    /// The migrations for `engine`, oldest first; none when the schema is made from the declaration.
    pub const fn migrations_for(&self, engine: Engine) -> &'static [MigrationDef] {
        match (&self.migrations, engine) {
            (Some((Engine::Sqlite, all)), Engine::Sqlite) | (Some((Engine::Postgres, all)), Engine::Postgres) => all,
            _ => &[],
        }
    }

    /// The schema for `engine`.
    pub const fn for_engine(&self, engine: Engine) -> &SchemaDef {
        match engine {
            Engine::Sqlite => &self.sqlite,
            Engine::Postgres => &self.postgres,
        }
    }
}
