entity Note "Note"
  id: uuid pk
  title: str(80)

entity Page "Page":
  id: uuid pk
	title: str(80)
  permit:

entity Book "Book":
  id: uuid pk
    title: str(80)
   pages: int
