# Deletion of the parent and its children
# triggers: delete children too; cascade; cannot delete while used; orphan rows
# suggests_for: ref; has_many
# `cascade` deletes children, `restrict` refuses the deletion, `nullify` empties the reference.

entity Tour "Tour":
  id: uuid pk
  title: str(80) required
  stops: has_many Stop cascade
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

entity Stop "Stop":
  id: uuid pk
  tour: belongs_to Tour required
  place: str(80) required
  guide: ref User nullify
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
