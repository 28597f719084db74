//! Rules of workspaces and their regions.

mod closed_start_page;
mod dead_workspace;
mod region_without_action;

use super::{Area, Rule};

/// The rules of this area.
pub(super) const AREA: Area = Area {
    name: "workspaces",
    rules: &[
        closed_start_page::RULE,
        dead_workspace::RULE,
        Rule::error(
            "display-needs",
            "a display lacks a field that it needs",
            board!("    source: Note\n    display: calendar\n"),
            board!("    source: Task\n    display: calendar\n"),
        ),
        Rule::error(
            "metric-not-grouped",
            "a metric of a grouped region counts rows of another entity",
            board!("    source: Task\n    group_by: name\n    aggregate:\n      notes: count(Note)\n"),
            board!("    source: Task\n    group_by: name\n    aggregate:\n      tasks: count(Task)\n"),
        ),
        region_without_action::RULE,
        Rule::error(
            "region-without-source",
            "a region has neither a source nor figures",
            board!("    limit: 5\n"),
            board!("    source: Task\n    limit: 5\n"),
        ),
        Rule::error(
            "unknown-display",
            "no display has this name",
            board!("    source: Task\n    display: tabel\n"),
            board!("    source: Task\n    display: table\n"),
        ),
        Rule::error(
            "unknown-metric",
            "no metric above has this name",
            board!("    aggregate:\n      all_tasks: count(Task)\n      half: al_tasks / 2\n"),
            board!("    aggregate:\n      all_tasks: count(Task)\n      half: all_tasks / 2\n"),
        ),
        Rule::error(
            "unknown-region",
            "a variant names a section or a region that does not exist",
            list!("    for clerk:\n      focus: mian\n"),
            list!("    for clerk:\n      focus: main\n"),
        ),
        Rule::error(
            "unknown-workspace",
            "a persona has an undeclared workspace as its start",
            "persona clerk:\n  default_workspace: hom\nworkspace home \"Home\":\n  purpose: \"x\"\n",
            "persona clerk:\n  default_workspace: home\nworkspace home \"Home\":\n  purpose: \"x\"\n",
        ),
    ],
};
