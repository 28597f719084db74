//! Rules of entities, fields and their types.

mod dead_archetype;
mod dead_entity;
mod dead_enum;
mod index_condition;
mod polymorphic_key;
mod redundant_index;
mod required_ref_cycle;
mod row_without_label;
mod too_many_fields;
mod wide_table;

use super::{Area, Rule};

/// The rules of this area.
pub(super) const AREA: Area = Area {
    name: "types",
    rules: &[
        Rule::error(
            "ambiguous-inverse",
            "several refs match a has_many",
            "entity Task:\n  id: uuid pk\n  notes: has_many Note\n  permit:\n    read: true\nentity Note:\n  id: uuid pk\n  a: ref Task\n  b: ref Task\n  permit:\n    read: true\n",
            "entity Task:\n  id: uuid pk\n  notes: has_many Note via a\n  permit:\n    read: true\nentity Note:\n  id: uuid pk\n  a: ref Task\n  b: ref Task\n  permit:\n    read: true\n",
        ),
        Rule::error(
            "auto-on-wrong-type",
            "`auto_add` and `auto_update` need a date or datetime",
            entity!("  name: str(80) auto_add\n", "true"),
            entity!("  at: datetime auto_add\n", "true"),
        ),
        Rule::error(
            "bad-default",
            "a default has another type than the field, or is out of its range",
            entity!("  count: int = \"many\"\n", "true"),
            entity!("  count: int = 3\n", "true"),
        ),
        Rule::error("bad-length", "a length cannot be stored", entity!("  name: str(0)\n", "true"), entity!("  name: str(80)\n", "true")),
        Rule::error(
            "bad-precision",
            "the digits of a decimal cannot be stored",
            entity!("  fee: decimal(40,2)\n", "true"),
            entity!("  fee: decimal(10,2)\n", "true"),
        ),
        Rule::error(
            "computed-cycle",
            "computed fields depend on each other",
            task!("  a: computed b + 1\n  b: computed a + 1\n"),
            task!("  n: int\n  a: computed b + 1\n  b: computed n + 1\n"),
        ),
        Rule::error(
            "cyclic-extends",
            "an archetype extends itself",
            "archetype Dated:\n  extends: Timed\n  on: date\narchetype Timed:\n  extends: Dated\n  at: datetime\nentity Task:\n  extends: Timed\n  id: uuid pk\n  permit:\n    read: true\n",
            "archetype Dated:\n  on: date\narchetype Timed:\n  extends: Dated\n  at: datetime\nentity Task:\n  extends: Timed\n  id: uuid pk\n  permit:\n    read: true\n",
        ),
        dead_archetype::RULE,
        dead_entity::RULE,
        dead_enum::RULE,
        Rule::error(
            "duplicate-primary-key",
            "an entity has two primary keys",
            entity!("  other: uuid pk\n", "true"),
            entity!("  other: uuid\n", "true"),
        ),
        Rule::error("empty-enum", "an enum has no values", entity!("  state: enum[]\n", "true"), entity!("  state: enum[open]\n", "true")),
        index_condition::RULE,
        Rule::error(
            "label-cycle",
            "the labels of rows refer to each other in a cycle",
            task!("  parent: ref Task\n", "  display_field: parent\n"),
            task!("  number: int required unique\n  parent: ref Task\n", "  display_field: number\n"),
        ),
        Rule::warning(
            "large-length",
            "a `str` has a length of thousands, for which `text` is the better type",
            "entity Note:\n  id: uuid pk\n  body: str(8000)\n  permit:\n    read: true\n",
            "entity Note:\n  id: uuid pk\n  body: text\n  permit:\n    read: true\n",
        ),
        Rule::error(
            "missing-inverse",
            "no ref matches a has_many",
            entity!("  users: has_many User\n", "true"),
            "entity Task:\n  id: uuid pk\n  notes: has_many Note\n  permit:\n    read: true\nentity Note:\n  id: uuid pk\n  task: ref Task\n  permit:\n    read: true\n",
        ),
        Rule::error(
            "missing-primary-key",
            "an entity has no primary key",
            "entity Task:\n  name: str(80)\n  permit:\n    read: true\n",
            entity!("  name: str(80)\n", "true"),
        ),
        Rule::warning(
            "never-current",
            "the end of `temporal` is required, so lists show no row",
            entity!("  name: str(80)\n  since: date\n  until: date required\n  temporal:\n    start: since\n    end: until\n", "true"),
            entity!("  name: str(80)\n  since: date\n  until: date\n  temporal:\n    start: since\n    end: until\n", "true"),
        ),
        Rule::lint(
            "overridden-field",
            "a field of an entity overrides a field of its archetype",
            "archetype Timed:\n  at: date\nentity Task:\n  extends: Timed\n  id: uuid pk\n  at: datetime\n  permit:\n    read: true\n",
            "archetype Timed:\n  at: date\nentity Task:\n  extends: Timed\n  id: uuid pk\n  permit:\n    read: true\n",
        ),
        polymorphic_key::RULE,
        redundant_index::RULE,
        Rule::error(
            "required-and-optional",
            "a field is `required` and `optional`",
            entity!("  name: str(80) required optional\n", "true"),
            entity!("  name: str(80) required\n", "true"),
        ),
        required_ref_cycle::RULE,
        row_without_label::RULE,
        Rule::lint(
            "str-without-length",
            "`str` without a length has at most 255 characters",
            entity!("  name: str\n", "true"),
            entity!("  name: str(255)\n", "true"),
        ),
        too_many_fields::RULE,
        Rule::error(
            "unknown-archetype",
            "`extends` names an archetype that does not exist",
            "entity Task:\n  extends: Timed\n  id: uuid pk\n  permit:\n    read: true\n",
            "archetype Timed:\n  at: date\nentity Task:\n  extends: Timed\n  id: uuid pk\n  permit:\n    read: true\n",
        ),
        Rule::error("unknown-currency", "a currency is not in ISO 4217", task!("  price: money(EUX)\n"), task!("  price: money(EUR)\n")),
        Rule::error(
            "unknown-entity",
            "a reference names an entity that does not exist",
            entity!("  who: ref Persn\n", "true"),
            entity!("  who: ref User\n", "true"),
        ),
        Rule::error(
            "unknown-type",
            "a field's type does not exist",
            entity!("  name: string\n", "true"),
            entity!("  name: str(255)\n", "true"),
        ),
        wide_table::RULE,
    ],
};
