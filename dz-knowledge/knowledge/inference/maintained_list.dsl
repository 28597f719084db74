# A list that users maintain
# triggers: dropdown values that change; administrators add categories; master data; code table; list of countries
# suggests_for: lookup_table; enum
# Make it an entity with a unique name, and refer to it with `ref`. Keep `enum` for values that the rules name.

entity Topic "Topic":
  id: uuid pk
  name: str(80) required unique
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

entity Article "Article":
  id: uuid pk
  title: str(120) required
  topic: ref Topic required restrict
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
