//! The changes that the rows of a table offer: an edit page and a deletion, each only for rows whose rule permits it.

use crate::{
    Tx, Value,
    access::{Action as _, Delete, Update},
    def::{EntityDef, Mode, SurfaceDef},
    record::Row,
    rows::{Extra, Query, RowTest},
    web::page::columns,
};

/// The pages that change rows, with the rules of the rows.
#[derive(Default)]
pub(crate) struct RowChanges {
    edit: Option<Change>,
    delete: Option<Change>,
}

/// A page, and the position of the result of its rule among the additional columns of a row.
#[derive(Clone, Copy)]
struct Change {
    page: &'static SurfaceDef,
    rule: usize,
}

impl Change {
    /// The page, if the rule permits the change of the row.
    fn page(self, row: &Row) -> Option<&'static SurfaceDef> {
        (row.extra.get(self.rule) == Some(&Value::Bool(true))).then_some(self.page)
    }
}

impl RowChanges {
    /// Finds the pages that the caller can open, and adds their rules to the query. The additional columns of the query are already set.
    pub fn request(tx: &Tx<'_>, entity: &'static EntityDef, query: &mut Query) -> RowChanges {
        let first = query.extra.len();
        Self::find(tx, entity, |action| {
            query.tests.push(RowTest::Rule(action));
            first + query.tests.len() - 1
        })
    }

    /// As [`request`](RowChanges::request), for one row that is read with these additional columns.
    pub fn request_for_row(tx: &Tx<'_>, entity: &'static EntityDef, extra: &mut Vec<Extra>) -> RowChanges {
        Self::find(tx, entity, |action| {
            extra.push(Extra::Test(RowTest::Rule(action)));
            extra.len() - 1
        })
    }

    /// `add` requests the rule of an action and returns the position of its result.
    fn find(tx: &Tx<'_>, entity: &'static EntityDef, mut add: impl FnMut(&'static str) -> usize) -> RowChanges {
        let mut change = |page: Option<&'static SurfaceDef>, action| page.map(|page| Change { page, rule: add(action) });
        let edit = change(columns::find_page(tx, entity, Mode::Edit), Update::NAME);
        let delete = change(columns::find_delete_page(tx, entity), Delete::NAME);
        RowChanges { edit, delete }
    }

    /// The page that edits a row.
    pub fn edit(&self, row: &Row) -> Option<&'static SurfaceDef> {
        self.edit?.page(row)
    }

    /// The page below which a row is deleted.
    pub fn delete(&self, row: &Row) -> Option<&'static SurfaceDef> {
        self.delete?.page(row)
    }
}
