module notes

use books

entity Note "Note":
  id: uuid pk
  title: str(80)
  title: str(90)
  permit:
    read: true

entity Note "Another note":
  id: uuid pk
  permit:
    read: true

persona Self "Me"
