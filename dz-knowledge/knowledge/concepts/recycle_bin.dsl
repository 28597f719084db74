# Recycle bin
# category: pattern
# aliases: undelete; trash; restore deleted rows
# related: soft_delete; audit_trail
# A deleted row can be restored.
# `soft_delete` keeps the row, `permit: restore` names who may restore it, and the audit log records both.

persona editor "Editor"

entity Article "Article":
  patterns: recycle_bin
  id: uuid pk
  title: str(120) required
  body: text
  soft_delete
  permit:
    list: role(editor)
    read: role(editor)
    create: role(editor)
    update: role(editor)
    delete: role(editor)
    restore: role(editor)
  audit: [delete, restore]
