entity Tag "Tag":
  id: uuid pk
  note: ref Note required
  permit:
    read: note.owner = current_user
