# Lookup table
# category: pattern
# aliases: reference data; code list; master data; list that administrators maintain
# related: enum; ref; import_records
# Values that users maintain are rows of an entity, not values of an enum.
# Everyone reads them, one role changes them, and `restrict` keeps used values.

persona keeper "Keeper"

entity Country "Country":
  patterns: lookup_table
  plural: countries
  id: uuid pk
  name: str(80) required unique
  code: str(2) required unique
  is_active: bool = true
  permit:
    list: authenticated
    read: authenticated
    create: role(keeper)
    update: role(keeper)
    delete: role(keeper)

entity Address "Address":
  id: uuid pk
  street: str(120) required
  country: ref Country required restrict
  permit:
    list: role(keeper)
    read: role(keeper)
    create: role(keeper)
