# Index
# category: language
# aliases: database index; speed up a list
# related: unique; entity
# `index a, b` creates an index; `where` restricts it to some rows. dz infers indexes for references and for the fields that surfaces sort and filter by.

entity Task "Task":
  id: uuid pk
  title: str(120) required
  status: enum[open, done] = open
  due: date
  permit:
    list: authenticated
    read: authenticated
  index status, due
  index due where status = open
