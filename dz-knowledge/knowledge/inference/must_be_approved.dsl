# A decision by a role
# triggers: must be approved; needs approval; manager approves; sign off a request; accept or reject; waiting for a decision
# suggests_for: approval_flow; state_machine
# Give the entity a status with the states before and after the decision, and a transition with `role(...)` for each decision.
# Require the reason on the transition that refuses.

entity Request "Request":
  id: uuid pk
  title: str(120) required
  reason: text
  status: enum[open, approved, refused] = open
  transitions:
    open -> approved "Approve": role(boss)
    open -> refused "Refuse": role(boss) requires reason
    final: approved
    failed: refused
  permit:
    list: role(boss)
    read: role(boss)
    create: authenticated
    update: role(boss)
