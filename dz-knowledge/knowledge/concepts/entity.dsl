# Entity
# category: construct
# aliases: table; record; data type; model; plural; examples
# related: field; ref; permit; surface
# An entity is a kind of row that the application stores.
# It lists fields, one of which is the primary key (`pk`), and blocks for access, transitions, invariants and indexes.
# Without a `permit` block no caller can list, read, create, update or delete its rows.

entity Book "Book":
  id: uuid pk
  title: str(120) required
  pages: int
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
