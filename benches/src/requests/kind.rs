//! Kinds of requests, and their contents.

use super::{Outcome, SEEN, place::Part, served::Served};

/// A kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A page of the list.
    List,
    /// The same, with the expanded owners.
    Expand,
    /// The first page of all rows, for a user who sees all of them.
    Unfiltered,
    /// One row.
    Read,
    /// A page of a list as HTML.
    Fragment,
    /// Creates a row.
    Create,
    /// Makes a transition.
    Move,
    /// Changes a field of a thousand rows.
    Bulk,
    /// Exports all rows as CSV.
    Csv,
    /// Imports new rows from CSV.
    Import,
}

/// A kind of request, and its number in a round.
pub struct Measured {
    /// Its name on the command line.
    pub word: &'static str,
    /// Its name in the table.
    pub name: &'static str,
    /// The kind.
    pub kind: Kind,
    /// The number of requests in a round.
    pub count: usize,
}

/// All kinds of the table.
pub const KINDS: [Measured; 9] = [
    Measured { word: "list", name: "JSON list of 20", kind: Kind::List, count: 4_000 },
    Measured { word: "expand", name: "JSON list of 20 with their owners", kind: Kind::Expand, count: 4_000 },
    Measured { word: "read", name: "JSON read", kind: Kind::Read, count: 8_000 },
    Measured { word: "fragment", name: "page fragment of 20", kind: Kind::Fragment, count: 4_000 },
    Measured { word: "create", name: "create, with two invariants", kind: Kind::Create, count: 3_000 },
    // The requests of a round, and a tenth of them, return every row to its first state.
    Measured { word: "move", name: "move to another state", kind: Kind::Move, count: 15_000 },
    Measured { word: "bulk", name: "bulk change of 1,000", kind: Kind::Bulk, count: 20 },
    Measured { word: "csv", name: "CSV of all rows", kind: Kind::Csv, count: 8 },
    Measured { word: "import", name: "CSV of as many new rows, taken in", kind: Kind::Import, count: 1 },
];

impl Measured {
    /// The status of its responses.
    pub fn status(&self) -> u16 {
        if self.kind == Kind::Create { 201 } else { 200 }
    }

    /// The number of requests before the measured ones.
    pub fn warming(&self) -> usize {
        if self.kind == Kind::Import { 0 } else { self.count.div_ceil(10) }
    }
}

impl Kind {
    /// The requests of this kind, which are sent in turn; `rows` is the number of rows of a file.
    ///
    /// # Errors
    /// If its keys cannot be read.
    pub fn requests(self, served: &Served, rows: u32) -> Outcome<Vec<Vec<u8>>> {
        let pages = 1..=SEEN / 20;
        Ok(match self {
            Kind::List => pages.map(|page| served.request("GET", &format!("/api/items?page={page}&page_size=20"), "")).collect(),
            Kind::Expand => {
                pages.map(|page| served.request("GET", &format!("/api/items?page={page}&page_size=20&expand=owner"), "")).collect()
            }
            Kind::Unfiltered => vec![served.request_as_manager("GET", "/api/items?page=1&page_size=20", "application/json", "")],
            Kind::Fragment => pages.map(|page| served.request("GET", &format!("/app/item_list?page={page}&page_size=20"), "")).collect(),
            Kind::Read => keys(served, 500)?.iter().map(|id| served.request("GET", &format!("/api/items/{id}"), "")).collect(),
            Kind::Move => {
                let keys = keys(served, 500)?;
                let to = |state| keys.iter().map(move |id| served.request("POST", &format!("/api/items/{id}/transitions/{state}"), "{}"));
                ["doing", "done", "open"].into_iter().flat_map(to).collect()
            }
            Kind::Bulk => {
                let keys: Vec<String> = keys(served, 1_000)?.iter().map(|id| format!("\"{id}\"")).collect();
                let keys = keys.join(",");
                let body = |rank: usize| format!(r#"{{"action":"update","ids":[{keys}],"set":{{"rank":{rank}}}}}"#);
                // Every request changes every row.
                (1_000..1_007).map(|rank| served.request("POST", "/api/items/bulk", &body(rank))).collect()
            }
            Kind::Csv => {
                let path = if matches!(served.part, Part::ByHand | Part::Lean) { "/export/items.csv" } else { "/api/items?format=csv" };
                vec![served.request_as_manager("GET", path, "application/json", "")]
            }
            Kind::Import => vec![served.request_as_manager("POST", "/api/items/import", "text/csv", &file(&served.owner, rows))],
            Kind::Create => (0..100)
                .map(|n| {
                    let body = format!(
                        r#"{{"title":"~ made while measuring {n}","due":"2026-03-0{}","rank":{n},"owner":"{}","details":"One sentence about it."}}"#,
                        n % 9 + 1,
                        served.owner
                    );
                    served.request("POST", "/api/items", &body)
                })
                .collect(),
        })
    }
}

impl Kind {
    /// The requests to the handlers of the probe, for one row or for the first ones: by the rules, and by hand.
    ///
    /// # Errors
    /// If the keys cannot be read.
    pub fn probe(self, served: &Served) -> Outcome<[Vec<Vec<u8>>; 2]> {
        let keys =
            if self == Kind::Read { keys(served, 500)?.into_iter().map(|id| format!("/{id}")).collect() } else { vec![String::new()] };
        let asked = |by: &str| keys.iter().map(|id| served.request("GET", &format!("/probe/{by}/items{id}"), "")).collect();
        Ok([asked("rules"), asked("hand")])
    }
}

fn keys(served: &Served, count: usize) -> Outcome<Vec<String>> {
    let mut keys = Vec::new();
    for page in 1..=count / 100 {
        let list = served.json(&format!("/api/items?page={page}&page_size=100"))?;
        let items = list["items"].as_array().ok_or("no items")?;
        keys.extend(items.iter().filter_map(|item| item["id"].as_str().map(str::to_owned)));
    }
    Ok(keys)
}

/// New rows as CSV.
fn file(owner: &str, rows: u32) -> String {
    let mut text = String::from("title,owner,due,hours,rank,billable,details\n");
    for n in 0..rows {
        let (day, hours, rank) = (n % 28 + 1, n % 100, n % 1_000);
        text.push_str(&format!("~ taken in {n},{owner},2026-05-{day:02},{hours}.25,{rank},true,A sentence about it\n"));
    }
    text
}
