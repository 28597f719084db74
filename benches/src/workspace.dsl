app desk "Service desk"

persona manager:
  default_workspace: desk
persona worker:
  default_workspace: desk

entity Customer "Customer":
  id: uuid pk
  name: str(60) required
  permit:
    list: role(manager, worker)
    read: role(manager, worker)

entity User "Person":
  id: uuid pk
  name: str(120) required
  permit:
    list: role(manager)
    read: role(manager) or id = current_user

entity Ticket "Ticket":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, waiting, done] = open
  kind: enum[question, fault, wish] = question
  customer: ref Customer required
  owner: ref User
  above: ref Ticket
  due: date
  hours: decimal(8,2) = 0
  created_at: datetime auto_add
  updated_at: datetime auto_update
  permit:
    list: role(manager) or owner = current_user
    read: role(manager) or owner = current_user
    create: role(manager, worker)
    update: role(manager) or owner = current_user
  transitions:
    open -> doing
    doing -> waiting
    waiting -> doing
    doing -> done

surface ticket_view "Ticket":
  uses entity Ticket
  mode: view

surface ticket_list "Tickets":
  uses entity Ticket
  mode: list
  section main:
    field title
    field status
    field customer.name "Customer"
    field due
    field hours
  ux:
    sort: due desc
    filter: status, due
    search: title

workspace desk "Desk":
  figures "Figures":
    display: metrics
    aggregate:
      open: count(Ticket where status = open)
      late: count(Ticket where due < today and status != done)
      hours: sum(Ticket.hours)
      tickets: count(Ticket)
  by_state "By state":
    source: Ticket
    display: bar_chart
    group_by: status
  recent "Recent":
    source: Ticket
    sort: created_at desc
    display: list
  board "Board":
    source: Ticket
    display: kanban
    group_by: status
  plan "Plan":
    source: Ticket
    display: calendar
    date_field: due
  spread "Hours by customer":
    source: Ticket
    display: pivot
    group_by: [customer, status]
    value: hours
  coming "Coming":
    source: Ticket
    display: timeline
    date_field: due
  feed "Changes":
    source: Ticket
    display: activity_feed
    date_field: updated_at

workspace more "More":
  by_week "By week":
    source: Ticket
    display: line_chart
    group_by: bucket(due, week)
  shares "By kind":
    source: Ticket
    display: pie_chart
    group_by: kind
  path "States":
    source: Ticket
    display: funnel
    group_by: status
  heat "States of the months":
    source: Ticket
    display: heatmap
    group_by: [status, bucket(due, month)]
  below "Tree":
    source: Ticket
    display: tree
  states "Progress":
    source: Ticket
    display: progress
    group_by: status
  rows "Table":
    source: Ticket
    display: table
  next "Queue":
    source: Ticket
    sort: due asc
    limit: 10
    display: queue
