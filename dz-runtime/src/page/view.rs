//! View pages: the facts of a row, and the rows that belong to it.

use askama::Template;

use super::{
    Acts, Answer, Document, Fact, Icon, Link, Moves, Shape, ViewBody, ViewPage, ViewSection, acted, form, moved,
    nested::{self, Shown},
    present::{self, Columns},
    related,
    shell::{Part, Shell},
};
use crate::{
    Error, Result, Tx, Value,
    access::{self, Read},
    def::{Kind, Mode, RelatedDisplay, SectionBody, SectionDef, SurfaceDef},
    http::{Call, Reply},
    rows,
};

#[derive(Template)]
#[template(path = "view.html")]
struct ViewHtml<'a> {
    title: &'a str,
    purpose: Option<&'a str>,
    crumbs: &'a [Link],
    edit: &'a Option<Link>,
    delete: &'a Option<Link>,
    moves: &'a Option<Moves>,
    acts: &'a Option<Acts>,
    problem: &'a Option<String>,
    notice: Option<&'a str>,
    sections: &'a [ViewSection],
}

impl ViewPage {
    /// The page's content by the runtime's own template.
    ///
    /// # Errors
    ///
    /// When the template fails, which it does not over valid data.
    pub fn content(&self) -> askama::Result<String> {
        ViewHtml {
            title: &self.title,
            purpose: self.purpose,
            crumbs: &self.crumbs,
            edit: &self.edit,
            delete: &self.delete,
            moves: &self.moves,
            acts: &self.acts,
            problem: &self.problem,
            notice: self.notice,
            sections: &self.sections,
        }
        .render()
    }
}

/// `GET /app/{surface}/{id}`: the row; with `section` and from an exchange, the rows of that section.
///
/// A refused move shows the row again, with what was wrong.
pub(super) fn show(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, id: &str, refused: Option<&Error>) -> Result<Reply> {
    let entity = tx.app.entity(surface.entity);
    let grant = access::ask::<Read>(tx.app, tx.engine(), tx.caller(), entity)?;
    let key = form::key(tx, entity, id)?;
    let columns: Vec<Option<Columns>> = surface
        .sections
        .iter()
        .map(|section| match section.body {
            SectionBody::Fields(defs) => Some(Columns::of(tx.app, defs)),
            SectionBody::Nested(_) => None,
        })
        .collect();
    let extra: Vec<rows::Extra> = columns.iter().flatten().flat_map(|columns| columns.extra.iter().copied()).collect();
    let row = rows::read(tx, &grant, &key, &extra)?;
    if call.htmx && refused.is_none() {
        return exchange(tx, call, surface, &key);
    }
    let mut sections = Vec::new();
    let mut from = 0;
    for (section, columns) in surface.sections.iter().zip(&columns) {
        let body = match (&section.body, columns) {
            (SectionBody::Nested(nested), _) => {
                nested::table(tx, call, surface, &Shown::section(section, nested), &key)?.map(|table| ViewBody::Nested(Box::new(table)))
            }
            (_, Some(columns)) => {
                let own = rows::Row { extra: row.extra.iter().skip(from).cloned().collect(), ..row.clone() };
                from += columns.extra.len();
                Some(ViewBody::Facts(facts(tx, columns, &own)))
            }
            (SectionBody::Fields(_), None) => None,
        };
        if let Some(body) = body {
            sections.push(ViewSection { id: format!("s-{}", section.name), title: section.title, note: section.note, body });
        }
    }
    for related in surface.related {
        sections.extend(related::section(tx, call, surface, related, &key)?);
    }
    let list = present::page_of(tx, entity, Mode::List);
    let edit = present::page_of(tx, entity, Mode::Edit);
    let data = ViewPage {
        title: present::label_of(tx.app, entity, &row),
        purpose: surface.purpose,
        crumbs: list.map(|list| Link::new(list.address(), list.title)).into_iter().collect(),
        edit: edit.map(|edit| Link::new(present::address(edit, &key), "Edit")),
        delete: present::delete_address(tx, entity, &key).map(|href| Link::new(href, "Delete")),
        moves: moved::buttons(tx, call, surface, &row)?,
        acts: acted::buttons(tx, call, surface, &row)?,
        problem: refused.map(|error| error.detail.clone()),
        notice: present::notice(&call.query),
        sections,
    };
    let content = surface.templates.view.map_or_else(|| data.content(), |render| render(&data)).map_err(Error::internal)?;
    let shell = Shell::app(tx, call, data.title.clone(), Part::Record, Some(surface));
    Ok(Answer::<Document>::document(shell.render(&content)?).reply(refused.map_or(200, |error| error.status), call.markup))
}

fn facts(tx: &Tx<'_>, columns: &Columns, row: &rows::Row) -> Vec<Fact> {
    let fact = |shown: &present::Shown| {
        let cell = shown.fact(tx, row);
        let wide = matches!(cell.shape, Shape::Prose | Shape::Code | Shape::File { pictured: true, .. })
            && !matches!(shown.field.kind, Kind::Uuid);
        Fact { label: shown.def.label, cell, wide }
    };
    columns.shown.iter().map(fact).collect()
}

/// The rows of one list, for an exchange.
fn exchange(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, key: &Value) -> Result<Reply> {
    let wanted = call.query.iter().find(|(name, _)| name == "section").map(|(_, value)| value.as_str());
    let section = |section: &'static SectionDef| match &section.body {
        SectionBody::Nested(nested) => Some(Shown::section(section, nested)),
        SectionBody::Fields(_) => None,
    };
    let mut lists = surface.sections.iter().filter_map(section).chain(surface.related.iter().flat_map(|it| related::lists(tx, it)));
    let list = lists.find(|list| Some(list.name.as_str()) == wanted).ok_or_else(Error::not_found)?;
    nested::exchange(tx, call, surface, &list, key)
}
