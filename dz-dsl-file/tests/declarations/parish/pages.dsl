module parish.pages
use parish.rites
surface ceremonies "Ceremonies":
  uses entity Ceremony
  mode: list
  section main:
    field names
    field rite
    field held
    field by.name "Held by"
  ux:
    sort: held desc
    filter: rite, status, held
    search: names
surface ceremony:
  uses entity Ceremony
  mode: view
  section main:
    field names
    field fee
  section witnesses "Witnesses":
    uses entity Witness
    field name
workspace vestry:
  coming "Coming":
    source: Ceremony
    filter: status = agreed and held > now
    sort: held asc
    action: ceremony
