//! The model of services, processes, schedules and language models, line by line.

mod show;

use std::fmt::Write;

use dz_dsl_file::{Severity, SourceMap, analyse, model::Word, render};
use expect_test::{Expect, expect};
use show::Show;

const ORDER: &str = r#"entity Order:
  id: uuid pk
  total: decimal(8,2) = 0
  owner: ref User required
  note: text
  status: enum[open, "on hold", done] = open
  permit:
    list: true
    read: true
surface orders:
  uses entity Order
  mode: view
persona boss
service price:
  input:
    order: ref Order required
    tax: int = 1
  output:
    sum: decimal(8,2) required
  stub: rust
"#;

/// Checks the model of a text beside the order, or its findings.
#[track_caller]
fn check(text: &str, expected: Expect) {
    let files = SourceMap::single("t", format!("{ORDER}{text}"));
    let analysis = analyse(files);
    let mut shown = String::new();
    for found in analysis.diagnostics.iter().filter(|it| it.severity < Severity::Lint) {
        let _ = writeln!(shown, "{}", render::short(&analysis.files, found).trim_start_matches("t:"));
    }
    if let Some(model) = &analysis.model {
        let it = Show { model };
        model.services.iter().skip(1).for_each(|service| it.service(service, &mut shown));
        model.processes.iter().for_each(|process| it.process(process, &mut shown));
        model.schedules.iter().for_each(|schedule| it.schedule(schedule, &mut shown));
        for llm in &model.llm_models {
            let keys = (&llm.base_url, &llm.api_key_env, &llm.cost_per_1k_input, &llm.cost_per_1k_output);
            let (provider, tier) = (llm.provider.word(), llm.tier.word());
            let _ = writeln!(shown, "model {} {:?} {provider} {} {tier} {:?} {keys:?}", llm.name, llm.title, llm.model_id, llm.max_tokens);
        }
        model.llm_intents.iter().for_each(|intent| it.intent(intent, &mut shown));
    }
    expected.assert_eq(&shown);
}

#[test]
fn services_have_typed_inputs_and_outputs() {
    check(
        r#"
service a "A":
  kind: validation
  input:
    name: str
    code: str(3) required sensitive
    state: enum[on, off] = on
    tags: list[list[int]] = []
    who: ref User
  output:
    ok: bool required
  guarantees:
    - "Fast"
    - "Sure"
  stub: python
service b:
  spec: "https://api.example.com/spec"
  auth_profile: oauth2_pkce scopes="a b" realm=x
  owner: finance
service c:
  spec: inline "openapi: 3"
"#,
        expect![[r#"
            service a "A" validation python ["Fast", "Sure"]
              in name: Text
              in code: Str(3) required sensitive
              in state: Enum(EnumId(2)) = on
              in tags: list[list[Int { wide: false }]] = []
              in who: Ref(EntityId(1))
              out ok: Bool required
            service b "B" integration no stub []
              adapter Some(("url", "https://api.example.com/spec")) Some(("oauth2_pkce", [("scopes", "a b"), ("realm", "x")])) Some("finance")
            service c "C" integration no stub []
              adapter Some(("inline", "openapi: 3")) None None
        "#]],
    );
}

#[test]
fn every_form_of_a_trigger_is_known() {
    const TRIGGERS: &[&str] = &[
        "entity Order created",
        "entity Order updated",
        "entity Order deleted",
        "entity Order status open -> done",
        "entity Order status -> \"on hold\"",
        "entity Order status * -> done",
        "entity Order state -> done",
        "manual",
        "manual role(boss)",
        "manual role(boss, boss)",
        "manual role(nobody)",
        "manual boss",
        "manual role",
        "signal paid",
        "process q completed",
        "process q",
        "cron \"5 4 1-2 jan,mar 0\"",
        "cron 5 4 * * *",
        "entity Order",
        "sometimes",
        "\n    when: entity Order created",
    ];
    let mut shown = String::new();
    for trigger in TRIGGERS {
        let steps = "  steps:\n    step a:\n      wait: 1h\n";
        let text = format!("{ORDER}process q:\n{steps}process p:\n  trigger: {trigger}\n{steps}");
        let analysis = analyse(SourceMap::single("t", text));
        let found = analysis.diagnostics.iter().find(|it| it.severity < Severity::Lint).map(|it| it.message.clone());
        let known = analysis.model.as_ref().and_then(|model| Some(Show { model }.trigger(&model.processes.get(1)?.trigger)));
        let _ = writeln!(shown, "{}: {}", trigger.trim(), found.or(known).unwrap_or_default());
    }
    expect![[r#"
        entity Order created: Order created
        entity Order updated: Order updated
        entity Order deleted: Order deleted
        entity Order status open -> done: Order updated: status Some(0) -> 2
        entity Order status -> "on hold": Order updated: status None -> 1
        entity Order status * -> done: Order updated: status None -> 2
        entity Order state -> done: `Order` has no enum field `state`
        manual: manual
        manual role(boss): manual boss
        manual role(boss, boss): role `boss` is named twice
        manual role(nobody): there is no persona `nobody`
        manual boss: expected `role(…)` with the roles that can start the process, but found `boss`
        manual role: expected `(`, but the line ends
        signal paid: signal paid
        process q completed: after q
        process q: expected `completed`, but the line ends
        cron "5 4 1-2 jan,mar 0": cron "5 4 1-2 jan,mar 0" 20 10 6 a 1
        cron 5 4 * * *: expected a text in quotes, but found `5`
        entity Order: expected `created`, `updated`, `deleted` or a change such as `status -> done`, but the line ends
        sometimes: `sometimes` starts no process
        when: entity Order created: Order created
    "#]]
    .assert_eq(&shown);
}

#[test]
fn inputs_come_from_what_starts_a_process() {
    check(
        r#"
process p:
  trigger: entity Order created
  input:
    order: ref Order required
    order_id: uuid
    total: decimal(8,2) required
    note: str
    day: date = today
    other: int
  output:
    order: uuid = input.order
    sum: decimal(8,2)
  steps:
    - step a:
        service: price
        inputs: input.order -> order
process q:
  trigger: process p completed
  input:
    sum: decimal(8,2)
    x: int = 3
  steps:
    - step a:
        condition: trigger.output.order != null and input.sum > 3
        on_false: fail
"#,
        expect![[r#"
            process p "P" 0 stories timeout none, overlap allow
              trigger Order created
              in order: Ref(EntityId(0)) required <- row
              in order_id: Uuid <- row.id
              in total: Decimal { precision: 8, scale: 2 } required <- row.total
              in note: Text <- row.note?
              in day: Date = Today
              in other: Int { wide: false }
              out order: Uuid <- input#0
              out sum: Decimal { precision: 8, scale: 2 } <- step0#0
              0 a: service price
                input#0 -> 0
                next complete, on failure fail
            process q "Q" 0 stories timeout none, overlap allow
              trigger after p
              in sum: Decimal { precision: 8, scale: 2 } <- before#1?
              in x: Int { wide: false } = 3
              0 a: if (before#0? Ne Null and input#0? Gt 3) then complete else fail
                next complete, on failure fail
        "#]],
    );
}

#[test]
fn values_of_a_process_have_several_spellings() {
    check(
        r#"
process p:
  trigger: entity Order status -> done
  input:
    total: decimal(8,2)
  steps:
    - step a:
        service: price
        inputs: trigger.entity -> order
        output: priced
    - step b:
        service: price
        inputs:
          - Order.id -> order
    - step c:
        condition: a.sum > 1 and steps.a.sum > 1 and priced.sum > 1 and a.output.sum > 1 and steps.b.sum > total + input.total
        on_false: fail
    - step d:
        human_task:
          assignee: owner
          outcomes:
            - yes "Yes":
                confirm: true
                sets: Order.status -> "on hold", trigger.entity.note -> d.outcome, entity.owner -> d.by
            - no
    - step e:
        wait: paid
        output: payment
    - step f:
        condition: d.outcome in [yes, no] and d.at > now and d.by.email != note and not status = open
        on_true: complete
        on_false: fail
"#,
        expect![[r#"
            36:20: warning[redundant-condition]: the condition of step `c` repeats a condition
            process p "P" 0 stories timeout none, overlap allow
              trigger Order updated: status None -> 2
              in total: Decimal { precision: 8, scale: 2 } <- row.total
              0 a: service price
                row -> 0
                next b, on failure fail, gives priced
              1 b: service price
                row.id -> 0
                next c, on failure fail
              2 c: if (step0#0 Gt 1 and step0#0 Gt 1 and step0#0 Gt 1 and step0#0 Gt 1 and step1#0 Gt (total Add input#0?)) then d else fail
                next d, on failure fail
              3 d: task None Order Some("row") by None Some("owner") within None as PDOutcome
                yes "Yes" -> e ["status := on hold", "note := step3.outcome", "owner := step3.by"] Some("Yes?")
                no "No" -> e [] None
                next e, on failure fail
              4 e: wait for paid
                next f, on failure fail, gives payment
              5 f: if (step3.outcome in [yes, no] and step3.at Gt Now and step3.by.email Ne note and not status Eq open) then complete else fail
                next complete, on failure fail
        "#]],
    );
}

#[test]
fn steps_go_on_where_they_say() {
    check(
        r#"
process p:
  timeout: 2 weeks
  overlap: cancel_previous
  emits: x, y
  step a:
    service: price
    inputs: input.o -> order, 2 -> tax
    timeout: 90s
    retry:
      max_attempts: 4
      backoff: fixed
      interval: 2 minutes
    on_success: c
    on_failure: b
    compensate: undo
  step b:
    wait: 1 month
    goto: fail
  parallel c:
    steps:
      - step d:
          wait: 1h
      - step e:
          wait: signal ok
          timeout: 1d
          on_failure: complete
    on_any_failure: wait_all
    goto: f
  step f:
    subprocess: q
    inputs: input.o.owner -> who
    retry: 2
  input:
    o: ref Order required
  compensations:
    - compensate undo:
        effects:
          - update input.o: status: open, note: null
          - emit x
process q:
  emits:
    on_start: s
    on_failure: t
    - u
  input:
    who: ref User required
  steps:
    - step g:
        effects:
          - create Order:
              owner: input.who
    - step h:
        wait: 1h
"#,
        expect![[r#"
            process p "P" 0 stories timeout 1209600s, overlap cancel_previous
              trigger manual
              in o: Ref(EntityId(0)) required
              Complete emits x
              Complete emits y
              0 a: service price
                input#0 -> 0
                2 -> 1
                next c, on failure b, timeout 90s, 4 times fixed after 120s, undone by undo
              1 b: wait 1 months
                next fail, on failure fail
              2 c: side by side ["d", "e"] wait_all
                next f, on failure fail
              3 d in c: wait 3600s
                next complete, on failure fail
              4 e in c: wait for ok
                next complete, on failure complete, timeout 86400s
              5 f: process q
                input#0.owner -> 0
                next complete, on failure fail, 2 times fixed after 1s
              undo undo: effects
                update Order input#0 ["status := open", "note := Null"]
                emit x
            process q "Q" 0 stories timeout none, overlap allow
              trigger manual
              in who: Ref(EntityId(1)) required
              Start emits s
              Failure emits t
              Complete emits u
              0 g: effects
                create Order ["owner := input#0"]
                next h, on failure fail
              1 h: wait 3600s
                next complete, on failure fail
        "#]],
    );
}

#[test]
fn effects_name_their_rows() {
    check(
        r#"
process p:
  trigger: entity Order created
  steps:
    - step a:
        effects:
          - create Order: owner: owner, total: total * 2
          - update Order:
              where: status = done and owner = trigger.entity.owner and id != trigger.entity.id
              set:
                - note -> "done"
                status -> open
          - delete trigger.entity
          - delete Order: where: total = 0
          - emit x
"#,
        expect![[r#"
            23:19: warning[endless-trigger]: `p` starts itself again: it starts after a row is created, and its effects also cause this
            process p "P" 0 stories timeout none, overlap allow
              trigger Order created
              0 a: effects
                create Order ["owner := owner", "total := (total Mul 2)"]
                update Order where (status Eq done and owner Eq row.owner and id Ne row.id) ["note := \"done\"", "status := open"]
                delete Order row
                delete Order where total Eq 0
                emit x
                next complete, on failure fail
        "#]],
    );
}

#[test]
fn schedules_run_a_process_or_steps() {
    check(
        r#"
app shop:
  timezone: "Europe/Berlin"
process p:
  input:
    day: date = today
  steps:
    - step a:
        wait: 1h
schedule a:
  cron: "@daily"
  timezone: Asia/Tokyo
  catch_up: true
  overlap: queue
  process: p
schedule b:
  interval: 90min
  steps:
    - step a:
        subprocess: p
        inputs: today -> day
"#,
        expect![[r#"
            process p "P" 0 stories timeout none, overlap allow
              trigger manual
              in day: Date = Today
              0 a: wait 3600s
                next complete, on failure fail
            schedule a at "@daily" in Asia/Tokyo catch up true, overlap queue
              runs p
            schedule b every 5400s in Europe/Berlin catch up false, overlap skip
              0 a: process p
                Today -> 0
                next complete, on failure fail
        "#]],
    );
}

#[test]
fn language_models_are_asked_by_events_and_by_steps() {
    check(
        r#"
llm_model m "M":
  provider: openai
  model_id: gpt-4.1-mini-2025
  tier: quality
  max_tokens: 100
  base_url: "http://localhost:8080/v1"
  api_key_env: KEY_1
  cost_per_1k_input: 0.10
llm_intent a:
  model: m
  prompt: 'Sum up {{input.note}}, {{ input.note }}.'
  timeout: 1 minute
  retry: 3
  pii: reject
  trigger:
    on_entity: Order
    on_event: updated
    when: status = done or entity.total > 3
    input_map:
      note: note
    write_back:
      note: output
      output -> status
llm_intent b:
  model: m
  input:
    order: ref Order required
  prompt: """
    Of {{ input.order.owner.email }}:
    {{ input.order }}
    """
  output_schema: Order
process p:
  trigger: entity Order created
  steps:
    - step a:
        llm_intent: b
        inputs: trigger.entity -> order
    - step b:
        llm_intent: a
        inputs: a.total -> note
        output: words
    - step c:
        effects:
          - update trigger.entity: note: words, owner: a.owner
"#,
        expect![[r#"
            process p "P" 0 stories timeout none, overlap allow
              trigger Order created
              0 a: intent b
                row -> 0
                next b, on failure fail
              1 b: intent a
                step0.answer#1 -> 0
                next c, on failure fail, gives words
              2 c: effects
                update Order row ["note := step1.text", "owner := step0.answer#2"]
                next complete, on failure fail
            model m "M" openai gpt-4.1-mini-2025 quality Some(100) (Some("http://localhost:8080/v1"), Some("KEY_1"), Some("0.10"), None)
            intent a asks m for None within Some("60s") Some("3 times fixed after 1s"), Some("reject")
              in note: anything required
              "Sum up "
              <0>
              ", "
              <0>
              "."
              on Order updated when Some("(status Eq done or row.total Gt 3)")
              note -> 0
              all -> note
              all -> status
            intent b asks m for Some("Order") within None None, None
              in order: Ref(EntityId(0)) required
              "Of "
              <0.owner.email>
              ":\n"
              <0>
        "#]],
    );
}
