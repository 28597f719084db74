# Default value
# category: language
# aliases: initial value; preset
# related: field; computed_field
# `= value` is what a new row has if the caller gives nothing: a literal, a value of the enum, `today`, `now`, `today + 14d` or `current_user`.

entity Loan "Loan":
  id: uuid pk
  borrower: ref User = current_user
  lent_on: date = today
  due_on: date = today + 14d
  status: enum[open, returned] = open
  permit:
    list: authenticated
    read: authenticated
