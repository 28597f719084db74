app helpdesk "Helpdesk"

persona customer "Customer":
  description: "Reports problems"

persona agent "Agent":
  description: "Solves problems of customers"
  default_workspace: desk

entity User "Person":
  archetype: user
  id: uuid pk
  name: str(80) required
  permit:
    list: role(agent)
    read: role(agent) or id = current_user

entity Ticket "Ticket":
  id: uuid pk
  subject: str(120) required searchable
  body: text
  reporter: ref User required = current_user
  reported_at: datetime auto_add
  status: enum[open, taken, solved, closed] = open
  assigned_to: ref User
  solution: text
  transitions:
    open -> taken "Take": role(agent) requires assigned_to
    taken -> solved "Solve": role(agent) requires solution
    solved -> open "Reopen"
    solved -> closed: auto after 14 days
    final: closed
  invariant: status != solved or assigned_to != null
    message: "A solved ticket has an agent"
    code: SOLVED_WITHOUT_AGENT
  permit:
    list: role(agent) or reporter = current_user
    read: role(agent) or reporter = current_user
    create: role(customer, agent)
    update: role(agent)
    transition: role(agent) or reporter = current_user

surface ticket_list "Tickets":
  uses entity Ticket
  mode: list
  section main:
    field subject
    field reporter.name "Reporter"
    field status
    field reported_at
  ux:
    sort: reported_at desc
    filter: status, assigned_to
    search: subject
    empty: "No tickets."
    attention warning:
      when: status = open and days_since(reported_at) > 2
      message: "No agent has taken this ticket"
    for customer:
      hide: reporter.name

surface ticket_view "Ticket":
  uses entity Ticket
  mode: view
  section main "Ticket":
    field subject
    field body
    field reporter
    field assigned_to
    field status
    field solution
  section talk "Comments":
    uses entity Comment
    filter: ticket = this
    field author
    field body
    field written_at

surface ticket_create "New ticket":
  uses entity Ticket
  mode: create
  section main:
    field subject
    field body

demo:
  User:
    - @ann email: "ann@example.com", name: "Ann", password: "solve it before noon", roles: [agent]
    - @cem email: "cem@example.com", name: "Cem", password: "my printer is broken", roles: [customer]
    - @cleo email: "cleo@example.com", name: "Cleo", password: "nothing works today", roles: [customer]
  Ticket:
    - @printer subject: "The printer prints nothing", reporter: @cem
    - subject: "The door does not open", reporter: @cleo

surface ticket_edit "Edit ticket":
  uses entity Ticket
  mode: edit

entity Comment "Comment":
  id: uuid pk
  ticket: ref Ticket required cascade
  author: ref User required = current_user
  body: text required
  written_at: datetime auto_add
  permit:
    list: role(agent) or ticket.reporter = current_user
    read: role(agent) or ticket.reporter = current_user
    create: role(agent) or ticket.reporter = current_user

surface comment_create "New comment":
  uses entity Comment
  mode: create
  section main:
    field ticket
    field body

workspace desk "Desk":
  purpose: "What agents do next"
  access: persona(agent)
  waiting "Waiting":
    source: Ticket
    filter: status = open
    sort: reported_at asc
    display: queue
    action: ticket_view
  figures "Figures":
    display: metrics
    aggregate:
      open_tickets: count(Ticket where status = open)
      solved_tickets: count(Ticket where status = solved)
