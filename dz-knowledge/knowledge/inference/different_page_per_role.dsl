# A page that differs by role
# triggers: show less to customers; different columns for managers; read-only for guests; role-specific view
# suggests_for: persona_variant; permit
# `for PERSONA:` in `ux:` narrows rows and columns of the page; rules in the entity decide on access.

persona guest "Guest"

persona host "Host"

entity Event "Event":
  id: uuid pk
  title: str(120) required
  notes: text
  permit:
    list: role(guest, host)
    read: role(guest, host)
    update: role(host)

surface event_list "Events":
  uses entity Event
  mode: list
  ux:
    search: title
    for guest:
      purpose: "What you can visit"
      read_only: true
