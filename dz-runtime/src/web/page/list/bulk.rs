//! Bulk actions on a list: the bar below it, the confirmation, and the result with refused rows.

use askama::Template;

use crate::{
    Error, Result, Tx, Value,
    access::{self, Delete, List},
    def::{EntityDef, EnumValueDef, Mode, Path, SurfaceDef, TransitionDef},
    rows::{self, Counting, Extra, Filter, FilterOp, Query, Row, transitions},
    web::{
        Call, Reply,
        api::bulk::{Action, MAX_ROWS},
        page::{
            Answer, BulkBar, BulkPage, Document, Icon, Link, Refused, columns, list,
            shell::{PageKind, Shell},
            variant::Variant,
            view::delete,
        },
    },
};

/// The maximum number of rows that the confirmation names.
const MAX_NAMED: usize = 20;

#[derive(Template)]
#[template(path = "bulk.html")]
struct BulkHtml<'a> {
    of: &'a BulkPage,
}

impl BulkPage {
    /// The content of the page.
    ///
    /// # Errors
    ///
    /// If the template fails, which valid data does not cause.
    pub fn content(&self) -> askama::Result<String> {
        BulkHtml { of: self }.render()
    }
}

/// The bar of a list; `None` if the caller can do nothing with any row.
pub(crate) fn build_bar(tx: &Tx<'_>, call: &Call, variant: &Variant, asked: &list::ListRequest, page: &rows::Page) -> Option<BulkBar> {
    if variant.is_read_only() {
        return None;
    }
    let entity = tx.app.entity(variant.surface().entity);
    let delete = tx.ask::<Delete>(entity).is_ok();
    let shown = entity.states.is_none_or(|states| !variant.hides_own(tx.app, states.field));
    let moves = if shown && transitions::ask_action(tx, entity).is_ok() { list_all_states(tx, entity) } else { Vec::new() };
    let action = format!("{}/bulk", variant.surface().address());
    let query = list::with_query("", &asked.pairs).trim_start_matches('?').to_owned();
    let total = page.total.exceeds(page.rows.len() as u64).then(|| page.total.to_string());
    (delete || !moves.is_empty()).then(|| BulkBar { action, csrf: call.csrf.clone(), query, total, delete, transitions: moves })
}

/// All states that the caller's roles can transition rows to, with the text of the button: the text of the transitions, if they have one,
/// otherwise the title of the state.
fn list_all_states(tx: &Tx<'_>, entity: &'static EntityDef) -> Vec<(&'static str, &'static str)> {
    let Some((states, of)) = transitions::machine(entity) else { return Vec::new() };
    let button = |(to, value): (u16, &'static EnumValueDef)| {
        let all = (0..).zip(of.values).flat_map(|(from, _)| states.transitions_from(from));
        let titles = all.filter(|(at, row)| *at == to && is_offered(tx, row)).map(|(_, row)| row.title(of, to));
        let title = titles.reduce(|title, other| if title == other { title } else { value.title })?;
        Some((value.name, title))
    };
    (0..).zip(of.values).filter_map(button).collect()
}

/// True if the caller can make this transition by a button.
fn is_offered(tx: &Tx<'_>, row: &TransitionDef) -> bool {
    row.manual && transitions::holds_role(row, tx.caller())
}

/// The states that a row can be transitioned to; the script offers those that all selected rows share.
pub(crate) fn list_row_states(tx: &Tx<'_>, entity: &'static EntityDef, row: &Row) -> String {
    let Some((states, of)) = transitions::machine(entity) else { return String::new() };
    let from = transitions::position(of, Some(row.value(states.field)));
    let taken = from.into_iter().flat_map(|from| states.transitions_from(from)).filter(|(_, row)| is_offered(tx, row));
    taken.filter_map(|(to, _)| of.values.get(usize::from(to))).map(|value| value.name).collect::<Vec<_>>().join(",")
}

/// `POST /app/{surface}/bulk`: shows the confirmation of a deletion, or executes the action.
pub(crate) fn submit(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef) -> Result<Reply> {
    let entity = tx.app.entity(surface.entity);
    let sent = |wanted: &str| call.form.iter().find(|(name, _)| name == wanted).map_or("", |(_, value)| value.as_str());
    let action = match sent("do") {
        "delete" => Action::Delete,
        other => {
            let to = other
                .strip_prefix("move.")
                .ok_or_else(|| Error::bad_request(say!("dz-choose-an-action-for-the-rows", "choose an action for the rows")))?;
            let known = transitions::machine(entity).is_some_and(|(_, of)| of.values.iter().any(|value| value.name == to));
            if !known {
                return Err(Error::bad_request(say!("dz-there-is-no-such-state", "there is no such state")));
            }
            Action::Transition(Value::Text(to.to_owned()), Vec::new())
        }
    };
    action.check_access(tx, entity)?;
    let variant = Variant::resolve(tx, surface);
    variant.check_writable()?;
    if let (Action::Transition(..), Some(states)) = (&action, entity.states) {
        variant.check_field(tx, states.field)?;
    }
    let chosen = find_selected(tx, call, &variant, entity)?;
    let back = list::with_query(&surface.address(), &decode_pairs(sent("query")));
    if chosen.is_empty() {
        return Ok(Reply::see_other(back));
    }
    if matches!(action, Action::Delete) && sent("sure") != "yes" {
        return show_confirmation(tx, call, surface, &chosen, back, sent("query"));
    }
    action.lock_rows(tx, entity, chosen.iter().map(|(key, _)| key.clone()).collect())?;
    let mut refused = Vec::new();
    for (key, label) in &chosen {
        match variant.check_row(tx, key).and_then(|()| action.apply(tx, entity, key)) {
            Ok(_) => {}
            Err(error) if error.status >= 500 => return Err(error),
            Err(error) => {
                tx.note_refusal(&error);
                refused.push(describe_refusal(tx, entity, key, label, &error));
            }
        }
    }
    if refused.is_empty() {
        let done = if matches!(action, Action::Delete) { "deleted" } else { "moved" };
        let mark = if back.contains('?') { '&' } else { '?' };
        return Ok(Reply::see_other(format!("{back}{mark}done={done}")));
    }
    show_result(tx, call, surface, &action, chosen.len(), refused, back)
}

/// The selected rows that the caller sees on the list, with their labels: those with these keys, or all rows that the query of the list
/// selects.
fn find_selected(tx: &mut Tx<'_>, call: &Call, variant: &Variant, entity: &'static EntityDef) -> Result<Vec<(Value, String)>> {
    let grant = access::ask::<List>(tx.app, tx.engine(), tx.caller(), entity)?.narrow_to(variant.within());
    let sent = |wanted: &str| call.form.iter().find(|(name, _)| name == wanted).map_or("", |(_, value)| value.as_str());
    let mut query = match sent("all") {
        "yes" => {
            list::ListRequest::read(tx, variant.surface(), variant, &Call { query: decode_pairs(sent("query")), ..Call::default() })?.query
        }
        _ => {
            let ids = call.form.iter().filter(|(name, _)| name == "id");
            let keys = ids.filter_map(|(_, id)| columns::parse_value(tx.app, entity.key(), id).ok());
            let keys: Vec<Value> = keys.filter(|key| !key.is_null()).collect();
            if keys.is_empty() {
                return Ok(Vec::new());
            }
            check_count(keys.len())?;
            let path = Path::to_field(entity.ix, entity.pk);
            Query { filters: vec![Filter { path, op: FilterOp::In(keys) }], dynamic: true, ..Query::default() }
        }
    };
    let name = variant.row_name(tx.app);
    query.extra = if name.own_field().is_none() { vec![Extra::Field(name.path)] } else { Vec::new() };
    query.only = Some(name.own_field().into_iter().collect());
    query.limit = MAX_ROWS as u64 + 1;
    query.offset = 0;
    query.count = Counting::Off;
    let found = rows::list(tx, &grant, &query)?.rows;
    check_count(found.len())?;
    let called = |row: &Row| {
        let named = name.own_field().map_or_else(|| row.extra.first().unwrap_or(&Value::Null), |at| row.value(at));
        (row.value(entity.pk).clone(), name.text(tx.app, named, row.value(entity.pk)))
    };
    Ok(found.iter().map(called).collect())
}

/// Refuses more rows than one request can change.
fn check_count(rows: usize) -> Result<()> {
    match rows > MAX_ROWS {
        true => Err(Error::bad_request(say!("dz-at-most-rows-at-once", "at most {count} rows can be changed at once", count = MAX_ROWS))),
        false => Ok(()),
    }
}

fn decode_pairs(query: &str) -> Vec<(String, String)> {
    url::form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

fn count_rows(entity: &EntityDef, count: usize) -> String {
    let title = if count == 1 { entity.title } else { entity.title_plural };
    format!("{count} {}", columns::lower_title(title))
}

/// The text of a refusal, with the messages of its fields.
pub(crate) fn refusal_text(entity: &'static EntityDef, error: &Error) -> String {
    let fields = error.field_errors.iter().flat_map(|(name, texts)| {
        let title = entity.find(name).map_or(name.as_str(), |(_, field)| field.title);
        texts.iter().map(move |text| format!("{title} {text}"))
    });
    let fields: Vec<String> = fields.filter(|text| !error.detail.contains(text.as_str())).collect();
    if fields.is_empty() { error.detail.clone() } else { format!("{}: {}", error.detail, fields.join("; ")) }
}

fn describe_refusal(tx: &Tx<'_>, entity: &'static EntityDef, key: &Value, label: &str, error: &Error) -> Refused {
    let view = columns::find_page(tx, entity, Mode::View);
    let why = refusal_text(entity, error);
    Refused { label: label.to_owned(), href: view.map(|view| columns::row_address(view, key)), why }
}

fn show_confirmation(
    tx: &mut Tx<'_>,
    call: &Call,
    surface: &'static SurfaceDef,
    chosen: &[(Value, String)],
    back: String,
    query: &str,
) -> Result<Reply> {
    let entity = tx.app.entity(surface.entity);
    let count = count_rows(entity, chosen.len());
    let mut hidden =
        vec![("csrf", call.csrf.clone()), ("do", "delete".to_owned()), ("sure", "yes".to_owned()), ("query", query.to_owned())];
    hidden.extend(chosen.iter().filter_map(|(key, _)| Some(("id", columns::key_text(key)?))));
    let page = BulkPage {
        title: say!("dz-delete-count", "Delete {count}?", count = count),
        text: delete::describe_consequences(tx, surface, chosen.len() > 1),
        crumbs: vec![Link::new(back.clone(), surface.title)],
        labels: chosen.iter().take(MAX_NAMED).map(|(_, label)| label.clone()).collect(),
        more: chosen.len().saturating_sub(MAX_NAMED),
        action: Some(format!("{}/bulk", surface.address())),
        hidden,
        submit: say!("dz-delete-count-2", "Delete {count}", count = count),
        refused: Vec::new(),
        back,
    };
    show(tx, call, surface, &page, 200)
}

fn show_result(
    tx: &mut Tx<'_>,
    call: &Call,
    surface: &'static SurfaceDef,
    action: &Action,
    all: usize,
    refused: Vec<Refused>,
    back: String,
) -> Result<Reply> {
    let is_deletion = matches!(action, Action::Delete);
    let done = all - refused.len();
    let failed = count_rows(tx.app.entity(surface.entity), refused.len());
    let page = BulkPage {
        title: match is_deletion {
            true => say!("dz-rows-deleted", "{done} of {all} deleted", done = done, all = all),
            false => say!("dz-rows-changed", "{done} of {all} changed", done = done, all = all),
        },
        text: match is_deletion {
            true => say!("dz-rows-not-deleted", "{rows} could not be deleted. The others were.", rows = failed),
            false => say!("dz-rows-not-changed", "{rows} could not be changed. The others were.", rows = failed),
        },
        crumbs: vec![Link::new(back.clone(), surface.title)],
        labels: Vec::new(),
        more: 0,
        action: None,
        hidden: Vec::new(),
        submit: String::new(),
        refused,
        back,
    };
    let none = || match is_deletion {
        true => say!("dz-none-of-them-could-be-deleted", "None of them could be deleted."),
        false => say!("dz-none-of-them-could-be-changed", "None of them could be changed."),
    };
    let page = if done == 0 { BulkPage { text: none().to_owned(), ..page } } else { page };
    // Successful rows stay changed, so the status is that of a refusal only if all rows were refused.
    show(tx, call, surface, &page, if done == 0 { 422 } else { 200 })
}

fn show(tx: &Tx<'_>, call: &Call, surface: &'static SurfaceDef, page: &BulkPage, status: u16) -> Result<Reply> {
    let shell = Shell::app(tx, call, page.title.clone(), PageKind::Plain, Some(surface));
    let html = shell.render(&page.content().map_err(Error::internal)?)?;
    Ok(Answer::<Document>::document(html).reply(status, call.markup))
}

/// The confirmation or the result, with sample data.
#[cfg(test)]
pub(crate) fn sample(evil: &str, asks: bool) -> String {
    let page = BulkPage {
        title: evil.to_owned(),
        text: evil.to_owned(),
        crumbs: vec![Link::new("/app/visit_list", evil)],
        labels: vec![evil.to_owned()],
        more: 3,
        action: asks.then(|| "/app/visit_list/bulk".to_owned()),
        hidden: vec![("csrf", evil.to_owned()), ("id", evil.to_owned())],
        submit: evil.to_owned(),
        refused: if asks {
            Vec::new()
        } else {
            vec![Refused { label: evil.to_owned(), href: Some("/app/visit_view/1".to_owned()), why: evil.to_owned() }]
        },
        back: "/app/visit_list".to_owned(),
    };
    page.content().expect("a page")
}
