# A large declaration
# triggers: several files; split the declaration; modules; organise a big project
# suggests_for: module; app
# `dsl = ["dsl/"]` in `dz.toml` reads every file of a folder as one application; the order of declarations has no effect.

entity Shop "Shop":
  id: uuid pk
  name: str(80) required
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
