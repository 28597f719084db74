# ux block
# category: language
# aliases: sort; filter; search box; empty text; list behaviour
# related: surface; attention; persona_variant
# `ux:` declares the behaviour of a list: purpose, order, filter controls, searched fields, and the text of an empty list.

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, done] = open
  due: date indexed
  permit:
    list: authenticated
    read: authenticated

surface task_list "Tasks":
  uses entity Task
  mode: list
  ux:
    purpose: "What has to be done"
    sort: due asc
    filter: status, due
    search: title
    empty: "Nothing to do."
