# The same fields in several entities
# triggers: created and updated on every table; reuse fields; common columns; mixin
# suggests_for: archetype; extends
# An `archetype` block holds the fields, and `extends:` adds them.

archetype Dated:
  created_at: datetime auto_add
  updated_at: datetime auto_update

entity Poem "Poem":
  extends: Dated
  id: uuid pk
  title: str(120) required
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
