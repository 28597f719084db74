# Human task
# category: language
# aliases: task for a person; manual step; decision by a person
# related: process; approval_flow
# A step with `human_task` waits for a person: it declares who may take it, the page that is shown, and the outcomes with the next step of each.

persona boss "Boss"

entity Order "Order":
  id: uuid pk
  number: str(20) required
  status: enum[placed, approved, rejected] = placed
  transitions:
    placed -> approved
    placed -> rejected
    final: approved
    failed: rejected
  permit:
    list: role(boss)
    read: role(boss)
    update: role(boss)

process review "Review":
  trigger: entity Order created
  steps:
    - step decide:
        human_task:
          entity: Order
          assignee_role: boss
          outcomes:
            - approve "Approve":
                goto: complete
                sets: Order.status -> approved
            - reject "Reject":
                goto: complete
                sets: Order.status -> rejected
