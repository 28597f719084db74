//! Mistakes in fields of entities.

use expect_test::expect;

use crate::check_alone;

#[test]
fn labels_of_values_belong_to_a_declared_enum() {
    check_alone(
        "entity Boat:\n  id: uuid pk\n  status: enum[fitting \"Being fitted\", ready, laid_up \"Laid up\"] = fitting\n  transitions:\n    fitting -> ready\n    ready -> laid_up\n  permit:\n    read: true\n    update: true\n",
        expect![[r#"
            3:24 error[unexpected-token]: the value `fitting` cannot have a label in brackets
                declare the values with their labels as `enum NAME:`, and use NAME as the type; write a comma if this is another value
            3:55 error[unexpected-token]: the value `laid_up` cannot have a label in brackets
                declare the values with their labels as `enum NAME:`, and use NAME as the type; write a comma if this is another value"#]],
    );
}
