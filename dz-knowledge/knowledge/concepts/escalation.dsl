# Escalation
# category: pattern
# aliases: deadline; reminder after days; overdue handling; state machine with timers; SLA
# related: timed_transition; state_machine; assignment_queue
# A row that stays in a state too long gets another state automatically.
# A timed transition leads to a state that lists and roles treat as urgent; people can also escalate by hand.

persona agent "Agent"
persona lead "Team lead"

entity Complaint "Complaint":
  patterns: escalation
  id: uuid pk
  subject: str(120) required
  handled_by: ref User
  status: enum[received, escalated, solved] = received
  transitions:
    received -> solved "Solve": role(agent) requires handled_by
    received -> escalated "Escalate": auto after 3 days or manual
    escalated -> solved "Solve": role(lead) requires handled_by
    final: solved
  permit:
    list: role(agent, lead)
    read: role(agent, lead)
    create: role(agent)
    update: role(agent, lead)
