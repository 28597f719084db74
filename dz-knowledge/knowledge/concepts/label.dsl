# Label of a row
# category: language
# aliases: display_field; row title; name of a row
# related: entity; ref
# `display_field` names the field that represents a row in links and pickers. Without it dz takes `title`, `name`, `label`, or the first text.

entity Invoice "Invoice":
  display_field: number
  id: uuid pk
  number: str(20) required unique
  remark: str(200)
  permit:
    list: authenticated
    read: authenticated
