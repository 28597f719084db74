app gym "Iron Yard"

persona trainer "Trainer"
persona manager "Manager"

archetype Stamped:
  created_at: datetime auto_add
  updated_at: datetime auto_update

entity User "Person":
  id: uuid pk
  name: str(80)
  plan: ref Plan
  permit:
    list: role(trainer, manager)
    read: role(trainer, manager) or id = current_user
    create: role(manager)
    update: role(manager) or id = current_user

entity Plan "Plan":
  id: uuid pk
  name: str(20) required unique
  monthly: money(EUR) required
  sauna: bool = false
  members: has_many User
  earned: computed monthly * count(members)
  permit:
    list: anonymous
    read: anonymous
    create: role(manager)
    update: role(manager)
    delete: role(manager)

entity Course "Course":
  extends: Stamped
  id: uuid pk
  code: str(3) required unique
  weekday: enum[mo, tu, we, th, fr] = mo
  trainer: ref User
  seats: int = 8
  bookings: has_many Booking
  free: computed seats - count(bookings where cancelled = false)
  invariant: seats > 0
  permit:
    list: authenticated
    read: authenticated
    create: role(manager)
    update: role(manager) or trainer = current_user
    delete: role(manager) and count(bookings) = 0
  forbid:
    update: free < 0

entity Booking "Booking":
  extends: Stamped
  id: int pk
  course: belongs_to Course required cascade
  person: ref User required
  day: date required
  cancelled: bool = false
  unique course, person, day
  permit:
    list: role(trainer, manager) or person = current_user
    read: role(manager) or person = current_user or course.trainer = current_user
    create: person = current_user or role(manager)
    update: (person = current_user and day > today) or role(manager)
    delete: role(manager)

entity Machine "Machine":
  id: slug pk
  bought: date
  maintained: date
  wear: float
  due: computed maintained = null or days_since(maintained) > 3
  state: enum[running, broken, gone] = running
  transitions:
    running -> broken
    broken -> running: role(manager) requires maintained
      guard: maintained >= today - 4d
    [running, broken] -> gone: role(manager)
  permit:
    list: authenticated
    read: role(trainer, manager)
    create: role(manager)
    update: role(manager)
    transition: role(trainer, manager)
    delete: role(manager) and state = gone

entity Measure "Measurement":
  id: uuid pk
  person: ref User required
  weight: decimal(4,1) required sensitive
  pulse: int
  taken_at: datetime auto_add
  permit:
    list: person = current_user or role(trainer)
    read: person = current_user or (role(trainer) and person.plan.sauna)
    create: person = current_user
    update: person = current_user
    delete: person = current_user
  forbid:
    read: pulse > 6 and not role(trainer) and person != current_user

surface course_list "Courses":
  uses entity Course
  mode: list
  ux:
    sort: weekday asc, code asc
    filter: weekday, trainer
    search: code, trainer.name

surface course_view "Course":
  uses entity Course
  mode: view
  section facts "Facts":
    field code
    field trainer
    field free
  section bookings "Bookings":
    uses entity Booking
    filter: cancelled = false
    field person
    field day

surface booking_edit "Change a booking":
  uses entity Booking
  mode: edit

surface machine_view "Machine":
  uses entity Machine
  mode: view

surface measure_list "Measurements":
  uses entity Measure
  mode: list
