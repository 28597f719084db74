# Assignment queue
# category: pattern
# aliases: work queue; ticket system; inbox; pick up work; helpdesk; unassigned items
# related: row_condition; state_machine; escalation
# Work arrives in a queue, and each person takes a piece of it.
# Agents see their own rows and rows without an assignee, and the transition that takes a row requires `assigned_to`.

persona agent "Agent"
persona customer "Customer"

# dz: allow(suggest-graph-edge) because the two accounts have different tasks
entity Ticket "Ticket":
  intent: "A question or a fault that a customer reports"
  patterns: assignment_queue
  id: uuid pk
  subject: str(140) required searchable
  body: text
  reported_by: ref User required = current_user
  assigned_to: ref User
  priority: enum[low, normal, high] = normal
  status: enum[open, working, solved] = open
  created_at: datetime auto_add
  transitions:
    open -> working "Take": role(agent) requires assigned_to
    working -> solved "Solve": role(agent)
    solved -> working "Reopen"
    final: solved
  permit:
    list: role(agent) or reported_by = current_user
    read: role(agent) or reported_by = current_user
    create: role(agent) or (role(customer) and reported_by = current_user)
    update: role(agent)
    transition: role(agent) or reported_by = current_user

surface ticket_list "Tickets":
  uses entity Ticket
  mode: list
  ux:
    sort: created_at desc
    filter: status, priority, assigned_to
    search: subject, body
    for agent:
      purpose: "Yours, and those without an assignee"
      scope: assigned_to = current_user or assigned_to = null

surface ticket_create "New ticket":
  uses entity Ticket
  mode: create
  section main:
    field subject
    field body
    field priority
