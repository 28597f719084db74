# A document with lines
# triggers: order with items; invoice lines; cart; positions; a bill has several entries; header and details
# suggests_for: parent_with_lines; has_many
# Lines refer to the parent with `belongs_to … required`, and the parent has `has_many … cascade`.

entity Bill "Bill":
  id: uuid pk
  number: str(20) required unique
  entries: has_many Entry cascade
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

entity Entry "Entry":
  id: uuid pk
  bill: belongs_to Bill required
  text: str(120) required
  amount: decimal(10, 2) required
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
