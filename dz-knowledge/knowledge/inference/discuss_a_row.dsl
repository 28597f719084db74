# Comments
# triggers: comment on a ticket; discussion; messages under a record; conversation; notes
# suggests_for: comments
# Declare a child entity with a ref to the row, an author with `= current_user`, a text and a time.

entity Idea "Idea":
  id: uuid pk
  title: str(120) required
  remarks: has_many Remark cascade
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

entity Remark "Remark":
  id: uuid pk
  idea: belongs_to Idea required
  author: ref User required = current_user
  body: text required
  permit:
    list: authenticated
    read: authenticated
    create: author = current_user
    delete: author = current_user
