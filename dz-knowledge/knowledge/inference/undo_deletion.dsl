# Deleted rows can be restored
# triggers: undo a deletion; restore; deleted by mistake; never really delete; trash
# suggests_for: recycle_bin; soft_delete
# Write `soft_delete` in the entity, and `restore: role(...)` under `permit:`.

persona editor "Editor"

entity File "File":
  id: uuid pk
  title: str(120) required
  soft_delete
  permit:
    list: role(editor)
    read: role(editor)
    delete: role(editor)
    restore: role(editor)
