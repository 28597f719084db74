//! Stories.

use dz_dsl_file::model::Model;
use expect_test::{Expect, expect};

use super::{check, model, read};

/// Prints a lowered story.
#[track_caller]
fn understood(text: &str, expected: Expect) {
    let model = model(text);
    let mut shown = String::new();
    for story in &model.stories {
        let actor = story.actor.map_or("-", |actor| model.personas[actor.it.0].name.as_str());
        let scope: Vec<&str> = story.scope.iter().map(|it| model.entity(it.it).name.as_str()).collect();
        shown.push_str(&format!(
            "{} {:?} {:?} {actor} {:?} {:?} {scope:?}\n",
            story.name, story.title, story.description, story.trigger, story.status
        ));
        for (word, lines) in [("given", &story.given), ("when", &story.when), ("then", &story.then)] {
            for line in lines {
                shown.push_str(&format!("  {word} {}\n", sentence(&model, line)));
            }
        }
        for line in &story.unless {
            shown.push_str(&format!("  unless {}\n", sentence(&model, &line.text)));
            for line in &line.then {
                shown.push_str(&format!("    then {}\n", sentence(&model, line)));
            }
        }
    }
    expected.assert_eq(&shown);
}

fn sentence(model: &Model, line: &dz_dsl_file::model::Sentence) -> String {
    let mut shown = format!("<{}>", line.text);
    for state in &line.states {
        let entity = model.entity(state.entity);
        shown.push_str(&format!(" {}.{}[{}]", entity.name, entity.fields[state.field.0].name, state.value));
    }
    shown
}

#[test]
fn a_story_has_an_actor_a_scope_and_lines_of_prose() {
    understood(
        r#"
story ST-001 "A clerk sends an order":
  "What the desk does all day"
  actor: clerk
  trigger: form_submitted
  scope: [Order, Customer]
  status: accepted
  given:
    - the order's status is "draft" # and this is text
    - the buyer isn't (yet
  when: the clerk presses 'Send' // twice, e.g. [at once
  then:
    - "its \"status\" becomes 'sent'"
    - http://example.com gets a call:
  unless:
    - "the buyer owes us money":
        then: the payment state stays "open"
    - the printer's broken:
        then:
          - nothing
          - nobody's told
    - it rains
entity Later:
  id: uuid pk
"#,
        expect![[r#"
            ST-001 "A clerk sends an order" Some("What the desk does all day") clerk Some(FormSubmitted) Accepted ["Order", "Customer"]
              given <the order's status is "draft" # and this is text> Order.status[0]
              given <the buyer isn't (yet>
              when <the clerk presses 'Send' // twice, e.g. [at once>
              then <its "status" becomes 'sent'> Order.status[1]
              then <http://example.com gets a call:>
              unless <the buyer owes us money>
                then <the payment state stays "open"> Customer.payment_state[0]
              unless <the printer's broken>
                then <nothing>
                then <nobody's told>
              unless <it rains>
        "#]],
    );
}

#[test]
fn both_spellings_mean_the_same() {
    understood(
        "story a \"A\":\n  persona: boss\n  entities: Order\n  trigger: cron_daily\n  given: # what holds before\n    - x\n  then: # 1 is sent\n",
        expect![[r##"
            a "A" None boss Some(CronDaily) Draft ["Order"]
              given <x>
              then <# 1 is sent>
        "##]],
    );
}

#[test]
fn a_build_accepts_stories() {
    let text = format!("{}story ST-1 \"A\":\n  actor: clerk\n  then: x\nstory ST-2a-3 \"B\"\n", super::SHOP);
    let analysis = read(&text);
    assert!(!analysis.has_errors(), "{:?}", analysis.diagnostics);
    assert!(analysis.model.is_some_and(|model| model.stories[1].name == "ST-2a-3"));
}

#[test]
fn names_are_resolved() {
    check(
        "story ST-1 \"A\":\n  actor: clark\n  trigger: form_submited\n  scope: [Ordr, Customer, Customer]\n  status: acepted\n",
        expect![[r#"
            2:10 error[unknown-persona]: there is no persona `clark`
                did you mean `clerk`?
                "clark" -> "clerk"
            3:12 error[unknown-value]: `form_submited` is not a trigger of a story
                did you mean `form_submitted`? Known ones are `form_submitted`, `status_changed`, `timer_elapsed`, `external_event`, `user_click`, `cron_daily`, `cron_hourly`
                "form_submited" -> "form_submitted"
            4:11 error[unknown-entity]: unknown entity `Ordr`
                did you mean `Order`?
                "Ordr" -> "Order"
            4:27 error[duplicate-key]: `Customer` is already set
                keep one of the two lines
            5:11 error[unknown-value]: `acepted` is not a status of a story
                did you mean `accepted`? Known ones are `draft`, `accepted`, `rejected`
                "acepted" -> "accepted""#]],
    );
}

#[test]
fn states_that_prose_quotes_exist() {
    check(
        r#"story ST-1 "A":
  scope: [Order, Customer]
  given:
    - the order's status is "snt"
    - Order.status = 'nowhere'
    - status changes from 'draft' to 'in progres'
    - "payment state is 'paidd' and payment_state is 'open'"
  then:
    - the order goes to "snt"
    - the button says "Snt"
    - the mail "sent you" arrives, don't 'worry
    - the status page shows "All is well"
    - status is "In Progress" or `sent`
"#,
        expect![[r#"
            4:30 warning[unknown-quoted-state]: `snt` is not a value of `Order.status`
                did you mean `sent`?
                "snt" -> "sent"
            5:23 warning[unknown-quoted-state]: `nowhere` is not a value of `Order.status`
                its values are `draft`, `sent`, `in progress`
            6:39 warning[unknown-quoted-state]: `in progres` is not a value of `Order.status`
                did you mean `in progress`?
                "in progres" -> "in progress"
            7:26 warning[unknown-quoted-state]: `paidd` is not a value of `Customer.payment_state`
                did you mean `paid`?
                "paidd" -> "paid"
            9:26 warning[unknown-quoted-state]: `snt` is not a value of `Order.status`
                did you mean `sent`?
                "snt" -> "sent""#]],
    );
}

#[test]
fn prose_is_on_lines_that_begin_with_a_dash() {
    check(
        "story ST-1 \"A\":\n  given:\n    the order exists\n    - it is\n      unpaid\n  when: it's late\n    - very\n  then:\n  unless:\n    - it rains:\n        when: now\n        then: a\n        then: b\n    -\n  actor: clerk\n",
        expect![[r#"
            3:5 error[unexpected-token]: lines under `given` begin with `-`
                write `- …`, or indent the line less if it does not belong to the block
                "" -> "- "
            5:7 error[unexpected-token]: a text ends with its line
                write it on one line, or as two lines with `-`
                "\n      " -> " "
            7:5 error[unexpected-token]: `when` has its text on its own line already
                write each line as `- …` under `when:`
            8:3 error[empty-block]: no lines follow under `then`
                add lines such as `- the invoice is sent` under it
            11:9 error[unexpected-token]: `when` is not allowed here
                only `then: …` is allowed under a line of `unless:`
            13:9 error[duplicate-key]: `then` is already set
                keep one of the two lines
            14:6 error[unexpected-token]: expected a text, but the line ends"#]],
    );
}

#[test]
fn keys_and_title_are_checked() {
    check(
        "story ST-1:\n  actr: clerk\n  actor: clerk\n  persona: boss\n  \"one\"\n  \"two\"\n  scope: []\n  then: x\nstory\nstory \"B\"\nstory ST-1 \"C\"\nstory ST-2 \"D\" x\n",
        expect![[r#"
            1:7 error[missing-title]: story `ST-1` has no title
                describe in a few words what happens: `story ST-1 "…":`
                "" -> " \"ST-1\""
            2:3 error[unknown-key]: `story` has no key `actr`
                did you mean `actor`? The keys are `actor`, `trigger`, `scope`, `status`, `given`, `when`, `then`, `unless`
                "actr" -> "actor"
            4:3 error[duplicate-key]: `persona` is already set
                keep one of the two lines
            6:3 error[duplicate-key]: `the description` is already set
                keep one of the two lines
            9:6 error[unexpected-token]: expected the id of the story, such as `ST-001`, but the line ends
            10:7 error[unexpected-token]: expected the id of the story, such as `ST-001`, but found a string
            11:7 error[duplicate-name]: story `ST-1` is declared twice
                rename or remove one of them
            12:16 error[unexpected-token]: `x` has no meaning here
                remove it"#]],
    );
}

#[test]
fn a_missing_quote_or_bracket_hides_no_story() {
    check(
        "story ST-1 \"A:\n  actor: clerk\n  then: it's \"done\nstory ST-2 \"B\":\n  scope: [Order\n  given: x\n",
        expect![[r#"
            1:12 error[unterminated-string]: this string is never closed
                add `"` at its end
                "" -> "\""
            5:10 error[unexpected-token]: `[` is never closed
                add the matching `]`
                "" -> "]""#]],
    );
}

#[test]
fn processes_name_the_stories_they_implement() {
    check(
        "story ST-1 \"A\":\n  actor: clerk\n  status: accepted\n  when: x\n  then: y\nstory ST-2 \"B\":\n  status: accepted\nstory ST-3 \"C\":\n  status: rejected\nprocess p \"P\":\n  implements: [ST-2, ST-9]\n  steps:\n    - step one:\n        wait: 1d\nprocess q \"Q\":\n  implements: ST-4\n  steps:\n    - step one:\n        wait: 1d\n",
        expect![[r#"
            6:7 lint[incomplete-story]: the accepted story `ST-2` lacks `actor:`, `when:`, `then:`
                write who acts, what happens and the result, or set `status: draft`
            11:22 error[unknown-story]: unknown story `ST-9`
                did you mean `ST-1`?
                "ST-9" -> "ST-1"
            16:15 error[unknown-story]: unknown story `ST-4`
                did you mean `ST-1`?
                "ST-4" -> "ST-1""#]],
    );
    check(
        "story ST-1 \"A\":\n  actor: clerk\n  status: accepted\n  when: x\n  then: y\nstory ST-2 \"B\":\n  status: accepted\nstory ST-3 \"C\":\n  status: rejected\nprocess p \"P\":\n  implements: [ST-2]\n  steps:\n    - step one:\n        wait: 1d\n",
        expect![[r#"
            1:7 lint[story-without-process]: no process implements the story `ST-1`
                add `implements: ST-1` to a process
            6:7 lint[incomplete-story]: the accepted story `ST-2` lacks `actor:`, `when:`, `then:`
                write who acts, what happens and the result, or set `status: draft`"#]],
    );
}
