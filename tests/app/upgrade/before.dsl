# The version of an application that is replaced.
app orchard "Orchard"

persona grower "Grower"

entity User "Person":
  id: uuid pk
  name: str(60) required

entity Tree "Tree":
  id: uuid pk
  label: str(60) required searchable
  height: int required
  place: int required
  remark: str(80)
  state: enum[young, bearing] = young
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
    field label
    field state
  ux:
    sort: label asc
    search: label

demo:
  User:
    - name: "Pia", email: "pia@orchard.example", password: "prunes in winter", roles: [grower]
