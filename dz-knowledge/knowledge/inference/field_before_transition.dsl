# A field before a change of state
# triggers: must be filled in before; cannot close without a reason; required for the next step; assignee before start
# suggests_for: state_machine; invariant
# `requires field` on the transition requires the field only there; an invariant requires it in every row of a state.

entity Case "Case":
  id: uuid pk
  title: str(120) required
  outcome: text
  status: enum[open, closed] = open
  transitions:
    open -> closed "Close": requires outcome
    final: closed
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
