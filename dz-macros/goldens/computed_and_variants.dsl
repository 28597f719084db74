# Computed fields and variants.
persona clerk "Clerk"
persona manager "Manager"
entity Order "Order":
  id: uuid pk
  number: int required unique
  due: date
  lines: has_many Line
  total: computed sum(lines.price)
  late: computed days_since(due) > 0
  permit:
    list: role(clerk, manager)
    read: role(clerk, manager)
    update: role(clerk, manager)
entity Line "Line":
  id: uuid pk
  order: ref Order required
  name: str(80) required
  price: decimal(8,2) = 0
  permit:
    list: role(clerk, manager)
    read: role(clerk, manager)
surface orders "Orders":
  uses entity Order
  mode: list
  section main:
    field number
    field due
    field total
    field late
  ux:
    sort: due asc
    filter: due
    for clerk:
      scope: due != null
      hide: total
    for manager:
      purpose: "What is late"
