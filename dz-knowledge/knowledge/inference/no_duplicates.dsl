# No duplicates
# triggers: must be unique; no two with the same name; only once per; duplicate entries
# suggests_for: unique; unique_number
# `unique` on the field, or a line `unique a, b`; `where` limits it to rows that match a condition.

entity Locker "Locker":
  id: uuid pk
  floor: int required
  number: int required
  label: str(20) required unique
  unique floor, number
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
