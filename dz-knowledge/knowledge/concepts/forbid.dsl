# Forbid
# category: access
# aliases: deny rule; veto; override permit
# related: permit; separation_of_duty
# `forbid:` refuses an action and overrides `permit:`. Use it for exceptions that apply to every role.

persona boss "Boss"

entity Contract "Contract":
  id: uuid pk
  title: str(120) required
  status: enum[draft, signed] = draft
  permit:
    list: role(boss)
    read: role(boss)
    update: role(boss)
    delete: role(boss)
  forbid:
    delete: status = signed
