# Choirs of a federation: members, concerts, rehearsals, scores on loan.
app choirs "Choir federation":
  multi_tenant: true
  registration: true
  default_locale: de
  timezone: "Europe/Berlin"
  currency: EUR
  theme: pink

persona conductor "Conductor"
persona singer "Singer":
  default_workspace: stage
persona treasurer "Treasurer"

enum Voice ordered "Voice":
  soprano
  alto
  tenor
  bass

archetype Titled:
  title: str(120) required searchable
  opus: str(20)
  created_at: datetime auto_add
  unique title, opus

entity Choir "Choir":
  archetype: tenant
  id: uuid pk
  name: str(80) required
  city: str(60)
  founded: int
entity Person "Person":
  archetype: user
  id: uuid pk
  name: str(80) required
  phone: str(30) sensitive
  seats: has_many Seat via user
  permit:
    list: authenticated
    read: authenticated
    update: id = current_user
entity Seat "Seat in a choir":
  archetype: user_membership
  id: uuid pk
  voice: Voice = alto
entity HouseRules "House rules":
  archetype: tenant_settings
  id: uuid pk
  fee: money = 12
  absence_limit: int = 3
entity Federation "Federation":
  archetype: settings
  id: uuid pk
  banner: str(120) = "Sing!"

entity Piece "Piece of music":
  extends: Titled
  id: uuid pk
  opus: str(40)
  composer: str(80) required searchable
  copies: int = 0
  minutes: decimal(4, 1)
  score: file(5MB)
  concerts: has_many Concert via Programme
  follows: has_many Piece via Sequel.earlier
  lent: computed count(loans where returned_on = null)
  loans: has_many ScoreLoan
  free_copies: computed copies - lent
  invariant: copies >= 0
    message: "Copies are counted"
  permit:
    list: authenticated
    read: authenticated
    create: role(conductor)
    update: role(conductor)
    delete: role(conductor)

entity Sequel "Order of pieces":
  id: uuid pk
  earlier: ref Piece required cascade
  later: ref Piece required cascade
  reason: str(80)
  unique earlier, later
  invariant: earlier != later
    message: "A piece does not follow itself"
  permit:
    list: authenticated
    read: authenticated
    create: role(conductor)
    delete: role(conductor)

entity Concert "Concert":
  id: uuid pk
  title: str(120) required
  starts_at: datetime required
  place: str(120)
  seats: int = 0
  price: money = 0
  state: enum[planned, announced, sung, cancelled] = planned
  pieces: has_many Piece via Programme
  tickets: has_many Ticket
  sold: computed coalesce(sum(tickets.count where not refunded), 0)
  income: computed sold * price
  full: computed sold >= seats
  duration: computed sum(programme.minutes)
  programme: has_many Programme
  permit:
    list: authenticated
    read: authenticated
    create: role(conductor, treasurer)
    update: role(conductor, treasurer)
  transitions:
    planned -> announced "Announce": role(conductor)
      guard: count(programme) > 0 and starts_at > now
    announced -> sung "Sung": auto after 2 months or manual or role(conductor)
    planned, announced -> cancelled "Cancel": role(conductor)
    final: sung
    failed: cancelled

entity Programme "Programme item":
  id: uuid pk
  concert: ref Concert required cascade
  piece: ref Piece required restrict
  position: int = 1
  minutes: decimal(4, 1) = 3
  encore: bool = false
  unique concert, position
  unique concert, piece where not encore
  permit:
    list: authenticated
    read: authenticated
    create: role(conductor)
    update: role(conductor)
    delete: role(conductor)

entity Ticket "Ticket order":
  id: uuid pk
  concert: ref Concert required
  buyer: email required
  count: int = 1
  refunded: bool = false
  invariant: count > 0
    message: "At least one"
  invariant: concert.sold <= concert.seats
    message: "The concert is sold out"
    code: SOLD_OUT
  permit:
    list: role(treasurer)
    read: role(treasurer)
    create: authenticated
    update: role(treasurer)

entity Rehearsal "Rehearsal":
  id: uuid pk
  day: date required
  note: text
  attendance: has_many Attendance
  present: computed count(attendance where here)
  share: computed round(present * 100 / nullif(count(attendance), 0), 1)
  unique day
  permit:
    list: authenticated
    read: authenticated
    create: role(conductor)
    update: role(conductor)

entity Attendance "Attendance":
  id: uuid pk
  rehearsal: ref Rehearsal required cascade
  singer: ref Person required = current_user
  here: bool = true
  excuse: str(120)
  unique rehearsal, singer
  invariant: here or excuse != null
    message: "An absence has an excuse"
  permit:
    list: role(conductor) or singer = current_user
    read: role(conductor) or singer = current_user
    create: role(conductor) or singer = current_user
    update: role(conductor) or (singer = current_user and rehearsal.day >= today)

entity ScoreLoan "Loan of a score":
  id: uuid pk
  piece: belongs_to Piece required
  borrower: ref Person required
  lent_on: date = today
  due_on: date = today + 3 months
  returned_on: date
  overdue_days: computed if returned_on = null and due_on < today: days_since(due_on) else: 0
  unique piece, borrower where returned_on = null
  permit:
    list: role(conductor) or borrower = current_user
    read: role(conductor) or borrower = current_user
    create: role(conductor)
    update: role(conductor)

surface concert_list "Concerts":
  uses entity Concert
  mode: list
  ux:
    sort: starts_at desc
    filter: state, starts_at, full
    search: title, place
    show: title, starts_at, sold, seats, income
    for treasurer:
      show_aggregate: sold, income, full
    for singer:
      hide: income
      scope: state in [announced, sung]
surface concert_view "Concert":
  uses entity Concert
  mode: view
  section main:
    field title
    field starts_at format: long
    field duration format: integer
  section songs "Programme":
    uses entity Programme
    field position
    field piece.title "Piece"
    field piece.composer "Composer"
  related tickets "Tickets":
    show: tickets
    columns: buyer, count, refunded
    display: grid
surface concert_new "New concert":
  uses entity Concert
  mode: create
surface loan_list "Scores on loan":
  uses entity ScoreLoan
  mode: list
  priority: low
  ux:
    sort: due_on asc
    filter: borrower, piece, due_on
    attention warning:
      when: overdue_days > 0
      message: "Overdue"
workspace stage "Stage":
  access: authenticated
  coming "Next concerts":
    source: Concert
    filter: state = announced and starts_at >= now
    sort: starts_at asc
    limit: 5
    display: timeline
    action: concert_view
  mine "My attendance":
    source: Attendance
    filter: singer = current_user
    display: activity_feed
    date_field: rehearsal.day
  money "Income":
    source: Concert
    display: area_chart
    group_by: bucket(starts_at, quarter)
    value: income
  numbers:
    display: metrics
    aggregate:
      concerts: count(Concert where state != cancelled)
      tickets: sum(Ticket.count where not refunded)
      each: round(tickets / nullif(concerts, 0), 1)
  ux:
    for treasurer, conductor:
      focus: money
      show_aggregate: numbers.tickets
    for singer:
      hide: money

demo:
  Choir:
    - @river name: "River choir", city: "Bonn", founded: 1951
    - @hill name: "Hill choir"
  Person:
    - @mia email: "mia@choir.example", name: "Mia", password: "mezzo forte 12"
    - @tom email: "tom@choir.example", name: "Tom", password: "basso profondo"
  Seat:
    - choir: @river, user: @mia, personas: [conductor, treasurer], accepted_at: now
    - choir: @river, user: @tom, personas: [singer], accepted_at: now, voice: bass
  Piece:
    - @ave choir: @river, title: "Ave verum", opus: "KV 618", composer: "Mozart", copies: 30
  Concert:
    - @may choir: @river, title: "May concert", starts_at: "2027-05-01T18:00:00Z", seats: 200, price: 15
  Programme:
    - choir: @river, concert: @may, piece: @ave, minutes: 4.5
  ScoreLoan:
    - choir: @river, piece: @ave, borrower: @tom
