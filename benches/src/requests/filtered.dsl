app filtered "Filtered"

persona member

entity Team "Team":
  id: uuid pk
  name: str(60) required
  permit:
    list: role(member)
    read: role(member)

entity User "Person":
  id: uuid pk
  name: str(120) required
  team: ref Team
  permit:
    list: role(member)
    read: role(member)

entity Ticket "Ticket":
  id: uuid pk
  title: str(120) required
  team: ref Team required
  status: enum[open, doing, done] = open
  created_at: datetime auto_add
  permit:
    list: team = current_user.team
    read: team = current_user.team

surface ticket_list "Tickets":
  uses entity Ticket
  mode: list
  ux:
    sort: created_at desc
    filter: status
