# Scope
# category: access
# aliases: scope block; per-role row filter; data scope
# related: permit; row_condition; persona
# `scope:` narrows an action per persona: the rows of `permit` that the scope of one of the caller's personas accepts.
# An action with scopes is denied to a caller for whose personas there is none.

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
