//! Records of the audit log that a unit of work keeps.

use super::Tx;
use crate::{
    Result,
    audit::{self, Record},
};

impl Tx<'_> {
    /// Keeps a record with what the unit of work does.
    pub(crate) fn add_record(&mut self, record: Record) -> Result<()> {
        match &mut self.records {
            Some(held) => {
                held.push(record);
                Ok(())
            }
            None => audit::insert(self.conn, self.app, &record),
        }
    }

    /// Keeps the record of a list, at the end of the unit of work: the lists of one entity that a request shows are one record.
    pub(crate) fn add_list(&mut self, record: Record) -> Result<()> {
        let Some(lists) = &mut self.lists else { return self.add_record(record) };
        let is_same = |it: &&mut Record| it.entity == record.entity && it.account == record.account && it.tenant == record.tenant;
        match lists.iter_mut().find(is_same) {
            Some(before) => audit::add_rows(before, record),
            None => lists.push(record),
        }
        Ok(())
    }

    /// Keeps the lists of a unit of work that has done its work.
    pub(crate) fn write_lists(&mut self) -> Result<()> {
        let lists = self.lists.as_mut().map(std::mem::take).unwrap_or_default();
        lists.into_iter().try_for_each(|list| self.add_record(list))
    }
}
