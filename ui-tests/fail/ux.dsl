persona desk "Desk"

entity Note "Note":
  id: uuid pk
  title: str(80) required
  pages: int
  permit:
    list: role(desk)

surface note_list "Notes":
  uses entity Note
  mode: list
  section main:
    field title
  ux:
    sort: titel desc
    filter: pags
    search: pages
    empty: "No notes"
    for dsk:
      hide: title
    for desk:
      hide: titel
      action_primary: note_new
