persona agent "Agent"
persona lead "Lead"

entity Team "Team":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: true
    read: true

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = opne
  due: date
  team: ref Team required
  owner: ref User
  transitions:
    open -> doing
    doing -> done: role(lead)
  permit:
    list: role(agent) or owner = current_user
    read: role(agent, lead)
    create: role(agent)
    update: role(lead)

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: title asc
