# Work from a queue
# triggers: support tickets; helpdesk; pick up unassigned work; inbox for a team; assign to agent
# suggests_for: assignment_queue; state_machine
# Declare an optional `assigned_to: ref User`, a transition that requires it, and a list that shows own and unassigned rows.

persona agent "Agent"

entity Call "Call":
  id: uuid pk
  subject: str(120) required
  assigned_to: ref User
  status: enum[open, taken, closed] = open
  transitions:
    open -> taken "Take": requires assigned_to
    taken -> closed "Close"
    final: closed
  permit:
    list: role(agent) and (assigned_to = current_user or assigned_to = null)
    read: role(agent) and (assigned_to = current_user or assigned_to = null)
    create: role(agent)
    update: role(agent) and (assigned_to = current_user or assigned_to = null)
