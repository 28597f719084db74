# Use
# category: construct
# aliases: import module; import of names
# related: module; entity
# `use` makes the names of another module available in a file that declares a `module`: `use people` in the file of `module office`.
# An import that the file does not need is a warning; the example, which is one file, imports its own module.

module office
# dz: allow(unused-import) because one file cannot show two modules
use office

entity Room "Room":
  id: uuid pk
  name: str(40) required
  permit:
    list: authenticated
    read: authenticated
