//! The rules that resolving surfaces and workspaces can break, with their examples.

use super::error;
use crate::diagnostic::Rule;

/// A list of tasks with `ux:` lines.
macro_rules! list {
    ($ux:literal) => {
        concat!(
            "persona desk\nentity Task:\n  id: uuid pk\n  name: str(80)\n  due: date\n  permit:\n    list: role(desk)\n    read: role(desk)\n",
            "surface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n",
            $ux
        )
    };
}

/// A workspace over tasks and people.
macro_rules! board {
    ($lines:literal) => {
        concat!(
            "entity Task:\n  id: uuid pk\n  name: str(80)\n  due: date\n  permit:\n    list: true\n    read: true\n",
            "entity Note:\n  id: uuid pk\n  text: str(80)\n  permit:\n    list: true\n    read: true\n",
            "surface task_view:\n  uses entity Task\n  mode: view\nworkspace home:\n  board:\n",
            $lines
        )
    };
}

/// Rules of surfaces and workspaces.
pub const RULES: &[Rule] = &[
    error(
        "unknown-surface",
        "no surface has this name",
        board!("    source: Task\n    action: task_vew\n"),
        board!("    source: Task\n    action: task_view\n"),
    ),
    error(
        "unknown-persona",
        "a page names no persona",
        list!("    for dsk:\n      read_only: true\n"),
        list!("    for desk:\n      read_only: true\n"),
    ),
    error(
        "attention-incomplete",
        "an attention says when and what",
        list!("    attention warning:\n      when: due < today\n"),
        list!("    attention warning:\n      when: due < today\n      message: \"Late\"\n"),
    ),
    error(
        "surface-needs-row",
        "a surface of one row opens where there is none",
        board!("    source: Note\n    action: task_view\n"),
        board!("    source: Task\n    action: task_view\n"),
    ),
    error(
        "region-without-source",
        "a region says neither whose rows nor which figures it shows",
        board!("    limit: 5\n"),
        board!("    source: Task\n    limit: 5\n"),
    ),
    error(
        "unknown-display",
        "no kind of display has this name",
        board!("    source: Task\n    display: tabel\n"),
        board!("    source: Task\n    display: table\n"),
    ),
    error(
        "display-needs",
        "a kind of display lacks what it shows",
        board!("    source: Note\n    display: calendar\n"),
        board!("    source: Task\n    display: calendar\n"),
    ),
    error(
        "unknown-metric",
        "no metric above has this name",
        board!("    aggregate:\n      all_tasks: count(Task)\n      half: al_tasks / 2\n"),
        board!("    aggregate:\n      all_tasks: count(Task)\n      half: all_tasks / 2\n"),
    ),
    error(
        "metric-not-grouped",
        "a figure of a group counts rows that are in no group",
        board!("    source: Task\n    group_by: name\n    aggregate:\n      notes: count(Note)\n"),
        board!("    source: Task\n    group_by: name\n    aggregate:\n      tasks: count(Task)\n"),
    ),
    error(
        "unknown-region",
        "a variant names no section or region",
        list!("    for desk:\n      focus: mian\n"),
        list!("    for desk:\n      focus: main\n"),
    ),
];
