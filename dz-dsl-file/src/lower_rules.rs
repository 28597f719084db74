//! The rules that resolving and typing can break, with their examples.

pub mod blocks;
pub mod guidance;
pub mod pages;
pub mod processes;

use crate::diagnostic::{Rule, Severity};

macro_rules! entity {
    ($fields:literal, $rule:literal) => {
        concat!("entity Task:\n  id: uuid pk\n", $fields, "  permit:\n    read: ", $rule, "\n")
    };
}

pub(crate) const fn error(name: &'static str, summary: &'static str, wrong: &'static str, right: &'static str) -> Rule {
    Rule { name, severity: Severity::Error, summary, wrong, right }
}

/// Rules of names and types.
pub const RULES: &[Rule] = &[
    error("duplicate-name", "two declarations of one kind share a name", "persona a\npersona a\n", "persona a\npersona b\n"),
    error("unknown-module", "`use` names no module", "use core\npersona a\n", "module core\nuse core\npersona a\n"),
    error("unknown-type", "a field's type does not exist", entity!("  name: string\n", "true"), entity!("  name: str(255)\n", "true")),
    error("unknown-entity", "a reference names no entity", entity!("  who: ref Persn\n", "true"), entity!("  who: ref User\n", "true")),
    error(
        "unknown-archetype",
        "`extends` names no archetype",
        "entity Task:\n  extends: Timed\n  id: uuid pk\n  permit:\n    read: true\n",
        "archetype Timed:\n  at: date\nentity Task:\n  extends: Timed\n  id: uuid pk\n  permit:\n    read: true\n",
    ),
    error("bad-length", "a length that cannot be stored", entity!("  name: str(0)\n", "true"), entity!("  name: str(80)\n", "true")),
    error(
        "bad-precision",
        "a decimal that cannot be stored",
        entity!("  fee: decimal(40,2)\n", "true"),
        entity!("  fee: decimal(10,2)\n", "true"),
    ),
    error("empty-enum", "an enum without values", entity!("  state: enum[]\n", "true"), entity!("  state: enum[open]\n", "true")),
    error(
        "missing-primary-key",
        "an entity without a key",
        "entity Task:\n  name: str(80)\n  permit:\n    read: true\n",
        entity!("  name: str(80)\n", "true"),
    ),
    error("duplicate-primary-key", "two keys on one entity", entity!("  other: uuid pk\n", "true"), entity!("  other: uuid\n", "true")),
    error(
        "required-and-optional",
        "a field cannot be both",
        entity!("  name: str(80) required optional\n", "true"),
        entity!("  name: str(80) required\n", "true"),
    ),
    error(
        "bad-default",
        "a default that does not fit",
        entity!("  count: int = \"many\"\n", "true"),
        entity!("  count: int = 3\n", "true"),
    ),
    error(
        "auto-on-wrong-type",
        "`auto_add` and `auto_update` need a date or datetime",
        entity!("  name: str(80) auto_add\n", "true"),
        entity!("  at: datetime auto_add\n", "true"),
    ),
    error(
        "missing-inverse",
        "a has_many without a ref that points back",
        entity!("  users: has_many User\n", "true"),
        "entity Task:\n  id: uuid pk\n  notes: has_many Note\n  permit:\n    read: true\nentity Note:\n  id: uuid pk\n  task: ref Task\n  permit:\n    read: true\n",
    ),
    error(
        "ambiguous-inverse",
        "a has_many with several refs that point back",
        "entity Task:\n  id: uuid pk\n  notes: has_many Note\n  permit:\n    read: true\nentity Note:\n  id: uuid pk\n  a: ref Task\n  b: ref Task\n  permit:\n    read: true\n",
        "entity Task:\n  id: uuid pk\n  notes: has_many Note via a\n  permit:\n    read: true\nentity Note:\n  id: uuid pk\n  a: ref Task\n  b: ref Task\n  permit:\n    read: true\n",
    ),
    error("unknown-field", "an expression names no field", entity!("  open: bool\n", "opn"), entity!("  open: bool\n", "open")),
    error(
        "unknown-value",
        "an enum has no such value",
        entity!("  state: enum[open, done]\n", "state = opn"),
        entity!("  state: enum[open, done]\n", "state = open"),
    ),
    error(
        "unknown-function",
        "no function has this name",
        entity!("  due: date\n", "day_since(due) > 3"),
        entity!("  due: date\n", "days_since(due) > 3"),
    ),
    error(
        "wrong-arguments",
        "a function is called with what it does not take",
        entity!("  name: str(80)\n", "days_since(name) > 3"),
        entity!("  name: str(80)\n", "length(name) > 3"),
    ),
    error("type-mismatch", "two sides do not fit", entity!("  due: date\n", "due = 3"), entity!("  due: date\n", "due = today")),
    error(
        "not-a-condition",
        "a condition is needed, and this is a value",
        entity!("  name: str(80)\n", "name"),
        entity!("  name: str(80)\n", "name != null"),
    ),
    error(
        "not-allowed-here",
        "a word that this position does not allow",
        entity!("  due: date\n", "this = null"),
        entity!("  due: date\n", "due = null"),
    ),
    error(
        "mixed-float-decimal",
        "floats and decimals do not mix",
        entity!("  a: float\n  b: decimal(8,2)\n", "a + b > 3"),
        entity!("  a: decimal(8,2)\n  b: decimal(8,2)\n", "a + b > 3"),
    ),
    error(
        "hop-through-non-ref",
        "only references can be followed",
        entity!("  name: str(80)\n", "name.size = 3"),
        entity!("  owner: ref User\n", "owner.name = \"x\""),
    ),
    error(
        "chained-comparison",
        "comparisons cannot be chained",
        entity!("  n: int\n", "1 < n < 3"),
        entity!("  n: int\n", "1 < n and n < 3"),
    ),
    Rule {
        name: "undeclared-role",
        severity: Severity::Lint,
        summary: "a role exists by its use, since no persona is declared",
        wrong: entity!("", "role(agent)"),
        right: concat!("persona agent\n", entity!("", "role(agent)")),
    },
    Rule {
        name: "similar-role",
        severity: Severity::Warning,
        summary: "without personas, a role that is used once has nearly the name of another role",
        wrong: entity!("", "role(admn)"),
        right: entity!("", "role(admin)"),
    },
    error(
        "unknown-role",
        "no persona has this name",
        "persona desk\nentity Task:\n  id: uuid pk\n  permit:\n    read: role(dek)\n",
        "persona desk\nentity Task:\n  id: uuid pk\n  permit:\n    read: role(desk)\n",
    ),
    error(
        "user-field-unknown",
        "the account has no such field",
        entity!("  who: ref User\n", "current_user.nam = \"x\""),
        entity!("  who: ref User\n", "current_user.name = \"x\""),
    ),
    error(
        "missing-entity",
        "a surface does not say what it shows",
        "surface tasks:\n  mode: list\n",
        "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n",
    ),
    error(
        "missing-mode",
        "a surface does not say what it does",
        "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nsurface tasks:\n  uses entity Task\n",
        "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n",
    ),
    error(
        "unknown-path",
        "a surface names no field",
        "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: idd asc\n",
        "entity Task:\n  id: uuid pk\n  permit:\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: id asc\n",
    ),
    Rule {
        name: "unsearchable-field",
        severity: Severity::Warning,
        summary: "only text can be searched; another field is left out of the search",
        wrong: "entity Task:\n  id: uuid pk\n  due: date\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    search: due\n",
        right: "entity Task:\n  id: uuid pk\n  name: str(80)\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    search: name\n",
    },
    Rule {
        name: "ambiguous-word",
        severity: Severity::Warning,
        summary: "a word is both a value and a field",
        wrong: entity!("  state: enum[open, done]\n  open: bool\n", "state = open"),
        right: entity!("  state: enum[open, done]\n  open: bool\n", "state = \"open\""),
    },
    Rule {
        name: "comparison-with-self",
        severity: Severity::Warning,
        summary: "a field is compared with itself",
        wrong: entity!("  due: date\n", "due = due"),
        right: entity!("  due: date\n", "due = today"),
    },
    Rule {
        name: "str-without-length",
        severity: Severity::Lint,
        summary: "`str` without a length holds 255 characters",
        wrong: entity!("  name: str\n", "true"),
        right: entity!("  name: str(255)\n", "true"),
    },
    Rule {
        name: "large-length",
        severity: Severity::Warning,
        summary: "a `str` of thousands of characters is a `text`",
        wrong: "entity Note:\n  id: uuid pk\n  body: str(8000)\n  permit:\n    read: true\n",
        right: "entity Note:\n  id: uuid pk\n  body: text\n  permit:\n    read: true\n",
    },
    Rule {
        name: "overridden-field",
        severity: Severity::Lint,
        summary: "an entity's own field hides one of its archetype",
        wrong: "archetype Timed:\n  at: date\nentity Task:\n  extends: Timed\n  id: uuid pk\n  at: datetime\n  permit:\n    read: true\n",
        right: "archetype Timed:\n  at: date\nentity Task:\n  extends: Timed\n  id: uuid pk\n  permit:\n    read: true\n",
    },
    Rule {
        name: "unused-silencer",
        severity: Severity::Lint,
        summary: "a comment allows what nothing raises",
        wrong: "# dz: allow(dead-enum) because later\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n",
        right: "# dz: allow(no-access-rules) because later\nentity Task:\n  id: uuid pk\n",
    },
];
