# Demo data
# category: construct
# aliases: seed data; sample rows; fixtures
# related: scenario; entity
# `demo` declares rows for a new database. The rows must meet constraints and invariants; all of them are inserted, or none.
# `@name` names a row, so that later rows can refer to it.

entity Team "Team":
  id: uuid pk
  name: str(80) required
  permit:
    list: authenticated
    read: authenticated

entity Task "Task":
  id: uuid pk
  title: str(120) required
  team: ref Team required
  due: date
  permit:
    list: authenticated
    read: authenticated

demo:
  Team:
    - @north name: "North"
  Task:
    - title: "Count the stock", team: @north, due: today + 3d
