# Surface
# category: construct
# aliases: page; screen; view; form; action
# related: section; ux; entity; workspace
# A surface is a page for one entity in one mode: `list`, `view`, `create` or `edit`.
# Without a section it shows every field that the mode can show or write.
# It never widens access: the rules of the entity apply on each page.

entity Task "Task":
  id: uuid pk
  title: str(120) required
  due: date
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

surface task_list "Tasks":
  uses entity Task
  mode: list
  section main:
    field title
    field due
  ux:
    sort: due asc
    search: title

surface task_create "New task":
  uses entity Task
  mode: create
