# Attachments
# category: pattern
# aliases: file upload; documents; photos; scans; PDF
# related: field; has_many; ownership
# Files belong to a row and are as visible as the row.
# One file is a field of type `file(20MB)`; several are a child entity with a file field.

persona clerk "Clerk"

entity Claim "Claim":
  id: uuid pk
  title: str(120) required
  documents: has_many Document cascade
  permit:
    list: role(clerk)
    read: role(clerk)
    create: role(clerk)

entity Document "Document":
  patterns: attachments
  id: uuid pk
  title: str(120) required
  claim: belongs_to Claim required
  content: file(20MB) required
  added_by: ref User required = current_user
  permit:
    list: role(clerk)
    read: role(clerk)
    create: role(clerk) and added_by = current_user
    delete: role(clerk)
