//! Trees: rows below the row that their reference names.

use std::collections::{HashMap, HashSet};

use askama::Template;

use super::{
    content::{Content, SourceRequest, empty_text},
    rows::{Card, SourceRows},
};
use crate::{
    Error, Result, Tx,
    rows::{self, Counting},
    template::Icon,
    web::page::columns,
};

/// The maximum number of rows of a tree, and the depth to which its branches are open.
const MOST_ROWS: u64 = 500;
const OPEN_DEPTH: usize = 2;
/// The maximum depth; deeper rows are beside each other.
const MOST_DEPTH: usize = 40;

/// A row with the rows below it, already rendered.
#[derive(Template)]
#[template(path = "region_tree_node.html")]
struct NodeHtml<'a> {
    card: &'a Card,
    count: usize,
    children: String,
    open: bool,
}

#[derive(Template)]
#[template(path = "region_tree.html")]
struct TreeHtml {
    nodes: String,
    note: Option<String>,
    empty: Option<String>,
}

/// Loads the rows by one statement, and puts each below its parent. A row whose parent is not listed is at the top.
pub(super) fn load(tx: &mut Tx<'_>, asked: SourceRequest<'_>) -> Result<Content> {
    let parent = asked.source.group_by.and_then(|group| group.path.own_field()).ok_or_else(Error::not_found)?;
    let mut source = SourceRows::resolve(tx, asked.region, asked.source, asked.read_only);
    let grant = source.grant(tx)?;
    let mut query = source.query(tx, &asked);
    (query.limit, query.count) = (asked.region.limit.unwrap_or(MOST_ROWS), Counting::Limited);
    let found = rows::list(tx, &grant, &query)?;
    source.find_links(tx, &found.rows)?;
    let cards: Vec<Card> = found.rows.iter().map(|row| source.card(tx, row, 1)).collect();
    let keys: HashSet<&str> = cards.iter().map(|card| card.key.as_str()).collect();
    let mut forest = Forest { cards: &cards, below: HashMap::new(), seen: HashSet::new() };
    let mut roots = Vec::new();
    for (at, row) in found.rows.iter().enumerate() {
        match columns::key_text(row.value(parent)).filter(|key| keys.contains(key.as_str())) {
            Some(key) => forest.below.entry(key).or_default().push(at),
            None => roots.push(at),
        }
    }
    let mut nodes = forest.render(&roots, 0)?;
    // Rows of a cycle are below each other, and none of them is at the top.
    while let Some(at) = (0..cards.len()).find(|at| !forest.seen.contains(at)) {
        nodes.push_str(&forest.render(&[at], 0)?);
    }
    let note = found
        .total
        .exceeds(query.limit)
        .then(|| say!("dz-showing", "Showing {shown} of {total}", shown = query.limit, total = found.total));
    let empty = cards.is_empty().then(|| empty_text(tx, &asked));
    Content::block(&TreeHtml { nodes, note, empty })
}

struct Forest<'a> {
    cards: &'a [Card],
    /// The positions of rows by the key of their parent.
    below: HashMap<String, Vec<usize>>,
    seen: HashSet<usize>,
}

impl Forest<'_> {
    fn render(&mut self, rows: &[usize], depth: usize) -> Result<String> {
        let mut html = String::new();
        for at in rows {
            if !self.seen.insert(*at) {
                continue;
            }
            let card = &self.cards[*at];
            let below = if depth < MOST_DEPTH { self.below.get(&card.key).cloned().unwrap_or_default() } else { Vec::new() };
            let children = self.render(&below, depth + 1)?;
            let node = NodeHtml { card, count: below.len(), children, open: depth < OPEN_DEPTH };
            html.push_str(&node.render().map_err(Error::internal)?);
        }
        Ok(html)
    }
}
