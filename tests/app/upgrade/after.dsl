# The version that replaces it: a field has another name, one is removed, one becomes required, and one is new and required.
app orchard "Orchard"

persona grower "Grower"

entity User "Person":
  id: uuid pk
  name: str(60) required

entity Tree "Tree":
  id: uuid pk
  title: str(60) required searchable was: label
  place: int required indexed
  remark: str(80) required = "-"
  variety: enum[apple, pear] required = apple
  state: enum[young, bearing, felled] = young
  permit:
    list: true
    read: true
    create: role(grower)
    update: role(grower)
    delete: role(grower)

surface tree_list "Trees":
  uses entity Tree
  mode: list
  section main:
    field title
    field state
  ux:
    sort: title asc
    search: title

demo:
  User:
    - name: "Pia", email: "pia@orchard.example", password: "prunes in winter", roles: [grower]
