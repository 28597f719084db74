# A list that is slow
# triggers: slow query; many rows; index; performance of a list
# suggests_for: index; ux
# dz infers indexes for references and for the fields that surfaces sort and filter by; `index a, b` adds others, and `dz plan` lists them.

entity Reading "Reading":
  id: uuid pk
  label: str(80) required
  taken_at: datetime required
  index label, taken_at
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
