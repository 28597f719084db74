# An event starts work
# triggers: when a row is created; after a status change; automatically create a task; trigger a workflow; send an email when something arrives; notify somebody after a change
# suggests_for: process; human_task
# `process` with `trigger: entity E created` or `entity E status a -> b`; effects create or change rows.

entity Lead "Lead":
  id: uuid pk
  name: str(120) required
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

entity Reminder "Reminder":
  id: uuid pk
  text: str(120) required
  lead: ref Lead required
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

process remind "Remind":
  trigger: entity Lead created
  steps:
    - step add:
        effects:
          - create Reminder:
              text: "Call back"
              lead: trigger.entity
