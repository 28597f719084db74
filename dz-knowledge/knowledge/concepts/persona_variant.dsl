# Persona variant
# category: language
# aliases: for persona; per-role view; different page per role
# related: surface; persona; ux
# `for PERSONA:` in `ux:` narrows a surface for a persona: rows (`scope`), columns (`show`, `hide`), or `read_only`. It is not an access rule.

persona boss "Boss"
persona hand "Hand"

entity Task "Task":
  id: uuid pk
  title: str(120) required
  assigned_to: ref User
  permit:
    list: role(boss, hand)
    read: role(boss, hand)
    update: role(boss, hand)

surface task_list "Tasks":
  uses entity Task
  mode: list
  ux:
    search: title
    for hand:
      scope: assigned_to = current_user
      purpose: "Yours"
