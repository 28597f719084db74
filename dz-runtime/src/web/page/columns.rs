//! Converts rows to cells: the columns that a query loads, and the display of each value.

use std::borrow::Borrow;

use chrono_tz::Tz;

use crate::{
    Result, Tx, Value, access,
    def::{AppDef, ColumnDef, EntityDef, FieldDef, FieldIx, Mode, SurfaceDef},
    field::{self, File},
    label::RowLabel,
    rows::{Extra, ReferenceLabel, Row, RowTest},
    texts,
    web::{
        api::csv,
        page::{
            Cell, Column, Role, Shape,
            cell::{self, Formatter},
            variant::Variant,
        },
    },
};

/// The columns of a table or the facts of a view, with the extra columns that they need.
pub(crate) struct Columns {
    /// The shown columns.
    pub shown: Vec<ShownColumn>,
    /// The extra columns of the query.
    pub extra: Vec<Extra>,
}

/// A shown column.
pub(crate) struct ShownColumn {
    pub def: ColumnDef,
    pub field: &'static FieldDef,
    source: Source,
    /// The source of the currency of an amount.
    currency: Option<csv::Cell>,
    /// The position of the result of `when` among the extra columns.
    test: Option<usize>,
}

enum Source {
    /// A field of the row.
    Own(FieldIx),
    /// A reference of the row, and the label of its target.
    OwnRef(FieldIx, ReferenceLabel, &'static EntityDef),
    /// A field of another row.
    Hop(usize),
    /// A reference of another row, and the label of its target.
    HopRef(ReferenceLabel, &'static EntityDef),
}

impl Columns {
    /// The columns of these `field` lines; relations are not shown as fields.
    pub fn new<C: Borrow<ColumnDef>>(app: &'static AppDef, defs: impl IntoIterator<Item = C>) -> Columns {
        let mut columns = Columns { shown: Vec::new(), extra: Vec::new() };
        for def in defs {
            let def = *def.borrow();
            let field = def.path.end(app).field(app);
            if !field.has_value() || field.secret {
                continue;
            }
            let at = columns.extra.len();
            let mut currency = None;
            let source = match (def.path.own_field(), field.kind.target()) {
                (Some(own), Some(target)) => {
                    let target = app.entity(target);
                    Source::OwnRef(own, ReferenceLabel::select(app, def.path, target, &mut columns.extra), target)
                }
                (Some(own), None) => {
                    currency = csv::Cell::Own(own).currency(field);
                    Source::Own(own)
                }
                (None, Some(target)) => {
                    let target = app.entity(target);
                    Source::HopRef(ReferenceLabel::select(app, def.path, target, &mut columns.extra), target)
                }
                (None, None) => {
                    columns.extra.push(Extra::Field(def.path));
                    currency = csv::Cell::Extra(at).currency(field);
                    columns.extra.extend(def.path.currency(app).map(Extra::Field));
                    Source::Hop(at)
                }
            };
            let test = def.when.map(|when| {
                columns.extra.push(Extra::Test(RowTest::When(when)));
                columns.extra.len() - 1
            });
            columns.shown.push(ShownColumn { def, field, source, currency, test });
        }
        columns
    }

    /// The fields of the row that a table needs: the shown ones, the label, and the state.
    pub fn required_fields(&self, entity: &'static EntityDef) -> Vec<FieldIx> {
        let shown = self.shown.iter().filter_map(|shown| match shown.source {
            Source::Own(field) | Source::OwnRef(field, ..) => Some(field),
            Source::Hop(_) | Source::HopRef(..) => None,
        });
        let beside = self.shown.iter().filter_map(|shown| match shown.currency {
            Some(csv::Cell::Own(field)) => Some(field),
            _ => None,
        });
        let label = entity.label_path().own_field();
        shown.chain(beside).chain(label).chain(entity.states.map(|states| states.field)).collect()
    }

    /// The header cells of a table, without sort links.
    pub fn head_columns(&self, entity: &'static EntityDef) -> Vec<Column> {
        let own = |shown: &ShownColumn| match shown.source {
            Source::Own(field) | Source::OwnRef(field, ..) => Some(field),
            Source::Hop(_) | Source::HopRef(..) => None,
        };
        let label = entity.label_path().first().position_in(entity);
        let title = self.shown.iter().position(|shown| own(shown).is_some() && own(shown) == label).unwrap_or(0);
        let state = self.shown.iter().position(|shown| own(shown).is_some() && cell::is_state(shown.field));
        let heads = self.shown.iter().enumerate().map(|(at, shown)| Column {
            label: shown.def.label.to_owned(),
            role: match at {
                at if at == title => Role::Title,
                at if Some(at) == state => Role::State,
                _ => Role::Detail,
            },
            numeric: shown.field.kind.is_number(),
            sort: None,
            width: "automatic",
        });
        heads.collect()
    }

    /// The cells of a row.
    pub fn cells(&self, tx: &Tx<'_>, row: &Row) -> Vec<Cell> {
        self.shown.iter().map(|shown| shown.cell(tx, row)).collect()
    }
}

impl ShownColumn {
    /// The source of the exported value: for a reference, the label of its target.
    pub fn export_source(&self) -> csv::Cell {
        match self.source {
            Source::Own(at) => csv::Cell::Own(at),
            Source::Hop(at) => csv::Cell::Extra(at),
            Source::OwnRef(_, named, _) | Source::HopRef(named, _) => csv::Cell::Label(named),
        }
    }

    /// The exported column with the currencies of this column: its header, its source, and the field of the currency.
    pub fn export_currency(&self, app: &'static AppDef) -> Option<(String, csv::Cell, &'static FieldDef)> {
        let path = self.def.path.currency(app)?;
        let field = path.end(app).field(app);
        let head =
            if path.is_own_field() { field.title.to_owned() } else { say!("dz-currency-of", "{field} currency", field = self.def.label) };
        Some((head, self.currency?, field))
    }

    /// The value of the field; null for a reference.
    pub fn value<'r>(&self, row: &'r Row) -> &'r Value {
        match self.source {
            Source::Own(at) => row.value(at),
            Source::Hop(at) => row.extra.get(at).unwrap_or(&Value::Null),
            Source::OwnRef(..) | Source::HopRef(..) => &Value::Null,
        }
    }

    /// The cell on the page of the row, where images are displayed.
    pub fn fact(&self, tx: &Tx<'_>, row: &Row) -> Cell {
        match self.source {
            Source::Own(at) if field::is_file(self.field) && !self.is_hidden(row) => self.show_file(tx.app, row, at, true),
            Source::Own(_) | Source::OwnRef(..) | Source::Hop(_) | Source::HopRef(..) => self.cell(tx, row),
        }
    }

    /// True if the declared condition hides the field of the row.
    pub fn is_hidden(&self, row: &Row) -> bool {
        self.test.is_some_and(|at| row.extra.get(at) != Some(&Value::Bool(true)))
    }

    fn show_value(&self, tx: &Tx<'_>, row: &Row, value: &Value) -> Cell {
        let currency = self.currency.map(|currency| currency.value(row));
        let cell = match currency {
            Some(currency) => show_amount(self.field, value, currency),
            None => show(tx.app, self.field, value),
        };
        match self.def.format {
            Some(format) if !cell.is_empty() => {
                Formatter { app: tx.app, now: tx.now(), field: self.field, currency }.apply(format, value, cell)
            }
            _ => cell,
        }
    }

    fn show_file(&self, app: &'static AppDef, row: &Row, at: FieldIx, pictured: bool) -> Cell {
        let entity = self.def.path.origin(app);
        match File::from_stored(row.value(at)) {
            Some(file) => Cell::from_file(&file, Some(field::file_address(entity, row.value(entity.pk), self.field)), pictured),
            None => Cell::empty(say!("dz-not-set", "Not set")),
        }
    }

    /// The cell of a row.
    pub fn cell(&self, tx: &Tx<'_>, row: &Row) -> Cell {
        if self.is_hidden(row) {
            return Cell::empty(say!("dz-does-not-apply", "Does not apply"));
        }
        let app = tx.app;
        let value = |at: FieldIx| row.values.get(usize::from(at)).unwrap_or(&Value::Null);
        let extra = |at: usize| row.extra.get(at).unwrap_or(&Value::Null);
        match self.source {
            Source::Own(at) if field::is_file(self.field) => self.show_file(app, row, at, false),
            Source::Own(at) => self.show_value(tx, row, value(at)),
            Source::Hop(at) => self.show_value(tx, row, extra(at)),
            Source::OwnRef(at, named, target) => match (value(at), named.text(app, row)) {
                (Value::Null, _) => Cell::empty(say!("dz-not-set", "Not set")),
                (_, None) => Cell::empty(say!("dz-not-visible-to-you", "Not visible to you")),
                (key, Some(label)) => {
                    let href = find_page(tx, target, Mode::View).map(|surface| row_address(surface, key));
                    Cell::from_ref(app, target, label, href)
                }
            },
            Source::HopRef(named, target) => match named.text(app, row) {
                None => Cell::empty(say!("dz-not-set", "Not set")),
                Some(label) => Cell::from_ref(app, target, label, None),
            },
        }
    }
}

/// The titles of the roles of a membership, if the field contains them.
fn show_personas(app: &'static AppDef, field: &'static FieldDef, value: &Value) -> Option<Cell> {
    // All cells of all lists are made here, so the cheapest conditions come first.
    let Value::Json(serde_json::Value::Array(names)) = value else { return None };
    app.members().filter(|it| std::ptr::eq(it.entity.field(it.personas), field))?;
    let title = |name: &serde_json::Value| app.roles.iter().find(|role| name.as_str() == Some(role.name)).map(|role| role.title);
    let titles: Vec<&str> = names.iter().filter_map(title).collect();
    if titles.is_empty() {
        Some(Cell::empty(say!("dz-none-yet", "None yet")))
    } else {
        Some(Cell { shape: Shape::Text, text: titles.join(", "), href: None })
    }
}

/// An amount with its currency.
pub(crate) fn show_amount(field: &'static FieldDef, amount: &Value, currency: &Value) -> Cell {
    Cell::from_field(field, amount, field::display_amount(amount, currency))
}

/// The value of a field that is not a reference.
pub(crate) fn show(app: &'static AppDef, field: &'static FieldDef, value: &Value) -> Cell {
    if let Some(cell) = show_personas(app, field, value) {
        return cell;
    }
    let text = field::display(field, value, zone(app));
    Cell::from_field(field, value, text)
}

/// Parses a text of a parameter or a form.
pub(crate) fn parse_value(app: &'static AppDef, field: &'static FieldDef, text: &str) -> std::result::Result<Value, String> {
    field::from_text(app, field, text, zone(app))
}

/// The time zone of the page.
pub(crate) fn zone(app: &'static AppDef) -> Tz {
    field::zone(app)
}

/// A key or label as text; `None` for null.
pub(crate) fn key_text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Text(text) => Some(text.clone()),
        Value::Uuid(id) => Some(id.to_string()),
        Value::Int(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Decimal(number) => Some(number.to_string()),
        Value::Bool(on) => Some(on.to_string()),
        Value::Date(day) => Some(day.to_string()),
        Value::DateTime(at) => Some(at.to_rfc3339()),
        Value::Json(json) => Some(json.to_string()),
    }
}

/// The label of a row from its own values; without such a label, the title of the entity and the beginning of the key.
pub(crate) fn row_label(app: &'static AppDef, entity: &'static EntityDef, row: &Row) -> String {
    let name = RowLabel::with_sensitive(app, entity);
    let key = row.value(entity.pk);
    name.own_field().map_or_else(|| name.text_from_key(app, key), |at| name.text(app, row.value(at), key))
}

/// True for forms.
pub(crate) fn is_form(mode: Mode) -> bool {
    matches!(mode, Mode::Create | Mode::Edit)
}

/// The first surface of this mode for the entity that the role permits; for a form, the role must permit saving.
pub(crate) fn find_page(tx: &Tx<'_>, entity: &'static EntityDef, mode: Mode) -> Option<&'static SurfaceDef> {
    let surface = tx.app.surfaces.iter().copied().find(|surface| surface.mode == mode && surface.entity == entity.ix)?;
    let closed = is_form(mode) && Variant::resolve(tx, surface).is_read_only();
    (!closed && crate::web::page::shell::can_open(tx, surface)).then_some(surface)
}

/// The view page of a row, if the caller can see the row on it.
pub(crate) fn find_view(tx: &mut Tx<'_>, entity: &'static EntityDef, key: &Value) -> Result<Option<&'static SurfaceDef>> {
    let Some(view) = find_page(tx, entity, Mode::View) else { return Ok(None) };
    Ok(Variant::resolve(tx, view).shows_row(tx, key)?.then_some(view))
}

/// A page below which rows of the entity can be deleted, if the caller can delete any.
pub(crate) fn find_delete_page(tx: &Tx<'_>, entity: &'static EntityDef) -> Option<&'static SurfaceDef> {
    access::ask::<access::Delete>(tx.app, tx.engine(), tx.caller(), entity).ok()?;
    let pages = [Mode::View, Mode::Edit, Mode::List].into_iter().filter_map(|mode| find_page(tx, entity, mode));
    pages.into_iter().find(|surface| !Variant::resolve(tx, surface).is_read_only())
}

/// `/app/{surface}/{key}`; the form of a singleton has an address without a key.
pub(crate) fn row_address(surface: &SurfaceDef, key: &Value) -> String {
    address_of_key(surface, &key_text(key).unwrap_or_default())
}

/// As [`row_address`], for the text of the key.
pub(crate) fn address_of_key(surface: &SurfaceDef, key: &str) -> String {
    let address = surface.address();
    if surface.mode == Mode::Edit && surface.place.route.is_some() {
        return address;
    }
    join_segment(address, '/', key)
}

/// The `id` of the element of a row; a key can contain characters that no `id` contains.
pub(crate) fn element_id(prefix: &str, key: &str) -> String {
    join_segment(prefix.to_owned(), '-', key)
}

/// Appends a percent-encoded path segment.
fn join_segment(mut text: String, joint: char, segment: &str) -> String {
    text.reserve(1 + segment.len());
    text.push(joint);
    // Most keys need no encoding, and each row of a list has several addresses.
    if segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
        text.push_str(segment);
        return text;
    }
    let mut url = url::Url::parse("x://x/").ok();
    let encoded = url.as_mut().and_then(|url| {
        url.path_segments_mut().ok()?.pop_if_empty().push(segment);
        Some(url.path().trim_start_matches('/'))
    });
    text.push_str(encoded.unwrap_or_default());
    text
}

/// A title inside a sentence: `Task` becomes `task`, `API key` is unchanged.
pub(crate) fn lower_title(title: &str) -> String {
    if texts::keeps_capitals() {
        return title.to_owned();
    }
    let mut chars = title.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second)) if second.is_uppercase() => format!("{first}{second}{}", chars.as_str()),
        (Some(first), second) => first.to_lowercase().chain(second).chain(chars).collect(),
        (None, _) => String::new(),
    }
}

/// The notice after an action, from `?done=`.
pub(crate) fn notice(query: &[(String, String)]) -> Option<&'static str> {
    let done = query.iter().find(|(name, _)| name == "done")?;
    match done.1.as_str() {
        "created" => Some(say!("dz-saved", "Saved.")),
        "changed" => Some(say!("dz-changes-saved", "Changes saved.")),
        "deleted" => Some(say!("dz-deleted", "Deleted.")),
        "moved" => Some(say!("dz-state-changed", "State changed.")),
        "acted" => Some(say!("dz-done-2", "Done.")),
        "imported" => Some(say!("dz-imported", "Imported.")),
        "sessions" => Some(say!("dz-session-ended", "Session ended.")),
        "token" => Some(say!("dz-the-token-no-longer-works", "The token no longer works.")),
        "filter" => Some(say!("dz-filter-saved", "Filter saved.")),
        "unfiltered" => Some(say!("dz-filter-deleted", "Saved filter deleted.")),
        "preferences" => Some(say!("dz-choices-saved", "Your choices are saved.")),
        "verification" => Some(say!("dz-we-sent-you-a-mail-with-a", "We sent you a mail with a link.")),
        "password" => Some(say!("dz-password-changed-all-other-sessions-have-ended", "Password changed. All other sessions have ended.")),
        _ => None,
    }
}

/// A declared name as words: `send_reminder` becomes "Send reminder".
pub(crate) fn to_words(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_in_sentences() {
        for (title, text) in [("Task", "task"), ("API key", "API key"), ("", ""), ("É", "é"), ("New tasks", "new tasks")] {
            assert_eq!(lower_title(title), text);
        }
    }

    #[test]
    fn keys_in_addresses() {
        for (key, text) in [("7c-9", "7c-9"), ("a b", "a%20b"), ("a/b", "a%2Fb"), ("..", ".."), ("x?y#z", "x%3Fy%23z")] {
            let encoded = join_segment(String::new(), '/', key).split_off(1);
            assert!(!encoded.contains(['/', '?', '#', ' ']), "{encoded}");
            if key != ".." {
                assert_eq!(encoded, text);
            }
        }
    }
}
