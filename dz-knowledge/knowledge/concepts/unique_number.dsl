# Business number
# category: pattern
# aliases: invoice number; customer number; natural key; reference code
# related: unique; label; import_records
# People identify a row by a business number, in addition to the technical key.
# A unique text field holds the number and labels the row; the key stays a uuid.

persona clerk "Clerk"

entity Customer "Customer":
  patterns: unique_number
  display_field: number
  id: uuid pk
  number: str(12) required unique searchable
  name: str(120) required searchable
  invariant: length(number) >= 4
    message: "A customer number has at least four characters"
    code: CUSTOMER_NUMBER
  permit:
    list: role(clerk)
    read: role(clerk)
    create: role(clerk)
    update: role(clerk)
