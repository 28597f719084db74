app planetarium:
  theme: violet
persona presenter
persona cashier
archetype Titled:
  title: str(80) required searchable
  blurb: text
entity Film:
  extends: Titled
  id: slug pk
  minutes: int required
  min_age: int = 6
  trailer: url
  shows: has_many Screening
  permit:
    list: anonymous
    read: anonymous
    create: role(presenter)
    update: role(presenter)
entity Screening "Screening":
  id: uuid pk
  film: ref Film required restrict
  starts: datetime required
  dome_seats: int = 120
  presenter: ref User
  bookings: has_many Booking
  sold: computed coalesce(sum(bookings.seats), 0)
  free: computed dome_seats - sold
  phase: enum[scheduled, running, over, cancelled] = scheduled
  transitions:
    scheduled -> running: role(presenter) requires presenter
    running -> over
    scheduled -> cancelled: role(presenter, cashier)
    final: over
    failed: cancelled
  permit:
    list: anonymous
    read: anonymous
    create: role(presenter)
    update: role(presenter)
    transition: role(presenter, cashier)
  unique film, starts where phase in [scheduled, running]
  index starts desc
entity Booking:
  id: int pk
  screening: belongs_to Screening required
  holder: str(80) required
  seats: int = 2
  mail: email
  paid: bool = false
  made_at: datetime auto_add
  invariant: seats > 0 and seats < 11
    message: "One to ten seats"
    code: SEATS
  permit:
    list: role(cashier)
    read: role(cashier)
    create: role(cashier) and screening.phase = scheduled
    update: role(cashier)
    delete: role(cashier) and not paid
surface programme "Programme":
  uses entity Screening
  mode: list
  access: public
  section main:
    field film.title "Film"
    field starts format: long
    field free
  ux:
    sort: starts asc
    filter: film, phase
    search: film.title
    empty: "The dome is dark."
    as cashier:
      action_primary: sell
surface sell "Sell":
  uses entity Booking
  mode: create
  section main:
    field screening
    field holder
    field seats widget=number
    field mail
    field paid widget=switch
  action more:
    on submit -> surface sell
workspace foyer:
  tonight "Tonight":
    source: Screening
    filter: date(starts) = today and phase = scheduled
    sort: starts asc
    display: timeline
    date_field: starts
    action: programme
  takings:
    aggregate:
      seats: sum(Booking.seats where paid)
      mean: round(avg(Booking.seats), 1)
demo:
  Film:
    - @stars id: "stars", title: "Stars", minutes: 45
  Screening:
    - @tonight film: @stars, starts: now + 3h
  Booking:
    - screening: @tonight, holder: "Ida", seats: 4, paid: true
