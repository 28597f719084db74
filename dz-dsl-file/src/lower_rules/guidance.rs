//! The rules of modules, personas, stories, experiences, scenarios and demo data.

use super::error;
use crate::diagnostic::{Rule, Severity};

macro_rules! task {
    ($($text:literal),*) => {
        concat!("entity Task:\n  id: uuid pk\n  name: str(80) required unique\n  state: enum[open, done]\n  up: ref Task\n  permit:\n    read: true\n", $($text),*)
    };
}

macro_rules! way {
    ($($text:literal),*) => {
        task!("surface add:\n  uses entity Task\n  mode: create\nexperience way:\n", $($text),*)
    };
}

const fn warning(name: &'static str, summary: &'static str, wrong: &'static str, right: &'static str) -> Rule {
    Rule { name, severity: Severity::Warning, summary, wrong, right }
}

/// Rules of what guides people, and of what shows them something.
pub const RULES: &[Rule] = &[
    error(
        "missing-import",
        "a file of one module refers to a name of another without a `use` line",
        "# --- file: sizes.dsl\nmodule sizes\nenum Size:\n  small\n# --- file: tasks.dsl\nmodule tasks\nentity Task:\n  id: uuid pk\n  size: Size\n  permit:\n    read: true\n",
        "# --- file: sizes.dsl\nmodule sizes\nenum Size:\n  small\n# --- file: tasks.dsl\nmodule tasks\nuse sizes\nentity Task:\n  id: uuid pk\n  size: Size\n  permit:\n    read: true\n",
    ),
    error(
        "module-cycle",
        "modules use each other",
        "# --- file: a.dsl\nmodule a\nuse b\npersona one\n# --- file: b.dsl\nmodule b\nuse a\npersona two\n",
        "# --- file: a.dsl\nmodule a\npersona one\n# --- file: b.dsl\nmodule b\nuse a\npersona two\n",
    ),
    error(
        "unknown-workspace",
        "a persona begins in a workspace that nobody declares",
        "persona desk:\n  default_workspace: hom\nworkspace home \"Home\":\n  purpose: \"x\"\n",
        "persona desk:\n  default_workspace: home\nworkspace home \"Home\":\n  purpose: \"x\"\n",
    ),
    error(
        "bad-route",
        "an address that is none",
        "persona desk:\n  default_route: \"tasks\"\n",
        "persona desk:\n  default_route: \"/tasks\"\n",
    ),
    warning(
        "unknown-route",
        "an address behind `/app/` leads to no surface and no workspace",
        task!("surface tasks:\n  uses entity Task\n  mode: list\npersona desk:\n  default_route: \"/app/task\"\n"),
        task!("surface tasks:\n  uses entity Task\n  mode: list\npersona desk:\n  default_route: \"/app/tasks\"\n"),
    ),
    error("missing-title", "a story without a title", "story ST-1:\n  given: x\n", "story ST-1 \"Billing\":\n  given: x\n"),
    warning(
        "unknown-quoted-state",
        "a line of a story quotes a state that its entities do not have",
        task!("story ST-1 \"Work\":\n  scope: [Task]\n  then:\n    - the task's state becomes \"doen\"\n"),
        task!("story ST-1 \"Work\":\n  scope: [Task]\n  then:\n    - the task's state becomes \"done\"\n"),
    ),
    error(
        "step-kind",
        "a step does not say what happens in it, or says it twice",
        way!("  step first:\n    kind: surface\n"),
        way!("  step first:\n    surface add\n"),
    ),
    error(
        "unknown-context",
        "an experience gathers no such value",
        way!("  context:\n    task: ref Task\n  step first:\n    surface add\n    saves_to: context.tsk\n"),
        way!("  context:\n    task: ref Task\n  step first:\n    surface add\n    saves_to: context.task\n"),
    ),
    error(
        "unknown-row",
        "demo data refers to a row that is not there, or not yet",
        task!("demo:\n  Task:\n    - @one name: \"One\"\n    - name: \"Two\", up: @on\n"),
        task!("demo:\n  Task:\n    - @one name: \"One\"\n    - name: \"Two\", up: @one\n"),
    ),
    error(
        "ambiguous-row",
        "demo data refers to a row by what several are called",
        "entity Task:\n  id: uuid pk\n  name: str(80)\n  up: ref Task\n  permit:\n    read: true\ndemo:\n  Task:\n    - name: \"One\"\n    - name: \"One\"\n    - name: \"Two\", up: \"One\"\n",
        "entity Task:\n  id: uuid pk\n  name: str(80)\n  up: ref Task\n  permit:\n    read: true\ndemo:\n  Task:\n    - @one name: \"One\"\n    - name: \"One\"\n    - name: \"Two\", up: @one\n",
    ),
    error(
        "duplicate-value",
        "two rows of demo data share what only one may have",
        task!("demo:\n  Task:\n    - name: \"One\"\n    - name: \"One\"\n"),
        task!("demo:\n  Task:\n    - name: \"One\"\n    - name: \"Two\"\n"),
    ),
];
