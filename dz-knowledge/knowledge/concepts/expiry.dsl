# Expiry
# category: pattern
# aliases: retention; time to live; lapse; close old rows automatically; data deletion period
# related: timed_transition; recurring_job; temporal
# A row is closed after a time without an action.
# A timed transition closes it, and a computed field shows the remaining days.

persona agent "Agent"

entity Voucher "Voucher":
  patterns: expiry
  id: uuid pk
  title: str(80) required
  issued_on: date = today
  days_left: computed 90 - days_since(issued_on)
  status: enum[valid, used, expired] = valid
  transitions:
    valid -> used "Redeem": role(agent)
    valid -> expired: auto after 90 days
    final: used
    failed: expired
  permit:
    list: role(agent)
    read: role(agent)
    create: role(agent)
    update: role(agent)
