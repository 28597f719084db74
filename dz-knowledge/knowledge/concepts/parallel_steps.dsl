# Parallel steps
# category: language
# aliases: parallel; concurrent steps; fork and join; on_any_failure
# related: step; process; compensation
# `parallel` runs its steps at the same time and continues when all have ended.
# `on_any_failure` is `fail_fast` (default), `wait_all` or `rollback`.

persona clerk "Clerk"

entity Order "Order":
  id: uuid pk
  number: str(20) required
  total: decimal(8, 2) = 0
  note: text
  permit:
    list: role(clerk)
    read: role(clerk)
    update: role(clerk)

service charge "Charge the card":
  kind: integration
  input:
    order: ref Order required
  output:
    reference: str(40) required
  stub: rust

process checking "Checking":
  trigger: entity Order created
  steps:
    - parallel both:
        on_any_failure: wait_all
        - step pay "Charge the card":
            service: charge
            inputs:
              trigger.entity -> order
        - step pause "Time to object":
            wait: 2 hours
