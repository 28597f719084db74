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
struct ShortcutsHtml<'a> {
    /// True for the content of the dialog.
    in_dialog: bool,
    shortcuts: &'a [(Vec<&'static str>, &'static str)],
}

/// The shortcuts: the keys, and their effect.
fn shortcuts() -> [(Vec<&'static str>, &'static str); 8] {
    [
        (vec![say!("dz-ctrl-k", "Ctrl K")], say!("dz-search-rows-pages-and-actions", "Search rows, pages and actions")),
        (vec!["/"], say!("dz-go-to-the-search-of-the", "Go to the search of the list")),
        (vec!["j", "k"], say!("dz-go-to-the-next-or-the-previous-row", "Go to the next or the previous row")),
        (vec![say!("dz-enter-key", "Enter")], say!("dz-open-the-row", "Open the row")),
        (vec!["x"], say!("dz-select-the-row", "Select the row")),
        (vec!["e"], say!("dz-edit-the-row", "Edit the row")),
        (
            vec![say!("dz-shift-key", "Shift"), say!("dz-enter-key", "Enter")],
            say!("dz-sort-by-a-further-column", "Sort by a further column, on its heading"),
        ),
        (vec!["?"], say!("dz-show-this-list", "Show this list")),
    ]
}

/// `GET /app/-/shortcuts`
pub(crate) fn show(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let html = ShortcutsHtml { in_dialog: call.htmx, shortcuts: &shortcuts() }.render().map_err(Error::internal)?;
    if call.htmx {
        return Ok(Answer::<HostOwned>::fragment(html).reply(200, call.markup));
    }
    let shell = Shell::app(tx, call, say!("dz-keyboard-shortcuts", "Keyboard shortcuts"), PageKind::Plain, CurrentPage::None);
    Ok(Answer::<Document>::document(shell.render(&html)?).reply(200, call.markup))
}
