# Reference
# category: language
# aliases: foreign key; belongs to; many-to-one; link to another entity
# related: has_many; entity; path
# `ref E` refers to one row of another entity; `belongs_to E` has the same meaning, for the other side of a `has_many`.
# `restrict`, `cascade` and `nullify` determine the effect on this row when the target is deleted.

entity Author "Author":
  id: uuid pk
  name: str(80) required
  books: has_many Book
  permit:
    list: authenticated
    read: authenticated

entity Book "Book":
  id: uuid pk
  title: str(120) required
  author: belongs_to Author required restrict
  permit:
    list: authenticated
    read: authenticated
