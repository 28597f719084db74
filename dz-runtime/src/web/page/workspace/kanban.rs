//! Boards: a column for each value of an enumeration. Cards change their column only by declared transitions.

use askama::Template;

use super::{
    WorkspaceAt,
    content::{Content, SourceRequest, empty_text},
    frame,
    groups::{self, Measure},
    rows::{Card, SourceRows, scope},
    variant::WorkspaceVariant,
};
use crate::{
    Error, Result, Tx, Value,
    def::{Comparison, Display, EntityDef, GroupDef},
    rows::{self, Filter, FilterOp, Row, RowTest, transitions},
    template::{Cell, Icon},
    web::{
        Call, Reply,
        page::{columns, form},
    },
};

/// The number of cards of a column unless the region has a limit, and of values on a card.
const CARDS: u64 = 20;
const DETAILS: usize = 2;

/// A column of a board.
struct Column {
    /// The value of the enumeration; empty for rows without a value.
    value: String,
    cell: Cell,
    total: u64,
    cards: Vec<BoardCard>,
}

struct BoardCard {
    card: Card,
    /// The target states of the possible transitions, with the texts of the buttons.
    moves: Vec<(&'static str, &'static str)>,
}

impl BoardCard {
    /// The target states, as the script reads them.
    fn targets(&self) -> String {
        self.moves.iter().map(|(to, _)| *to).collect::<Vec<_>>().join(",")
    }
}

#[derive(Template)]
#[template(path = "region_kanban.html")]
struct KanbanHtml<'a> {
    region: &'a str,
    action: String,
    csrf: &'a str,
    tab: Option<usize>,
    columns: Vec<Column>,
    empty: Option<String>,
}

/// Loads the columns of a board: their counts by one statement, and the cards of each.
pub(super) fn load(tx: &mut Tx<'_>, asked: SourceRequest<'_>) -> Result<Content> {
    let group = asked.source.group_by.ok_or_else(Error::not_found)?;
    let counted = groups::load(tx, &asked, &[group], &[Measure::Count("")])?;
    let mut source = SourceRows::resolve(tx, asked.region, asked.source, asked.read_only);
    let can_move = !asked.read_only && is_movable(tx, source.entity, group);
    let mut columns = Vec::new();
    for (at, key) in counted.keys.iter().flatten().enumerate() {
        let total = counted.groups.iter().find(|(places, _)| places.first() == Some(&at)).and_then(|(_, values)| values.first());
        let total = match total {
            Some(Value::Int(total)) => u64::try_from(*total).unwrap_or(0),
            _ => 0,
        };
        let cards = if total == 0 { Vec::new() } else { load_cards(tx, &asked, &source, group, &key.value)? };
        source.find_links(tx, &cards)?;
        let card = |row: &Row| BoardCard {
            card: source.card(tx, row, DETAILS),
            moves: if can_move && row.extra.last() == Some(&Value::Bool(true)) { moves(tx, source.entity, row) } else { Vec::new() },
        };
        columns.push(Column {
            value: columns::key_text(&key.value).unwrap_or_default(),
            cell: columns::show(tx.app, group.path.end(tx.app).field(tx.app), &key.value),
            total,
            cards: cards.iter().map(card).collect(),
        });
    }
    let empty = columns.iter().all(|column| column.total == 0).then(|| empty_text(tx, &asked));
    let action = format!("{}/move", asked.region.address());
    Content::block(&KanbanHtml { region: asked.region.id, action, csrf: &asked.call.csrf, tab: asked.tab, columns, empty })
}

fn load_cards(tx: &mut Tx<'_>, asked: &SourceRequest<'_>, source: &SourceRows, group: GroupDef, value: &Value) -> Result<Vec<Row>> {
    let grant = source.grant(tx)?;
    let mut query = source.query(tx, asked);
    query.limit = asked.region.limit.unwrap_or(CARDS);
    let op = if value.is_null() { FilterOp::IsNull(true) } else { FilterOp::Compare(Comparison::Eq, value.clone()) };
    query.filters.push(Filter { path: group.path, op });
    query.tests.push(RowTest::Rule(transitions::action_name(source.entity)));
    Ok(rows::list(tx, &grant, &query)?.rows)
}

/// True if the columns are states, and the caller may change the state of some row.
fn is_movable(tx: &Tx<'_>, entity: &'static EntityDef, group: GroupDef) -> bool {
    let states = transitions::machine(entity).filter(|(states, _)| group.path.own_field() == Some(states.field));
    states.is_some() && transitions::ask_action(tx, entity).is_ok()
}

/// The transitions from the state of a row that the roles of the caller include.
fn moves(tx: &Tx<'_>, entity: &'static EntityDef, row: &Row) -> Vec<(&'static str, &'static str)> {
    let Some((states, of)) = transitions::machine(entity) else { return Vec::new() };
    let caller = tx.caller().for_entity(entity);
    let from = transitions::position(of, Some(row.value(states.field)));
    let open = from.into_iter().flat_map(|from| states.transitions_from(from));
    let open = open.filter(|(_, row)| row.manual && transitions::holds_role(row, &caller));
    open.filter_map(|(to, row)| Some((of.values.get(usize::from(to))?.name, row.title(of, to)))).collect()
}

/// `POST /app/{workspace}-{region}/move`: makes a transition, and shows the board; with the error if it is refused.
pub(crate) fn submit(tx: &mut Tx<'_>, call: &Call, at: WorkspaceAt) -> Result<Reply> {
    let region = at.region.filter(|region| region.display == Display::Kanban).ok_or_else(Error::not_found)?;
    let variant = WorkspaceVariant::resolve(tx, at.workspace);
    if !variant.shows(tx, region) || variant.is_read_only() {
        return Err(Error::forbidden(say!(
            "dz-nothing-can-be-changed-from",
            "\"{title}\" is read-only for you",
            title = at.workspace.title
        )));
    }
    let sent = |wanted: &str| call.form.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
    let tab = sent("tab").and_then(|tab| tab.parse::<usize>().ok()).and_then(|tab| tab.checked_sub(1)).unwrap_or(0);
    let source = region.sources.get(tab).ok_or_else(Error::not_found)?;
    let entity = tx.app.entity(source.entity);
    source.group_by.filter(|group| is_movable(tx, entity, *group)).ok_or_else(Error::not_found)?;
    let key = form::parse_key(tx, entity, &sent("id").unwrap_or_default())?;
    let version = sent("version").and_then(|version| version.parse().ok());
    let to = Value::Text(sent("to").unwrap_or_default());
    let moved = rows::check_surface_scope(tx, entity, &key, &scope(region, source))
        .and_then(|()| tx.savepoint(|tx| rows::transition(tx, entity, &key, to.clone(), Vec::new(), version)));
    match moved {
        Ok(_) if call.htmx => frame::show_region(tx, call, at),
        Ok(_) => Ok(Reply::see_other(format!("{}?done=moved", at.workspace.address()))),
        // The page contains the reason, and the card in its old column; the card of a deleted row is gone.
        Err(error) if matches!(error.status, 403 | 404 | 409 | 412 | 422) => {
            frame::show_after(tx, call, at, Some(&error)).map_err(|_| error)
        }
        Err(error) => Err(error),
    }
}
