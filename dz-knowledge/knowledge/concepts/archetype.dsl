# Archetype block
# category: construct
# aliases: mixin; field group; base entity; reusable fields
# related: extends; entity; audit_trail
# An `archetype` block is a group of fields, invariants and indexes that entities inherit with `extends`.
# The key `archetype:` inside an entity has another meaning: it gives the entity a role in the application.

archetype Dated:
  created_at: datetime auto_add
  updated_at: datetime auto_update

entity Note "Note":
  extends: Dated
  id: uuid pk
  title: str(120) required
  permit:
    list: authenticated
    read: authenticated
