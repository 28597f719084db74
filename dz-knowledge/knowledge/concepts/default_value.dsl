# Default value
# category: language
# aliases: initial value; preset
# related: field; computed_field
# `= value` is the value of a new row if the caller sends none: a literal, a value of the enum, `today`, `now`, `today + 14d` or `current_user`.

entity Loan "Loan":
  id: uuid pk
  borrower: ref User = current_user
  lent_on: date = today
  due_on: date = today + 14d
  status: enum[open, returned] = open
  permit:
    list: authenticated
    read: authenticated
