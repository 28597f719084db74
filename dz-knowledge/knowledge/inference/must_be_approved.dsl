# A decision by a role
# triggers: must be approved; needs approval; manager approves; sign off a request; accept or reject; waiting for a decision
# suggests_for: approval_flow; state_machine
# Give the entity a status with the states before and after the decision, and a transition with `role(...)` for each decision.
# Require the reason on the transition that refuses.

persona boss "Boss"

entity Request "Request":
  id: uuid pk
  title: str(120) required
  asked_by: ref User required = current_user
  reason: text
  status: enum[open, approved, refused] = open
  transitions:
    open -> approved "Approve": role(boss)
    open -> refused "Refuse": role(boss) requires reason
    final: approved
    failed: refused
  permit:
    list: role(boss) or asked_by = current_user
    read: role(boss) or asked_by = current_user
    create: asked_by = current_user
    update: role(boss) and status = open
