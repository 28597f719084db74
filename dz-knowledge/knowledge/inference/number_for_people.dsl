# A number that people use
# triggers: invoice number; customer number; reference; file number; order id shown to customers
# suggests_for: unique_number; label
# Add a unique text field and name it as `display_field`; keep a uuid as primary key.

entity Receipt "Receipt":
  display_field: number
  id: uuid pk
  number: str(20) required unique searchable
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
