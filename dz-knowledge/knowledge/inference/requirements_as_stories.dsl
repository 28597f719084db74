# Requirements
# triggers: user story; acceptance criteria; given when then; requirement of a customer
# suggests_for: story; persona
# A `story` names actor, trigger, entities and sentences; quoted states are checked.

persona counter "Counter"

entity Repair "Repair":
  id: uuid pk
  title: str(80) required
  status: enum[ready, collected] = ready
  permit:
    list: role(counter)
    read: role(counter)

story ST-001 "A repair is collected":
  actor: counter
  scope: [Repair]
  then:
    - the status becomes "collected"
