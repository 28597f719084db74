//! View pages: the fields of a row, and related rows.

mod action_form;
pub(crate) mod actions;
pub(crate) mod delete;
pub(crate) mod history;
mod neighbours;
pub(crate) mod nested;
pub(crate) mod related;
pub(crate) mod steps;
pub(crate) mod transitions;

use askama::Template;

use crate::{
    Error, Result, Tx, Value,
    access::{self, Action as _, Read, Update},
    def::{Mode, RelatedDisplay, SectionBody, SectionDef, SurfaceDef},
    record,
    rows::{self, RowTest},
    web::{
        Call, Reply,
        page::{
            ActionButtons, Answer, Document, Fact, HistoryEntry, Icon, Link, Neighbours, Shape, Step, TransitionButtons, ViewBody,
            ViewPage, ViewSection,
            columns::{self, Columns},
            form,
            list::{bulk, row_changes::RowChanges},
            primary_button::PrimaryTarget,
            shell::{PageKind, Shell},
            surface_actions::SurfaceActions,
            variant::Variant,
            view::nested::SectionList,
        },
    },
};

#[derive(Template)]
#[template(path = "view.html")]
struct ViewHtml<'a> {
    title: &'a str,
    purpose: Option<&'a str>,
    crumbs: &'a [Link],
    neighbours: &'a Option<Neighbours>,
    primary: &'a Option<crate::web::page::PrimaryButton>,
    links: &'a [crate::web::page::PrimaryButton],
    edit: &'a Option<Link>,
    delete: &'a Option<Link>,
    graph: &'a Option<Link>,
    steps: &'a [Step],
    transitions: &'a Option<TransitionButtons>,
    actions: &'a Option<ActionButtons>,
    problem: &'a Option<String>,
    notice: Option<&'a str>,
    sections: &'a [ViewSection],
    history: &'a [HistoryEntry],
}

impl ViewPage {
    /// The sections of a row without buttons.
    pub(crate) fn of_sections(title: String, sections: Vec<ViewSection>) -> ViewPage {
        ViewPage {
            title,
            purpose: None,
            crumbs: Vec::new(),
            neighbours: None,
            primary: None,
            links: Vec::new(),
            edit: None,
            delete: None,
            graph: None,
            steps: Vec::new(),
            transitions: None,
            actions: None,
            problem: None,
            notice: None,
            sections,
            history: Vec::new(),
        }
    }

    /// The content of the page by the template of the runtime.
    ///
    /// # Errors
    ///
    /// If the template fails, which valid data does not cause.
    pub fn content(&self) -> askama::Result<String> {
        ViewHtml {
            title: &self.title,
            purpose: self.purpose,
            crumbs: &self.crumbs,
            neighbours: &self.neighbours,
            primary: &self.primary,
            links: &self.links,
            edit: &self.edit,
            delete: &self.delete,
            graph: &self.graph,
            steps: &self.steps,
            transitions: &self.transitions,
            actions: &self.actions,
            problem: &self.problem,
            notice: self.notice,
            sections: &self.sections,
            history: &self.history,
        }
        .render()
    }
}

/// `GET /app/{surface}/{id}`: the row; for an htmx request with `section`, the rows of that section.
///
/// A refused transition shows the row again, with the error.
pub(crate) fn show(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, id: &str, refused: Option<&Error>) -> Result<Reply> {
    let entity = tx.app.entity(surface.entity);
    let variant = Variant::resolve(tx, surface);
    let grant = access::ask::<Read>(tx.app, tx.engine(), tx.caller(), entity)?.narrow_to(variant.within());
    let key = form::parse_key(tx, entity, id)?;
    let parts: Vec<(&SectionDef, Columns)> =
        variant.sections(tx.app).into_iter().map(|part| (part.section, Columns::new(tx.app, part.columns))).collect();
    let mut extra: Vec<rows::Extra> = parts.iter().flat_map(|(_, columns)| columns.extra.iter().copied()).collect();
    let changes = if variant.is_read_only() { RowChanges::default() } else { RowChanges::request_for_row(tx, entity, &mut extra) };
    let recorded = history::is_recorded(tx, entity).then(|| {
        extra.push(rows::Extra::Test(RowTest::Rule(Update::NAME)));
        extra.len() - 1
    });
    let row = rows::read(tx, &grant, &key, &extra)?;
    if call.htmx && refused.is_none() {
        return show_rows(tx, call, &variant, &key);
    }
    let mut sections = build_sections(tx, call, &variant, &parts, &row)?;
    for related in surface.related {
        sections.extend(related::build_section(tx, call, &variant, related, &key)?);
    }
    let neighbours = neighbours::find(tx, call, surface, &key)?;
    let list = columns::find_page(tx, entity, Mode::List);
    let opened_from = neighbours.as_ref().map(|it| it.list.clone());
    let edit = changes.edit(&row);
    let target = PrimaryTarget::resolve(tx, &variant);
    let may_update = recorded.is_some_and(|at| row.extra.get(at) == Some(&Value::Bool(true)));
    let links = SurfaceActions::clicks(tx, &variant).buttons(tx, Some((entity, &row)))?;
    let data = ViewPage {
        title: variant.load_label(tx, &row)?,
        purpose: variant.purpose(),
        crumbs: list.map(|list| Link::new(opened_from.unwrap_or_else(|| list.address()), list.title)).into_iter().collect(),
        neighbours,
        primary: target.as_ref().map_or(Ok(None), |target| target.button(tx, Some((entity, &row))))?,
        edit: edit
            .filter(|_| !target.is_some_and(|it| it.is_surface(edit)))
            .map(|edit| Link::new(columns::row_address(edit, &key), say!("dz-edit", "Edit")))
            .filter(|edit| links.iter().all(|button| button.link.href != edit.href)),
        delete: changes
            .delete(&row)
            .map(|page| Link::new(format!("{}/delete", columns::row_address(page, &key)), say!("dz-delete", "Delete"))),
        links,
        graph: entity
            .node
            .map(|_| Link::new(format!("{}/graph", columns::row_address(surface, &key)), say!("dz-connections", "Connections"))),
        steps: steps::build(tx, &variant, &row),
        transitions: transitions::build_buttons(tx, call, &variant, &row)?,
        actions: actions::build_buttons(tx, call, &variant, &row)?,
        problem: refused.map(|error| bulk::refusal_text(entity, error)),
        notice: columns::notice(&call.query),
        sections,
        history: history::load(tx, &variant, &row, may_update)?,
    };
    let content = surface.templates.view.map_or_else(|| data.content(), |render| render(&data)).map_err(Error::internal)?;
    let shell = Shell::app(tx, call, data.title.clone(), PageKind::Record, Some(surface));
    Ok(Answer::<Document>::document(shell.render(&content)?).reply(refused.map_or(200, |error| error.status), call.markup))
}

/// The title of a row, and its sections on a surface.
pub(crate) fn load_sections(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, key: &Value) -> Result<(String, Vec<ViewSection>)> {
    let entity = tx.app.entity(surface.entity);
    access::check_audience(&tx.caller().for_entity(entity), surface.place.audience)?;
    let variant = Variant::resolve(tx, surface);
    let grant = access::ask::<Read>(tx.app, tx.engine(), tx.caller(), entity)?.narrow_to(variant.within());
    let parts: Vec<(&SectionDef, Columns)> =
        variant.sections(tx.app).into_iter().map(|part| (part.section, Columns::new(tx.app, part.columns))).collect();
    let extra: Vec<rows::Extra> = parts.iter().flat_map(|(_, columns)| columns.extra.iter().copied()).collect();
    let row = rows::read(tx, &grant, key, &extra)?;
    let sections = build_sections(tx, call, &variant, &parts, &row)?;
    Ok((variant.load_label(tx, &row)?, sections))
}

/// Builds the sections; a list of rows is omitted if the caller cannot list any.
fn build_sections(
    tx: &mut Tx<'_>,
    call: &Call,
    variant: &Variant,
    parts: &[(&'static SectionDef, Columns)],
    row: &record::Row,
) -> Result<Vec<ViewSection>> {
    let key = row.value(tx.app.entity(variant.surface().entity).pk).clone();
    let mut sections = Vec::new();
    let mut from = 0;
    for (section, columns) in parts {
        let body = match &section.body {
            SectionBody::Nested(nested) => nested::build_table(tx, call, variant, &SectionList::for_section(section, nested), &key)?
                .map(|table| ViewBody::Nested(Box::new(table))),
            SectionBody::Fields(_) => {
                let own = record::Row { extra: row.extra.iter().skip(from).cloned().collect(), ..row.clone() };
                from += columns.extra.len();
                // A section whose fields are all hidden is omitted.
                let facts = build_facts(tx, columns, &own);
                (!facts.is_empty()).then_some(ViewBody::Facts(facts))
            }
        };
        if let Some(body) = body {
            sections.push(ViewSection { id: format!("s-{}", section.name), title: section.title, note: section.note, body });
        }
    }
    Ok(sections)
}

fn build_facts(tx: &Tx<'_>, columns: &Columns, row: &record::Row) -> Vec<Fact> {
    let fact = |shown: &columns::ShownColumn| {
        let cell = shown.fact(tx, row);
        let wide = matches!(cell.shape, Shape::Prose | Shape::Code | Shape::File { pictured: true, .. }) && !shown.field.kind.is_uuid();
        Fact { label: shown.def.label, cell, wide }
    };
    columns.shown.iter().filter(|shown| !shown.is_hidden(row)).map(fact).collect()
}

/// The rows of one list, for an htmx request.
fn show_rows(tx: &mut Tx<'_>, call: &Call, variant: &Variant, key: &Value) -> Result<Reply> {
    let surface = variant.surface();
    let wanted = call.query.iter().find(|(name, _)| name == "section").map(|(_, value)| value.as_str());
    let section = |section: &'static SectionDef| match &section.body {
        SectionBody::Nested(nested) => Some(SectionList::for_section(section, nested)),
        SectionBody::Fields(_) => None,
    };
    let mut lists = surface.sections.iter().filter_map(section).chain(surface.related.iter().flat_map(|it| related::list_related(tx, it)));
    let list = lists.find(|list| Some(list.name.as_str()) == wanted).ok_or_else(Error::not_found)?;
    nested::show_rows(tx, call, variant, &list, key)
}
