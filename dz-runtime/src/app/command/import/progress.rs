//! The progress of an import in `dz_meta`: the number of stored rows, a digest of them, and the run that stored them.

use ::csv::StringRecord;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{
    Error, Result,
    db::{Conn, Database, facts},
};

/// How often a run tries to take over the progress of another one, which stores batches meanwhile.
const TRIES: usize = 100;

/// The progress of a run, which ends if another run of the same import takes it over.
pub(super) struct Progress {
    key: String,
    run: Uuid,
    /// The value that this run has stored.
    stored: Option<String>,
}

/// The rows that an earlier run has stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Earlier {
    pub rows: u64,
    digest: String,
}

/// A digest of the header and of the rows that were read.
#[derive(Clone)]
pub(super) struct RowDigest(Sha256);

impl RowDigest {
    pub(super) fn new(head: &StringRecord) -> RowDigest {
        let mut digest = RowDigest(Sha256::new());
        digest.add(head);
        digest
    }

    /// Adds a row. The lengths separate its cells.
    pub(super) fn add(&mut self, record: &StringRecord) {
        self.0.update((record.len() as u64).to_le_bytes());
        for cell in record {
            self.0.update((cell.len() as u64).to_le_bytes());
            self.0.update(cell);
        }
    }

    fn text(&self) -> String {
        self.0.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Earlier {
    fn parse(text: &str) -> Earlier {
        let mut parts = text.split(' ');
        let rows = parts.next().and_then(|rows| rows.parse().ok()).unwrap_or_default();
        Earlier { rows, digest: parts.next().unwrap_or_default().to_owned() }
    }

    /// Refuses a file whose first rows are not those that the earlier run has stored; `read` is the digest of as many rows of the file, or
    /// of all of its rows if it has fewer.
    pub(super) fn check(&self, read: &RowDigest) -> Result<()> {
        if self.rows == 0 || self.digest == read.text() {
            return Ok(());
        }
        let rows = self.rows;
        Err(Error::bad_request(format!(
            "an interrupted run has stored {rows} rows, and the file now begins with other rows: give the former file to continue, or \
             import every row with `--restart`"
        )))
    }
}

impl Progress {
    /// Takes over the progress of earlier runs; with `restart`, as if there were none.
    ///
    /// # Errors
    /// 400 if other runs take it over again and again.
    pub(super) fn take(db: &Database, key: String, head: &RowDigest, restart: bool) -> Result<(Progress, Earlier)> {
        let mut progress = Progress { key, run: Uuid::now_v7(), stored: None };
        for _ in 0..TRIES {
            // A run that is taken over can store a batch between the two statements.
            let taken = db.write(&mut |conn| {
                let found = facts::read(conn, &progress.key)?;
                let earlier = found.as_deref().filter(|_| !restart).map(Earlier::parse).unwrap_or_default();
                let digest = if earlier.rows == 0 { head.text() } else { earlier.digest.clone() };
                let value = progress.value(earlier.rows, &digest);
                Ok(facts::replace(conn, &progress.key, found.as_deref(), Some(&value))?.then_some((value, earlier)))
            })?;
            if let Some((value, earlier)) = taken {
                progress.stored = Some(value);
                return Ok((progress, earlier));
            }
        }
        Err(taken_over())
    }

    fn value(&self, rows: u64, digest: &str) -> String {
        format!("{rows} {digest} {}", self.run)
    }

    /// Stores the progress in the transaction of a batch; after the last batch, `rows` is `None`, and the progress is removed. Returns the
    /// value that [`note`](Progress::note) gets after the commit.
    ///
    /// # Errors
    /// 400 if another run has taken it over.
    pub(super) fn store(&self, conn: &mut Conn, rows: Option<(u64, &RowDigest)>) -> Result<Option<String>> {
        let value = rows.map(|(rows, digest)| self.value(rows, &digest.text()));
        self.replace(conn, self.stored.as_deref(), value.as_deref())?;
        Ok(value)
    }

    /// Notes a committed value.
    pub(super) fn note(&mut self, value: Option<String>) {
        self.stored = value;
    }

    fn replace(&self, conn: &mut Conn, expected: Option<&str>, value: Option<&str>) -> Result<()> {
        if facts::replace(conn, &self.key, expected, value)? { Ok(()) } else { Err(taken_over()) }
    }
}

fn taken_over() -> Error {
    Error::bad_request("another run of the same import has started, and continues with the rest of the file")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(rows: &[&[&str]]) -> RowDigest {
        let mut digest = RowDigest::new(&StringRecord::from(vec!["number", "tons"]));
        rows.iter().for_each(|row| digest.add(&StringRecord::from(row.to_vec())));
        digest
    }

    #[test]
    fn only_the_same_rows_continue_a_run() {
        let rows = digest(&[&["1", "23"], &["2", ""]]);
        let earlier = Earlier::parse(&format!("2 {} run", rows.text()));
        assert_eq!(earlier.rows, 2);
        assert!(earlier.check(&rows).is_ok() && Earlier::default().check(&rows).is_ok());
        let others: [&[&[&str]]; 3] = [&[&["12", "3"], &["2", ""]], &[&["1", "23", "2", ""]], &[&["1", "23"]]];
        for rows in others {
            let refused = earlier.check(&digest(rows)).expect_err("another file");
            assert!(refused.detail.contains("`--restart`"), "{}", refused.detail);
        }
        // The progress of a run without a digest.
        assert!(Earlier::parse("2000").check(&rows).is_err());
    }
}
