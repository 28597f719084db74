# Wait
# category: language
# aliases: delay; signal; wait for a signal; emits
# related: step; process; timed_transition
# A step with `wait` waits for a time (`wait: 2 hours`) or for a signal (`wait: signal NAME`). Waiting runs survive a restart.

persona clerk "Clerk"

entity Order "Order":
  id: uuid pk
  number: str(20) required
  note: text
  permit:
    list: role(clerk)
    read: role(clerk)

process reminding "Reminding":
  trigger: entity Order created
  steps:
    - step pause "A day":
        wait: 24 hours
    - step remind "Remind":
        effects:
          - update trigger.entity:
              note: "Please pay"
