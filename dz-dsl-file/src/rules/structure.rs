//! Rules of constructs, keys, names and modules.

mod empty_app;
mod name_collision;
mod naming;
mod unused_import;

use super::{Area, Rule};

/// The rules of this area.
pub(super) const AREA: Area = Area {
    name: "structure",
    rules: &[
        Rule::warning(
            "construct-not-supported",
            "a construct of the language family has no meaning in dz",
            "webhook hook \"Hook\"\npersona a\n",
            "persona a\n",
        ),
        Rule::error(
            "duplicate-key",
            "a key is given twice",
            "persona a:\n  description: \"x\"\n  description: \"y\"\n",
            "persona a:\n  description: \"x\"\n",
        ),
        Rule::error("duplicate-name", "two declarations of one kind share a name", "persona a\npersona a\n", "persona a\npersona b\n"),
        empty_app::RULE,
        Rule::error(
            "missing-import",
            "a file of one module refers to a name of another without a `use` line",
            "# --- file: sizes.dsl\nmodule sizes\nenum Size:\n  small\n# --- file: tasks.dsl\nmodule tasks\nentity Task:\n  id: uuid pk\n  size: Size\n  permit:\n    read: true\n",
            "# --- file: sizes.dsl\nmodule sizes\nenum Size:\n  small\n# --- file: tasks.dsl\nmodule tasks\nuse sizes\nentity Task:\n  id: uuid pk\n  size: Size\n  permit:\n    read: true\n",
        ),
        Rule::error(
            "missing-key",
            "a block lacks a key that it needs",
            task!("  since: date\n  temporal:\n    start: since\n"),
            task!("  since: date\n  till: date\n  temporal:\n    start: since\n    end: till\n"),
        ),
        Rule::error(
            "module-cycle",
            "modules use each other",
            "# --- file: a.dsl\nmodule a\nuse b\npersona one\n# --- file: b.dsl\nmodule b\nuse a\npersona two\n",
            "# --- file: a.dsl\nmodule a\npersona one\n# --- file: b.dsl\nmodule b\nuse a\npersona two\n",
        ),
        name_collision::RULE,
        naming::RULE,
        Rule::warning(
            "similar-action",
            "the name of a custom action resembles an action of dz",
            "entity Task:\n  id: uuid pk\n  permit:\n    read: true\n    updte: true\n",
            "entity Task:\n  id: uuid pk\n  permit:\n    read: true\n    update: true\n    approve: true\n",
        ),
        Rule::warning(
            "similar-key",
            "a key of `app` without effect resembles a key with an effect",
            "app a:\n  timezon: \"Europe/Berlin\"\n",
            "app a:\n  timezone: \"Europe/Berlin\"\n",
        ),
        Rule::error("unknown-construct", "a line at the top level begins with an unknown word", "persna a\n", "persona a\n"),
        Rule::error("unknown-key", "a block has no such key", "persona a:\n  descripton: \"x\"\n", "persona a:\n  description: \"x\"\n"),
        Rule::error(
            "unknown-module",
            "`use` names a module that does not exist",
            "use core\npersona a\n",
            "module core\nuse core\npersona a\n",
        ),
        Rule::lint(
            "unused-allow-comment",
            "a comment allows a finding that does not occur",
            "# dz: allow(dead-enum) because later\nentity Task:\n  id: uuid pk\n  permit:\n    read: true\n",
            "# dz: allow(no-access-rules) because later\nentity Task:\n  id: uuid pk\n",
        ),
        unused_import::RULE,
    ],
};
