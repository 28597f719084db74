# Late work is escalated
# triggers: overdue must be escalated; reminder; deadline missed; supervisor takes over; SLA
# suggests_for: escalation; attention
# A timed transition leads to an `escalated` state, and an attention signal shows rows that are due.

persona mechanic "Mechanic"
persona chief "Chief"

entity Fault "Fault":
  id: uuid pk
  title: str(120) required
  status: enum[reported, escalated, repaired] = reported
  transitions:
    reported -> repaired: role(mechanic)
    reported -> escalated: auto after 2 days or manual
    escalated -> repaired: role(chief)
    final: repaired
  permit:
    list: role(mechanic, chief)
    read: role(mechanic, chief)
    create: authenticated
    update: role(mechanic, chief)
