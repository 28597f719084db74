# Workspace
# category: construct
# aliases: home page; start page; board
# related: region; aggregate; dashboard
# A workspace is a page of regions over several entities: lists, boards, charts and metrics.
# Each region shows only rows that the caller may list.

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, done] = open
  permit:
    list: authenticated
    read: authenticated

surface task_view "Task":
  uses entity Task
  mode: view

workspace today "Today":
  purpose: "What is open"
  open_tasks "Open":
    source: Task
    filter: status = open
    display: list
    action: task_view
