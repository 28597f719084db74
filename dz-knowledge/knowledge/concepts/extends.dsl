# extends
# category: language
# aliases: inherit fields; reuse fields
# related: archetype; field
# `extends: A, B` adds the fields, invariants and indexes of archetype blocks to an entity. A field of the entity with the same name takes precedence.

archetype Named:
  name: str(80) required searchable
  remark: text

entity Supplier "Supplier":
  extends: Named
  id: uuid pk
  permit:
    list: authenticated
    read: authenticated
