# Unique
# category: language
# aliases: unique constraint; no duplicates; unique key
# related: index; unique_number; invariant
# `unique` on a field, or `unique a, b` for several, refuses a second row with the same values. `where` limits it to rows that match a condition.

entity Seat "Seat":
  id: uuid pk
  hall: str(40) required
  number: int required
  permit:
    list: authenticated
    read: authenticated
  unique hall, number
