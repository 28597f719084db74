# A rename that keeps data
# triggers: rename a column; rename a field; keep the data; migration; rename an entity
# suggests_for: field; entity
# Write `was: old_name` on the renamed field or entity, so that the migration keeps the values; `impact` lists the places to change.

entity Worker "Worker":
  was: Employee
  id: uuid pk
  full_name: str(120) required was: name
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
