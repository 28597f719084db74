//! Rules of stories, experiences, scenarios and demo rows.

macro_rules! named_task {
    ($($text:literal),*) => {
        concat!("entity Task:\n  id: uuid pk\n  name: str(80) required unique\n  state: enum[open, done]\n  up: ref Task\n  permit:\n    read: true\n", $($text),*)
    };
}

macro_rules! journey_task {
    ($($text:literal),*) => {
        named_task!("surface add:\n  uses entity Task\n  mode: create\nexperience way:\n", $($text),*)
    };
}

macro_rules! steps {
    ($($text:literal),*) => {
        concat!(
            "entity Task:\n  id: uuid pk\n  name: str(80)\n  permit:\n    create: true\n",
            "surface add:\n  uses entity Task\n  mode: create\nexperience way:\n",
            $($text),*
        )
    };
}

/// A task with two counts and an invariant on them.
macro_rules! counted_task {
    ($text:literal) => {
        concat!(
            "entity Task:\n  id: uuid pk\n  done: int = 0\n  planned: int = 1\n  invariant: done <= planned\n    message: \"Too many\"\n    code: TOO_MANY\n  permit:\n    read: true\n",
            $text
        )
    };
}

/// Tasks of two tenants.
macro_rules! firm_tasks {
    ($rows:literal) => {
        concat!(
            "entity Firm:\n  id: uuid pk\n  name: str(80)\n  archetype: tenant\nentity Task:\n  id: uuid pk\n  name: str(80)\n  up: ref Task\n  permit:\n    read: true\n",
            "demo:\n  Firm:\n    - @a name: \"A\"\n    - @b name: \"B\"\n  Task:\n    - @one firm: @a, name: \"One\"\n",
            $rows
        )
    };
}

mod context_never_saved;
mod demo_across_tenants;
mod demo_violates_invariant;
mod duplicate_value;
mod experience_without_end;
mod incomplete_story;
mod story_without_process;

use super::{Area, Rule};

/// The rules of this area.
pub(super) const AREA: Area = Area {
    name: "stories and experiences",
    rules: &[
        Rule::error(
            "ambiguous-row",
            "demo data refers to a row by a label that several rows have",
            "entity Task:\n  id: uuid pk\n  name: str(80)\n  up: ref Task\n  permit:\n    read: true\ndemo:\n  Task:\n    - name: \"One\"\n    - name: \"One\"\n    - name: \"Two\", up: \"One\"\n",
            "entity Task:\n  id: uuid pk\n  name: str(80)\n  up: ref Task\n  permit:\n    read: true\ndemo:\n  Task:\n    - @one name: \"One\"\n    - name: \"One\"\n    - name: \"Two\", up: @one\n",
        ),
        Rule::error(
            "bad-route",
            "an address is not valid",
            "persona clerk:\n  default_route: \"tasks\"\n",
            "persona clerk:\n  default_route: \"/tasks\"\n",
        ),
        context_never_saved::RULE,
        demo_across_tenants::RULE,
        demo_violates_invariant::RULE,
        duplicate_value::RULE,
        experience_without_end::RULE,
        incomplete_story::RULE,
        Rule::error("missing-title", "a story has no title", "story ST-1:\n  given: x\n", "story ST-1 \"Billing\":\n  given: x\n"),
        Rule::error(
            "step-kind",
            "a step has no kind, or two",
            journey_task!("  step first:\n    kind: surface\n"),
            journey_task!("  step first:\n    surface add\n"),
        ),
        story_without_process::RULE,
        Rule::error(
            "unknown-context",
            "an experience declares no such value",
            journey_task!("  context:\n    task: ref Task\n  step first:\n    surface add\n    saves_to: context.tsk\n"),
            journey_task!("  context:\n    task: ref Task\n  step first:\n    surface add\n    saves_to: context.task\n"),
        ),
        Rule::warning(
            "unknown-quoted-state",
            "a line of a story quotes a state that its entities do not have",
            named_task!("story ST-1 \"Work\":\n  scope: [Task]\n  then:\n    - the task's state becomes \"doen\"\n"),
            named_task!("story ST-1 \"Work\":\n  scope: [Task]\n  then:\n    - the task's state becomes \"done\"\n"),
        ),
        Rule::warning(
            "unknown-route",
            "an address below `/app/` belongs to no surface and no workspace",
            named_task!("surface tasks:\n  uses entity Task\n  mode: list\npersona clerk:\n  default_route: \"/app/task\"\n"),
            named_task!("surface tasks:\n  uses entity Task\n  mode: list\npersona clerk:\n  default_route: \"/app/tasks\"\n"),
        ),
        Rule::error(
            "unknown-row",
            "demo data refers to a row that does not exist, or that comes later",
            named_task!("demo:\n  Task:\n    - @one name: \"One\"\n    - name: \"Two\", up: @on\n"),
            named_task!("demo:\n  Task:\n    - @one name: \"One\"\n    - name: \"Two\", up: @one\n"),
        ),
        Rule::error(
            "unknown-story",
            "a process names a story that is not declared",
            process!("  implements: ST-002\n", "        service: price\n"),
            process!("  implements: ST-001\n", "        service: price\nstory ST-001 \"An order is billed\"\n"),
        ),
    ],
};
