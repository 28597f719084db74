# Who changed what
# triggers: who changed this; log of changes; traceable; compliance; record every access; audit
# suggests_for: audit_trail; audit
# Write `audit: all`, or the actions that are recorded. An archetype with `auto_add` and `auto_update` adds the times.

persona lawyer "Lawyer"

entity Contract "Contract":
  id: uuid pk
  title: str(120) required
  created_at: datetime auto_add
  updated_at: datetime auto_update
  permit:
    list: role(lawyer)
    read: role(lawyer)
    update: role(lawyer)
  audit: all
