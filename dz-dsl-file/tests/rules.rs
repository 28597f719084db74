//! Every rule's wrong example raises it, and its right one raises nothing worse.

use dz_dsl_file::{SourceMap, analyse, rules};

fn found(text: &str) -> Vec<String> {
    analyse(SourceMap::of_example(text)).diagnostics.iter().map(|it| it.rule.to_owned()).collect()
}

#[test]
fn wrong_examples_raise_their_rule_and_right_ones_do_not() {
    let mut wrong = Vec::new();
    for rule in rules() {
        let raised = found(rule.wrong);
        if !raised.iter().any(|it| it == rule.name) {
            wrong.push(format!("{}: the wrong example raises {raised:?}", rule.name));
        }
        let right = found(rule.right);
        if right.iter().any(|it| it == rule.name) || analyse(SourceMap::of_example(rule.right)).has_errors() {
            wrong.push(format!("{}: the right example raises {right:?}", rule.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sixty_five_roles_are_too_many() {
    let mut text: String = (0..63).map(|n| format!("persona p{n}\n")).collect();
    text.push_str("entity Task:\n  id: uuid pk\n  permit:\n    read: true\n");
    assert!(found(&text).iter().any(|it| it == "too-many-roles"));
}

#[test]
fn rule_names_are_unique() {
    let mut names: Vec<&str> = rules().map(|rule| rule.name).collect();
    names.sort_unstable();
    let all = names.len();
    names.dedup();
    assert_eq!(all, names.len());
}
