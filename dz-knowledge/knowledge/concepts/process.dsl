# Process
# category: construct
# aliases: workflow; automation; saga; orchestration
# related: service; schedule; human_task; approval_flow
# A process is a series of steps that an event, a signal, a person or a time starts.
# Steps call services, create tasks for people, wait, choose a branch and change rows. If the process fails, compensations revert them.

persona clerk "Clerk"

entity Order "Order":
  id: uuid pk
  number: str(20) required
  note: text
  permit:
    list: role(clerk)
    read: role(clerk)

process welcome "Welcome":
  trigger: entity Order created
  steps:
    - step pause:
        wait: 2 hours
    - step remark:
        effects:
          - update trigger.entity:
              note: "Waiting for payment"
