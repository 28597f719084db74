//! The locks that the steps of a migration take on PostgreSQL, and how an online migration splits them.

/// A lock of PostgreSQL with its duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    /// No lock on a table in use.
    Nothing,
    /// The table is locked while its description changes.
    Brief,
    /// The table is locked while every row is written.
    Rewrite,
    /// The table is locked while every row gets a value.
    Fill,
    /// The table is locked while every row is checked.
    Check,
    /// Two tables are locked for writes while every row of one of them is checked.
    Reference,
    /// The table is locked for writes while an index is built.
    Build,
}

impl Lock {
    /// The lock that the step takes in one transaction.
    pub fn of_transaction(self) -> &'static str {
        match self {
            Lock::Nothing => "none",
            Lock::Brief => "ACCESS EXCLUSIVE, for an instant",
            Lock::Rewrite => "ACCESS EXCLUSIVE, while the table is written again",
            Lock::Fill => "ACCESS EXCLUSIVE, while every row gets its value",
            Lock::Check => "ACCESS EXCLUSIVE, while every row is checked",
            Lock::Reference => "SHARE ROW EXCLUSIVE on both tables, while every row is checked",
            Lock::Build => "SHARE, while the index is built: writes wait",
        }
    }

    /// The lock that the step takes in an online migration.
    pub fn of_online(self) -> &'static str {
        match self {
            Lock::Nothing => "none",
            Lock::Brief | Lock::Rewrite => self.of_transaction(),
            Lock::Fill => "ROW EXCLUSIVE: reads and writes continue",
            Lock::Check | Lock::Reference | Lock::Build => "SHARE UPDATE EXCLUSIVE: reads and writes continue",
        }
    }

    /// How an online migration splits the step; `None` if it is not split.
    pub fn split(self) -> Option<&'static str> {
        match self {
            Lock::Nothing | Lock::Brief | Lock::Rewrite => None,
            Lock::Fill => Some("a default or a trigger for new rows, then existing rows in batches"),
            Lock::Check => Some("`NOT VALID`, then `VALIDATE CONSTRAINT`"),
            Lock::Reference => Some("`NOT VALID`, then `VALIDATE CONSTRAINT`"),
            Lock::Build => Some("`CREATE INDEX CONCURRENTLY`, outside a transaction"),
        }
    }
}
