# Import
# triggers: import a spreadsheet; CSV upload; take over old data; sync with ERP; external key
# suggests_for: import_records; unique
# A unique `external_id` identifies a row in the other system. `POST /api/<plural>/import` takes CSV: a row with a key is updated, and a row without one is created.

entity Supplier "Supplier":
  id: uuid pk
  name: str(120) required
  external_id: str(40) required unique
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
