app tracker "Tracker"

persona member

entity User "Person":
  id: uuid pk
  name: str(120) required
  permit:
    list: role(member)
    read: role(member)

entity Customer "Customer":
  id: uuid pk
  name: str(60) required
  city: str(60) required
  permit:
    list: role(member)
    read: role(member)

entity Project "Project":
  id: uuid pk
  name: str(60) required
  code: str(20) required
  permit:
    list: role(member)
    read: role(member)

entity Ticket "Ticket":
  id: uuid pk
  title: str(120) required
  status: enum[open, doing, done] = open
  rank: int = 0
  due: date
  customer: ref Customer required
  project: ref Project required
  permit:
    list: role(member)
    read: role(member)

surface ticket_list "Tickets":
  uses entity Ticket
  mode: list
  ux:
    sort: title asc
