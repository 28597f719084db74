# Deletion by some roles only
# triggers: only admins delete; nobody may delete; delete only drafts; protect signed contracts
# suggests_for: forbid; permit
# Without a `delete` rule no caller deletes; `forbid:` adds exceptions to a rule.

entity Agreement "Agreement":
  id: uuid pk
  title: str(120) required
  signed: bool = false
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
    delete: role(admin)
  forbid:
    delete: signed = true
