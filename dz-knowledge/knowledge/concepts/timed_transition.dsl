# Timed transition
# category: language
# aliases: auto after; automatic transition; timer; expire automatically
# related: state_machine; escalation; expiry
# `a -> b: auto after 3 days` happens automatically when a row has been in the state for that time.
# Users can make it only with `or manual`.

persona clerk "Clerk"

entity Offer "Offer":
  id: uuid pk
  title: str(120) required
  status: enum[sent, accepted, lapsed] = sent
  transitions:
    sent -> accepted: role(clerk)
    sent -> lapsed: auto after 14 days or manual
    final: accepted
    failed: lapsed
  permit:
    list: role(clerk)
    read: role(clerk)
    create: role(clerk)
    update: role(clerk)
