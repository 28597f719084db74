//! A list of related rows on a view page: in a section, or among the related lists.

use askama::Template;

use crate::{
    Error, Result, Tx, Value,
    access::{self, List},
    def::{Comparison, NestedList, RelatedDisplay, SectionDef, Via},
    rows::{Counting, Filter, FilterOp, Link, Query},
    web::{
        Call, Reply,
        page::{
            Answer, BodyOnly, Column, Empty, Icon, ListRows, NestedTable, Pagination, Region, Role, RowLine,
            columns::{self, Columns},
            list::{self, RowLinks, row_changes::RowChanges},
            variant::Variant,
        },
    },
};

/// The default page size.
const PAGE_SIZE: u64 = 10;

/// A list on a page.
pub(crate) struct SectionList {
    /// Its name in htmx requests, unique on the page.
    pub name: String,
    /// The title.
    pub title: &'static str,
    /// The declared list.
    pub list: &'static NestedList,
    /// Its display.
    pub display: RelatedDisplay,
    /// The declared page size.
    pub limit: Option<u64>,
}

impl SectionList {
    /// The list of a section.
    pub fn for_section(section: &'static SectionDef, list: &'static NestedList) -> SectionList {
        let title = section.title.unwrap_or(say!("dz-rows", "Rows"));
        SectionList { name: section.name.to_owned(), title, list, display: RelatedDisplay::Table, limit: None }
    }
}

#[derive(Template)]
#[template(path = "items.html")]
struct ItemsHtml<'a> {
    columns: &'a [Column],
    rows: &'a [RowLine],
    empty: &'a Option<Empty>,
    cards: bool,
}

struct Loaded {
    rows: ListRows,
    pagination: Pagination,
}

impl Loaded {
    fn html(&self, display: RelatedDisplay) -> Result<String> {
        let ListRows { columns, rows, empty, .. } = &self.rows;
        match display {
            RelatedDisplay::Table => self.rows.content(),
            RelatedDisplay::List | RelatedDisplay::Grid => {
                ItemsHtml { columns, rows, empty, cards: display == RelatedDisplay::Grid }.render()
            }
        }
        .map_err(Error::internal)
    }
}

/// The rows of a list, for an htmx request.
pub(crate) fn show_rows(tx: &mut Tx<'_>, call: &Call, variant: &Variant, shown: &SectionList, key: &Value) -> Result<Reply> {
    let loaded = load_rows(tx, call, variant, shown, key)?;
    let rows_html = loaded.html(shown.display)?;
    Ok(Answer::<BodyOnly>::rows(&loaded.pagination.region, rows_html, Some(&loaded.pagination))?.reply(200, call.markup))
}

/// The list in its region; `None` if the caller cannot list its rows.
pub(crate) fn build_table(
    tx: &mut Tx<'_>,
    call: &Call,
    variant: &Variant,
    shown: &SectionList,
    key: &Value,
) -> Result<Option<NestedTable>> {
    let loaded = match load_rows(tx, call, variant, shown, key) {
        Err(error) if matches!(error.status, 401 | 403) => return Ok(None),
        loaded => loaded?,
    };
    // A new row belongs to this one: by its own reference, or by that of a junction row.
    let by = match shown.list.via {
        Via::Ref(by) => by,
        Via::Junction(through) => through.near(),
    };
    let prefill = format!("?{}={}", by.field(tx.app).name, columns::key_text(key).unwrap_or_default());
    let one_page = loaded.pagination.last() == 1;
    let footer_html = if one_page {
        format!(r#"<div id="{}"></div>"#, loaded.pagination.region.footer_id())
    } else {
        loaded.pagination.slot_html().map_err(Error::internal)?
    };
    Ok(Some(NestedTable {
        region: loaded.pagination.region.clone(),
        title: shown.title,
        display: shown.display,
        total: loaded.pagination.total.to_string(),
        create: if variant.is_read_only() { None } else { list::create_link(tx, by.entity(tx.app), &prefill) },
        rows_html: loaded.html(shown.display)?,
        rows: loaded.rows,
        footer_html,
    }))
}

fn load_rows(tx: &mut Tx<'_>, call: &Call, variant: &Variant, shown: &SectionList, key: &Value) -> Result<Loaded> {
    let (nested, surface) = (shown.list, variant.surface());
    let child = tx.app.entity(nested.entity);
    let grant = access::ask::<List>(tx.app, tx.engine(), tx.caller(), child)?;
    // Fields that the page hides are also hidden in columns that lead back to its row.
    let columns = Columns::new(tx.app, nested.columns.iter().filter(|column| !variant.hides(tx.app, &column.path)));
    let asked = call.query.iter().any(|(name, value)| name == "section" && *value == shown.name);
    let number =
        |wanted: &str| call.query.iter().find(|(name, _)| asked && name == wanted).and_then(|(_, value)| value.parse::<u64>().ok());
    let limit = number("page_size").filter(|size| (1..=100).contains(size)).or(shown.limit).unwrap_or(PAGE_SIZE);
    let page = number("page").filter(|page| *page >= 1).unwrap_or(1);
    let mut query = Query {
        extra: columns.extra.clone(),
        offset: (page - 1).saturating_mul(limit),
        limit,
        condition: nested.filter.map(|filter| (filter, Some(key.clone()))),
        count: Counting::Limited,
        ..Query::default()
    };
    match nested.via {
        Via::Ref(by) => query.filters.push(Filter { path: by.path(), op: FilterOp::Compare(Comparison::Eq, key.clone()) }),
        Via::Junction(through) => query.link = Some(Link::new(tx, through, key.clone())?),
    }
    let changes = if variant.is_read_only() { RowChanges::default() } else { RowChanges::request(tx, child, &mut query) };
    let found = list::fetch_page(tx, &grant, &mut query)?;
    let region = Region::new(format!("{}-{}", surface.name, shown.name));
    let preserved = vec![("section".to_owned(), shown.name.clone())];
    let pagination = list::build_pagination(&region, &columns::row_address(surface, key), &query, found.total, child, preserved);
    let leads = RowLinks { variant: None, primary: Vec::new(), changes };
    let mut rows = list::build_rows(tx, &columns, child, &found.rows, region.name(), &leads);
    rows.empty = found.rows.is_empty().then(|| Empty {
        icon: Icon("rows"),
        title: say!("dz-no-many-yet", "No {many} yet", many = columns::lower_title(child.title_plural)),
        text: None,
        action: None,
        creates: false,
    });
    Ok(Loaded { rows, pagination })
}
