# A tree
# triggers: hierarchy; parent category; folder in folder; departments and subdepartments; nested
# suggests_for: hierarchy
# A ref to the entity itself is the parent, and `has_many E via parent` lists the children.

entity Folder "Folder":
  id: uuid pk
  name: str(80) required
  parent: ref Folder restrict
  children: has_many Folder via parent
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
