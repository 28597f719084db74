app leave "Leave"

persona employee "Employee"
persona manager "Manager"

entity User "Colleague":
  archetype: user
  id: uuid pk
  name: str(80) required
  permit:
    list: role(manager)
    read: role(manager) or id = current_user

entity Request "Leave request":
  id: uuid pk
  employee: ref User = current_user
  first_day: date required
  last_day: date required
  reason: str(200)
  state: enum[open, approved, declined] = open
  permit:
    list: role(manager) or employee = current_user
    read: role(manager) or employee = current_user
    create: role(employee)
    update: role(manager) or (employee = current_user and state = open)
  transitions:
    open -> approved "Approve": role(manager)
    open -> declined "Decline": role(manager)
    final: approved
    failed: declined
  invariant: last_day >= first_day
    message: "The last day cannot be before the first day"

surface request_list "Leave requests":
  uses entity Request
  mode: list
  ux:
    sort: first_day desc
    filter: state, employee
