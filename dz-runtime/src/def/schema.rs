//! The schema of the database, as SQL that was generated at compile time.

use crate::Engine;

/// The schemas for both engines.
#[derive(Debug, Clone, Copy)]
pub struct Schemas {
    sqlite: SchemaDef,
    postgres: SchemaDef,
    migrations: Option<(Engine, &'static [MigrationDef])>,
}

/// A migration from its files.
#[derive(Debug)]
pub struct MigrationDef {
    /// The digits of its timestamp, which identify it in diesel.
    pub version: &'static str,
    /// The name of its folder.
    pub name: &'static str,
    /// The statements that apply it.
    pub up: &'static str,
    /// The statements that revert it; empty if it cannot be reverted.
    pub down: &'static str,
    /// False if the script contains its own transaction.
    pub in_transaction: bool,
}

impl MigrationDef {
    /// True if the migration can only be applied when no instance of the previous version runs: it drops what that version needs, and
    /// adds rules that it does not have.
    pub fn is_contraction(&self) -> bool {
        self.up.lines().take_while(|line| line.starts_with("--")).any(|line| line == dz_vocabulary::migration::CONTRACT)
    }
}

/// The schema for one engine.
#[derive(Debug, Clone, Copy)]
pub struct SchemaDef {
    /// The statements that create it.
    pub sql: &'static str,
    /// The columns, one on each line, separated by tabs: table, column, type as the engine names it, and `!` if null is not
    /// allowed.
    pub columns: &'static str,
    /// The columns of each constraint, one on each line: the name, a tab, and the columns separated by commas.
    pub constraints: &'static str,
    /// The purposes of each index, one on each line: the name, a tab, and the purposes separated by semicolons.
    pub indexes: &'static str,
    /// The fingerprint of the schema.
    pub fingerprint: &'static str,
}

impl SchemaDef {
    /// An empty schema.
    pub const NONE: SchemaDef = SchemaDef { sql: "", columns: "", constraints: "", indexes: "", fingerprint: "" };
}

impl Schemas {
    /// Empty schemas, for descriptions in tests without a database.
    pub const NONE: Schemas = Schemas { sqlite: SchemaDef::NONE, postgres: SchemaDef::NONE, migrations: None };

    /// The schemas. The schema of an engine that is not compiled in is not part of the program.
    pub const fn new(sqlite: SchemaDef, postgres: SchemaDef) -> Schemas {
        Schemas {
            sqlite: if cfg!(feature = "sqlite") { sqlite } else { SchemaDef::NONE },
            postgres: if cfg!(feature = "postgres") { postgres } else { SchemaDef::NONE },
            migrations: None,
        }
    }

    /// Adds the migrations for an engine, oldest first.
    #[must_use]
    pub const fn with_migrations(self, engine: Engine, migrations: &'static [MigrationDef]) -> Schemas {
        Schemas { migrations: Some((engine, migrations)), ..self }
    }

    /// The migrations for `engine`, oldest first; empty if the schema is created from the declaration.
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
