# Scope
# category: access
# aliases: scope block; per-role row filter; data scope
# related: permit; row_condition; persona
# `scope:` limits the rows of an action for each persona: a caller gets the rows that `permit` and the scope of one of their personas allow.
# If an action has scopes, it is denied to a caller without a scope for any of their personas.

persona boss "Boss"
persona hand "Hand"

entity Task "Task":
  id: uuid pk
  title: str(120) required
  assigned_to: ref User
  permit:
    list: role(boss, hand)
    read: role(boss, hand)
  scope:
    list: all
      for: boss
    list: assigned_to = current_user
      for: hand
    read: all
      for: *
