//! View pages: the facts of a row, and the rows that belong to it.

use askama::Template;

use super::{
    Acts, Answer, BodyOnly, Document, Empty, Fact, Icon, Link, Moves, NestedTable, Region, Shape, ViewBody, ViewPage, ViewSection, acted,
    form, list, moved,
    present::{self, Columns},
    shell::{Part, Shell},
};
use crate::{
    Error, Result, Tx, Value,
    access::{self, List, Read},
    def::{Cmp, Kind, Mode, NestedList, Path, SectionBody, SectionDef, SurfaceDef},
    http::{Call, Reply},
    rows::{self, Filter, FilterOp, Query},
};

/// Rows of a nested list on one page, unless the exchange says otherwise.
const NESTED: u64 = 10;

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
                nested_table(tx, call, surface, section, nested, &key)?.map(|table| ViewBody::Nested(Box::new(table)))
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
    let list = present::page_of(tx, entity, Mode::List);
    let edit = present::page_of(tx, entity, Mode::Edit);
    let data = ViewPage {
        title: present::label_of(tx.app, entity, &row),
        purpose: surface.purpose,
        crumbs: list.map(|list| Link::new(format!("/app/{}", list.name), list.title)).into_iter().collect(),
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
        let cell = shown.cell(tx, row);
        let wide = matches!(cell.shape, Shape::Prose | Shape::Code) && !matches!(shown.field.kind, Kind::Uuid);
        Fact { label: shown.def.label, cell, wide }
    };
    columns.shown.iter().map(fact).collect()
}

/// The rows of one section, for an exchange.
fn exchange(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, key: &Value) -> Result<Reply> {
    let wanted = call.query.iter().find(|(name, _)| name == "section").map(|(_, value)| value.as_str());
    let section = surface.sections.iter().find(|section| Some(section.name) == wanted).ok_or_else(Error::not_found)?;
    let SectionBody::Nested(nested) = &section.body else { return Err(Error::not_found()) };
    let loaded = load(tx, call, surface, section, nested, key)?;
    let rows_html = loaded.rows.content().map_err(Error::internal)?;
    Ok(Answer::<BodyOnly>::rows(&loaded.pagination.region, &rows_html, Some(&loaded.pagination))?.reply(200, call.markup))
}

struct Loaded {
    rows: super::ListRows,
    pagination: super::Pagination,
}

/// The rows of a nested section; nothing where the caller may not list the children.
fn nested_table(
    tx: &mut Tx<'_>,
    call: &Call,
    surface: &'static SurfaceDef,
    section: &'static SectionDef,
    nested: &'static NestedList,
    key: &Value,
) -> Result<Option<NestedTable>> {
    let loaded = match load(tx, call, surface, section, nested, key) {
        Err(error) if matches!(error.status, 401 | 403) => return Ok(None),
        loaded => loaded?,
    };
    let child = tx.app.entity(nested.entity);
    let prefill = format!("?{}={}", child.field(nested.via).name, present::text_of(key).unwrap_or_default());
    let one_page = loaded.pagination.last() == 1;
    let footer_html = if one_page {
        format!(r#"<div id="{}"></div>"#, loaded.pagination.region.footer_id())
    } else {
        loaded.pagination.slot_html().map_err(Error::internal)?
    };
    Ok(Some(NestedTable {
        region: loaded.pagination.region.clone(),
        total: loaded.pagination.total,
        create: list::create_link(tx, child, &prefill),
        rows_html: loaded.rows.content().map_err(Error::internal)?,
        rows: loaded.rows,
        footer_html,
    }))
}

fn load(
    tx: &mut Tx<'_>,
    call: &Call,
    surface: &'static SurfaceDef,
    section: &'static SectionDef,
    nested: &'static NestedList,
    key: &Value,
) -> Result<Loaded> {
    let child = tx.app.entity(nested.entity);
    let grant = access::ask::<List>(tx.app, tx.engine(), tx.caller(), child)?;
    let columns = Columns::of(tx.app, nested.columns);
    let asked = call.query.iter().any(|(name, value)| name == "section" && value == section.name);
    let number =
        |wanted: &str| call.query.iter().find(|(name, _)| asked && name == wanted).and_then(|(_, value)| value.parse::<u64>().ok());
    let limit = number("page_size").filter(|size| (1..=100).contains(size)).unwrap_or(NESTED);
    let page = number("page").filter(|page| *page >= 1).unwrap_or(1);
    let via = Path { from: nested.entity, hops: &[], field: nested.via };
    let mut query = Query {
        filters: vec![Filter { path: via, op: FilterOp::Compare(Cmp::Eq, key.clone()) }],
        extra: columns.extra.clone(),
        offset: (page - 1).saturating_mul(limit),
        limit,
        condition: nested.filter.map(|filter| (filter, Some(key.clone()))),
        count: true,
        ..Query::default()
    };
    let found = list::fetch(tx, &grant, &mut query)?;
    let region = Region::new(format!("{}-{}", surface.name, section.name));
    let preserved = vec![("section".to_owned(), section.name.to_owned())];
    let pagination = list::paging(&region, &present::address(surface, key), &query, found.total, child, preserved);
    let mut rows = list::lines(tx, &columns, child, &found.rows, region.name());
    rows.empty = found.rows.is_empty().then(|| Empty {
        icon: Icon("rows"),
        title: format!("No {} yet", present::lower(child.title_plural)),
        text: None,
        action: None,
        creates: false,
    });
    Ok(Loaded { rows, pagination })
}
