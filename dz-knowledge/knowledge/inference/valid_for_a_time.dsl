# Valid from and until
# triggers: price valid from; contract period; effective dates; what applied last year; as of a date
# suggests_for: validity_period; temporal
# `temporal:` with `start` and `end`: lists show the rows without an end, and `as_of` the rows that are valid on a date.

entity Rent "Rent":
  id: uuid pk
  title: str(80) required
  amount: decimal(8, 2) required
  since: date required
  until: date
  temporal:
    start: since
    end: until
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
