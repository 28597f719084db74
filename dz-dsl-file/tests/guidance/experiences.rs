//! Experiences.

use dz_dsl_file::model::StepKind;
use expect_test::{Expect, expect};

use super::{SHOP, check, model, read};

const GOOD: &str = r#"
experience buy "Buying":
  access: persona(clerk, boss)
  context:
    customer: ref Customer
    order: Order
    note: text
  start at step who
  step who "Who buys":
    kind: surface
    surface customer_create
    saves_to: context.customer
    on success -> step what
    on cancel -> step end
  step what:
    surface order_create
    when: context.customer.payment_state = open and role(clerk)
    prefill:
      buyer: context.customer
      code: concat("A-", context.customer.name)
    access: authenticated
    saves_to: order
    on success -> step step
    on back -> step who
  step step:
    process pay
    saves_to: context.note
    on success -> step end
    on failure -> step what
  step end:
    surface order_list
    when: context.order.buyer.payment_state = paid or context.note != null
process pay "Pay":
  steps:
    - step one:
        wait: 1d
"#;

/// Prints the lowered steps.
#[track_caller]
fn understood(text: &str, expected: Expect) {
    let model = model(text);
    let mut shown = String::new();
    for experience in &model.experiences {
        shown.push_str(&format!("{} {:?} {:?}\n", experience.name, experience.title, experience.access.is_some()));
        for value in &experience.context {
            shown.push_str(&format!("  {}: {:?}\n", value.name, value.ty));
        }
        for (at, step) in experience.steps.iter().enumerate() {
            let start = if experience.start.0 == at { " (start)" } else { "" };
            let kind = match &step.kind {
                StepKind::Surface(surface) => model.surfaces[surface.it.0].name.clone(),
                StepKind::Process(process) => format!("process {}", model.processes[process.it.0].name),
            };
            let moves: Vec<String> =
                step.transitions.iter().map(|it| format!("{:?} {}", it.event, experience.steps[it.target.0].name)).collect();
            let saves = step.saves_to.map(|value| experience.context[value.it].name.as_str());
            shown.push_str(&format!("  {}{start} {:?} {kind} {saves:?} prefill {} {moves:?}\n", step.name, step.title, step.prefill.len()));
        }
    }
    expected.assert_eq(&shown);
}

#[test]
fn an_experience_joins_steps() {
    understood(
        GOOD,
        expect![[r#"
            buy "Buying" true
              customer: Ref(EntityId(1))
              order: Ref(EntityId(0))
              note: Text
              who (start) "Who buys" customer_create Some("customer") prefill 0 ["Success what", "Cancel end"]
              what "What" order_create Some("order") prefill 2 ["Success step", "Back who"]
              step "Step" process pay Some("note") prefill 0 ["Success end", "Failure what"]
              end "End" order_list None prefill 0 []
        "#]],
    );
    check(GOOD, expect![""]);
    assert!(!read(&format!("{SHOP}{GOOD}")).has_errors());
}

/// Checks the findings after a replacement in the correct text.
#[track_caller]
fn changed(from: &str, to: &str, expected: Expect) {
    assert_eq!(GOOD.matches(from).count(), 1, "{from:?} stands once");
    check(&GOOD.replace(from, to), expected);
}

#[test]
fn steps_that_follow_exist() {
    changed(
        "start at step who",
        "start at step whoo",
        expect![[r#"
            8:17 error[unknown-step]: unknown step `whoo`
                did you mean `who`?
                "whoo" -> "who""#]],
    );
    changed(
        "on cancel -> step end",
        "on cancel -> step finish",
        expect![[r#"
            14:23 error[unknown-step]: unknown step `finish`
                known ones are `end`, `step`, `what`, `who`"#]],
    );
    changed(
        "on cancel -> step end",
        "on cancl -> step end",
        expect![[r#"
            14:8 error[unknown-value]: `cancl` is not an event of a step
                did you mean `cancel`? Known ones are `success`, `failure`, `continue`, `back`, `cancel`, `approve`, `reject`, `skip`
                "cancl" -> "cancel""#]],
    );
    changed(
        "on cancel -> step end",
        "on cancel -> end",
        expect![[r#"
            14:18 error[unexpected-token]: expected `step`, but found `end`
                write `step end`
                "" -> "step ""#]],
    );
    changed("on cancel -> step end", "on cancel step end", expect!["14:15 error[unexpected-token]: expected `->`, but found `step`"]);
    changed(
        "on cancel -> step end",
        "on success -> step end",
        expect![[r#"
            14:8 error[duplicate-key]: `success` is already set
                keep one of the two lines"#]],
    );
    changed("start at step who", "start at step step", expect![""]);
}

#[test]
fn unreachable_steps_are_reported() {
    changed(
        "    on success -> step step\n",
        "",
        expect![[r#"
            24:8 warning[unreachable-step]: no step leads to `step`
                add `on EVENT -> step step` to a step before it, or remove it"#]],
    );
    changed(
        "  start at step who\n",
        "  start at step end\n",
        expect![[r#"
            9:8 warning[unreachable-step]: no step leads to `who`
                add `on EVENT -> step who` to a step before it, or remove it"#]],
    );
    check(
        "experience way:\n  step a:\n    surface order_list\n    on back -> step b\n  step b:\n    surface order_list\n    on back -> step a\n",
        expect![[r#"
            1:12 lint[experience-without-end]: the experience `way` never ends
                leave the last step without `on` lines"#]],
    );
}

#[test]
fn a_step_has_one_kind() {
    changed(
        "    surface order_list\n",
        "",
        expect![[r#"
        30:8 error[step-kind]: step `end` has no kind
            add `surface NAME` under it"#]],
    );
    changed(
        "    surface order_list\n",
        "    kind: process\n    surface order_list\n",
        expect![[r#"
        31:11 error[step-kind]: step `end` names a surface
            write `kind: surface`
            "process" -> "surface""#]],
    );
    changed(
        "    surface order_list\n",
        "    process pay\n    surface order_list\n",
        expect![[r#"
        31:13 error[step-kind]: step `end` names a surface and a process
            make two steps of it"#]],
    );
    changed(
        "    surface order_list\n",
        "    surface order_lst\n",
        expect![[r#"
        31:13 error[unknown-surface]: unknown surface `order_lst`
            did you mean `order_list`?
            "order_lst" -> "order_list""#]],
    );
    changed(
        "    process pay\n",
        "    process pai\n",
        expect![[r#"
        26:13 error[unknown-process]: unknown process `pai`
            did you mean `pay`?
            "pai" -> "pay""#]],
    );
    changed(
        "    kind: surface\n",
        "    kind: surfce\n",
        expect![[r#"
        10:11 error[unknown-value]: `surfce` is not a kind of step
            did you mean `surface`? Known ones are `surface`, `process`
            "surfce" -> "surface""#]],
    );
    changed(
        "surface order_list",
        "surfac order_list",
        expect![[r#"
            31:5 error[unknown-key]: `step` has no key `surfac`
                did you mean `surface`? The keys are `kind`, `surface`, `process`, `on`, `when`, `prefill`, `saves_to`, `access`
                "surfac" -> "surface""#]],
    );
    // A colon is accepted, as in the steps of a process.
    changed("    surface order_list\n", "    surface: order_list\n", expect![[""]]);
}

#[test]
fn collected_values_are_typed() {
    changed(
        "    surface order_list\n",
        "    surface order_list\n    saves_to: context.order\n",
        expect![[r#"
            32:23 error[not-allowed-here]: a list gives no row that the context can hold
                remove `saves_to`, or name a surface of mode `create` or `edit`"#]],
    );
    changed(
        "    saves_to: context.customer\n",
        "    saves_to: context.order\n",
        expect![[r#"
        12:23 error[type-mismatch]: step `who` gives a row of `Customer`, which `order` cannot hold
            declare it as `order: ref Customer`, or save to another value"#]],
    );
    changed(
        "    saves_to: context.customer\n",
        "    saves_to: context.custmer\n",
        expect![[r#"
        12:23 error[unknown-context]: the context has no value `custmer`
            did you mean `customer`?
            "custmer" -> "customer""#]],
    );
    changed(
        "    saves_to: context.customer\n",
        "",
        expect![[r#"
            5:5 warning[context-never-saved]: no step saves `customer`, so it is always null
                add `saves_to: context.customer` to the step that gives it, or remove it"#]],
    );
    changed(
        "    order: Order\n",
        "    order: Ordr\n",
        expect![[r#"
        6:12 error[unknown-type]: unknown type `Ordr`
            did you mean `Order`?
            "Ordr" -> "Order""#]],
    );
    changed(
        "    order: Order\n",
        "    order: enum[a, b]\n",
        expect![[r#"
            6:12 error[not-allowed-here]: `enum` is not a type of a value of the context
                write `ref ENTITY`, a named enum, or a type such as `int`, `text`, `date`"#]],
    );
    changed(
        "    order: Order\n",
        "    order: Order required\n    order: int\n",
        expect![[r#"
        6:18 error[not-allowed-here]: a value of the context has a type and nothing else
            it is null until a step saves it
        7:5 error[duplicate-name]: value `order` is declared twice
            rename or remove one of them"#]],
    );
    changed(
        "context.order.buyer.payment_state = paid",
        "context.order.buyr.payment_state = paid",
        expect![[r#"
        32:25 error[unknown-field]: `Order` has no field `buyr`
            did you mean `buyer`?
            "buyr" -> "buyer""#]],
    );
    changed(
        "context.order.buyer.payment_state = paid",
        "context.order.buyer.payment_state = piad",
        expect![[r#"
        32:47 error[unknown-value]: `piad` is not a value of this enum
            did you mean `paid`? The values are `open`, `paid`
            "piad" -> "paid""#]],
    );
    changed(
        "context.order.buyer.payment_state = paid",
        "contxt.order.status = sent",
        expect![[r#"
            32:11 error[unknown-context]: `contxt` is not a name that a step knows
                did you mean `context`?
                "contxt" -> "context""#]],
    );
    changed(
        "context.order.buyer.payment_state = paid",
        "context",
        expect![[r#"
            32:11 error[unknown-context]: `context` alone is not a value
                name one of its values, such as `context.order`"#]],
    );
    changed(
        "context.order.buyer.payment_state = paid",
        "context.note.length",
        expect![[r#"
            32:19 error[hop-through-non-ref]: `note` is not a reference, so it has no fields
                only values of a `ref` type can be followed"#]],
    );
    changed(
        "context.order.buyer.payment_state = paid",
        "context.note",
        expect![[r#"
        32:11 error[not-a-condition]: a condition is needed here, but this is text
            compare it with something, for example `= …` or `!= null`"#]],
    );
    changed(
        "context.note != null",
        "context.note = 3",
        expect![[r#"
        32:70 error[type-mismatch]: text cannot be compared with a whole number
            write a text in quotes: "…"
            "3" -> "\"3\"""#]],
    );
}

#[test]
fn conditions_that_are_always_the_same_are_reported() {
    changed(
        "role(clerk)\n    prefill",
        "role(clerk) and not role(clerk)\n    prefill",
        expect![[r#"
        17:11 warning[always-false]: the condition of step `what` can never hold
            write the intended condition, or remove it"#]],
    );
    changed(
        "context.note != null",
        "context.note = context.note",
        expect![[r#"
        32:55 warning[comparison-with-self]: this compares a field with itself
            compare it with something else"#]],
    );
    changed(
        "context.note != null",
        "context.note != null or context.note != null",
        expect![[r#"
        32:11 warning[redundant-condition]: the condition of step `end` repeats a condition
            remove one of them"#]],
    );
}

#[test]
fn forms_begin_with_values_that_fit() {
    changed(
        "      buyer: context.customer\n",
        "      buyr: context.customer\n",
        expect![[r#"
            19:7 error[unknown-field]: `Order` has no field `buyr`
                did you mean `buyer`?
                "buyr" -> "buyer""#]],
    );
    changed(
        "      buyer: context.customer\n",
        "      buyer: context.order\n",
        expect![[r#"
            19:14 error[type-mismatch]: the field is a reference to `Customer`, but its value is a reference to `Order`
                write another reference to it, or null"#]],
    );
    changed(
        "      buyer: context.customer\n",
        "      created: now\n",
        expect![[r#"
        19:7 error[not-allowed-here]: `created` is not written by a form
            remove the line"#]],
    );
    changed(
        "      buyer: context.customer\n",
        "      status: \"lost\"\n",
        expect![[r#"
            19:15 error[unknown-value]: `lost` is not a value of this enum
                the values are `draft`, `sent`, `"in progress"`"#]],
    );
    changed(
        "      buyer: context.customer\n",
        "      code: \"A\"\n",
        expect![[r#"
        20:7 error[duplicate-name]: field `code` is declared twice
            rename or remove one of them"#]],
    );
    changed(
        "    surface order_list\n",
        "    surface order_list\n    prefill:\n      code: \"A\"\n",
        expect![[r#"
        33:7 error[not-allowed-here]: only a form can begin with values
            remove `prefill:`, or name a surface of mode `create` or `edit`"#]],
    );
    changed(
        "    process pay\n",
        "    process pay\n    prefill:\n      code: \"A\"\n",
        expect![[r#"
        28:7 error[not-allowed-here]: only a form can begin with values
            remove `prefill:`, or name a surface of mode `create` or `edit`"#]],
    );
    changed(
        "    prefill:\n",
        "    prefill: x\n",
        expect![[r#"
        18:14 error[unexpected-token]: `x` has no meaning here
            remove it"#]],
    );
}

#[test]
fn access_names_personas() {
    changed(
        "persona(clerk, boss)",
        "persona(clark)",
        expect![[r#"
        3:19 error[unknown-persona]: there is no persona `clark`
            did you mean `clerk`?
            "clark" -> "clerk""#]],
    );
    changed(
        "access: authenticated",
        "access: authentcated",
        expect![[r#"
            21:13 error[unknown-value]: `authentcated` is not an audience of a page
                did you mean `authenticated`?
                "authentcated" -> "authenticated""#]],
    );
    changed(
        "access: authenticated",
        "access: clerk",
        expect![[r#"
            21:13 error[unknown-value]: `clerk` is not an audience of a page
                did you mean `persona(clerk)`?
                "clerk" -> "persona(clerk)""#]],
    );
    changed(
        "persona(clerk, boss)",
        "role(clerk)",
        expect![[r#"
            3:11 error[unexpected-token]: `role(…)` is not an audience of a page
                write `persona(…)`
                "role" -> "persona""#]],
    );
    changed(
        "role(clerk)\n    prefill",
        "role(clark)\n    prefill",
        expect![[r#"
        17:58 error[unknown-role]: there is no persona `clark`
            did you mean `clerk`?
            "clark" -> "clerk""#]],
    );
}

#[test]
fn keys_are_checked() {
    changed(
        "  start at step who\n",
        "  start at who\n",
        expect![[r#"
            8:12 error[unexpected-token]: expected `step`, but found `who`
                write `step who`
                "" -> "step ""#]],
    );
    changed(
        "  start at step who\n",
        "  start at step who\n  start at step end\n",
        expect![[r#"
        9:3 error[duplicate-key]: `start` is already set
            keep one of the two lines"#]],
    );
    changed(
        "  start at step who\n",
        "  strt at step who\n",
        expect![[r#"
        8:3 error[unknown-key]: `experience` has no key `strt`
            did you mean `start`? The keys are `start`, `step`, `access`, `context`
            "strt" -> "start""#]],
    );
    changed(
        "    kind: surface\n",
        "    kind: surface\n    knd: surface\n    kind: surface\n",
        expect![[r#"
            11:5 error[unknown-key]: `step` has no key `knd`
                did you mean `kind`? The keys are `kind`, `surface`, `process`, `on`, `when`, `prefill`, `saves_to`, `access`
                "knd" -> "kind"
            12:5 error[duplicate-key]: `kind` is already set
                keep one of the two lines"#]],
    );
    changed(
        "  step end:\n",
        "  step who:\n",
        expect![[r#"
        14:23 error[unknown-step]: unknown step `end`
            known ones are `step`, `what`, `who`
        28:24 error[unknown-step]: unknown step `end`
            known ones are `step`, `what`, `who`
        30:8 error[duplicate-name]: step `who` is declared twice
            rename or remove one of them"#]],
    );
    changed(
        "    order: Order\n",
        "    - order\n",
        expect![[r#"
            6:5 error[unexpected-token]: expected a value, but found `-`
                values look like `order: ref Order`"#]],
    );
    check(
        "experience nothing:\n  access: public\nexperience less\nexperience nothing\n",
        expect![[r#"
        1:12 error[empty-block]: experience `nothing` has no step
            add `step NAME:` with `surface NAME` under it
        4:12 error[duplicate-name]: experience `nothing` is declared twice
            rename or remove one of them"#]],
    );
}
