entity Order "Order":
  id: uuid pk
  lines: has_many Line
  net: computed gross - tax
  gross: computed net + tax
  tax: computed sum(lines.name)
  permit:
    read: true

entity Line "Line":
  id: uuid pk
  order: belongs_to Order
  name: str(80)
  permit:
    read: true
