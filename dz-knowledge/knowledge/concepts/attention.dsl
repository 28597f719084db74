# Attention signal
# category: language
# aliases: highlight; warning on a row; overdue mark; alert
# related: ux; dashboard
# `attention critical|warning|notice|info` shows a message on rows for which a condition is true.

entity Task "Task":
  id: uuid pk
  title: str(120) required
  due: date indexed
  done: bool = false
  permit:
    list: authenticated
    read: authenticated

surface task_list "Tasks":
  uses entity Task
  mode: list
  ux:
    sort: due asc
    attention warning:
      when: due < today and done = false
      message: "Overdue"
