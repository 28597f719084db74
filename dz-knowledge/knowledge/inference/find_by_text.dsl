# Search and filter
# triggers: search box; find by name; filter by status; sort newest first
# suggests_for: ux; index
# `search:` names text fields and paths, `filter:` the controls, `sort:` the order.

entity Person "Person":
  id: uuid pk
  name: str(120) required searchable
  city: str(80)
  is_active: bool = true
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

surface person_list "People":
  uses entity Person
  mode: list
  ux:
    sort: name asc
    filter: is_active
    search: name, city
    empty: "No people yet."
