# Step
# category: language
# aliases: process step; subprocess; on_true; branch
# related: process; retry; parallel_steps; effects; wait
# A step of a process has one action: a service, a human task, a wait, a condition, effects, another process, or a request to a language model.
# It continues with the next step, unless `on_success`, `on_failure`, `on_true`, `on_false` or `goto` names another one.

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

process paying "Paying":
  trigger: entity Order created
  steps:
    - step large "Is it large?":
        condition: trigger.entity.total > 500
        on_true: complete
        on_false: pay
    - step pay "Charge the card":
        service: charge
        inputs:
          trigger.entity -> order
