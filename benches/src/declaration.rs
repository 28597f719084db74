//! Generated declarations: entities of twelve columns with rules and three surfaces each.

use std::fmt::Write;

/// An edit, equal on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// A label on a page.
    Label,
    /// An access rule.
    Rule,
    /// One more column.
    Column,
}

/// The applied edits; none by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Edits {
    /// Another label.
    pub label: bool,
    /// Another rule.
    pub rule: bool,
    /// An additional column.
    pub column: bool,
}

impl Edits {
    /// Applies an edit, or reverts it, which is an edit too.
    pub fn toggle(self, edit: Edit) -> Edits {
        match edit {
            Edit::Label => Edits { label: !self.label, ..self },
            Edit::Rule => Edits { rule: !self.rule, ..self },
            Edit::Column => Edits { column: !self.column, ..self },
        }
    }
}

/// A declaration of `count` entities; edits change the first one.
pub fn declaration(count: usize, edits: Edits) -> String {
    let mut text = String::from("app bench \"Bench\"\n\npersona manager\npersona worker\n\n");
    for n in 0..count {
        let edits = if n == 0 { edits } else { Edits::default() };
        // Writing to a string cannot fail.
        let _ = write!(text, "{}", entity(n, edits));
    }
    text
}

fn entity(n: usize, edits: Edits) -> String {
    let label = if edits.label { "Heading" } else { "Title" };
    let update = if edits.rule { "role(manager)" } else { "role(manager) or owner = current_user" };
    let column = if edits.column { "  extra: str(40)\n" } else { "" };
    format!(
        r#"entity Item{n} "Item {n}":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  owner: ref User
  due: date
  hours: decimal(8,2) = 0
  rank: int = 0
  score: float
  billable: bool = true
  details: text
  created_at: datetime auto_add
  updated_at: datetime auto_update
{column}  permit:
    list: role(manager) or owner = current_user
    read: role(manager) or owner = current_user
    create: role(manager, worker)
    update: {update}
    delete: role(manager)

surface item{n}_list "Items {n}":
  uses entity Item{n}
  mode: list
  section main:
    field title "{label}"
    field status
    field owner.name "Owner"
    field due
    field hours
  ux:
    sort: title asc
    filter: status, due
    search: title, details

surface item{n}_view "Item {n}":
  uses entity Item{n}
  mode: view

surface item{n}_create "New item {n}":
  uses entity Item{n}
  mode: create

"#
    )
}
