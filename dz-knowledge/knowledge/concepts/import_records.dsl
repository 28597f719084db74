# Imported records
# category: pattern
# aliases: import; CSV; external id; data migration; synchronisation with another system; upsert
# related: unique; integration_adapter; unique_number
# Rows come from another system or a CSV file, and a second import must update them.
# A unique `external_id` identifies a row in the other system, and `source` and `imported_at` record its origin.
# If several systems supply rows, write `unique source, external_id` in place of `unique` on the field, because their ids can be equal.
# The CSV import of dz updates a row whose primary key is in the file; for a feed without these keys, the program that reads it finds the row by `external_id`.

persona operator "Operator"

entity Product "Product":
  patterns: import_records
  id: uuid pk
  name: str(120) required
  external_id: str(64) required unique
  source: enum[shop, warehouse, csv] = csv
  imported_at: datetime auto_add
  price: decimal(10, 2)
  permit:
    list: role(operator)
    read: role(operator)
    create: role(operator)
    update: role(operator)
