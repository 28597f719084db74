//! Rows of a region: which values are loaded, and the displays that show one row after another.

use std::collections::HashMap;

use askama::Template;

use super::content::{Content, SourceRequest, empty_text};
use crate::{
    Result, Tx, Value,
    access::{Grant, List, SurfaceScope},
    def::{AppDef, ColumnDef, Display, EntityDef, FieldIx, Mode, Path, RegionDef, RegionValue, SortDef, SourceDef, SurfaceDef},
    field,
    label::RowLabel,
    rows::{Counting, Query, Row, temporal},
    template::{AttentionMark, Cell, Column, Role, RowLine},
    web::{
        api::params::{MAX_PAGE_SIZE, list_surface},
        page::{
            Icon, ListRows, Pagination, Region, Shape, cell,
            columns::{self, Columns, ShownColumn},
            list::{self, attention},
            primary_button::PrimaryTarget,
            shell,
            variant::Variant,
        },
    },
};

/// The number of rows of one page of a region.
pub(super) const PAGE_SIZE: u64 = 10;
/// The number of columns of a table whose columns the declaration does not name, and of values beside the title of a row.
const TABLE_COLUMNS: usize = 6;
const DETAILS: usize = 3;

/// The rows of one source, with the values that its display needs.
pub(super) struct SourceRows {
    region: &'static RegionDef,
    source: &'static SourceDef,
    /// The entity of the rows.
    pub entity: &'static EntityDef,
    columns: Columns,
    /// The number of columns that a table shows.
    listed: usize,
    target: Option<PrimaryTarget>,
    /// The declared addresses of the rows, by key.
    links: HashMap<String, String>,
    view: Option<&'static SurfaceDef>,
    /// The list of the entity, if its messages (`attention:`) are shown on the rows.
    signals: Option<&'static SurfaceDef>,
    /// The most urgent message of each row that has one, by key.
    marks: HashMap<String, AttentionMark>,
}

/// A row of a display without columns.
pub(super) struct Card {
    /// The id of its element.
    pub id: String,
    /// The key, as forms send it.
    pub key: String,
    /// The version of the row.
    pub version: i64,
    /// The label.
    pub title: String,
    /// The address of the page of the row.
    pub href: Option<String>,
    /// The state.
    pub state: Option<Cell>,
    /// Further values with their labels.
    pub details: Vec<(&'static str, Cell)>,
    /// The declared value.
    pub value: Option<Cell>,
    /// The date, as text and in its machine-readable form.
    pub date: Option<(String, String)>,
    /// The most urgent message of the list of the entity.
    pub attention: Option<AttentionMark>,
}

impl Card {
    /// The colour of the state.
    pub fn tone(&self) -> &'static str {
        match self.state.as_ref().map(|state| &state.shape) {
            Some(Shape::Choice { tone, .. }) => tone,
            _ => "gray",
        }
    }
}

impl SourceRows {
    /// Chooses the values of the rows: the title, the columns of the list of the entity, and what the display needs.
    pub fn resolve(tx: &Tx<'_>, region: &'static RegionDef, source: &'static SourceDef, read_only: bool) -> SourceRows {
        let (app, entity) = (tx.app, tx.app.entity(source.entity));
        let title = source.title.unwrap_or_else(|| RowLabel::with_sensitive(app, entity).path);
        let list = list_surface(app, entity);
        let listed: Vec<&'static ColumnDef> = match list {
            Some(surface) => Variant::resolve(tx, surface).columns(app),
            None => source.columns.iter().collect(),
        };
        let label = listed.iter().find(|column| column.path == title).map_or(title.end(app).field(app).title, |column| column.label);
        let mut defs = vec![ColumnDef::new(title, label)];
        defs.extend(listed.into_iter().copied().filter(|column| column.path != title));
        let count = Columns::new(app, &defs).shown.len();
        let value = match source.value {
            Some(RegionValue::Field(path)) => Some(path),
            Some(RegionValue::Figure(_)) | None => None,
        };
        let groups = [source.group_by, source.across].into_iter().flatten().map(|group| group.path);
        for path in source.date.into_iter().chain(value).chain(groups) {
            if !defs.iter().any(|column| column.path == path) {
                defs.push(ColumnDef::new(path, path.end(app).field(app).title));
            }
        }
        SourceRows {
            region,
            source,
            entity,
            columns: Columns::new(app, &defs),
            listed: count,
            target: source.action.and_then(|opening| PrimaryTarget::open(tx, opening, read_only)),
            links: HashMap::new(),
            view: columns::find_page(tx, entity, Mode::View),
            signals: list.filter(|surface| shows_signals(region.display) && shell::can_open(tx, surface)),
            marks: HashMap::new(),
        }
    }

    /// The proof that the caller may list rows, restricted to those of the region.
    pub fn grant(&self, tx: &Tx<'_>) -> Result<Grant<List>> {
        grant(tx, self.region, self.source)
    }

    /// The query of the rows, without a page.
    pub fn query(&self, tx: &Tx<'_>, asked: &SourceRequest<'_>) -> Query {
        let via = self.target.as_ref().and_then(PrimaryTarget::field);
        let mut only: Vec<FieldIx> = self.columns.required_fields(self.entity).into_iter().chain(via).collect();
        only.extend(self.source.group_by.and_then(|group| group.path.own_field()));
        only.extend(self.signals.into_iter().flat_map(attention::fields));
        let tests = self.signals.map_or_else(Vec::new, attention::tests);
        Query { extra: self.columns.extra.clone(), only: Some(only), sort: sort(self.source.sort), tests, ..base_query(tx, asked) }
    }

    fn find_column(&self, path: Path) -> Option<&ShownColumn> {
        self.columns.shown.iter().find(|shown| shown.def.path == path)
    }

    /// The columns of a table.
    pub fn heads(&self) -> Vec<Column> {
        let mut heads = self.columns.head_columns(self.entity);
        let most = if self.source.has_named_columns { self.listed } else { self.listed.min(TABLE_COLUMNS) };
        heads.truncate(most);
        for (at, head) in heads.iter_mut().enumerate() {
            head.role = match (at, head.role) {
                (0, _) => Role::Title,
                (_, Role::Title) => Role::Detail,
                (_, role) => role,
            };
        }
        heads
    }

    /// The label of a row.
    pub fn title(&self, tx: &Tx<'_>, row: &Row) -> String {
        let key = row.value(self.entity.pk);
        let name = RowLabel::with_sensitive(tx.app, self.entity);
        let Some(first) = self.columns.shown.first() else { return name.text_from_key(tx.app, key) };
        if self.source.title.is_none() && first.field.kind.target().is_none() {
            return name.text(tx.app, first.value(row), key);
        }
        let cell = first.cell(tx, row);
        if cell.is_empty() || cell.text.is_empty() { name.text_from_key(tx.app, key) } else { cell.text }
    }

    /// Finds the messages on rows, and the declared addresses of those that the caller can open.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub fn find_links(&mut self, tx: &mut Tx<'_>, rows: &[Row]) -> Result<()> {
        if let Some(surface) = self.signals {
            let marks = attention::marks(tx, surface, self.entity, &rows.iter().collect::<Vec<_>>(), self.columns.extra.len())?;
            let keys = rows.iter().map(|row| columns::key_text(row.value(self.entity.pk)));
            self.marks.extend(keys.zip(marks).filter_map(|(key, mark)| key.zip(mark)));
        }
        let Some(target) = self.target.as_ref().filter(|target| target.needs_row(tx.app)) else { return Ok(()) };
        let addresses = target.addresses(tx, self.entity, &rows.iter().collect::<Vec<_>>())?;
        let keys = rows.iter().map(|row| columns::key_text(row.value(self.entity.pk)));
        self.links.extend(keys.zip(addresses).filter_map(|(key, address)| key.zip(address)));
        Ok(())
    }

    /// The address of the page that a row opens.
    pub fn href(&self, row: &Row) -> Option<String> {
        let declared = columns::key_text(row.value(self.entity.pk)).and_then(|key| self.links.get(&key).cloned());
        declared.or_else(|| self.view.map(|view| columns::row_address(view, row.value(self.entity.pk))))
    }

    /// The date of a row, in the time zone of the application.
    pub fn date(&self, tx: &Tx<'_>, row: &Row) -> Option<chrono::NaiveDate> {
        let value = self.find_column(self.source.date?)?.value(row);
        match value {
            Value::Date(day) => Some(*day),
            Value::DateTime(at) => Some(at.with_timezone(&field::zone(tx.app)).date_naive()),
            _ => None,
        }
    }

    /// The number of a row that `value:` names.
    pub fn number(&self, row: &Row) -> Option<Value> {
        let Some(RegionValue::Field(path)) = self.source.value else { return None };
        self.find_column(path).map(|shown| shown.value(row).clone()).filter(|value| !value.is_null())
    }

    /// A row with its title, its state and at most `details` further values.
    pub fn card(&self, tx: &Tx<'_>, row: &Row, details: usize) -> Card {
        let value_path = match self.source.value {
            Some(RegionValue::Field(path)) => Some(path),
            Some(RegionValue::Figure(_)) | None => None,
        };
        // The column of a board and the place in a tree show this value.
        let placed = matches!(self.region.display, Display::Kanban | Display::Tree);
        let board = placed.then_some(self.source.group_by).flatten().map(|group| group.path);
        let (mut state, mut shown) = (None, Vec::new());
        for column in self.columns.shown.iter().take(self.listed).skip(1) {
            let path = Some(column.def.path);
            if path == value_path || path == self.source.date || path == board {
                continue;
            }
            let of_row = column.cell(tx, row);
            if state.is_none() && column.def.path.is_own_field() && cell::is_state(column.field) {
                state = Some(of_row);
            } else if shown.len() < details && !of_row.is_empty() && !of_row.is_prose() {
                shown.push((column.def.label, of_row));
            }
        }
        let key = columns::key_text(row.value(self.entity.pk)).unwrap_or_default();
        let date =
            self.source.date.and_then(|path| self.find_column(path)).map(|shown| shown.value(row)).and_then(|value| date_text(tx, value));
        Card {
            id: columns::element_id(self.region.id, &key),
            attention: self.marks.get(&key).cloned(),
            key,
            version: row.version,
            title: self.title(tx, row),
            href: self.href(row),
            state,
            details: shown,
            value: value_path.and_then(|path| self.find_column(path)).map(|shown| shown.cell(tx, row)).filter(|cell| !cell.is_empty()),
            date,
        }
    }

    /// The number of values below the title of a single row.
    pub fn fact_count(&self) -> usize {
        self.listed.saturating_sub(1)
    }

    /// True if rows have values below their title.
    pub fn has_details(&self, app: &'static AppDef) -> bool {
        let value = match self.source.value {
            Some(RegionValue::Field(path)) => Some(path),
            Some(RegionValue::Figure(_)) | None => None,
        };
        let columns = self.columns.shown.iter().take(self.listed).skip(1);
        let rest = columns.filter(|column| Some(column.def.path) != value && Some(column.def.path) != self.source.date);
        let states = rest.clone().filter(|column| column.def.path.is_own_field() && cell::is_state(column.field)).count();
        // The first state is at the end of the line.
        rest.filter(|column| !column.def.path.end(app).field(app).kind.is_free_text()).count() > states.min(1)
    }

    fn table(&self, tx: &Tx<'_>, rows: &[Row]) -> ListRows {
        let heads = self.heads();
        let line = |row: &Row| {
            let card = self.card(tx, row, 0);
            let mut cells: Vec<Cell> = self.columns.shown.iter().take(heads.len()).map(|shown| shown.cell(tx, row)).collect();
            // The title of a row is its label, also if its own field is empty.
            if let Some(first) = cells.first_mut().filter(|first| first.is_empty()) {
                *first = Cell::text(card.title.clone());
            }
            RowLine {
                id: card.id,
                key: card.key,
                transitions: String::new(),
                label: card.title,
                href: card.href,
                cells,
                attention: card.attention,
                links: Vec::new(),
                edit: None,
                delete: None,
            }
        };
        let lines = rows.iter().map(line).collect();
        ListRows { columns: heads, rows: lines, menus: false, bulk: None, empty: None }
    }
}

/// True if a display has place for a message on each row.
fn shows_signals(display: Display) -> bool {
    matches!(display, Display::List | Display::Table | Display::Grid | Display::Queue | Display::Kanban)
}

/// The proof that the caller may list rows of a source, restricted to those of the region.
pub(super) fn grant(tx: &Tx<'_>, region: &RegionDef, source: &'static SourceDef) -> Result<Grant<List>> {
    Ok(tx.ask::<List>(tx.app.entity(source.entity))?.narrow_to(scope(region, source)))
}

/// The rows of a region, within the access rules.
pub(super) fn scope(region: &RegionDef, source: &'static SourceDef) -> SurfaceScope {
    source.filter.as_ref().map_or_else(SurfaceScope::default, |filter| SurfaceScope::any_of(region.id, vec![filter]))
}

/// All rows of a source: for a temporal entity the current ones, unless the request asks for others.
pub(super) fn base_query(tx: &Tx<'_>, asked: &SourceRequest<'_>) -> Query {
    let entity = tx.app.entity(asked.source.entity);
    let closed = asked.parameter("include_closed", |text| temporal::parse_include_closed(text).ok()).unwrap_or(false);
    let as_of = asked.parameter("as_of", |text| temporal::parse_as_of(tx.app, entity, text).ok().flatten());
    Query { filters: temporal::build_filters(entity, closed, as_of), ..Query::default() }
}

/// As [`base_query`], for a request without parameters.
pub(super) fn first_query(tx: &Tx<'_>, source: &SourceDef) -> Query {
    Query { filters: temporal::build_filters(tx.app.entity(source.entity), false, None), ..Query::default() }
}

/// The sort keys of a source.
pub(super) fn sort(keys: &[SortDef]) -> Vec<(Path, bool)> {
    keys.iter().map(|key| (key.path, key.descending)).collect()
}

/// A date for people, without the year if it is the current one, and for machines.
fn date_text(tx: &Tx<'_>, value: &Value) -> Option<(String, String)> {
    match value {
        Value::Date(day) => Some((field::format_short_date(*day, tx.caller().today), day.to_string())),
        Value::DateTime(at) => {
            let local = at.with_timezone(&field::zone(tx.app));
            let day = field::format_short_date(local.date_naive(), tx.caller().today);
            Some((field::join_time(day, &local.format("%H:%M").to_string()), field::datetime_attribute(at)))
        }
        _ => None,
    }
}

#[derive(Template)]
#[template(path = "region_items.html")]
struct ItemsHtml<'a> {
    display: Display,
    cards: &'a [Card],
    empty: Option<String>,
}

#[derive(Template)]
#[template(path = "region_detail.html")]
struct DetailHtml<'a> {
    card: Option<&'a Card>,
    facts: Vec<(&'static str, Cell)>,
    empty: String,
}

/// Loads rows of a region, page by page; a region with a limit has one page.
pub(super) fn load(tx: &mut Tx<'_>, asked: SourceRequest<'_>) -> Result<Content> {
    let (region, display) = (asked.region, asked.region.display);
    let mut source = SourceRows::resolve(tx, region, asked.source, asked.read_only);
    let grant = source.grant(tx)?;
    let mut query = source.query(tx, &asked);
    if let (true, Some(date)) = (query.sort.is_empty() || display == Display::ActivityFeed, asked.source.date) {
        query.sort = vec![(date, display == Display::ActivityFeed)];
    }
    if display == Display::Detail {
        query.limit = 1;
        let found = list::fetch_page(tx, &grant, &mut query)?;
        source.find_links(tx, &found.rows)?;
        return detail(tx, &asked, &source, &found.rows);
    }
    let size = asked.parameter("page_size", |text| text.parse().ok().filter(|size| (1..=MAX_PAGE_SIZE).contains(size)));
    let page = asked.parameter("page", |text| text.parse::<u64>().ok().filter(|page| *page >= 1)).unwrap_or(1);
    query.limit = region.limit.or(size).unwrap_or(PAGE_SIZE);
    query.offset = if region.limit.is_some() { 0 } else { (page - 1).saturating_mul(query.limit) };
    query.count = if region.limit.is_none() { Counting::Limited } else { Counting::Off };
    let found = list::fetch_page(tx, &grant, &mut query)?;
    source.find_links(tx, &found.rows)?;
    let empty = found.rows.is_empty().then(|| empty_text(tx, &asked));
    let html = if display == Display::Table {
        let mut rows = source.table(tx, &found.rows);
        rows.empty = empty.map(|title| crate::template::Empty { icon: Icon("rows"), title, text: None, action: None, creates: false });
        rows.content()
    } else {
        let cards: Vec<Card> = found.rows.iter().map(|row| source.card(tx, row, DETAILS)).collect();
        ItemsHtml { display, cards: &cards, empty }.render()
    };
    let footer = region.limit.is_none().then(|| {
        let preserved = asked.preserved(tx);
        let region_name = Region::new(region.id);
        let footer = list::build_pagination(&region_name, &region.address(), &query, found.total, source.entity, preserved);
        Pagination { moves_page: asked.is_own_page(), ..footer }
    });
    Ok(Content { html: html.map_err(crate::Error::internal)?, footer })
}

fn detail(tx: &Tx<'_>, asked: &SourceRequest<'_>, source: &SourceRows, rows: &[Row]) -> Result<Content> {
    let row = rows.first();
    let card = row.map(|row| source.card(tx, row, 0));
    let facts = |row: &Row| {
        let shown = source.columns.shown.iter().take(source.listed).skip(1);
        shown.map(|shown| (shown.def.label, shown.fact(tx, row))).collect()
    };
    Content::block(&DetailHtml { card: card.as_ref(), facts: row.map(facts).unwrap_or_default(), empty: empty_text(tx, asked) })
}
