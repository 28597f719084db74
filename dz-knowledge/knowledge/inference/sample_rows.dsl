# Sample data
# triggers: demo data; example rows; first users; seed the database; test accounts
# suggests_for: demo; scenario
# `demo:` lists rows by entity; `@name` labels a row for references; an account has `password` and `roles`.

persona clerk "Clerk"

entity Shelf "Shelf":
  id: uuid pk
  name: str(40) required
  permit:
    list: role(clerk)
    read: role(clerk)

demo:
  User:
    - email: "ann@example.com", password: "counts every box", roles: [clerk]
  Shelf:
    - name: "A1"
