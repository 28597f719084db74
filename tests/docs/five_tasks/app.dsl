app planner "Planner"

persona lead "Lead"

entity Project "Project":
  id: uuid pk
  name: str(80) required unique
  permit:
    list: authenticated
    read: authenticated
    create: role(lead)
    update: role(lead)

entity Task "Task":
  id: uuid pk
  title: str(80) required
  project: ref Project required
  owner: ref User = current_user
  due: date
  status: enum[open, doing, done] = open
  result: text
  transitions:
    open -> doing
    doing -> done: requires result
  permit:
    list: role(lead) or owner = current_user
    read: role(lead) or owner = current_user
    create: authenticated
    update: role(lead) or owner = current_user

entity Handover "Handover":
  id: uuid pk
  task: ref Task required
  permit:
    list: role(lead)
    read: role(lead)
    create: authenticated

entity LateReport "Late report":
  id: uuid pk
  day: date required unique
  tasks: int required
  permit:
    list: role(lead)
    read: role(lead)
