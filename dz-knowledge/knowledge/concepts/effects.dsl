# Effects
# category: language
# aliases: effect; change rows in a process; write in a process
# related: step; process; state_machine
# `effects` creates, updates or deletes rows as the system, in one transaction, and obeys invariants and transitions.
# `trigger.entity` is the row that started the process.

persona clerk "Clerk"

entity Order "Order":
  id: uuid pk
  number: str(20) required
  note: text
  permit:
    list: role(clerk)
    read: role(clerk)
    create: role(clerk)

process marking "Marking":
  trigger: entity Order created
  steps:
    - step mark "Mark the order":
        effects:
          - update trigger.entity:
              note: "Waiting for payment"
