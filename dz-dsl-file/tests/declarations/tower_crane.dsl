app cranes "Crane hire"

persona dispatcher
persona operator "Operator"
persona inspector "Inspector"

enum Class:
  light "Light", heavy "Heavy"
  super_heavy "Super heavy"

entity Crane "Crane":
  id: str(10) pk
  model: str(40) required
  class: Class = light
  reach: decimal(4,1) required
  bought: date
  price: money(USD)
  inspected: date
  due: computed coalesce(inspected, bought) + 1y
  hires: has_many Hire
  out: computed any(hires where status = running)
  soft_delete
  permit:
    list: role(dispatcher, operator, inspector)
    read: role(dispatcher, operator, inspector)
    create: role(dispatcher)
    update: role(dispatcher, inspector)
    delete: role(dispatcher)
    restore: role(dispatcher)

entity Hire "Hire":
  id: uuid pk
  crane: belongs_to Crane required
  site: str(120) required
  operator: ref User
  from: date required
  to: date required
  rate: decimal(8,2) = 900
  days: computed to - from
  total: computed rate * days
  status: enum[offer, booked, running, returned, cancelled] = offer
  transitions:
    offer -> booked: role(dispatcher)
    booked -> running: role(operator) requires operator
      guard: from <= today and crane.inspected != null
    running -> returned: role(operator)
    booked -> cancelled: role(dispatcher)
    offer -> cancelled: auto after 30 days
    final: returned
    failed: cancelled
  invariant: to > from
    message: "It ends after it begins"
    code: ORDER
  permit:
    list: role(dispatcher) or operator = current_user
    read: role(dispatcher) or operator = current_user
    create: role(dispatcher)
    update: role(dispatcher)
    transition: role(dispatcher, operator)
  unique crane, from where status in [booked, running]

surface hire_list "Hires":
  uses entity Hire
  mode: list
  section main:
    field crane.model
    field site
    field from
    field to
    field total
  ux:
    sort: from asc
    filter: status, crane, from
    search: site, crane.model
    for operator:
      scope: operator = current_user
      hide: total

surface crane_edit:
  uses entity Crane
  mode: edit
  section main:
    field model
    field reach
    field inspected widget=date
    field price

workspace yard:
  purpose: "Cranes and their sites"
  board:
    source: Hire
    display: kanban
    action: hire_list
  plan:
    source: Hire
    display: calendar
    date_field: from
  out_now:
    aggregate:
      running: count(Hire where status = running)
      fleet: count(Crane)
      use: round(running * 100 / nullif(fleet, 0), 1)
