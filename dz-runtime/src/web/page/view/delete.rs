//! Deleting a row: the confirmation and its submission.

use askama::Template;

use crate::{
    Error, Result, Tx, Value,
    access::{self, Delete, Read},
    def::{Kind, Mode, OnDelete, SurfaceDef},
    rows,
    web::{
        Call, Reply,
        page::{
            Answer, ConfirmPage, Document, Icon, Link, columns, form,
            shell::{PageKind, Shell},
            variant::Variant,
        },
    },
};

#[derive(Template)]
#[template(path = "confirm.html")]
struct ConfirmHtml<'a> {
    title: &'a str,
    text: &'a str,
    crumbs: &'a [Link],
    action: &'a str,
    csrf: &'a str,
    version: i64,
    submit: &'a str,
    cancel: &'a str,
    problem: &'a Option<String>,
}

/// `GET /app/{surface}/{id}/delete`: the confirmation.
pub(crate) fn show_confirmation(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, id: &str) -> Result<Reply> {
    let key = form::parse_key(tx, tx.app.entity(surface.entity), id)?;
    render_confirmation(tx, call, surface, &key, None, 200)
}

/// `POST /app/{surface}/{id}/delete`: deletes the row.
pub(crate) fn submit(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, id: &str) -> Result<Reply> {
    let entity = tx.app.entity(surface.entity);
    let grant = access::ask::<Delete>(tx.app, tx.engine(), tx.caller(), entity)?;
    let key = form::parse_key(tx, entity, id)?;
    let variant = Variant::resolve(tx, surface);
    variant.check_writable()?;
    variant.check_row(tx, &key)?;
    let version = call.form.iter().find(|(name, _)| name == "version").and_then(|(_, value)| value.parse().ok());
    match tx.savepoint(|tx| rows::delete(tx, &grant, &key, version)) {
        Ok(()) => {
            let list = columns::find_page(tx, entity, Mode::List);
            Ok(Reply::see_other(list.map_or_else(|| "/app".to_owned(), |list| format!("{}?done=deleted", list.address()))))
        }
        Err(error) if error.status == 409 => {
            let status = error.status;
            render_confirmation(tx, call, surface, &key, Some(error.detail), status)
        }
        Err(error) if error.status == 412 => {
            let changed = say!(
                "dz-another-user-changed-it-since-this-page",
                "Another user changed it since this page was opened. Check it again before you delete it."
            )
            .to_owned();
            render_confirmation(tx, call, surface, &key, Some(changed), 412)
        }
        Err(error) => Err(error),
    }
}

fn render_confirmation(
    tx: &mut Tx<'_>,
    call: &Call,
    surface: &'static SurfaceDef,
    key: &Value,
    problem: Option<String>,
    status: u16,
) -> Result<Reply> {
    let entity = tx.app.entity(surface.entity);
    access::ask::<Delete>(tx.app, tx.engine(), tx.caller(), entity)?;
    let variant = Variant::resolve(tx, surface);
    variant.check_writable()?;
    let grant = access::ask::<Read>(tx.app, tx.engine(), tx.caller(), entity)?.narrow_to(variant.within());
    let row = rows::read(tx, &grant, key, &[])?;
    let label = variant.load_label(tx, &row)?;
    let list = columns::find_page(tx, entity, Mode::List).map(|list| Link::new(list.address(), list.title));
    let view = columns::find_page(tx, entity, Mode::View).map(|view| Link::new(columns::row_address(view, key), label.clone()));
    let cancel = view.as_ref().or(list.as_ref()).map_or_else(|| "/app".to_owned(), |link| link.href.clone());
    let page = ConfirmPage {
        title: say!("dz-delete-label", "Delete {label}?", label = label),
        text: describe_consequences(tx, surface, false),
        crumbs: list.into_iter().chain(view).collect(),
        action: format!("{}/delete", columns::row_address(surface, key)),
        csrf: call.csrf.clone(),
        version: row.version,
        submit: say!("dz-delete-thing", "Delete {thing}", thing = columns::lower_title(entity.title)),
        cancel,
        problem,
    };
    let shell = Shell::app(tx, call, page.title.clone(), PageKind::Plain, Some(surface));
    let html = shell.render(&page.content().map_err(Error::internal)?)?;
    Ok(Answer::<Document>::document(html).reply(status, call.markup))
}

impl ConfirmPage {
    /// The content of the page.
    ///
    /// # Errors
    ///
    /// If the template fails, which valid data does not cause.
    pub fn content(&self) -> askama::Result<String> {
        ConfirmHtml {
            title: &self.title,
            text: &self.text,
            crumbs: &self.crumbs,
            action: &self.action,
            csrf: &self.csrf,
            version: self.version,
            submit: &self.submit,
            cancel: &self.cancel,
            problem: &self.problem,
        }
        .render()
    }
}

/// Describes what is deleted or changed with a row, or with several rows, by the references to them.
pub(crate) fn describe_consequences(tx: &Tx<'_>, surface: &SurfaceDef, several: bool) -> String {
    let goes = |rule: OnDelete| -> Vec<String> {
        let points_here = |kind: &Kind| kind.target() == Some(surface.entity);
        let with =
            tx.app.entities.iter().filter(|entity| entity.fields.iter().any(|field| points_here(&field.kind) && field.on_delete == rule));
        with.map(|entity| columns::lower_title(entity.title_plural)).collect()
    };
    let joined = |rule| Some(goes(rule).join(&format!(" {} ", say!("dz-and", "and")))).filter(|names| !names.is_empty());
    let mut text = String::new();
    if let Some(things) = joined(OnDelete::Cascade) {
        text.push_str(&match several {
            true => say!("dz-deleted-with-them", "Their {things} are deleted with them.", things = things),
            false => say!("dz-deleted-with-it", "Its {things} are deleted with it.", things = things),
        });
        text.push(' ');
    }
    if let Some(things) = joined(OnDelete::Nullify) {
        text.push_str(&match several {
            true => say!("dz-kept-without-them", "Their {things} that refer to them are kept, without the reference.", things = things),
            false => say!("dz-kept-without-it", "Its {things} that refer to it are kept, without the reference.", things = things),
        });
        text.push(' ');
    }
    text.push_str(match tx.app.entity(surface.entity).soft_delete {
        true => say!("dz-it-can-be-restored-later", "It can be restored later."),
        false => say!("dz-this-cannot-be-undone", "This cannot be undone."),
    });
    text
}
