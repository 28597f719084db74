entity Person "Person":
  id: uuid pk
  name: str(80)
  notes: has_many Note
  pages: has_many Page
  letters: has_many Leter
  permit:
    read: true

entity Note "Note":
  id: uuid pk
  writer: ref Person
  reader: ref Person
  permit:
    read: true

entity Page "Page":
  id: uuid pk
  permit:
    read: true
