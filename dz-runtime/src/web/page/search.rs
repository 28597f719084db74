//! Global search and the command palette: the pages, actions and rows that the caller may open.
//!
//! Without a script, `/app/-/search?q=` is a page. The palette of the script shows the same results as a list of options.

use askama::Template;

use crate::{
    Error, Result, Tx,
    access::{self, List},
    def::{EntityDef, Mode, Path, SurfaceDef},
    label::RowLabel,
    rows::{self, Counting, RankedSearch},
    web::{
        Call, Reply,
        api::params,
        page::{
            Answer, Document, HostOwned, Icon, Role,
            cell::entity_tone,
            columns::Columns,
            list::{self, RowLinks, row_changes::RowChanges, with_query},
            shell::{self, CurrentPage, PageKind, Shell},
            variant::Variant,
        },
    },
};

const ADDRESS: &str = "/app/-/search";
/// The maximum number of rows of one list beside other lists, and alone.
const ROWS_OF_EACH: usize = 5;
const ROWS_OF_ONE: usize = 100;
/// The maximum length of the text, and its maximum number of words.
const MAX_LETTERS: usize = 100;
const MAX_WORDS: usize = 8;
/// The maximum number of values beside the label of a row.
const MAX_VALUES: usize = 3;

/// Results of one kind.
struct Group {
    id: String,
    title: &'static str,
    hits: Vec<Hit>,
    /// The address of all results of the list, if there are more.
    more: Option<String>,
}

/// A page, an action or a row.
struct Hit {
    href: String,
    label: Marked,
    about: String,
    icon: Option<Icon>,
    mark: String,
    tone: &'static str,
}

/// A label, divided at the first occurrence of the text.
struct Marked {
    before: String,
    found: String,
    after: String,
}

#[derive(Template)]
#[template(path = "search.html")]
struct SearchHtml<'a> {
    text: &'a str,
    groups: &'a [Group],
    /// The address of the results of all lists, if those of one are shown.
    back: Option<String>,
}

#[derive(Template)]
#[template(path = "palette.html")]
struct PaletteHtml<'a> {
    text: &'a str,
    groups: &'a [Group],
}

/// `GET /app/-/search?q=`: the results; with `in`, those of one list.
pub(crate) fn show(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let given = |name: &str| call.query.iter().find(|(given, _)| given == name).map_or("", |(_, value)| value.trim());
    let text = normalize(given("q"));
    let one = given("in");
    let mut groups = Vec::new();
    if one.is_empty() || call.htmx {
        groups.extend(find_pages(tx, call, &text));
        groups.extend(find_actions(tx, &text));
    }
    let rows = if text.is_empty() { Vec::new() } else { find_rows(tx, &text, one)? };
    // Rows are what people search for; without a text there are only pages and actions.
    groups.splice(0..0, rows);
    if call.htmx {
        let html = PaletteHtml { text: &text, groups: &groups }.render().map_err(Error::internal)?;
        return Ok(Answer::<HostOwned>::fragment(html).reply(200, call.markup));
    }
    let back = (!one.is_empty()).then(|| with_query(ADDRESS, &[("q".to_owned(), text.clone())]));
    let html = SearchHtml { text: &text, groups: &groups, back }.render().map_err(Error::internal)?;
    let shell = Shell::app(tx, call, say!("dz-search", "Search"), PageKind::List, CurrentPage::None);
    Ok(Answer::<Document>::document(shell.render(&html)?).reply(200, call.markup))
}

/// The text with single spaces, at most [`MAX_WORDS`] words.
fn normalize(text: &str) -> String {
    let text: String = text.chars().filter(|letter| !letter.is_control() || letter.is_whitespace()).take(MAX_LETTERS).collect();
    text.split_whitespace().take(MAX_WORDS).collect::<Vec<_>>().join(" ")
}

/// True if the title contains each word of the text.
fn matches(title: &str, text: &str) -> bool {
    let title = title.to_lowercase();
    text.split(' ').all(|word| title.contains(&word.to_lowercase()))
}

/// The pages of the navigation.
fn find_pages(tx: &Tx<'_>, call: &Call, text: &str) -> Option<Group> {
    let entries = shell::build_navigation(tx, call, CurrentPage::None).into_iter().flat_map(|group| group.entries);
    let hit = |entry: shell::NavEntry| Hit {
        label: Marked::new(entry.label, text),
        href: entry.href,
        about: String::new(),
        icon: entry.icon,
        mark: entry.mark,
        tone: entry.tone,
    };
    let mut hits: Vec<Hit> = entries.filter(|entry| matches(entry.label, text)).map(hit).collect();
    if tx.caller().account.is_some() && matches(say!("dz-account", "Account"), text) {
        let label = Marked::new(say!("dz-account", "Account"), text);
        let href = "/app/-/account".to_owned();
        hits.push(Hit { href, label, about: String::new(), icon: Some(Icon("user")), mark: String::new(), tone: "gray" });
    }
    Group::new("pages", say!("dz-pages", "Pages"), hits)
}

/// The forms for new rows.
fn find_actions(tx: &Tx<'_>, text: &str) -> Option<Group> {
    let links = tx.app.entities.iter().copied().filter_map(|entity| list::create_link(tx, entity, ""));
    let hit = |link: crate::web::page::Link| Hit {
        label: Marked::new(&link.label, text),
        href: link.href,
        about: String::new(),
        icon: Some(Icon("plus")),
        mark: String::new(),
        tone: "gray",
    };
    Group::new("actions", say!("dz-actions", "Actions"), links.filter(|link| matches(&link.label, text)).map(hit).collect())
}

/// The rows of all lists that the caller may open; for each entity those of its first list. With `one`, those of that list.
fn find_rows(tx: &mut Tx<'_>, text: &str, one: &str) -> Result<Vec<Group>> {
    let mut lists = shell::visible_surfaces(tx);
    lists.retain(|surface| surface.mode == Mode::List && (one.is_empty() || surface.name == one));
    lists.sort_by_key(|surface| surface.priority);
    let mut searched = Vec::new();
    let mut groups = Vec::new();
    for surface in lists {
        if !searched.contains(&surface.entity) {
            searched.push(surface.entity);
            groups.extend(find_rows_of(tx, surface, text, if one.is_empty() { ROWS_OF_EACH } else { ROWS_OF_ONE })?);
        }
    }
    // Lists with a label that begins with the text come first; the sort is stable.
    let begins = |group: &Group| group.hits.iter().any(|hit| hit.label.before.is_empty() && !hit.label.found.is_empty());
    groups.sort_by_key(|group| !begins(group));
    Ok(groups)
}

/// The rows of one list, within the access rules and the variant of the caller.
fn find_rows_of(tx: &mut Tx<'_>, surface: &'static SurfaceDef, text: &str, limit: usize) -> Result<Option<Group>> {
    let entity = tx.app.entity(surface.entity);
    let variant = Variant::resolve(tx, surface);
    let (paths, label) = searched_paths(tx, surface, entity, &variant);
    if paths.is_empty() {
        return Ok(None);
    }
    let grant = access::ask::<List>(tx.app, tx.engine(), tx.caller(), entity)?.narrow_to(variant.within());
    let hides = |path: &Path| variant.hides(tx.app, path);
    let mut query = params::parse_for(tx.app, entity, Some(surface), &hides, &[], params::Strictness::Page)?;
    let shown = Columns::new(tx.app, variant.columns(tx.app));
    query.extra = shown.extra.clone();
    query.only = Some(shown.required_fields(entity));
    query.ranked = Some(RankedSearch { text: text.to_owned(), paths, label });
    query.limit = limit as u64 + 1;
    query.count = Counting::Off;
    query.dynamic = true;
    let mut rows = rows::list(tx, &grant, &query)?.rows;
    let more = rows.len() > limit;
    rows.truncate(limit);
    let links = RowLinks { variant: Some(&variant), primary: Vec::new(), changes: RowChanges::default() };
    let lines = list::build_rows(tx, &shown, entity, &rows, surface.name, &links);
    let tone = entity_tone(entity);
    let hits = lines.rows.into_iter().map(|line| {
        let beside = lines.columns.iter().zip(&line.cells).filter(|(column, cell)| column.role != Role::Title && !cell.is_empty());
        let about: Vec<&str> = beside.map(|(_, cell)| cell.text.as_str()).filter(|text| !text.is_empty()).take(MAX_VALUES).collect();
        let listed = || with_query(&surface.address(), &[("search".to_owned(), line.label.clone())]);
        Hit {
            about: about.join(" · "),
            href: line.href.clone().unwrap_or_else(listed),
            label: Marked::new(&line.label, text),
            icon: None,
            mark: entity.mark.to_owned(),
            tone,
        }
    });
    let address = |name: &str| with_query(ADDRESS, &[("q".to_owned(), text.to_owned()), ("in".to_owned(), name.to_owned())]);
    let group = Group::new(surface.name, surface.title, hits.collect());
    Ok(group.map(|group| Group { more: (more && limit == ROWS_OF_EACH).then(|| address(surface.name)), ..group }))
}

/// The text fields that a search compares: those of the list's search, the fields declared `searchable`, and the label. The label is the
/// second value, if it is text. An entity without a declared search has no fields.
fn searched_paths(tx: &Tx<'_>, surface: &'static SurfaceDef, entity: &'static EntityDef, variant: &Variant) -> (Vec<Path>, Option<Path>) {
    let app = tx.app;
    let declared = (0..).zip(entity.fields).filter(|(_, field)| field.searchable).map(|(at, _)| Path::to_field(entity.ix, at));
    let mut paths: Vec<Path> = surface.ux.search.to_vec();
    paths.extend(declared);
    let label = RowLabel::without_sensitive(app, entity);
    if !paths.is_empty() {
        paths.push(label.path);
    }
    let is_open = |path: &Path| {
        let steps = path.steps(app);
        let is_plain = steps.iter().all(|step| !step.field(app).sensitive && !step.field(app).secret);
        is_plain && path.end(app).field(app).kind.is_text() && !variant.hides(app, path)
    };
    let mut open: Vec<Path> = Vec::new();
    for path in paths {
        if is_open(&path) && !open.contains(&path) {
            open.push(path);
        }
    }
    let label = Some(label.path).filter(|path| open.contains(path));
    (open, label)
}

impl Group {
    /// `None` without results.
    fn new(id: &str, title: &'static str, hits: Vec<Hit>) -> Option<Group> {
        (!hits.is_empty()).then(|| Group { id: id.to_owned(), title, hits, more: None })
    }
}

impl Marked {
    /// Divides a label in one pass, because labels can be long.
    fn new(label: &str, text: &str) -> Marked {
        let whole = Marked { before: label.to_owned(), found: String::new(), after: String::new() };
        let wanted: String = text.chars().flat_map(char::to_lowercase).collect();
        if wanted.is_empty() {
            return whole;
        }
        // The lower case of a letter can have another length. `places` has the position of each letter in both texts.
        let mut lower = String::with_capacity(label.len());
        let mut places: Vec<(usize, usize)> = Vec::with_capacity(label.len());
        for (at, letter) in label.char_indices() {
            places.push((lower.len(), at));
            lower.extend(letter.to_lowercase());
        }
        places.push((lower.len(), label.len()));
        let place = |in_lower: usize| places.binary_search_by_key(&in_lower, |place| place.0).ok().map(|at| places[at].1);
        let found = lower.match_indices(&wanted).find_map(|(from, hit)| Some((place(from)?, place(from + hit.len())?)));
        let part = |range: std::ops::Range<usize>| label.get(range).unwrap_or_default().to_owned();
        found.map_or(whole, |(from, to)| Marked { before: part(0..from), found: part(from..to), after: part(to..label.len()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_divided_at_the_text() {
        for (label, text, expected) in [
            ("North meadow", "mea", "North |mea|dow"),
            ("ÄHRE", "äh", "|ÄH|RE"),
            ("İstanbul", "stan", "İ|stan|bul"),
            ("North", "", "North||"),
            ("North", "south", "North||"),
        ] {
            let Marked { before, found, after } = Marked::new(label, text);
            assert_eq!(format!("{before}|{found}|{after}"), expected);
        }
    }

    #[test]
    fn a_long_label_takes_no_long_time() {
        let (label, started) = ("a".repeat(20_000), std::time::Instant::now());
        assert_eq!(Marked::new(&label, &"a".repeat(MAX_LETTERS)).found.len(), MAX_LETTERS);
        assert_eq!(Marked::new(&label, "ab").before, label);
        assert!(started.elapsed().as_secs() < 2, "{:?}", started.elapsed());
    }

    #[test]
    fn texts_are_normalized() {
        assert_eq!(normalize("  a \t b\u{0}c \n"), "a bc");
        assert_eq!(normalize(&"x ".repeat(60)).split(' ').count(), MAX_WORDS);
        assert_eq!(normalize(&"y".repeat(1000)).len(), MAX_LETTERS);
    }

    #[test]
    fn titles_match_each_word() {
        assert!(matches("New task", "task new") && matches("Tasks", ""));
        assert!(!matches("New task", "task old"));
    }
}
