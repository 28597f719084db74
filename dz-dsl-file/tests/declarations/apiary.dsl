app apiary "Apiary log":
  description: "Colonies and what they give"
  timezone: "Europe/Ljubljana"
  theme: amber
  honey_grade: "A"

persona keeper "Beekeeper":
  goals: "see weak colonies early", "plan the harvest"
  proficiency: expert
  default_workspace: yard
persona helper "Helper":
  proficiency: novice

enum Temper ordered:
  calm "Calm"
  nervous "Nervous"
  fierce "Fierce"

entity Apiary "Apiary":
  id: uuid pk
  name: str(80) required unique
  altitude: int
  colonies: has_many Colony cascade
  strong: computed count(colonies where frames >= 8)
  permit:
    list: authenticated
    read: authenticated
    create: role(keeper)
    update: role(keeper)
    delete: role(keeper) and count(colonies) = 0

entity Colony "Colony":
  id: uuid pk
  apiary: belongs_to Apiary required
  mark: str(20) required
  frames: int = 4
  temper: Temper = calm
  queen_born: date
  queen_age: computed days_since(queen_born)
  status: enum[alive, weak, lost, sold] = alive
  visits: has_many Inspection
  transitions:
    alive -> weak
    weak -> alive "Recovered"
    alive, weak -> lost: role(keeper)
    alive -> sold "Sell": role(keeper) requires queen_born
      guard: frames >= 5
      message: "Sell only strong colonies"
    final: sold
    failed: lost
  invariant: frames > 0 or status in [lost, sold]
    message: "A living colony has frames"
    code: NO_FRAMES
  permit:
    list: role(keeper, helper)
    read: role(keeper, helper)
    create: role(keeper)
    update: role(keeper) or role(helper) and temper != fierce
  unique apiary, mark where status in [alive, weak]
  index apiary, queen_born desc

entity Inspection:
  id: uuid pk
  colony: ref Colony required cascade
  at: datetime auto_add
  by: ref User required = current_user
  brood: bool
  varroa: decimal(5,2) = 0
  note: text
  permit:
    list: role(keeper) or by = current_user
    read: role(keeper) or by = current_user
    create: role(keeper, helper)
  audit: [create]

surface colony_list "Colonies":
  uses entity Colony
  mode: list
  section main:
    field mark "Mark"
    field apiary.name "Apiary"
    field frames
    field temper
    field queen_age "Queen, days"
  ux:
    sort: mark asc
    filter: status, temper, apiary
    search: mark, apiary.name
    empty: "No colony yet."
    attention critical:
      when: frames < 3 and status = weak
      message: "About to die"
      action: colony_view
    for helper:
      scope: temper != fierce
      read_only: true

surface colony_view "Colony":
  uses entity Colony
  mode: view
  section main:
    field mark
    field status
  section visits "Inspections":
    uses entity Inspection
    filter: colony = this
    field at
    field varroa
    field by.name

workspace yard "Yard":
  purpose: "The day among the hives"
  weak "Weak colonies":
    source: Colony
    filter: status = weak
    sort: frames asc
    display: queue
    action: colony_view
  numbers:
    display: metrics
    aggregate:
      alive: count(Colony where status = alive)
      mean_varroa: round(avg(Inspection.varroa where brood), 2)
