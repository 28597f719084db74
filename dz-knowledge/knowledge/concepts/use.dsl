# Use
# category: construct
# aliases: import module
# related: module; entity
# `use` makes the names of another module available in a file that declares a `module`.
# An import that the file does not need is a warning.

# --- file: people.dsl
module people

entity Person "Person":
  id: uuid pk
  name: str(80) required
  permit:
    list: authenticated
    read: authenticated
# --- file: desk.dsl
module office
use people

entity Room "Room":
  id: uuid pk
  name: str(40) required
  keeper: ref Person
  permit:
    list: authenticated
    read: authenticated
