entity Note "Note":
  id: uuid pk
  title: string required
  permit:
    read: true

surface notes:
  uses entity Notes
  mode: list
