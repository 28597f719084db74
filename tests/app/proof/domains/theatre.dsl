app theatre "Harbour Theatre"

persona director "Director"
persona box_office "Box office"
persona actor "Actor"

archetype Noted:
  note: text
  noted_by: ref User

entity User "Person":
  id: uuid pk
  name: str(50)
  stage_name: str(5)
  permit:
    list: role(director)
    read: role(director) or id = current_user or stage_name != null
    update: id = current_user or role(director)

entity Play "Play":
  extends: Noted
  id: uuid pk
  title: str(80) required searchable
  author: str(60)
  length: int
  roles: has_many Part
  performances: has_many Performance
  cast: computed count(roles where actor != null)
  permit:
    list: anonymous
    read: anonymous
    create: role(director)
    update: role(director) or noted_by = current_user
    delete: role(director) and not any(performances where seats_sold > 0)

entity Part "Part":
  id: uuid pk
  play: belongs_to Play required cascade
  name: str(40) required
  actor: ref User
  understudy: ref User
  lines: int = 0
  unique play, name
  permit:
    list: role(director, actor)
    read: role(director) or actor = current_user or understudy = current_user or play.length < 3
    create: role(director)
    update: role(director)
    delete: role(director) and lines < 5
  forbid:
    update: actor = understudy and actor != null

entity Performance "Performance":
  extends: Noted
  id: uuid pk
  play: belongs_to Play required
  starts_at: datetime required
  hall: enum[big, small] = big
  price: decimal(4,2) required
  state: enum[planned, on_sale, over, cancelled] = planned
  tickets: has_many Ticket
  seats_sold: computed count(tickets where refunded = false)
  takings: computed sum(tickets.paid)
  soft_delete
  transitions:
    planned -> on_sale: role(box_office)
      guard: starts_at > now
    on_sale -> over: role(box_office, director)
    [planned, on_sale] -> cancelled: role(director) requires note
  permit:
    list: role(director, box_office) or (anonymous and state = on_sale)
    read: role(director, box_office) or play.noted_by = current_user or (anonymous and state in [on_sale, over])
    create: role(director)
    update: role(director) or (role(box_office) and state in [planned, on_sale])
    delete: role(director) and seats_sold = 0
    restore: role(director)
  forbid:
    update: state = over

entity Ticket "Ticket":
  id: int pk
  performance: belongs_to Performance required
  seat: str(3) required
  paid: decimal(4,2) required
  buyer: ref User = current_user
  refunded: bool = false
  unique performance, seat
  permit:
    list: role(box_office) or buyer = current_user
    read: role(box_office) or buyer = current_user
    create: role(box_office) and performance.state = on_sale and paid <= performance.price
    update: role(box_office)
    delete: role(box_office) and refunded
    refund: role(box_office) and performance.state = cancelled

surface performance_list "Performances":
  uses entity Performance
  mode: list
  section main:
    field play
    field starts_at
    field seats_sold
  ux:
    sort: starts_at asc
    filter: play, state, hall
    search: play.title, note
    for actor:
      hide: seats_sold
    for box_office:
      scope: state != cancelled
      hide: note

surface performance_view "Performance":
  uses entity Performance
  mode: view

surface ticket_list "Tickets":
  uses entity Ticket
  mode: list

surface ticket_edit "Change a ticket":
  uses entity Ticket
  mode: edit

surface play_view "Play":
  uses entity Play
  mode: view
  section facts "Facts":
    field title
    field cast
  section parts "Parts":
    uses entity Part
    field name
    field actor
