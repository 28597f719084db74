//! Modules, `use` lines, and constructs without a meaning.

use expect_test::expect;

use super::{check_alone, read};

#[test]
fn names_of_another_module_need_a_use_line() {
    check_alone(
        "# --- file: a.dsl\nmodule people\npersona clerk\nenum Level:\n  low\narchetype Dated:\n  on: date\n# --- file: b.dsl\nmodule orders\nentity Order:\n  extends: Dated\n  id: uuid pk\n  level: Level\n  permit:\n    read: role(clerk)\n# --- file: c.dsl\nentity Free:\n  extends: Dated\n  id: uuid pk\n  order: ref Order\n  permit:\n    read: role(clerk)\n",
        expect![[r#"
            2:8 lint[row-without-label]: rows of `Order` have labels such as `Order of 22 Nov 2026`
                add a text field such as `name: str(80)`, or a computed one, such as `label: computed concat(…)`, and name it: `display_field: name`
            3:12 error[missing-import]: `Dated` belongs to the module `people`
                add the line `use people` to this file
                "" -> "\nuse people""#]],
    );
    check_alone(
        "# --- file: a.dsl\nmodule people\npersona clerk\n# --- file: b.dsl\n  module shop.orders\n  use people\n  entity Order:\n    id: uuid pk\n    permit:\n      read: role(clerk)\n# --- file: c.dsl\n  module bills\n  use people\n  story ST-1 \"A\":\n    actor: clerk\n    scope: Order\n",
        expect![[r#"
            5:12 error[missing-import]: `Order` belongs to the module `shop.orders`
                add the line `use shop.orders` to this file
                "" -> "\n  use shop.orders""#]],
    );
}

#[test]
fn a_use_line_is_needed() {
    check_alone(
        "# --- file: a.dsl\nmodule people\npersona clerk\n# --- file: b.dsl\nmodule orders\nuse people\nuse orders\nentity Order:\n  id: uuid pk\n  permit:\n    read: true\n# --- file: c.dsl\nuse orders\nwebhook hook:\n  on: Order\n",
        expect![[r#"
            2:9 lint[unused-persona]: no rule mentions the persona `clerk`
                use it: `role(clerk)`
            2:5 warning[unused-import]: nothing of the module `people` is used in this file
                remove the line
                "use people" -> ""
            3:5 warning[unused-import]: nothing of the module `orders` is used in this file
                remove the line
                "use orders" -> ""
            2:1 warning[construct-not-supported]: `webhook` has no meaning in dz and is ignored
                remove it, or express it with the constructs of dz"#]],
    );
}

#[test]
fn modules_exist_and_have_no_cycles() {
    check_alone(
        "# --- file: a.dsl\nmodule a\nuse b\nuse x\nuse bb\npersona one\n# --- file: b.dsl\nmodule b\nuse c\npersona two\n# --- file: c.dsl\nmodule c\nuse a\nuse b\npersona three\n",
        expect![[r#"
            3:5 error[unknown-module]: no file is the module `x`
                known ones are `b`, `c`; or declare it at the top of a file: `module x`
            4:5 error[unknown-module]: no file is the module `bb`
                did you mean `b`?
                "bb" -> "b"
            5:9 lint[unused-persona]: no rule mentions the persona `one`
                use it: `role(one)`
            3:9 lint[unused-persona]: no rule mentions the persona `two`
                use it: `role(two)`
            2:5 error[module-cycle]: modules use each other in a circle: `a` → `b` → `c` → `a`
                put the shared declarations into a third module, or make them one module if their declarations name each other
            3:5 error[module-cycle]: modules use each other in a circle: `b` → `c` → `b`
                put the shared declarations into a third module, or make them one module if their declarations name each other
            4:9 lint[unused-persona]: no rule mentions the persona `three`
                use it: `role(three)`"#]],
    );
    check_alone(
        "use core\nmodule a\nmodule b\nuse a.b.\nuse\nmodule c:\n  x\npersona p\n",
        expect![[r#"
            1:5 error[unknown-module]: no file is the module `core`
                declare it at the top of a file: `module core`
            3:1 error[duplicate-key]: `module` is already set
                keep one of the two lines
            4:9 error[unexpected-token]: expected a module's name, but the line ends
            5:4 error[unexpected-token]: expected a module's name, but the line ends
            6:1 error[duplicate-key]: `module` is already set
                keep one of the two lines
            6:9 error[unexpected-token]: `:` has no meaning here
                remove it
            7:3 error[unexpected-token]: the line above takes no lines under it
                indent it less, or remove it
            8:9 lint[unused-persona]: no rule mentions the persona `p`
                use it: `role(p)`"#]],
    );
}

#[test]
fn one_module_may_have_several_files() {
    check_alone(
        "# --- file: a.dsl\nmodule m\npersona clerk\n# --- file: b.dsl\nmodule m\nentity Order:\n  id: uuid pk\n  permit:\n    read: role(clerk)\n",
        expect![""],
    );
}

#[test]
fn constructs_without_meaning_are_kept() {
    check_alone(
        "persona clerk\nledger book \"It's\":\n  who's: (clerk\n    deeper \"\nwebhook x\nquestin y\nstry z\n",
        expect![[r#"
            1:1 warning[empty-app]: the application declares no entity
                add `entity NAME:` with at least `id: uuid pk`
            1:9 lint[unused-persona]: no rule mentions the persona `clerk`
                use it: `role(clerk)`
            2:1 warning[construct-not-supported]: `ledger` has no meaning in dz and is ignored
                remove it, or express it with the constructs of dz
            5:1 warning[construct-not-supported]: `webhook` has no meaning in dz and is ignored
                remove it, or express it with the constructs of dz
            6:1 error[unknown-construct]: unknown construct `questin`
                did you mean `question`?
                "questin" -> "question"
            6:1 warning[construct-not-supported]: `question` has no meaning in dz and is ignored
                remove it, or express it with the constructs of dz
            7:1 error[unknown-construct]: unknown construct `stry`
                did you mean `story`?
                "stry" -> "story"
            7:6 error[missing-title]: story `z` has no title
                describe in a few words what happens: `story z "…":`
                "" -> " \"z\"""#]],
    );
    assert!(
        read("persona clerk\nentity A:\n  id: uuid pk\n  permit:\n    read: true\nledger b:\n  of: A by clerk\n")
            .model
            .is_some_and(|model| model.mentions.entities.len() == 1 && model.mentions.roles.len() == 1)
    );
}

#[test]
fn what_nothing_refers_to_is_dead() {
    check_alone(
        "archetype Dated:\n  on: date\nenum Level:\n  low\nenum Size:\n  big\npersona p\npersona q\nentity A:\n  id: uuid pk\n  up: ref A\n  permit:\n    list: true\n    read: true\nentity B:\n  id: uuid pk\n  a: ref A\n  permit:\n    read: true\nentity C:\n  id: uuid pk\n  permit:\n    read: true\nentity D:\n  id: uuid pk\n  permit:\n    read: true\nsurface all:\n  uses entity A\n  mode: list\nstory ST-1 \"S\":\n  actor: p\n  scope: C\nexperience e:\n  context:\n    d: D\n    size: Size\n  step one:\n    surface all\n",
        expect![[r#"
            1:11 lint[dead-archetype]: no entity extends the archetype `Dated`
                remove it, or write `extends: Dated` in an entity
            3:6 lint[dead-enum]: no field uses the enum `Level`
                remove it, or use it as the type of a field
            8:9 lint[unused-persona]: no rule mentions the persona `q`
                use it: `role(q)`
            9:8 lint[row-without-label]: rows of `A` have labels such as `A 0192f3a1`
                add a text field such as `name: str(80)`, or a computed one, such as `label: computed concat(…)`, and name it: `display_field: name`
            15:8 lint[dead-entity]: nothing refers to the entity `B`
                give it a surface, or remove it
            28:9 lint[list-without-ux]: the list `all` has no order, filter or search
                add `ux:` with `sort:`, `filter:` or `search:`
            36:5 warning[context-never-saved]: no step saves `d`, so it is always null
                add `saves_to: context.d` to the step that gives it, or remove it
            37:5 warning[context-never-saved]: no step saves `size`, so it is always null
                add `saves_to: context.size` to the step that gives it, or remove it"#]],
    );
}
