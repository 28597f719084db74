//! The list of keyboard shortcuts: a page, and the content of the dialog that `?` opens.

use askama::Template;

use crate::{
    Error, Result, Tx,
    web::{
        Call, Reply,
        page::{
            Answer, Document, HostOwned, Icon,
            shell::{CurrentPage, PageKind, Shell},
        },
    },
};

#[derive(Template)]
#[template(path = "shortcuts.html")]
struct ShortcutsHtml {
    /// True for the content of the dialog.
    in_dialog: bool,
    shortcuts: &'static [(&'static [&'static str], &'static str)],
}

const SHORTCUTS: &[(&[&str], &str)] = &[
    (&["Ctrl K"], "Search rows, pages and actions"),
    (&["/"], "Go to the search of the list"),
    (&["j", "k"], "Go to the next or the previous row"),
    (&["Enter"], "Open the row"),
    (&["x"], "Select the row"),
    (&["e"], "Edit the row"),
    (&["Shift", "Enter"], "Sort by a further column, on its heading"),
    (&["?"], "Show this list"),
];

/// `GET /app/-/shortcuts`
pub(crate) fn show(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let html = ShortcutsHtml { in_dialog: call.htmx, shortcuts: SHORTCUTS }.render().map_err(Error::internal)?;
    if call.htmx {
        return Ok(Answer::<HostOwned>::fragment(html).reply(200, call.markup));
    }
    let shell = Shell::app(tx, call, "Keyboard shortcuts", PageKind::Plain, CurrentPage::None);
    Ok(Answer::<Document>::document(shell.render(&html)?).reply(200, call.markup))
}
