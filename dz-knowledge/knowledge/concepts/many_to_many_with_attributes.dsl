# Many-to-many with attributes
# category: pattern
# aliases: junction; join table; link with data; assignment table; n to m
# related: ref; has_many; unique
# A separate entity connects two entities and holds facts about the connection.
# It has two required refs and a `unique` over both; `has_many X via Junction` shows the other end.

persona planner "Planner"

entity Employee "Employee":
  id: uuid pk
  name: str(80) required
  skills: has_many Skill via EmployeeSkill
  permit:
    list: role(planner)
    read: role(planner)

entity Skill "Skill":
  id: uuid pk
  name: str(80) required unique
  people: has_many Employee via EmployeeSkill
  permit:
    list: role(planner)
    read: role(planner)

entity EmployeeSkill "Skill of an employee":
  patterns: many_to_many_with_attributes
  id: uuid pk
  employee: ref Employee required cascade
  skill: ref Skill required
  grade: enum[learning, able, expert] = learning
  since: date = today
  unique employee, skill
  permit:
    list: role(planner)
    read: role(planner)
    create: role(planner)
    update: role(planner)
    delete: role(planner)
