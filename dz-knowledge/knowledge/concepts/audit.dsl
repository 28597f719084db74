# Audit
# category: access
# aliases: audit log; logging of access; who did what
# related: audit_trail; permit
# `audit:` writes a record for an action: `all`, a list of actions, or a condition such as `read: role(clerk)`.
# The record is part of the transaction of the write.

persona clerk "Clerk"

entity Account "Account":
  id: uuid pk
  holder: str(120) required
  permit:
    list: role(clerk)
    read: role(clerk)
    update: role(clerk)
  audit:
    read: role(clerk)
    update: true
