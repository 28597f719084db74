# Module
# category: construct
# aliases: namespace; package
# related: use; app
# `module` names the module of a file.
# Files without `module` share one namespace; a file with a module imports the modules whose names it uses.

module shop.stock

entity Shelf "Shelf":
  id: uuid pk
  label: str(40) required
  permit:
    list: authenticated
    read: authenticated
