app requests "Requests"

persona manager
persona worker

entity User "Person":
  id: uuid pk
  name: str(120) required
  permit:
    list: role(manager)
    read: role(manager) or id = current_user

entity Item "Item":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  owner: ref User
  due: date
  hours: decimal(8,2) = 0
  rank: int = 0
  score: float
  billable: bool = true
  details: text
  created_at: datetime auto_add
  updated_at: datetime auto_update
  permit:
    list: role(manager) or owner = current_user
    read: role(manager) or owner = current_user
    create: role(manager, worker)
    update: role(manager) or owner = current_user
    delete: role(manager)
  transitions:
    open -> doing: requires owner
    doing -> done
    done -> open
  invariant: hours >= 0
    message: "Hours cannot be negative"
  invariant: rank >= 0
    message: "The rank cannot be negative"

surface item_list "Items":
  uses entity Item
  mode: list
  section main:
    field title
    field status
    field owner.name "Owner"
    field due
    field hours
  ux:
    sort: title asc
    filter: status, due
    search: title, details

surface item_view "Item":
  uses entity Item
  mode: view
