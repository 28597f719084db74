//! A wind farm, whose processes use every kind of step, trigger and overlap. Each test runs on both engines with a stopped clock.

mod calls;
mod farm;
mod kills;
mod overlap;
mod pages;
mod steps;
mod triggers;

use farm::{Cranes, Farm, Returns, answer, on_both, statuses, step, text};

dz::dz! {
    app breeze "Breeze":
      timezone: "UTC"

    persona engineer "Engineer"
    persona visitor "Visitor"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Turbine "Turbine":
      id: uuid pk
      name: str(60) required
      power: int = 0
      report: str(200)
      status: enum[running, stopped, repaired] = running
      transitions:
        running -> stopped
        stopped -> repaired
        repaired -> running
      invariant: power >= 0
        message: "Power is not negative"
        code: NEGATIVE
      permit:
        list: role(engineer)
        read: role(engineer)
        create: role(engineer)
        update: role(engineer)
        delete: role(engineer)

    entity Entry "Entry":
      id: int pk
      text: str(120) required
      permit:
        list: true
        read: true

    surface turbine_view "Turbine":
      uses entity Turbine
      mode: view
      section main:
        field name
        field power

    service crane "Order a crane":
      input:
        what: str(60) required
      output:
        order: str(120) required
      stub: rust

    service return_crane "Return a crane":
      input:
        what: str(60) required
      stub: rust

    llm_model small "Small":
      provider: local
      model_id: small
      base_url: "http://127.0.0.1:9/none"
      cost_per_1k_input: 1
      cost_per_1k_output: 2

    llm_config:
      default_model: small
      logging: true
      budget_alert_usd: 5

    llm_intent report "Report":
      prompt: "Report on {{ input.name }}, call 030 1234567"
      retry:
        max_attempts: 2
        interval: 1s
      trigger:
        on_entity: Turbine
        on_event: created
        when: name != "plain"
        input_map:
          name: entity.name
        write_back:
          report: output

    process ordering "Order a part":
      trigger: manual role(engineer)
      input:
        part: str(60) required
        count: int = 1
        kind: enum[blade, tower]
      output:
        order: str(120) = order.order
      steps:
        - step first:
          service: crane
          inputs: "first" -> what
        - step order "Order it":
          service: crane
          inputs: input.part -> what
          retry:
            max_attempts: 3
            backoff: exponential
            interval: 10s

    process building "Build a tower":
      trigger: manual
      input:
        last: str(60) required
      emits:
        on_complete: built
        on_failure: not_built
      steps:
        - step base:
          service: crane
          inputs: "base" -> what
          compensate: undo_base
        - step mast:
          service: crane
          inputs: "mast" -> what
          compensate: undo_mast
        - step pause:
          wait: 1h
        - step top:
          service: crane
          inputs: input.last -> what
      compensations:
        - undo_base:
          service: return_crane
          inputs: "base" -> what
        - undo_mast:
          service: return_crane
          inputs: "mast" -> what
          retry:
            max_attempts: 2
            interval: 5s

    process lift_fast "Lift, and stop at once":
      trigger: manual
      steps:
        - parallel both:
          on_any_failure: fail_fast
          on_failure: after
          - step left:
            service: crane
            inputs: "left" -> what
            compensate: undo_left
          - step right:
            service: crane
            inputs: "broken right" -> what
          - step slow:
            wait: 1h
        - step rest:
          effects:
            - create Entry:
              text: "lifted"
          goto: complete
        - step after:
          effects:
            - create Entry:
              text: "fast stopped"
      compensations:
        - undo_left:
          service: return_crane
          inputs: "left" -> what

    process lift_all "Lift, and wait for all":
      trigger: manual
      steps:
        - parallel both:
          on_any_failure: wait_all
          - step left:
            service: crane
            inputs: "left" -> what
            compensate: undo_left
          - step right:
            service: crane
            inputs: "broken right" -> what
          - step slow:
            wait: 1h
      compensations:
        - undo_left:
          service: return_crane
          inputs: "left" -> what

    process lift_back "Lift, and take back":
      trigger: manual
      steps:
        - parallel both:
          on_any_failure: rollback
          on_failure: after
          - step left:
            service: crane
            inputs: "left" -> what
            compensate: undo_left
          - step right:
            wait: signal calm
            timeout: 10min
          - step slow:
            wait: 1h
        - step after:
          effects:
            - create Entry:
              text: "taken back"
      compensations:
        - undo_left:
          service: return_crane
          inputs: "left" -> what

    process outer "Order through another process":
      trigger: manual
      input:
        part: str(60) required
      output:
        order: str(120) = inner.order
      steps:
        - step inner:
          subprocess: ordering
          inputs: input.part -> part

    process inspecting "Inspect a turbine":
      trigger: entity Turbine status running -> stopped
      steps:
        - step look "Look at it":
          human_task:
            surface: turbine_view
            assignee_role: engineer
            timeout: 2 days
            outcomes:
              - again "Look again":
                goto: look
              - fine "It is fine":
                goto: complete
                confirm: "Is it really fine?"
                sets:
                  status -> repaired
              - wrong "Wrong":
                goto: complete
                sets:
                  power -> 0 - 5
              - scrap "Scrap it":
                goto: fail
          on_failure: late
        - step late:
          effects:
            - create Entry:
              text: "nobody looked"

    process refused "Write a wrong row":
      trigger: manual
      input:
        turbine: ref Turbine required
      steps:
        - step wrong:
          effects:
            - create Entry:
              text: "before the refusal"
            - update Turbine:
              where: id = input.turbine
              set:
                power -> 0 - 1

    process slow "Too slow":
      trigger: manual
      timeout: 2h
      steps:
        - step long:
          wait: 5h

    process once "Once":
      trigger: manual
      overlap: skip
      steps:
        - step long:
          wait: 1h

    process queued "One after the other":
      trigger: manual
      overlap: queue
      steps:
        - step long:
          wait: signal go
        - step note:
          effects:
            - create Entry:
              text: "queued one"

    process latest "Only the latest":
      trigger: manual
      overlap: cancel_previous
      steps:
        - step base:
          service: crane
          inputs: "latest" -> what
          compensate: undo
        - step long:
          wait: 1h
      compensations:
        - undo:
          service: return_crane
          inputs: "latest" -> what

    process per_row "Once for each turbine":
      trigger: entity Turbine updated
      overlap: skip
      steps:
        - step long:
          wait: 1h

    process newest "The newest change":
      trigger: entity Turbine updated
      overlap: cancel_previous
      steps:
        - step long:
          wait: 1h

    process created "A new turbine":
      trigger: entity Turbine created
      steps:
        - step note:
          effects:
            - create Entry:
              text: concat("created ", trigger.entity.name)

    process deleted "A removed turbine":
      trigger: entity Turbine deleted
      steps:
        - step note:
          effects:
            - create Entry:
              text: concat("deleted ", trigger.entity.name)

    process heard "A signal":
      trigger: signal storm
      input:
        speed: int = 0
      steps:
        - step note:
          effects:
            - create Entry:
              text: "a storm"

    process followed "After the order":
      trigger: process ordering completed
      input:
        order: str(120)
      steps:
        - step note:
          effects:
            - create Entry:
              text: concat("followed ", input.order)

    process daily "Every day":
      trigger: cron "0 6 * * *"
      steps:
        - step note:
          effects:
            - create Entry:
              text: "daily"

    demo:
      User:
        - name: "Ada", email: "ada@breeze.example", password: "owns the whole wind", roles: [admin]
        - name: "Edda", email: "edda@breeze.example", password: "climbs every tower", roles: [engineer]
        - name: "Vito", email: "vito@breeze.example", password: "looks at the towers", roles: [visitor]
}

const ADA: (&str, &str) = ("ada@breeze.example", "owns the whole wind");
const EDDA: (&str, &str) = ("edda@breeze.example", "climbs every tower");
const VITO: (&str, &str) = ("vito@breeze.example", "looks at the towers");
