//! Checks responses that read: lists, rows, pickers and pages.

pub(super) mod regions;
mod row_buttons;

use std::{cmp::Ordering, collections::BTreeSet};

use percent_encoding::percent_decode_str;
use serde_json::Value as Json;

use super::{
    check_graph,
    evaluate::compare,
    operation::{FieldPath, ListFilter, Operation, field_json},
    oracle::{Oracle, Scope},
    query,
    server::Answer,
    world::{Stored, key_text},
};
use crate::{
    Value,
    def::{AppDef, EntityDef, FieldAt, FieldDef, FieldIx, Mode, Path, Relation, SectionBody, SortOrder, SurfaceDef},
    web::api::params,
};

type Entity = &'static EntityDef;
/// The error of a response, as one sentence.
pub(super) type Verdict = Result<(), String>;

pub(super) fn check(oracle: &Oracle<'_>, ask: &Operation, answer: &Answer) -> Verdict {
    match ask {
        Operation::List(entity, narrow) => check_list(oracle, entity, narrow, answer),
        Operation::Csv(entity, narrow) => check_csv(oracle, entity, narrow, answer),
        Operation::Expanded(entity, at) => check_expanded(oracle, entity, *at, answer),
        Operation::Read(entity, key) => check_read(oracle, entity, key, answer),
        Operation::Pick(entity, words) => check_picker(oracle, entity, words.as_deref(), answer),
        Operation::ListPage(surface, narrow) => check_list_page(oracle, surface, narrow, answer),
        Operation::Region(workspace, region) => regions::check(oracle, workspace, region, answer),
        Operation::ViewPage(surface, key) => check_view_page(oracle, surface, key, answer),
        Operation::EditPage(surface, key) => check_edit_page(oracle, surface, key, answer),
        Operation::Graph(entity, query) => check_graph::check(oracle, entity, query, answer),
        Operation::Typed(entity, engine, query) => query::check(oracle, entity, *engine, query, answer),
        Operation::Create(..)
        | Operation::Update(..)
        | Operation::Delete(..)
        | Operation::Transition(..)
        | Operation::Act(..)
        | Operation::Restore(..)
        | Operation::BulkUpdate(..)
        | Operation::BulkQuery(..)
        | Operation::BulkTransition(..)
        | Operation::PageDelete(..)
        | Operation::PageTransition(..)
        | Operation::GraphQl(_) => Ok(()),
    }
}

/// Checks that the status is one of these.
pub(super) fn check_status(answer: &Answer, wanted: &[u16], why: &str) -> Verdict {
    if wanted.contains(&answer.status) {
        return Ok(());
    }
    Err(format!("status {} where the rules say {wanted:?}: {why}", answer.status))
}

/// Checks the response to a caller whose roles permit no row.
pub(super) fn check_closed(oracle: &Oracle<'_>, answer: &Answer) -> Verdict {
    check_status(answer, closed_statuses(oracle), "its roles cover no row")
}

/// The statuses of a refusal that depends on no row: a caller without an account must sign in, also if the rule names `anonymous` and the
/// rows belong to tenants.
pub(super) fn closed_statuses(oracle: &Oracle<'_>) -> &'static [u16] {
    if oracle.who.account.is_some() { &[403] } else { &[401] }
}

/// As [`check_closed`], for a page.
fn check_closed_page(oracle: &Oracle<'_>, answer: &Answer) -> Verdict {
    match oracle.who.account {
        Some(_) => check_status(answer, &[403], "its roles cover no row"),
        None if answer.status == 303 && answer.location.starts_with("/login") => Ok(()),
        None => Err(format!("status {} where the rules ask it to sign in", answer.status)),
    }
}

pub(super) fn parse_json(answer: &Answer) -> Result<Json, String> {
    serde_json::from_str(&answer.body).map_err(|error| format!("no JSON: {error}"))
}

impl Oracle<'_> {
    /// The rows that a list must contain.
    pub(super) fn listed_rows(&self, entity: Entity) -> Vec<&Stored> {
        self.world.stored_rows(entity.ix).filter(|row| self.lists(entity, &row.values)).collect()
    }

    /// The value at the end of a path: null if the caller cannot read a row on it.
    fn visible_value(&self, entity: Entity, reach: &FieldPath, values: &[Value]) -> Value {
        let (app, end) = (self.app(), reach.end);
        let mut at = entity;
        let mut row = values.to_vec();
        for (depth, hop) in reach.refs.iter().enumerate() {
            let Some((target, next)) = hop.position_in(at).and_then(|hop| self.world.target(at, hop, &row)) else { return Value::Null };
            let last = depth + 1 == reach.refs.len();
            let label = last && (end.is_key(app) || end.is_label(app));
            if !(self.reads(target, &next.values) || (label && self.can_name_account(target, &next.values))) {
                return Value::Null;
            }
            (at, row) = (target, next.values.clone());
        }
        end.position_in(at).map_or(Value::Null, |field| self.field_value(at, field, &row))
    }

    fn filter_rows(&self, entity: Entity, narrow: &ListFilter) -> Vec<&Stored> {
        let searched = params::list_surface(self.app(), entity).map_or(&[][..], |surface| surface.ux.search);
        self.filter_rows_by(entity, narrow, searched)
    }

    /// As [`filter_rows`](Oracle::filter_rows), with the searched fields.
    fn filter_rows_by(&self, entity: Entity, narrow: &ListFilter, searched: &[Path]) -> Vec<&Stored> {
        let mut rows = self.listed_rows(entity);
        let same = |a: &Value, b: &Value| compare(a, b).is_some_and(|it| it.is_eq());
        match narrow {
            ListFilter::Nothing => {}
            ListFilter::Equals(reach, value) => rows.retain(|row| same(&self.visible_value(entity, reach, &row.values), value)),
            ListFilter::Differs(reach, value) => rows.retain(|row| !same(&self.visible_value(entity, reach, &row.values), value)),
            ListFilter::IsNull(reach) => rows.retain(|row| self.visible_value(entity, reach, &row.values).is_null()),
            ListFilter::Sort(reach, descending) => {
                let (reach, field) = self.sort_path(reach);
                // Amounts of different currencies are ordered by currency.
                let currency = field.currency_in.map(|at| FieldPath { end: reach.end.sibling(at), ..reach.clone() });
                rows.sort_by(|a, b| {
                    let compared = |reach| {
                        compare_listed(field, &self.visible_value(entity, reach, &a.values), &self.visible_value(entity, reach, &b.values))
                    };
                    let by_value = currency.as_ref().map_or(Ordering::Equal, compared).then_with(|| compared(&reach));
                    let by_value = if *descending { by_value.reverse() } else { by_value };
                    by_value.then_with(|| compare(a.value(entity.pk), b.value(entity.pk)).unwrap_or(Ordering::Equal))
                });
            }
            ListFilter::Search(words) => {
                let words = words.trim().to_lowercase();
                rows.retain(|row| {
                    searched.iter().any(|path| {
                        let reach = FieldPath::from_path(self.app(), *path);
                        matches!(self.visible_value(entity, &reach, &row.values), Value::Text(text) if text.to_lowercase().contains(&words))
                    })
                });
            }
        }
        rows
    }

    /// The path of a sort: for a reference, the label of its target.
    fn sort_path(&self, reach: &FieldPath) -> (FieldPath, &'static FieldDef) {
        let Some(target) = reach.end.target(self.app()) else { return (reach.clone(), reach.end.field(self.app())) };
        let named = label_path(self.app(), target);
        (FieldPath { refs: reach.steps().chain(named.refs).collect(), end: named.end }, named.end.field(self.app()))
    }

    /// A row as in the API.
    fn row_json(&self, entity: Entity, row: &Stored) -> Vec<(&'static str, Json)> {
        let seen: Vec<Value> = (0..entity.fields.len() as FieldIx).map(|at| self.shown_value(entity, at, &row.values)).collect();
        let shown = (0..).zip(entity.fields).filter(|(_, field)| field.has_value() && !field.secret && !field.is_currency_of_amount());
        shown.map(|(at, field)| (field.name, field_json(entity, at, |at| &seen[usize::from(at)]))).collect()
    }
}

/// A row as in the API.
pub(super) fn row_json(oracle: &Oracle<'_>, entity: Entity, row: &Stored) -> Vec<(&'static str, Json)> {
    oracle.row_json(entity, row)
}

/// The path of the label: the key, if a part of the declared path is hidden.
pub(super) fn label_path(app: &'static AppDef, entity: Entity) -> FieldPath {
    let declared = FieldPath::from_path(app, entity.label_path());
    let hidden = declared.steps().any(|step| step.field(app).sensitive) || declared.end.field(app).secret;
    if hidden { FieldPath { refs: Vec::new(), end: FieldAt::new(entity.ix, entity.pk) } } else { declared }
}

/// The order of lists: null first, text by ASCII case-insensitive comparison and then by code point.
fn compare_listed(field: &FieldDef, left: &Value, right: &Value) -> Ordering {
    match (left, right, field.kind.sort_order()) {
        (Value::Null, Value::Null, _) => Ordering::Equal,
        (Value::Null, _, _) => Ordering::Less,
        (_, Value::Null, _) => Ordering::Greater,
        (Value::Text(a), Value::Text(b), SortOrder::Declared(of)) => {
            let place = |name: &str| of.values.iter().position(|value| value.name == name);
            place(a).cmp(&place(b))
        }
        (Value::Text(a), Value::Text(b), SortOrder::Plain) if field.kind.enumeration().is_some() => a.cmp(b),
        (Value::Text(a), Value::Text(b), SortOrder::IgnoringCase | SortOrder::Plain) => {
            a.to_ascii_lowercase().chars().cmp(b.to_ascii_lowercase().chars()).then_with(|| a.chars().cmp(b.chars()))
        }
        _ => compare(left, right).unwrap_or(Ordering::Equal),
    }
}

fn key_texts(entity: Entity, rows: &[&Stored]) -> Vec<String> {
    rows.iter().map(|row| key_text(row.value(entity.pk))).collect()
}

fn check_list(oracle: &Oracle<'_>, entity: Entity, narrow: &ListFilter, answer: &Answer) -> Verdict {
    if oracle.is_closed(entity, "list") {
        return check_closed(oracle, answer);
    }
    check_status(answer, &[200], "some row may be listed")?;
    let rows = oracle.filter_rows(entity, narrow);
    let body = parse_json(answer)?;
    let items = body["items"].as_array().ok_or("no items")?;
    let key = |item: &Json| item[entity.key().name].as_str().map_or_else(|| item[entity.key().name].to_string(), str::to_owned);
    let (found, wanted): (Vec<String>, Vec<String>) = (items.iter().map(key).collect(), key_texts(entity, &rows));
    let in_order = matches!(narrow, ListFilter::Sort(..));
    compare_rows(&found, &wanted, in_order)?;
    if body["total"] != wanted.len() {
        return Err(format!("`total` is {} where {} rows are to be seen", body["total"], wanted.len()));
    }
    for (item, id) in items.iter().zip(&found) {
        let Some(row) = rows.iter().find(|row| key_text(row.value(entity.pk)) == *id) else { continue };
        check_row(oracle, entity, row, item)?;
    }
    Ok(())
}

/// Checks the values of a row.
pub(super) fn check_row(oracle: &Oracle<'_>, entity: Entity, row: &Stored, item: &Json) -> Verdict {
    for (name, wanted) in oracle.row_json(entity, row) {
        if item[name] != wanted {
            return Err(format!("`{name}` of {} shows {} where the rules show {wanted}", key_text(row.value(entity.pk)), item[name]));
        }
    }
    Ok(())
}

pub(super) fn compare_rows(found: &[String], wanted: &[String], in_order: bool) -> Verdict {
    let set = |of: &[String]| of.iter().cloned().collect::<BTreeSet<_>>();
    let (seen, right) = (set(found), set(wanted));
    if let Some(more) = seen.difference(&right).next() {
        return Err(format!("{more} is shown, and no rule shows it"));
    }
    if let Some(less) = right.difference(&seen).next() {
        return Err(format!("{less} is not shown, and the rules show it"));
    }
    if found.len() != seen.len() {
        return Err("a row is shown twice".to_owned());
    }
    if in_order && found != wanted {
        return Err(format!("the order is {found:?} where what may be seen gives {wanted:?}"));
    }
    Ok(())
}

fn check_csv(oracle: &Oracle<'_>, entity: Entity, narrow: &ListFilter, answer: &Answer) -> Verdict {
    if oracle.is_closed(entity, "list") {
        return check_closed(oracle, answer);
    }
    check_status(answer, &[200], "some row may be listed")?;
    let mut reader = csv::Reader::from_reader(answer.body.as_bytes());
    let heads = reader.headers().map_err(|error| error.to_string())?.clone();
    let at = heads.iter().position(|head| head.trim_start_matches('\u{feff}') == entity.key().name).ok_or("no column of the key")?;
    let lines: Vec<_> = reader.records().collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    let found: Vec<String> = lines.iter().filter_map(|line| line.get(at)).map(str::to_owned).collect();
    compare_rows(&found, &key_texts(entity, &oracle.filter_rows(entity, narrow)), false)
}

fn check_expanded(oracle: &Oracle<'_>, entity: Entity, at: FieldIx, answer: &Answer) -> Verdict {
    if oracle.is_closed(entity, "list") {
        return check_closed(oracle, answer);
    }
    check_status(answer, &[200], "some row may be listed")?;
    let body = parse_json(answer)?;
    let name = entity.field(at).name;
    let id = |item: &Json, of: Entity| item[of.key().name].as_str().map_or_else(|| item[of.key().name].to_string(), str::to_owned);
    for item in body["items"].as_array().ok_or("no items")? {
        let Some(row) = oracle.world.stored_rows(entity.ix).find(|row| key_text(row.value(entity.pk)) == id(item, entity)) else {
            continue;
        };
        let kind = entity.field(at).kind;
        if kind.target().is_some() {
            expanded_ref(oracle, entity, at, row, item)?;
        }
        if let Some(Relation { entity: child, via, is_single: false }) = kind.relation() {
            let (key, child) = (row.value(entity.pk), oracle.app().entity(child));
            let open = |of: &'static EntityDef, it: &Stored| !oracle.is_closed(of, "list") && oracle.lists(of, &it.values);
            let belongs = |it: &&Stored| open(child, it) && oracle.is_child(via, child, it, key, &open);
            let wanted: Vec<String> = oracle.world.stored_rows(child.ix).filter(belongs).map(|it| key_text(it.value(child.pk))).collect();
            let found = item[name].as_array().map_or_else(Vec::new, |items| items.iter().map(|item| id(item, child)).collect::<Vec<_>>());
            compare_rows(&found, &wanted, false).map_err(|wrong| format!("`{name}`: {wrong}"))?;
        }
    }
    Ok(())
}

/// The referenced row in the response: the whole row if the caller may read it, and null if the caller may not refer to it.
fn expanded_ref(oracle: &Oracle<'_>, entity: Entity, at: FieldIx, row: &Stored, item: &Json) -> Verdict {
    let name = entity.field(at).name;
    let seen = oracle.world.target(entity, at, &row.values);
    let is_shown = !oracle.shown_value(entity, at, &row.values).is_null();
    let wanted = seen.filter(|(target, seen)| is_shown && oracle.can_name(target, &seen.values));
    match (wanted, item[name].is_null()) {
        (None, false) => return Err(format!("`{name}` is expanded to {}, which may not be read", item[name])),
        (Some((target, _)), true) => return Err(format!("`{name}` is not expanded, and the {} may be read", target.name)),
        (Some((target, seen)), false) if oracle.reads(target, &seen.values) => {
            let held: Vec<Value> = (0..target.fields.len() as FieldIx).map(|at| oracle.field_value(target, at, &seen.values)).collect();
            for (at, field) in (0..).zip(target.fields) {
                let open = field.has_value() && !field.secret && !field.sensitive && !field.is_currency_of_amount();
                if open && item[name][field.name] != field_json(target, at, |at| &held[usize::from(at)]) {
                    return Err(format!("`{name}.{}` is {}", field.name, item[name][field.name]));
                }
            }
        }
        _ => {}
    }
    Ok(())
}

fn check_read(oracle: &Oracle<'_>, entity: Entity, key: &Value, answer: &Answer) -> Verdict {
    if oracle.is_closed(entity, "read") {
        return check_closed(oracle, answer);
    }
    match oracle.world.find(entity.ix, key).filter(|row| oracle.reads(entity, &row.values)) {
        None => check_status(answer, &[404], "it may not be read"),
        Some(row) => {
            check_status(answer, &[200], "it may be read")?;
            check_row(oracle, entity, row, &parse_json(answer)?)
        }
    }
}

fn check_picker(oracle: &Oracle<'_>, entity: Entity, words: Option<&str>, answer: &Answer) -> Verdict {
    let everybody = entity.account && oracle.who.account.is_some();
    if !everybody && oracle.is_closed(entity, "list") {
        return check_closed_page(oracle, answer);
    }
    check_status(answer, &[200], "some row may be chosen")?;
    let name = label_path(oracle.app(), entity);
    let field = name.end.field(oracle.app());
    let holds =
        |row: &&Stored| match (words.map(str::trim).filter(|words| !words.is_empty()), oracle.visible_value(entity, &name, &row.values)) {
            (None, _) => true,
            (Some(words), value) => search_text(field, &value).is_some_and(|text| text.to_lowercase().contains(&words.to_lowercase())),
        };
    let offered = |row: &&Stored| oracle.lists(entity, &row.values) || oracle.can_name_account(entity, &row.values);
    let rows: Vec<&Stored> = oracle.world.stored_rows(entity.ix).filter(offered).filter(holds).collect();
    compare_rows(&offered_keys(&answer.body), &key_texts(entity, &rows), false)
}

/// The keys of the options of a picker.
pub(super) fn offered_keys(body: &str) -> Vec<String> {
    body.split("data-value=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(unescape).collect()
}

/// The text in which a picker searches; `None` for kinds without a search.
fn search_text(field: &FieldDef, value: &Value) -> Option<String> {
    match (value, field.kind.enumeration()) {
        (Value::Text(name), Some(of)) => of.values.iter().find(|value| value.name == name).map(|value| value.title.to_owned()),
        (Value::Text(text), _) => Some(text.clone()),
        (Value::Uuid(_) | Value::Int(_), _) => Some(key_text(value)),
        (Value::Date(day), _) => Some(day.to_string()),
        _ => None,
    }
}

/// The keys of the rows in a region of a page.
fn find_row_keys(body: &str, region: &str) -> Vec<String> {
    let begin = format!("<tr id=\"{region}-");
    body.split(begin.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).map(key_in_id).collect()
}

/// The key in the `id` of an element, where it is percent-encoded.
fn key_in_id(text: &str) -> String {
    percent_decode_str(&unescape(text)).decode_utf8_lossy().into_owned()
}

/// Reverts the escaping of an attribute.
fn unescape(text: &str) -> String {
    let marks = [("&#34;", "\""), ("&#39;", "'"), ("&#60;", "<"), ("&#62;", ">"), ("&#38;", "&")];
    marks.into_iter().fold(text.to_owned(), |text, (written, mark)| text.replace(written, mark))
}

fn check_list_page(oracle: &Oracle<'_>, surface: &'static SurfaceDef, narrow: &ListFilter, answer: &Answer) -> Verdict {
    let entity = oracle.app().entity(surface.entity);
    if oracle.is_closed(entity, "list") || !oracle.who.is_for_page(surface) {
        return check_closed_page(oracle, answer);
    }
    check_status(answer, &[200], "some row may be listed")?;
    if surface.templates.list.is_some() || surface.templates.rows.is_some() {
        return Ok(());
    }
    // A hidden field is not a parameter, and a page ignores unknown parameters.
    let hidden = |reach: &FieldPath| oracle.is_hidden(surface, reach);
    let open = |path: &&Path| !hidden(&FieldPath::from_path(oracle.app(), **path));
    let searched: Vec<Path> = surface.ux.search.iter().filter(open).copied().collect();
    let narrow = match narrow {
        ListFilter::Equals(reach, _) | ListFilter::Differs(reach, _) | ListFilter::IsNull(reach) | ListFilter::Sort(reach, _)
            if hidden(reach) =>
        {
            &ListFilter::Nothing
        }
        ListFilter::Search(_) if searched.is_empty() => &ListFilter::Nothing,
        narrow @ (ListFilter::Nothing
        | ListFilter::Equals(..)
        | ListFilter::Differs(..)
        | ListFilter::IsNull(_)
        | ListFilter::Sort(..)
        | ListFilter::Search(_)) => narrow,
    };
    let rows = oracle.rows_on_page(surface, oracle.filter_rows_by(entity, narrow, &searched));
    compare_rows(&find_row_keys(&answer.body, surface.name), &key_texts(entity, &rows), matches!(narrow, ListFilter::Sort(..)))?;
    row_buttons::check(oracle, surface, entity, &rows, answer)
}

fn check_view_page(oracle: &Oracle<'_>, surface: &'static SurfaceDef, key: &Value, answer: &Answer) -> Verdict {
    let entity = oracle.app().entity(surface.entity);
    if oracle.is_closed(entity, "read") || !oracle.who.is_for_page(surface) {
        return check_closed_page(oracle, answer);
    }
    let found = oracle.world.find(entity.ix, key).filter(|row| oracle.reads(entity, &row.values));
    let Some(row) = found.filter(|row| oracle.is_on_page(surface, &row.values)) else {
        return check_status(answer, &[404], "it may not be read, or the page does not show it");
    };
    check_status(answer, &[200], "it may be read")?;
    if surface.templates.view.is_some() {
        return Ok(());
    }
    check_buttons(oracle, surface, entity, row, answer)?;
    for section in surface.sections {
        let SectionBody::Nested(nested) = &section.body else { continue };
        let child = oracle.app().entity(nested.entity);
        let parent = Scope { entity, values: &row.values, outer: None };
        let belongs = |row: &&Stored| {
            let place = Scope { entity: child, values: &row.values, outer: Some(&parent) };
            oracle.is_child(nested.via, child, row, key, &|junction, it| oracle.lists(junction, &it.values))
                && oracle.lists(child, &row.values)
                && nested.filter.as_ref().is_none_or(|filter| oracle.truth(filter, place) == Some(true))
        };
        let rows: Vec<&Stored> = oracle.world.stored_rows(child.ix).filter(belongs).collect();
        let found = find_row_keys(&answer.body, &format!("{}-{}", surface.name, section.name));
        compare_rows(&found, &key_texts(child, &rows), false).map_err(|wrong| format!("section `{}`: {wrong}", section.name))?;
    }
    Ok(())
}

/// Checks that a view page offers exactly the permitted transitions.
fn check_buttons(oracle: &Oracle<'_>, surface: &'static SurfaceDef, entity: Entity, row: &Stored, answer: &Answer) -> Verdict {
    let Some(states) = entity.states else { return Ok(()) };
    let Some(of) = entity.field(states.field).kind.enumeration() else { return Ok(()) };
    let movable = !oracle.is_read_only_page(surface) && !oracle.is_hidden(surface, &FieldPath::own_field(entity, states.field));
    let covered = movable && oracle.covers(entity, Oracle::transition_action(entity), &row.values);
    let from =
        |start: u16| of.values.get(usize::from(start)).is_some_and(|value| *row.value(states.field) == Value::Text(value.name.to_owned()));
    let place = Scope { entity, values: &row.values, outer: None };
    let open = states.transitions.iter().filter(|(start, _, needs)| {
        let needs = &states.rows[usize::from(*needs)];
        let role = needs.roles == 0 || needs.roles & oracle.who.roles_on(entity) != 0;
        let ready = needs.manual && role && needs.requires.iter().all(|at| !row.value(*at).is_null());
        covered && from(*start) && ready && needs.guard.as_ref().is_none_or(|guard| oracle.truth(guard, place) == Some(true))
    });
    let wanted: Vec<String> = open.filter_map(|(_, end, _)| of.values.get(usize::from(*end))).map(|value| value.name.to_owned()).collect();
    let found = answer.body.split("name=\"to\" value=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned);
    compare_rows(&found.collect::<Vec<_>>(), &wanted, false).map_err(|wrong| format!("moves: {wrong}"))
}

fn check_edit_page(oracle: &Oracle<'_>, surface: &'static SurfaceDef, key: &Value, answer: &Answer) -> Verdict {
    debug_assert!(surface.mode == Mode::Edit);
    let entity = oracle.app().entity(surface.entity);
    if oracle.is_closed(entity, "update") || oracle.is_closed(entity, "read") || !oracle.who.is_for_page(surface) {
        return check_closed_page(oracle, answer);
    }
    let found = oracle.world.find(entity.ix, key).filter(|row| oracle.reads(entity, &row.values));
    match found.filter(|row| oracle.is_on_page(surface, &row.values)) {
        None => check_status(answer, &[404], "it may not be read, or the page does not show it"),
        Some(_) => check_status(answer, &[200], "it may be read, and some rows may be changed"),
    }
}
