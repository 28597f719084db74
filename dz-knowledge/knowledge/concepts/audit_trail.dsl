# Audit trail
# category: pattern
# aliases: change log; created and updated; traceability; compliance log
# related: audit; archetype; history
# The application records who changed a row and when.
# An archetype adds the times, and `audit: all` writes a record for each action in the transaction of the write.

persona officer "Officer"

archetype Stamped:
  created_at: datetime auto_add
  updated_at: datetime auto_update

entity Permit "Permit":
  patterns: audit_trail
  extends: Stamped
  id: uuid pk
  holder: str(120) required
  valid_until: date
  permit:
    list: role(officer)
    read: role(officer)
    create: role(officer)
    update: role(officer)
  audit: all
