//! Regions of a workspace: their content and its display.

use crate::{
    Diagnostic, Diagnostics, Span,
    cursor::{Cursor, Name},
    layout::Line,
    syntax::{
        body_colon, expr, key,
        keys::Keys,
        no_children,
        paths::{self, Path},
        surface::name_of,
        words,
    },
};

/// `NAME "Title":` with its keys.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// Its name.
    pub name: Name,
    /// Its title.
    pub title: Option<Name>,
    /// Its keys, in order.
    pub keys: Vec<Name>,
    /// True after a line with an unknown key: a key that seems to be missing may be a misspelling there.
    pub broken: bool,
    /// `source:`
    pub source: Vec<Name>,
    /// `filter:`
    pub filter: Option<expr::Expr>,
    /// `sort:` paths, each with `desc`.
    pub sort: Vec<(Path, bool)>,
    /// `limit:` with its place.
    pub limit: Option<(i64, Span)>,
    /// `action:`
    pub action: Option<Name>,
    /// `empty:`
    pub empty: Option<Name>,
    /// `display:`
    pub display: Option<Name>,
    /// `aggregate:` metrics in order.
    pub metrics: Vec<(Name, expr::Expr)>,
    /// Names under `aggregate:` whose expression could not be parsed.
    pub unread: Vec<Name>,
    /// `group_by:`
    pub group_by: Option<GroupBy>,
    /// The second field of `group_by: [a, b]`.
    pub across: Option<GroupBy>,
    /// `date_field:`
    pub date_field: Option<Path>,
    /// `title:`
    pub row_title: Option<Path>,
    /// `value:`
    pub value: Option<Path>,
}

/// `f` or `bucket(f, day)`
#[derive(Debug, Clone, PartialEq)]
pub struct GroupBy {
    /// The field.
    pub path: Path,
    /// The unit of time.
    pub bucket: Option<Name>,
}

/// The keys of a region.
pub(crate) const KEYS: &[&str] =
    &["source", "filter", "sort", "limit", "action", "empty", "display", "aggregate", "group_by", "date_field", "title", "value"];

pub(super) fn parse(line: &Line, out: &mut Diagnostics) -> Option<Region> {
    let mut cursor = Cursor::new(line, out);
    let name = cursor.expect_name("a region")?;
    let title = cursor.text();
    if line.children.is_empty() {
        // An empty region is reported when its keys are checked.
        cursor.eat(":");
    } else {
        body_colon(&mut cursor, line);
    }
    cursor.finish();
    let mut region = Region {
        name,
        title,
        keys: Vec::new(),
        broken: false,
        source: Vec::new(),
        filter: None,
        sort: Vec::new(),
        limit: None,
        action: None,
        empty: None,
        display: None,
        metrics: Vec::new(),
        unread: Vec::new(),
        group_by: None,
        across: None,
        date_field: None,
        row_title: None,
        value: None,
    };
    let mut keys = Keys::new("region", KEYS);
    for child in &line.children {
        if child.tokens[0].word() == Some("aggregate") {
            if keys.block(child, out) {
                metrics(child, &mut region, out);
            }
        } else if let Some((name, mut cursor)) = keys.leaf(child, out) {
            value(&mut region, &name.text, &mut cursor);
        }
    }
    region.keys = keys.seen;
    region.broken = keys.broken;
    Some(region)
}

fn value(region: &mut Region, key: &str, cursor: &mut Cursor<'_>) {
    match key {
        "source" => region.source = cursor.names("an entity"),
        "filter" => {
            if let Some(filter) = expr::whole(cursor) {
                region.filter = Some(filter);
            }
        }
        "sort" => region.sort = paths::sort(cursor),
        "limit" => region.limit = paths::number(cursor),
        "action" => region.action = name_of(cursor, "a surface", "name the surface that opens"),
        "empty" => region.empty = Some(words(cursor)),
        "display" => {
            region.display = name_of(cursor, "a kind of display", "such as `list`, `table`, `kanban`, `calendar`, `metrics`, `bar_chart`")
        }
        "group_by" => group_by(region, cursor),
        "date_field" => region.date_field = one_path(cursor),
        "title" => region.row_title = row_title(cursor),
        _ => region.value = one_path(cursor),
    }
}

fn one_path(cursor: &mut Cursor<'_>) -> Option<Path> {
    let path = paths::path(cursor);
    if path.is_none() {
        cursor.skip();
    }
    cursor.finish();
    path
}

/// Parses the field that labels a row. The title of a region is not this key, but follows the name of the region.
fn row_title(cursor: &mut Cursor<'_>) -> Option<Path> {
    if let Some(text) = cursor.text() {
        let found = Diagnostic::error("unexpected-token", text.span, "`title` names the field that labels each row");
        cursor.out.push(found.help("write the region's own title after its name: `waiting \"Waiting room\":`"));
        cursor.skip();
        return None;
    }
    one_path(cursor)
}

/// `f`, `bucket(f, day)`, or two of them in brackets.
fn group_by(region: &mut Region, cursor: &mut Cursor<'_>) {
    let is_list = cursor.eat("[");
    region.group_by = group(cursor);
    let mut complete = region.group_by.is_some();
    if is_list && complete {
        if cursor.comma() {
            region.across = group(cursor);
            complete = region.across.is_some();
        }
        complete = complete && cursor.expect("]");
    }
    if !complete {
        cursor.skip();
    }
    cursor.finish();
}

fn group(cursor: &mut Cursor<'_>) -> Option<GroupBy> {
    if !cursor.peek_at(1).is_some_and(|token| token.is("(")) {
        return paths::path(cursor).map(|path| GroupBy { path, bucket: None });
    }
    let function = cursor.expect_name("a field, or `bucket(field, month)`")?;
    if function.text != "bucket" {
        let found = Diagnostic::error("unknown-function", function.span, format!("unknown function `{}`", function.text));
        let found = found.help("rows are grouped by a field, or by `bucket(field, month)`");
        cursor.out.push(found.suggest_near(function.span, &function.text, ["bucket"]));
    }
    cursor.take();
    let path = paths::path(cursor)?;
    if !cursor.expect(",") {
        return None;
    }
    let bucket = cursor.expect_name("a unit of time: `day`, `week`, `month`, `quarter` or `year`")?;
    cursor.expect(")").then_some(GroupBy { path, bucket: Some(bucket) })
}

fn metrics(block: &Line, region: &mut Region, out: &mut Diagnostics) {
    for line in &block.children {
        no_children(line, out);
        let Some((name, mut cursor)) = key(line, out) else { continue };
        if line.tokens.len() == 1 {
            // The missing colon is the mistake, and not also the missing value.
            region.unread.push(name);
            continue;
        }
        match expr::whole(&mut cursor) {
            Some(value) => region.metrics.push((name, value)),
            None => region.unread.push(name),
        }
    }
}
