//! The access matrix.

use super::{
    Docs, Draft,
    escape::{code, markdown},
    table,
};
use crate::{
    emit::access::{Cell, MatrixRow, RoleScope, matrix},
    model::{Action, EntityId},
};

impl Docs<'_> {
    pub(super) fn access_page(&self) -> Draft {
        let matrix = matrix(self.model);
        let mut text = "# Access\n\n".to_owned();
        text.push_str(
            "A cell shows on which rows a caller may do the action: `yes` is every row, `no` is none, and a condition limits the rows. \
             What no rule permits is denied.\n\n",
        );
        for (at, entity) in self.model.entities.iter().enumerate() {
            text.push_str(&format!("## {}\n\n{}\n\n", markdown(&entity.name), self.entity_link(EntityId(at), "access.md")));
            let rules: Vec<&MatrixRow> = matrix.rows.iter().filter(|row| row.entity == entity.name).collect();
            if rules.iter().any(|row| row.roles == Some(RoleScope::System)) {
                text.push_str("Only roles for the whole system count here.\n\n");
            }
            let cell = |cell: &Cell| match cell {
                Cell::No => "no".to_owned(),
                Cell::Yes => "yes".to_owned(),
                Cell::When(condition) => code(condition),
            };
            let row = |row: &&MatrixRow| [markdown(&row.action)].into_iter().chain(row.cells.iter().map(cell)).collect::<Vec<_>>();
            let mut rows: Vec<Vec<String>> = rules.iter().map(row).collect();
            if rows.is_empty() {
                let denied = |action: Action| -> Vec<String> {
                    let cells = matrix.callers.iter().map(|_| "no".to_owned());
                    [action.name().to_owned()].into_iter().chain(cells).collect()
                };
                rows = [Action::List, Action::Read, Action::Create, Action::Update, Action::Delete].map(denied).to_vec();
            }
            let callers: Vec<String> = matrix.callers.iter().map(|caller| markdown(caller)).collect();
            let columns: Vec<&str> = ["Action"].into_iter().chain(callers.iter().map(String::as_str)).collect();
            table(&mut text, &columns, &rows);
            let sentences: Vec<String> = rules.iter().map(|row| sentence(row, &matrix.callers)).collect();
            sentences.iter().for_each(|line| text.push_str(&format!("- {line}\n")));
            if !sentences.is_empty() {
                text.push('\n');
            }
        }
        Draft { title: "Access".to_owned(), path: "access.md".to_owned(), text }
    }
}

/// One action in words.
fn sentence(row: &MatrixRow, callers: &[String]) -> String {
    let permitted = callers.iter().zip(&row.cells).filter_map(|(caller, cell)| match cell {
        Cell::No => None,
        Cell::Yes => Some(format!("{} on every row", markdown(caller))),
        Cell::When(condition) => Some(format!("{} on rows with {}", markdown(caller), code(condition))),
    });
    let permitted: Vec<String> = permitted.collect();
    let who = if permitted.is_empty() { "no caller".to_owned() } else { permitted.join("; ") };
    format!("{}: {who}", markdown(&row.action))
}
