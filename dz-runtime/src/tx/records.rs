//! The audit records of a unit of work.

use super::Tx;
use crate::{
    Result,
    audit::{self, Record},
};

impl Tx<'_> {
    /// Writes a record in the transaction, or adds it to those that are written later.
    pub(crate) fn add_record(&mut self, record: Record) -> Result<()> {
        match &mut self.records {
            Some(held) => {
                held.push(record);
                Ok(())
            }
            None => audit::insert(self.conn, self.app, &record),
        }
    }

    /// Adds the record of a list. The lists of one entity in a request are one record.
    pub(crate) fn add_list(&mut self, record: Record) -> Result<()> {
        let Some(lists) = &mut self.lists else { return self.add_record(record) };
        let is_same = |it: &&mut Record| it.entity == record.entity && it.account == record.account && it.tenant == record.tenant;
        match lists.iter_mut().find(is_same) {
            Some(before) => audit::add_rows(before, record),
            None => lists.push(record),
        }
        Ok(())
    }

    /// Writes the records of lists, at the end of the unit of work.
    pub(crate) fn write_lists(&mut self) -> Result<()> {
        let lists = self.lists.as_mut().map(std::mem::take).unwrap_or_default();
        lists.into_iter().try_for_each(|list| self.add_record(list))
    }
}
