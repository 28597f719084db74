# Imported records
# category: pattern
# aliases: import; CSV; external id; data migration; synchronisation with another system; upsert
# related: unique; integration_adapter; unique_number
# Rows come from another system or a CSV file, and a second import must update them.
# A unique `external_id` identifies a row in the other system, and `source` and `imported_at` record its origin.

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
