//! Demo data, inside of scenarios and outside.

use dz_dsl_file::model::{DemoValue, Model};
use expect_test::{Expect, expect};

use super::{check, check_alone, model};

/// Prints the lowered rows.
#[track_caller]
fn understood(text: &str, expected: Expect) {
    let model = model(text);
    let mut shown = rows(&model, &model.demo);
    for scenario in &model.scenarios {
        shown.push_str(&format!("{} {:?} {:?}\n", scenario.name, scenario.title, scenario.description));
        for it in &scenario.personas {
            let route = it.start_route.as_ref().map(|route| route.it.as_str());
            shown.push_str(&format!("  for {} {route:?}\n", model.personas[it.persona.it.0].name));
        }
        shown.push_str(&rows(&model, &scenario.demo));
    }
    expected.assert_eq(&shown);
}

fn rows(model: &Model, rows: &[dz_dsl_file::model::DemoRow]) -> String {
    let mut shown = String::new();
    for row in rows {
        let entity = model.entity(row.entity);
        let values: Vec<String> = row
            .values
            .iter()
            .map(|(field, value)| match value {
                DemoValue::Literal(value) => format!("{}: {value:?}", entity.fields[field.0].name),
                DemoValue::Row(at) => format!("{}: #{at}", entity.fields[field.0].name),
            })
            .collect();
        shown.push_str(&format!("  {} {}\n", entity.name, values.join(", ")));
    }
    shown
}

#[test]
fn rows_refer_to_earlier_ones_by_name_label_and_key() {
    understood(
        r#"
scenario busy "A busy day":
  description: "Many orders"
  for persona clerk:
    start_route: "/app/order_list?status=sent"
  for persona boss
  demo:
    Customer:
      - @cy name: "Cy"
    Order:
      - {code: "3", buyer: @cy}
      - {code: "4", buyer: "Ann"}
      - {code: "5", buyer: @ben}
demo:
  Customer:
    - name: "Ann"
    - @ben {name: "Ben"}
  Order:
    - code: "1", buyer: "Ann", status: "in progress", total: 3.50
    - code: "2", buyer: @ben
scenario calm
"#,
        expect![[r#"
              Customer name: Text("Ann")
              Customer name: Text("Ben")
              Order code: Text("1"), buyer: #0, status: EnumValue(EnumId(0), 2), total: Decimal("3.50")
              Order code: Text("2"), buyer: #1
            busy "A busy day" Some("Many orders")
              for clerk Some("/app/order_list?status=sent")
              for boss None
              Customer name: Text("Cy")
              Order code: Text("3"), buyer: #4
              Order code: Text("4"), buyer: #0
              Order code: Text("5"), buyer: #1
            calm "Calm" None
        "#]],
    );
}

const TYPES: &str = "\
entity Country:
  code: str(2) pk
  area: int
  permit:
    read: true
entity Year:
  id: int pk
  permit:
    read: true
entity All:
  id: uuid pk
  country: ref Country
  year: ref Year
  words: text
  whole: int
  share: float
  price: decimal(8,2)
  open: bool
  day: date
  at: datetime
  kind: enum[a, \"b c\"]
  data: json
  mail: email
  home: url
  zone: timezone
  short: slug
  key: uuid
  permit:
    read: true
";

#[test]
fn every_type_has_a_literal() {
    let good = "demo:\n  Country:\n    - code: \"DE\", area: -3\n  Year:\n    - id: 7\n  All:\n    - country: \"DE\", year: 7, words: \"a\", whole: -1, share: 1.5, price: 1, open: true, day: \"2026-01-31\", at: now - 2h\n    - day: today + 3d, at: \"2026-01-31T09:30:00Z\", kind: \"b c\", data: {a: [1, -2.5, {\"b c\": null}], d: {}}, mail: \"a@example.com\"\n    - home: \"https://example.com\", zone: \"Europe/Berlin\", short: \"a-b\", key: \"018f3c1e-0000-7000-8000-000000000000\", kind: a, words: null\n";
    check_alone(
        &format!("{TYPES}{good}"),
        expect![[r#"
            6:8 lint[row-without-label]: rows of `Year` have labels such as `Year 12`
                add a text field such as `name: str(80)`, or a computed one, such as `label: computed concat(…)`, and name it: `display_field: name`"#]],
    );
    let wrong = "demo:\n  All:\n    - country: \"DE\"\n    - year: 7\n    - words: a\n    - whole: 1.5\n    - share: true\n    - price: 1.555\n    - open: yes\n    - day: \"31.1.2026\"\n    - at: today\n    - kind: b\n    - data: {a: today}\n    - data: {a 1}\n    - mail: \"a\"\n    - home: \"example.com\"\n    - zone: \"Berlin\"\n    - short: \"A B\"\n    - key: \"1\"\n    - whole: {a: 1}\n    - country: DE\n    - words: current_user\n";
    check_alone(
        &format!("{TYPES}{wrong}"),
        expect![[r#"
            6:8 lint[row-without-label]: rows of `Year` have labels such as `Year 12`
                add a text field such as `name: str(80)`, or a computed one, such as `label: computed concat(…)`, and name it: `display_field: name`
            32:16 error[unknown-row]: no earlier row of `Country` has the label `DE`
                rows are named by `@name`, by what labels them, or by their key
            33:13 error[unknown-row]: no earlier row of `Year` has the label `7`
                rows are named by `@name`, by what labels them, or by their key
            34:14 error[type-mismatch]: `a` is a text, which needs quotes
                write "a"
                "a" -> "\"a\""
            35:14 error[type-mismatch]: the field is a whole number, but its value is a decimal
                write a whole number, such as `3`
            36:14 error[type-mismatch]: the field is a float, but its value is a bool
                write a number, such as `2.50`
            37:14 error[type-mismatch]: this value does not fit the field
                at most 6 digits before and 2 after the point
            38:13 error[type-mismatch]: `yes` is neither `true` nor `false`
                write `true`
                "yes" -> "true"
            39:12 error[type-mismatch]: "31.1.2026" is not a date
                write a day as "2026-01-31"
            40:11 error[type-mismatch]: the field is a datetime, but its value is a date
                write `now`, `now + 2h`, or a timestamp as "2026-01-31T09:30:00Z"
                "today" -> "now"
            41:13 error[unknown-value]: `b` is not a value of this enum
                the values are `a`, `"b c"`
            42:13 error[not-allowed-here]: an object with anything but literals is not allowed in demo data
                write a literal, `today`, `now` or a duration
            43:14 error[missing-colon]: a colon is missing after `a`
                write `a: …`
                "" -> ":"
            44:13 error[type-mismatch]: this value does not fit the field
                write an address such as "ann@example.com"
            45:13 error[type-mismatch]: this value does not fit the field
                write an address that starts with `https://`
            46:13 error[type-mismatch]: this value does not fit the field
                write an IANA name such as "Europe/Lisbon"
            47:14 error[type-mismatch]: this value does not fit the field
                use the letters a to z, digits and hyphens
            48:12 error[type-mismatch]: "1" is not a uuid
                write an identifier as "018f3c1e-0000-7000-8000-000000000000"
            49:14 error[type-mismatch]: the field is a whole number, but its value is json
                write a whole number, such as `3`
            50:16 error[unknown-row]: no earlier row of `Country` has the label `DE`
                rows are named by `@name`, by what labels them, or by their key
            51:14 error[not-allowed-here]: `current_user` is not allowed in demo data
                write a literal, `today`, `now` or a duration"#]],
    );
}

#[test]
fn what_a_row_refers_to_exists() {
    check(
        "demo:\n  Order:\n    - code: \"1\", buyer: @an\n    - code: \"2\", buyer: @ann\n    - code: \"3\", buyer: \"Bn\"\n    - code: \"4\", total: @ann\n  Customer:\n    - @ann name: \"Ann\"\n    - @ben name: \"Ben\"\n    - name: \"Ben\"\n  Order:\n    - @o code: \"5\", buyer: ann\n    - code: \"6\", buyer: \"Ben\"\n    - code: \"7\", buyer: @o\n    - code: \"8\", buyer: \"An\"\n    - code: \"9\", buyer: Ben\n",
        expect![[r#"
            3:26 error[unknown-row]: there is no earlier row `@an`
                label a row of `Customer` above this one: `- @an …`
            4:26 error[unknown-row]: `@ann` is declared later
                put that row before this one: a row can only reference earlier ones
            5:25 error[unknown-row]: no earlier row of `Customer` has the label `Bn`
                rows are named by `@name`, by what labels them, or by their key
            6:26 error[type-mismatch]: only a reference can name another row
                write a value without `@`
            12:28 error[unknown-row]: no earlier row of `Customer` has the label `ann`
                did you mean @ann?
                "ann" -> "@ann"
            13:25 error[ambiguous-row]: several rows of `Customer` have the label `Ben`
                name the intended row, `- @customer`, and use this name here
            14:26 error[type-mismatch]: `@o` is a row of `Order`, not of `Customer`
                known ones are `ann`, `ben`; or label a row of `Customer` above this one: `- @name …`
            15:25 error[unknown-row]: no earlier row of `Customer` has the label `An`
                did you mean "Ann"?
                "\"An\"" -> "\"Ann\""
            16:25 error[ambiguous-row]: several rows of `Customer` have the label `Ben`
                name the intended row, `- @customer`, and use this name here"#]],
    );
    check(
        "demo:\n  Custmer:\n    - @ann name: \"Ann\"\n  Order:\n    - code: \"1\", buyer: @ann\n    - cod: \"1\"\n    - code: null\n",
        expect![[r#"
            2:3 error[unknown-entity]: unknown entity `Custmer`
                did you mean `Customer`?
                "Custmer" -> "Customer"
            6:7 error[unknown-field]: `Order` has no field `cod`
                did you mean `code`?
                "cod" -> "code"
            7:13 error[type-mismatch]: `code` is required, so it cannot be null
                give it a value"#]],
    );
}

#[test]
fn a_unique_value_is_given_once() {
    check(
        "demo:\n  Order:\n    - @a code: \"1\"\n    - @a code: \"1\"\n    - id: \"018f3c1e-0000-7000-8000-000000000000\", code: \"2\"\n    - id: \"018F3C1E-0000-7000-8000-000000000000\", code: \"3\"\nscenario s:\n  demo:\n    Order:\n      - @a code: \"1\"\nscenario t:\n  demo:\n    Order:\n      - @b code: \"4\"\nscenario u:\n  demo:\n    Order:\n      - @b code: \"4\"\n",
        expect![[r#"
            4:8 error[duplicate-name]: row `@a` is declared twice
                rename or remove one of them
            4:10 error[duplicate-value]: two rows of `Order` have the same `code`
                change one of them
            6:7 error[duplicate-value]: two rows of `Order` have the same `id`
                change one of them
            10:10 error[duplicate-name]: row `@a` is declared twice
                rename or remove one of them
            10:12 error[duplicate-value]: two rows of `Order` have the same `code`
                change one of them"#]],
    );
    check_alone(
        "entity Seat:\n  id: uuid pk\n  row: int\n  place: int\n  permit:\n    read: true\n  unique row, place\ndemo:\n  Seat:\n    - row: 1, place: 1\n    - row: 1, place: 2\n    - row: 2, place: 1\n    - row: 1, place: 1\n    - row: 1\n    - row: 1\n",
        expect![[r#"
            13:15 error[duplicate-value]: two rows of `Seat` have the same `row` and `place`
                change one of them"#]],
    );
}

#[test]
fn scenarios_are_checked() {
    check(
        "scenario s:\n  descripton: \"x\"\n  for persona clark:\n    start_route: \"/app/order_lst\"\n  for persona boss:\n    start_route: app\n    strt_route: \"/\"\n  for persona boss\n  for boss:\n    start_route: \"/\"\n  demo:\n    Order:\n      - code: \"1\"\n  demo:\n    Order:\n      - code: \"2\"\nscenario s \"S\":\n  demo:\n",
        expect![[r#"
            2:3 error[unknown-key]: `scenario` has no key `descripton`
                did you mean `description`? The keys are `description`, `for`, `demo`
                "descripton" -> "description"
            3:15 error[unknown-persona]: there is no persona `clark`
                did you mean `clerk`?
                "clark" -> "clerk"
            4:18 warning[unknown-route]: there is no surface or workspace `order_lst`
                did you mean `/app/order_list`?
                "\"/app/order_lst\"" -> "\"/app/order_list\""
            6:18 error[unexpected-token]: expected the address of a page in quotes, such as `"/app/tasks"`, but found `app`
            7:5 error[unknown-key]: `for persona` has no key `strt_route`
                did you mean `start_route`? The keys are `start_route`
                "strt_route" -> "start_route"
            8:15 error[duplicate-name]: persona `boss` is declared twice
                rename or remove one of them
            9:7 error[unexpected-token]: expected `persona`, but found `boss`
                write `persona boss`
                "" -> "persona "
            14:3 error[inconsistent-indentation]: this line is indented too much: it fits at the margin
                indent it by 0 columns
                "  " -> ""
            17:10 error[duplicate-name]: scenario `s` is declared twice
                rename or remove one of them
            18:7 error[empty-block]: this line needs lines under it
                add indented lines under it, or remove the colon"#]],
    );
}
