//! The columns of a list that a user has chosen: which, in which order and of which width.

use askama::Template;

use crate::{
    Error, Result, Tx,
    access::{self, List},
    accounts,
    def::{ColumnDef, SurfaceDef},
    preferences::{ColumnChoice, Width},
    web::{
        Call, Reply,
        page::{
            Answer, Document, Icon, Link,
            columns::Columns,
            shell::{PageKind, Shell},
            variant::Variant,
        },
    },
};

/// A line of the form.
pub(crate) struct ColumnLine {
    name: String,
    label: &'static str,
    shown: bool,
    position: usize,
    width: Width,
}

#[derive(Template)]
#[template(path = "columns.html")]
struct ColumnsHtml<'a> {
    crumbs: &'a [Link],
    action: &'a str,
    back: &'a str,
    csrf: &'a str,
    lines: &'a [ColumnLine],
}

/// The choices of the caller for a list.
pub(super) struct ColumnChoices(Vec<ColumnChoice>);

/// The name of a list among the choices of an account: the lists of each tenant have choices of their own.
fn choice_name(tx: &Tx<'_>, surface: &SurfaceDef) -> String {
    match tx.caller().tenant().and_then(crate::Value::to_key_text) {
        // No name of a surface contains a slash.
        Some(tenant) => format!("{tenant}/{}", surface.name),
        None => surface.name.to_owned(),
    }
}

impl ColumnChoices {
    pub fn load(tx: &Tx<'_>, surface: &SurfaceDef) -> ColumnChoices {
        let chosen = tx.caller().preferences().columns;
        if chosen.is_empty() {
            return ColumnChoices(Vec::new());
        }
        ColumnChoices(chosen.get(&choice_name(tx, surface)).cloned().unwrap_or_default())
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|choice| choice.name == name)
    }

    /// The columns in the chosen order, without hidden ones. Columns that are new since the choice are the last.
    pub fn arrange(&self, tx: &Tx<'_>, mut columns: Vec<&'static ColumnDef>) -> Vec<&'static ColumnDef> {
        if self.0.is_empty() {
            return columns;
        }
        columns.sort_by_key(|column| self.position(&column.path.name(tx.app)).unwrap_or(usize::MAX));
        let is_shown = |column: &&ColumnDef| self.position(&column.path.name(tx.app)).is_none_or(|at| !self.0[at].hidden);
        let shown: Vec<_> = columns.iter().copied().filter(is_shown).collect();
        if shown.is_empty() { columns } else { shown }
    }

    /// The width of a column.
    pub fn width(&self, name: &str) -> Width {
        self.position(name).map_or(Width::Automatic, |at| self.0[at].width)
    }
}

/// The columns that the caller can choose, in their current order.
fn lines(tx: &Tx<'_>, surface: &'static SurfaceDef) -> Vec<ColumnLine> {
    let declared = Variant::resolve(tx, surface).columns(tx.app);
    let choices = ColumnChoices::load(tx, surface);
    let line = |column: &ColumnDef| {
        let name = column.path.name(tx.app);
        let choice = choices.position(&name).map(|at| &choices.0[at]);
        ColumnLine {
            label: column.label,
            shown: choice.is_none_or(|choice| !choice.hidden),
            position: 0,
            width: choice.map_or(Width::Automatic, |choice| choice.width),
            name,
        }
    };
    let mut lines: Vec<ColumnLine> = Columns::new(tx.app, declared).shown.iter().map(|shown| line(&shown.def)).collect();
    lines.sort_by_key(|line| choices.position(&line.name).unwrap_or(usize::MAX));
    lines.iter_mut().enumerate().for_each(|(at, line)| line.position = at + 1);
    lines
}

fn check_list(tx: &Tx<'_>, surface: &SurfaceDef) -> Result<()> {
    tx.caller().account.as_ref().ok_or_else(Error::unauthenticated)?;
    access::ask::<List>(tx.app, tx.engine(), tx.caller(), tx.app.entity(surface.entity)).map(drop)
}

/// `GET /app/{surface}/columns`: the form.
///
/// # Errors
/// 401 and 403 for a caller who cannot open the list.
pub(crate) fn show(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef) -> Result<Reply> {
    check_list(tx, surface)?;
    let back = surface.address();
    let page = ColumnsHtml {
        crumbs: &[Link::new(back.clone(), surface.title)],
        action: &format!("{back}/columns"),
        back: &back,
        csrf: &call.csrf,
        lines: &lines(tx, surface),
    };
    let content = page.render().map_err(Error::internal)?;
    let shell = Shell::app(tx, call, say!("dz-columns", "Columns"), PageKind::Form, Some(surface));
    Ok(Answer::<Document>::document(shell.render(&content)?).reply(200, call.markup))
}

/// `POST /app/{surface}/columns`: stores the choice, or removes it.
///
/// # Errors
/// 401 and 403 for a caller who cannot open the list.
pub(crate) fn store(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef) -> Result<Reply> {
    check_list(tx, surface)?;
    let account = tx.caller().account.as_ref().ok_or_else(Error::unauthenticated)?.id.clone();
    let sent = |part: &str, name: &str| {
        call.form.iter().find(|(given, _)| given.strip_prefix(part) == Some(name)).map(|(_, value)| value.as_str())
    };
    let mut chosen = tx.caller().preferences();
    let reset = call.form.iter().any(|(name, _)| name == "reset");
    let name = choice_name(tx, surface);
    chosen.columns.remove(&name);
    if !reset {
        let mut lines = lines(tx, surface);
        for line in &mut lines {
            line.shown = sent("show.", &line.name).is_some();
            line.position = sent("at.", &line.name).and_then(|text| text.trim().parse().ok()).unwrap_or(line.position);
            let width = sent("width.", &line.name).and_then(|text| Width::ALL.into_iter().find(|width| width.name() == text));
            line.width = width.unwrap_or(line.width);
        }
        // Lines with one position keep their order.
        lines.sort_by_key(|line| line.position);
        let choice = |line: ColumnLine| ColumnChoice { name: line.name, hidden: !line.shown, width: line.width };
        chosen.columns.insert(name, lines.into_iter().map(choice).collect());
    }
    accounts::preferences::store(tx.conn, tx.app, &account, &chosen)?;
    Ok(Reply::see_other(format!("{}?done=preferences", surface.address())))
}

/// The content of the page with sample data.
#[cfg(test)]
pub(crate) fn sample(text: &'static str) -> String {
    let line = |shown| ColumnLine { name: text.to_owned(), label: text, shown, position: 1, width: Width::Wide };
    let page = ColumnsHtml {
        crumbs: &[Link::new("/app/visit_list", text)],
        action: "/app/visit_list/columns",
        back: "/app/visit_list",
        csrf: text,
        lines: &[line(true), line(false)],
    };
    page.render().expect("a page")
}
