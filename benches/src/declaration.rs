//! Generated declarations: entities of twelve columns with rules and three surfaces each.

use std::fmt::Write;

/// The same edits on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// As generated.
    None,
    /// A label on a page.
    Label,
    /// An access rule.
    Rule,
    /// One more column.
    Column,
}

/// A declaration of `count` entities; the edit is made to the first one.
pub fn declaration(count: usize, edit: Edit) -> String {
    let mut text = String::from("app bench \"Bench\"\n\npersona manager\npersona worker\n\n");
    for n in 0..count {
        let edit = if n == 0 { edit } else { Edit::None };
        // Writing to a string cannot fail.
        let _ = write!(text, "{}", entity(n, edit));
    }
    text
}

fn entity(n: usize, edit: Edit) -> String {
    let label = if edit == Edit::Label { "Heading" } else { "Title" };
    let update = if edit == Edit::Rule { "role(manager)" } else { "role(manager) or owner = current_user" };
    let column = if edit == Edit::Column { "  extra: str(40)\n" } else { "" };
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
