//! List pages, and the htmx response with their rows.

pub(crate) mod attention;
pub(crate) mod bulk;
pub(crate) mod column_choice;
pub(crate) mod csv_files;
pub(crate) mod pagination;
pub(crate) mod row_changes;
pub(crate) mod saved_filters;
mod sort;
pub(crate) mod toolbar;

use std::collections::HashMap;

use askama::Template;
use url::form_urlencoded;

use crate::{
    Error, Result, Tx, Value,
    access::{self, Grant, List},
    def::{EntityDef, MetricDef, Mode, Path, SurfaceDef},
    record,
    rows::{self, Query},
    web::{
        Call, Reply,
        api::params,
        page::{
            Answer, BodyOnly, Document, Empty, FilterInput, Icon, LevelCount, Link, ListPage, ListRows, Metric, Pagination, Region, Role,
            RowLine,
            columns::{self, Columns},
            list::{column_choice::ColumnChoices, row_changes::RowChanges},
            primary_button::PrimaryTarget,
            shell::{PageKind, Shell},
            surface_actions::SurfaceActions,
            variant::Variant,
            workspace::figures,
        },
    },
};

#[derive(Template)]
#[template(path = "list.html")]
struct ListHtml<'a> {
    title: &'a str,
    purpose: Option<&'a str>,
    region: &'a Region,
    path: &'a str,
    primary: &'a Option<crate::web::page::PrimaryButton>,
    links: &'a [crate::web::page::PrimaryButton],
    create: &'a Option<Link>,
    export: &'a Option<Link>,
    import: &'a Option<Link>,
    choose: &'a Option<Link>,
    bulk: &'a Option<crate::web::page::BulkBar>,
    notice: Option<&'a str>,
    metrics: &'a [Metric],
    levels: &'a [LevelCount],
    toolbar: &'a Option<crate::web::page::Toolbar>,
    caption: &'a str,
    rows: &'a ListRows,
    rows_html: &'a str,
    footer_html: &'a str,
}

#[derive(Template)]
#[template(path = "rows.html")]
struct RowsHtml<'a> {
    columns: &'a [crate::web::page::Column],
    rows: &'a [RowLine],
    menus: bool,
    bulk: Option<&'a str>,
    empty: &'a Option<Empty>,
    width: usize,
}

impl ListPage {
    /// The content of the page by the template of the runtime.
    ///
    /// # Errors
    ///
    /// If the template fails, which valid data does not cause.
    pub fn content(&self) -> askama::Result<String> {
        ListHtml {
            title: self.title,
            purpose: self.purpose,
            region: &self.region,
            path: &self.path,
            primary: &self.primary,
            links: &self.links,
            create: &self.create,
            export: &self.export,
            import: &self.import,
            choose: &self.choose,
            bulk: &self.bulk,
            notice: self.notice,
            metrics: &self.metrics,
            levels: &self.levels,
            toolbar: &self.toolbar,
            caption: &self.caption,
            rows: &self.rows,
            rows_html: &self.rows_html,
            footer_html: &self.footer_html,
        }
        .render()
    }
}

impl ListRows {
    /// The rows by the template of the runtime.
    ///
    /// # Errors
    ///
    /// If the template fails, which valid data does not cause.
    pub fn content(&self) -> askama::Result<String> {
        let width = self.width();
        RowsHtml { columns: &self.columns, rows: &self.rows, menus: self.menus, bulk: self.bulk.as_deref(), empty: &self.empty, width }
            .render()
    }
}

/// The parameters of a list, without unknown ones.
pub(crate) struct ListRequest {
    /// Known parameters for search, filters and sort with a value, in their order.
    pub pairs: Vec<(String, String)>,
    /// The query.
    pub query: Query,
    /// True if a search or a filter selects rows.
    pub narrowed: bool,
}

impl ListRequest {
    /// Parses the query of a call.
    pub fn read(tx: &Tx<'_>, surface: &'static SurfaceDef, variant: &Variant, call: &Call) -> Result<ListRequest> {
        let (app, entity) = (tx.app, tx.app.entity(surface.entity));
        let hides = |path: &Path| variant.hides(app, path);
        let parse = |pairs: &[(String, String)], strictness| params::parse_for(app, entity, Some(surface), &hides, pairs, strictness);
        let understood = |pair: &(String, String)| parse(std::slice::from_ref(pair), params::Strictness::Api).is_ok();
        let is_paging = |name: &str| matches!(name, "page" | "page_size");
        // A filter on a field with the name of the notice parameter is not the notice.
        let is_notice = |name: &str| name == "done" && entity.find(name).is_none();
        let is_mine = |name: &str| !is_paging(name) && !matches!(name, "expand" | "format") && !is_notice(name);
        let given = merge_pairs(&call.query);
        let mut pairs: Vec<_> = given.iter().filter(|(name, _)| is_mine(name)).filter(|pair| understood(pair)).cloned().collect();
        pairs.sort_by_key(|(name, _)| match name.as_str() {
            "sort" => 0,
            "include_closed" => 2,
            "as_of" => 3,
            _ => 1,
        });
        let paging = given.iter().filter(|(name, _)| is_paging(name)).cloned();
        let all: Vec<_> = pairs.iter().cloned().chain(paging).collect();
        let mut query = parse(&all, params::Strictness::Page)?;
        query.count = rows::Counting::Limited;
        if let Some((word, rows)) = attention::selected(surface, entity, &given) {
            query.attention = Some(rows);
            pairs.push(("attention".to_owned(), word.to_owned()));
        }
        let narrowed = pairs.iter().any(|(name, _)| !matches!(name.as_str(), "sort" | "include_closed"));
        Ok(ListRequest { pairs, query, narrowed })
    }

    /// The parameters without these names.
    pub fn without(&self, names: &[&str]) -> Vec<(String, String)> {
        self.pairs.iter().filter(|(name, _)| !names.contains(&name.as_str())).cloned().collect()
    }

    /// The value of a parameter.
    pub fn value(&self, name: &str) -> &str {
        self.pairs.iter().find(|(given, _)| given == name).map_or("", |(_, value)| value)
    }
}

/// The largest number of parameters of a page, each of which is understood alone; a page of all controls sends far fewer.
const MAX_PAIRS: usize = 500;

/// Removes empty values, and joins the values of check boxes with one name.
fn merge_pairs(query: &[(String, String)]) -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    let mut lists: HashMap<&str, usize> = HashMap::new();
    for (name, value) in query.iter().filter(|(_, value)| !value.is_empty()).take(MAX_PAIRS) {
        match lists.get(name.as_str()).and_then(|at| pairs.get_mut(*at)) {
            Some((_, joined)) => {
                joined.push(',');
                joined.push_str(value);
            }
            None => {
                if name.ends_with("__in") {
                    lists.insert(name, pairs.len());
                }
                pairs.push((name.clone(), value.clone()));
            }
        }
    }
    pairs
}

/// A list page, or for an htmx request its rows.
pub(crate) fn show(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef) -> Result<Reply> {
    if call.query.iter().any(|(name, value)| name == "format" && value == "csv") {
        return csv_files::export(tx, call, surface);
    }
    let data = match build(tx, call, surface, surface.address())? {
        Built::Rows(reply) => return Ok(reply),
        Built::Page(data) => data,
    };
    let content = surface.templates.list.map_or_else(|| data.content(), |render| render(&data)).map_err(Error::internal)?;
    let shell = Shell::app(tx, call, surface.title, PageKind::List, Some(surface));
    Ok(Answer::<Document>::document(shell.render(&content)?).reply(200, call.markup))
}

/// A list: its page, or the response with its rows for an htmx request.
pub(crate) enum Built {
    Rows(Reply),
    Page(Box<ListPage>),
}

/// Builds a list whose links lead to `path`.
///
/// # Errors
/// 401 and 403 without permission.
pub(crate) fn build(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, path: String) -> Result<Built> {
    let entity = tx.app.entity(surface.entity);
    let variant = Variant::resolve(tx, surface);
    let grant = access::ask::<List>(tx.app, tx.engine(), tx.caller(), entity)?.narrow_to(variant.within());
    let mut asked = ListRequest::read(tx, surface, &variant, call)?;
    let choices = ColumnChoices::load(tx, surface);
    let columns = Columns::new(tx.app, choices.arrange(tx, variant.columns(tx.app)));
    let target = PrimaryTarget::resolve(tx, &variant);
    let clicks = SurfaceActions::clicks(tx, &variant);
    asked.query.extra = columns.extra.clone();
    let mut only = columns.required_fields(entity);
    only.extend(target.as_ref().and_then(PrimaryTarget::field).into_iter().chain(clicks.fields()).chain(attention::fields(surface)));
    asked.query.only = Some(only);
    asked.query.tests = attention::tests(surface);
    let changes = if variant.is_read_only() { RowChanges::default() } else { RowChanges::request(tx, entity, &mut asked.query) };
    let page = fetch_page(tx, &grant, &mut asked.query)?;

    // The addresses of bulk changes belong to the page of the surface.
    let is_own_page = path == surface.address();
    let region = Region::new(surface.name);
    let pagination = build_pagination(&region, &path, &asked.query, page.total, entity, asked.pairs.clone());
    let create = if variant.is_read_only() { None } else { create_link(tx, entity, "") };
    let empty = page.rows.is_empty().then(|| empty_state(&variant, entity, &asked, create.clone(), &path));
    let mut rows = link_rows(tx, &columns, &variant, &page.rows, Targets { primary: target.as_ref(), clicks: &clicks, changes })?;
    let bulk = bulk::build_bar(tx, call, &variant, &asked, &page).filter(|_| empty.is_none() && is_own_page);
    let shown: Vec<&record::Row> = page.rows.iter().collect();
    for (line, mark) in rows.rows.iter_mut().zip(attention::marks(tx, surface, entity, &shown, columns.extra.len())?) {
        line.attention = mark;
    }
    rows.bulk = bulk.as_ref().map(|_| region.bulk_id());
    if bulk.as_ref().is_some_and(|bulk| !bulk.transitions.is_empty()) {
        rows.rows.iter_mut().zip(&page.rows).for_each(|(line, row)| line.transitions = bulk::list_row_states(tx, entity, row));
    }
    rows.empty = empty;
    if call.htmx {
        let answer = Answer::<BodyOnly>::rows(&region, render_rows(surface, &rows)?, Some(&pagination))?;
        return Ok(Built::Rows(answer.reply(200, call.markup)));
    }
    for (head, shown) in rows.columns.iter_mut().zip(&columns.shown) {
        head.sort = sort::sort_link(tx, shown, &asked, &path);
        head.width = choices.width(&shown.def.path.name(tx.app)).name();
    }
    let rows_html = render_rows(surface, &rows)?;
    let own = columns::find_page(tx, entity, Mode::Create);
    Ok(Built::Page(Box::new(ListPage {
        title: surface.title,
        purpose: variant.purpose(),
        caption: caption(surface, &pagination),
        footer_html: pagination.slot_html().map_err(Error::internal)?,
        metrics: compute_figures(tx, &grant, &variant, &asked.query)?,
        levels: attention::counts(tx, &grant, surface, &asked, &path)?,
        toolbar: toolbar::build(tx, call, surface, &variant, &asked, &path)?,
        notice: columns::notice(&call.query),
        primary: target.as_ref().map_or(Ok(None), |target| target.button(tx, None))?,
        links: clicks.buttons(tx, None)?,
        create: create.filter(|_| !target.is_some_and(|target| target.is_surface(own))),
        export: rows.empty.is_none().then(|| export_link(&path, &asked)),
        choose: (is_own_page && tx.caller().account.is_some())
            .then(|| Link::new(format!("{path}/columns"), say!("dz-choose-columns", "Choose columns"))),
        import: csv_files::can_import(tx, &variant, entity).then(|| Link::new(format!("{path}/import"), say!("dz-import", "Import"))),
        region,
        path,
        bulk,
        rows,
        rows_html,
    })))
}

/// The target of the rows of a list.
struct Targets<'a> {
    /// The primary button of the page.
    primary: Option<&'a PrimaryTarget>,
    /// The declared actions.
    clicks: &'a SurfaceActions,
    /// The changes that rows offer.
    changes: RowChanges,
}

/// Builds the rows of a list with the buttons that the caller can use for each.
fn link_rows(tx: &mut Tx<'_>, columns: &Columns, variant: &Variant, rows: &[record::Row], targets: Targets<'_>) -> Result<ListRows> {
    let surface = variant.surface();
    let entity = tx.app.entity(surface.entity);
    let shown: Vec<&record::Row> = rows.iter().collect();
    let of_rows = targets.primary.filter(|target| target.needs_row(tx.app));
    let primary = of_rows.map_or_else(|| Ok(Vec::new()), |target| target.addresses(tx, entity, &shown))?;
    let leads = RowLinks { variant: Some(variant), primary, changes: targets.changes };
    let mut list = build_rows(tx, columns, entity, rows, surface.name, &leads);
    for (line, links) in list.rows.iter_mut().zip(targets.clicks.row_buttons(tx, entity, &shown)?) {
        list.menus |= !links.is_empty();
        line.edit = line.edit.take().filter(|edit| links.iter().all(|button| button.link.href != *edit));
        line.links = links;
    }
    Ok(list)
}

fn export_link(path: &str, asked: &ListRequest) -> Link {
    let listed = with_query(path, &asked.pairs);
    Link::new(format!("{listed}{}format=csv", if listed.contains('?') { '&' } else { '?' }), say!("dz-export", "Export"))
}

/// Computes the metrics of the caller's variants over the rows of all pages.
fn compute_figures(tx: &mut Tx<'_>, grant: &Grant<List>, variant: &Variant, query: &Query) -> Result<Vec<Metric>> {
    let of_workspaces = variant.workspace_figures(tx.app);
    let wanted = variant.figures(tx.app);
    if wanted.is_empty() {
        return figures::evaluate_over(tx, &of_workspaces, grant, query);
    }
    let fields: Vec<_> = wanted.iter().map(|figure| figure.field).collect();
    let values = rows::aggregate(tx, grant, query, &fields)?;
    let figure = |(figure, value): (&&'static MetricDef, Value)| {
        let field = grant.entity().field(figure.field);
        let value = rows::widen(field.kind, value);
        let text = match field.kind.is_bool() {
            true => columns::key_text(&value).unwrap_or_default(),
            false => columns::show(tx.app, field, &value).text,
        };
        Metric { label: figure.title, text }
    };
    let mut shown: Vec<Metric> = wanted.iter().zip(values).map(figure).collect();
    shown.extend(figures::evaluate_over(tx, &of_workspaces, grant, query)?);
    Ok(shown)
}

/// Loads the rows of a page; beyond the last page, those of the last page.
pub(crate) fn fetch_page(tx: &mut Tx<'_>, grant: &Grant<List>, query: &mut Query) -> Result<rows::Page> {
    let page = rows::list(tx, grant, query)?;
    if page.rows.is_empty() && page.total.known > 0 && query.offset > 0 && query.limit > 0 {
        query.offset = (page.total.known - 1) / query.limit * query.limit;
        return rows::list(tx, grant, query);
    }
    Ok(page)
}

/// The footer of a list.
pub(crate) fn build_pagination(
    region: &Region,
    path: &str,
    query: &Query,
    total: rows::Total,
    entity: &EntityDef,
    preserved: Vec<(String, String)>,
) -> Pagination {
    let title = if total == rows::Total::exact(1) { entity.title } else { entity.title_plural };
    Pagination {
        region: region.clone(),
        path: path.to_owned(),
        page: query.offset / query.limit.max(1) + 1,
        page_size: query.limit,
        total,
        preserved,
        rows_label: Some(columns::lower_title(title)),
        moves_page: true,
    }
}

/// The labels and links of the rows of a table.
pub(crate) struct RowLinks<'v> {
    /// The surface of the rows.
    pub variant: Option<&'v Variant>,
    /// The primary address of each row; empty if rows have none.
    pub primary: Vec<Option<String>>,
    /// The changes that rows offer.
    pub changes: RowChanges,
}

/// Builds the rows of a table.
pub(crate) fn build_rows(
    tx: &Tx<'_>,
    columns: &Columns,
    entity: &'static EntityDef,
    rows: &[record::Row],
    prefix: &str,
    leads: &RowLinks<'_>,
) -> ListRows {
    let heads = columns.head_columns(entity);
    let view = columns::find_page(tx, entity, Mode::View);
    let called = |row: &record::Row| match leads.variant {
        Some(variant) => variant.own_label(tx.app, row),
        None => columns::row_label(tx.app, entity, row),
    };
    let title = heads.iter().position(|head| head.role == Role::Title).unwrap_or(0);
    let lines: Vec<RowLine> = rows
        .iter()
        .enumerate()
        .map(|(at, row)| {
            let key = &row.values[usize::from(entity.pk)];
            let cells = columns.cells(tx, row);
            let named = cells.get(title).map(|cell| cell.text.clone()).filter(|_| !columns.shown.is_empty());
            let text = columns::key_text(key).unwrap_or_default();
            let edit = leads.changes.edit(row).map(|surface| columns::address_of_key(surface, &text));
            let shown = view.map(|surface| columns::address_of_key(surface, &text));
            let delete = leads.changes.delete(row).map(|surface| format!("{}/delete", columns::address_of_key(surface, &text)));
            RowLine {
                id: columns::element_id(prefix, &text),
                key: text,
                transitions: String::new(),
                label: named.filter(|text| !text.is_empty() && *text != say!("dz-not-set", "Not set")).unwrap_or_else(|| called(row)),
                href: (leads.primary.get(at).cloned().flatten()).or(shown).or_else(|| edit.clone()),
                cells,
                links: Vec::new(),
                edit,
                attention: None,
                delete,
            }
        })
        .collect();
    let menus = lines.iter().any(|line| line.edit.is_some() || line.delete.is_some());
    ListRows { columns: heads, rows: lines, menus, bulk: None, empty: None }
}

/// Renders the rows, with the template of the application if it has one.
fn render_rows(surface: &'static SurfaceDef, rows: &ListRows) -> Result<String> {
    surface.templates.rows.map_or_else(|| rows.content(), |render| render(rows)).map_err(Error::internal)
}

/// The link to the form of a new row, if the caller can create one.
pub(crate) fn create_link(tx: &Tx<'_>, entity: &'static EntityDef, query: &str) -> Option<Link> {
    let surface = columns::find_page(tx, entity, Mode::Create)?;
    Some(Link::new(
        format!("{}{query}", surface.address()),
        say!("dz-new-thing", "New {thing}", thing = columns::lower_title(entity.title)),
    ))
}

fn empty_state(variant: &Variant, entity: &EntityDef, asked: &ListRequest, create: Option<Link>, path: &str) -> Empty {
    let many = columns::lower_title(entity.title_plural);
    if asked.narrowed {
        return Empty {
            icon: Icon("filter"),
            title: say!("dz-no-many-match", "No {many} match", many = many),
            text: variant.empty_text().map(str::to_owned),
            action: Some(Link::new(with_query(path, &sort_pairs(asked)), say!("dz-clear-search-and-filters", "Clear search and filters"))),
            creates: false,
        };
    }
    Empty {
        icon: Icon("rows"),
        title: variant.empty_text().map_or_else(|| say!("dz-no-many-yet", "No {many} yet", many = many), str::to_owned),
        text: create.is_some().then(|| say!("dz-added-will-appear", "{things} you add will appear here.", things = entity.title_plural)),
        creates: create.is_some(),
        action: create,
    }
}

/// The parameters for the order of the list.
pub(crate) fn sort_pairs(asked: &ListRequest) -> Vec<(String, String)> {
    asked.pairs.iter().filter(|(name, _)| name == "sort").cloned().collect()
}

/// A path with its query, if there is one.
pub(crate) fn with_query(path: &str, pairs: &[(String, String)]) -> String {
    if pairs.is_empty() {
        return path.to_owned();
    }
    format!("{path}?{}", form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish())
}

/// The caption of the table.
fn caption(surface: &SurfaceDef, pagination: &Pagination) -> String {
    say!("dz-caption-of-page", "{title}, page {page} of {last}", title = surface.title, page = pagination.page, last = pagination.last())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_boxes_with_one_name_are_one_filter() {
        let query = [("status__in", "open"), ("status__in", "done"), ("search", ""), ("owner", "1")];
        let query = query.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let merged = merge_pairs(&query);
        assert_eq!(with_query("/x", &merged), "/x?status__in=open%2Cdone&owner=1");
    }

    #[test]
    fn a_long_query_takes_a_limited_time() {
        let query: Vec<(String, String)> = (0..200_000).map(|at| (format!("f{at}__in"), "1".to_owned())).collect();
        assert_eq!(merge_pairs(&query).len(), MAX_PAIRS);
    }
}
