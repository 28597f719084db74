# Files.
entity Contract "Contract":
  id: uuid pk
  title: str(80) required
  signed: file(5MB) required
  note: file
  permit:
    list: true
    read: true
    create: true
    update: true
