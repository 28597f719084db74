app {{app}} "{{title}}"

persona member "Member":
  description: "Has tasks"

persona manager "Manager":
  description: "Sees and assigns every task"

entity User "Person":
  archetype: user
  id: uuid pk
  name: str(80) required
  permit:
    list: role(manager)
    read: role(manager) or id = current_user

entity Task "Task":
  id: uuid pk
  title: str(120) required searchable
  owner: ref User required = current_user
  due: date
  status: enum[open, done] = open
  permit:
    list: role(manager) or owner = current_user
    read: role(manager) or owner = current_user
    create: role(member, manager)
    update: role(manager) or owner = current_user
    delete: role(manager)
  transitions:
    open -> done "Finish"
    done -> open "Reopen"
    final: done

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field owner
    field due
    field status
  ux:
    sort: due asc, title asc
    filter: status, owner
    search: title
    empty: "No tasks yet."

surface task_view "Task":
  uses entity Task
  mode: view

surface task_create "New task":
  uses entity Task
  mode: create

surface task_edit "Edit task":
  uses entity Task
  mode: edit

# Loaded into an empty database during development.
demo:
  User:
    - @max email: "max@example.com", name: "Max", password: "plan the whole day", roles: [manager]
    - @mia email: "mia@example.com", name: "Mia", password: "one thing at a time", roles: [member]
  Task:
    - title: "Read the declaration in app.dsl", owner: @mia, due: today
    - title: "Add a field and run the application", owner: @mia, due: today + 7d
    - title: "Plan the first release", owner: @max
