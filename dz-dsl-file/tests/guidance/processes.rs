//! Processes: what to write in place of a wrong name.

use dz_dsl_file::{SourceMap, analyse};

#[test]
fn values_of_the_trigger_are_those_of_its_row() {
    for (written, help) in [
        ("id", "`trigger.entity` is the row: write `trigger.entity.id`"),
        ("entitty", "did you mean `trigger.entity`?"),
        ("numbr", "did you mean `trigger.entity.number`?"),
        ("colour", "`trigger.entity` is the row: write `trigger.entity.FIELD`"),
    ] {
        let text = format!(
            "entity Order:\n  id: uuid pk\n  number: str(20) required\n  permit:\n    list: true\nservice price:\n  input:\n    of: str(80) \
             required\n  output:\n    sum: int\n  stub: rust\nprocess bill:\n  trigger: entity Order created\n  steps:\n    - step work:\n        \
             service: price\n        inputs:\n          trigger.{written} -> of\n"
        );
        let found = analyse(SourceMap::single("app.dsl", text)).diagnostics;
        let helps: Vec<&str> = found.iter().filter(|it| it.rule == "unknown-field").filter_map(|it| it.help.as_deref()).collect();
        assert_eq!(helps, [help], "{found:?}");
    }
}
