//! CSV files of a list: export and import.

use askama::Template;

use crate::{
    Error, Result, Tx,
    access::{self, Create, List, Update},
    def::{Auto, EntityDef, SurfaceDef},
    web::{
        Call, Reply,
        api::csv::{self, Cell, Export, ImportColumn, Outcome, RowError},
        page::{
            Answer, Document, Icon, ImportPage, Link,
            columns::{self, Columns},
            list,
            shell::{PageKind, Shell},
            variant::Variant,
        },
    },
};

#[derive(Template)]
#[template(path = "import.html")]
struct ImportHtml<'a> {
    of: &'a ImportPage,
}

impl ImportPage {
    /// The content of the page.
    ///
    /// # Errors
    ///
    /// If the template fails, which valid data does not cause.
    pub fn content(&self) -> askama::Result<String> {
        ImportHtml { of: self }.render()
    }
}

/// `GET /app/{surface}?format=csv`: exports the columns of the list with their labels, for all rows of the list.
pub(crate) fn export(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef) -> Result<Reply> {
    let entity = tx.app.entity(surface.entity);
    access::ask::<List>(tx.app, tx.engine(), tx.caller(), entity)?;
    let variant = Variant::resolve(tx, surface);
    let mut asked = list::ListRequest::read(tx, surface, &variant, call)?;
    let columns = Columns::new(tx.app, variant.columns(tx.app));
    asked.query.extra = columns.extra.clone();
    let shown = columns.shown.iter().flat_map(|shown| {
        std::iter::once((shown.def.label.to_owned(), shown.export_source(), shown.field)).chain(shown.export_currency(tx.app))
    });
    let shown: Vec<(String, Cell, _)> = shown.collect();
    Export::reply(tx, entity, variant.within(), asked.query, shown)
}

/// True if the caller can create or update rows on this page.
pub(crate) fn can_import(tx: &Tx<'_>, variant: &Variant, entity: &'static EntityDef) -> bool {
    !variant.is_read_only() && can_write(tx, entity)
}

fn can_write(tx: &Tx<'_>, entity: &'static EntityDef) -> bool {
    tx.ask::<Create>(entity).is_ok() || tx.ask::<Update>(entity).is_ok()
}

/// `GET /app/{surface}/import`: the form with a file control.
pub(crate) fn show_form(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef) -> Result<Reply> {
    render_page(tx, call, surface, None, &[])
}

/// `POST /app/{surface}/import`: imports a file, or shows the errors of its rows.
pub(crate) fn import(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef) -> Result<Reply> {
    let entity = tx.app.entity(surface.entity);
    if !can_write(tx, entity) {
        return Err(tx.ask::<Create>(entity).err().unwrap_or_else(Error::not_found));
    }
    let Some(bytes) = call.csv.as_deref().filter(|bytes| !bytes.is_empty()) else {
        return render_page(tx, call, surface, Some(&Error::bad_request(say!("dz-choose-a-file-first", "Choose a file first"))), &[]);
    };
    let variant = Variant::resolve(tx, surface);
    variant.check_writable()?;
    match csv::import(tx, entity, &variant.within(), &list_columns(tx, surface, &variant, entity), bytes) {
        Ok(Outcome::Stored(_)) => Ok(Reply::see_other(format!("{}?done=imported", surface.address()))),
        Ok(Outcome::Refused(error, rows)) => render_page(tx, call, surface, Some(&error), &rows),
        Err(error) if matches!(error.status, 400 | 422) => render_page(tx, call, surface, Some(&error), &[]),
        Err(error) => Err(error),
    }
}

/// The fields that a file can contain, also by their labels on the list.
fn list_columns(tx: &Tx<'_>, surface: &'static SurfaceDef, variant: &Variant, entity: &'static EntityDef) -> Vec<ImportColumn> {
    let label = |at| {
        let columns = surface.sections.iter().filter_map(|section| match section.body {
            crate::def::SectionBody::Fields(columns) => Some(columns),
            crate::def::SectionBody::Nested(_) => None,
        });
        columns.flatten().find(|column| column.path.own_field() == Some(at)).map(|column| column.label)
    };
    let own = csv::list_columns(entity).into_iter().filter_map(|(_, cell, _)| ImportColumn::from_cell(cell));
    own.map(|named| ImportColumn { label: label(named.at), closed: variant.hides_own(tx.app, named.at), ..named }).collect()
}

/// The key and the fields that a file can set.
fn list_settable(tx: &Tx<'_>, variant: &Variant, entity: &'static EntityDef) -> Vec<String> {
    let key = entity.field(entity.pk).name;
    let open = |cell: &Cell| !matches!(cell, Cell::Own(at) if variant.hides_own(tx.app, *at));
    let own = csv::list_columns(entity).into_iter().filter(|(name, cell, field)| name != key && field.auto == Auto::No && open(cell));
    std::iter::once(key.to_owned()).chain(own.map(|(name, ..)| name)).collect()
}

fn render_page(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, problem: Option<&Error>, rows: &[RowError]) -> Result<Reply> {
    let entity = tx.app.entity(surface.entity);
    if !can_write(tx, entity) {
        return Err(tx.ask::<Create>(entity).err().unwrap_or_else(Error::not_found));
    }
    let variant = Variant::resolve(tx, surface);
    variant.check_writable()?;
    let path = surface.address();
    let title = |name: &str| entity.find(name).map_or_else(|| name.to_owned(), |(_, field)| field.title.to_owned());
    let line = |(row, told): (u64, Vec<(String, String)>)| {
        let texts = told.into_iter().map(|(field, text)| if field.is_empty() { text } else { format!("{}: {text}", title(&field)) });
        (row, texts.collect::<Vec<_>>())
    };
    let of = ImportPage {
        title: say!("dz-import-things", "Import {things}", things = columns::lower_title(entity.title_plural)),
        crumbs: vec![Link::new(path.clone(), surface.title)],
        action: format!("{path}/import"),
        csrf: call.csrf.clone(),
        columns: list_settable(tx, &variant, entity),
        problem: problem.map(|error| error.detail.clone()),
        rows: csv::describe_errors(rows).into_iter().map(line).collect(),
        submit: say!("dz-import-things", "Import {things}", things = columns::lower_title(entity.title_plural)),
        cancel: path,
    };
    let shell = Shell::app(tx, call, of.title.clone(), PageKind::Form, Some(surface));
    let html = shell.render(&of.content().map_err(Error::internal)?)?;
    Ok(Answer::<Document>::document(html).reply(problem.map_or(200, |error| error.status), call.markup))
}

/// The page with sample data.
#[cfg(test)]
pub(crate) fn sample(evil: &str) -> String {
    let page = ImportPage {
        title: evil.to_owned(),
        crumbs: vec![Link::new("/app/visit_list", evil)],
        action: "/app/visit_list/import".to_owned(),
        csrf: evil.to_owned(),
        columns: vec![evil.to_owned()],
        problem: Some(evil.to_owned()),
        rows: vec![(2, vec![evil.to_owned()])],
        submit: evil.to_owned(),
        cancel: "/app/visit_list".to_owned(),
    };
    page.content().expect("a page")
}
