# Computed field
# category: language
# aliases: derived value; calculated field; formula; virtual column; computed
# related: field; aggregate; expression
# `computed expr` is a read-only value from other fields, from references, or from aggregates over own relations.
# It has no column; the database computes it when a row is read.

entity Visit "Visit":
  id: uuid pk
  due: date required
  done: bool = false
  quantity: int = 1
  price: decimal(8, 2) = 0
  total: computed quantity * price
  overdue: computed not done and due < today
  days_left: computed days_until(due)
  permit:
    list: authenticated
    read: authenticated
