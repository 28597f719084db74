app falconry "Falconry":
  registration: true
  description: """
    Birds, "weights" and flights.
  """
persona falconer "Falconer"
persona vet "Veterinarian"
persona guest

entity Bird "Bird of prey":
  id: uuid pk
  name: str(40) required
  ring: str(16) required unique
  kind: enum[peregrine, saker, "harris hawk", goshawk] required
  hatched: date required
  flying_weight: int required
  sex: enum[male, female, unknown] = unknown
  keeper: ref User = current_user
  weights: has_many Weighing cascade
  flights: has_many Flight
  last_weight: computed min(weights.grams where on = today)
  fit: computed last_weight <= flying_weight * 1.05
  notes: text sensitive
  plural: birds
  display_field: name
  permit:
    list: role(falconer, vet)
    read: role(falconer, vet) or keeper = current_user
    create: role(falconer)
    update: keeper = current_user or role(vet)
    delete: keeper = current_user and count(flights) = 0
    lend: role(falconer)
  audit: [lend, delete]

entity Weighing:
  id: uuid pk
  bird: belongs_to Bird required
  on: date = today
  grams: int required
  by: ref User = current_user
  invariant: grams > 80 and grams < 8_000
    message: "In grams"
    code: GRAMS
  permit:
    list: role(falconer, vet)
    read: role(falconer, vet)
    create: role(falconer)
  unique bird, on

entity Flight:
  id: uuid pk
  bird: ref Bird required
  started: datetime = now
  ended: datetime
  length: computed minutes_since(started)
  quarry: str(40)
  outcome: enum[open, caught, missed, lost] = open
  transitions:
    open -> caught: requires quarry, ended
    open -> missed: requires ended
    open -> lost: auto after 3 days or manual
    lost -> missed "Found again": role(falconer)
    final: caught, missed
    failed: lost
  permit:
    list: role(falconer)
    read: role(falconer)
    create: role(falconer) and bird.keeper = current_user
    update: bird.keeper = current_user
  index started desc

service weather "Weather":
  kind: validation
  input:
    at: datetime required
    place: str(60) = "Moor"
  output:
    wind: decimal(4,1) required
    ok: bool required
  stub: rust

process lost_bird "A bird is lost":
  trigger: entity Flight outcome -> lost
  timeout: 14 days
  input:
    reason: str(80)
  output:
    wind: decimal(4,1) = look.wind
  steps:
    - step look:
        service: weather
        inputs: trigger.entity.started -> at
        timeout: 30s
        on_failure: search
    - step windy:
        condition: look.wind > 40
        on_true: search
        on_false: tell
    - step search:
        wait: signal bird_seen
        timeout: 7 days
    - step tell:
        effects:
          - create Weighing:
              bird: trigger.entity.bird
              grams: 900
              by: trigger.entity.bird.keeper
          - emit search_over
        compensate: undo
  compensations:
    - undo:
        effects:
          - delete Weighing:
              where: bird = trigger.entity.bird and on = today

surface bird_list "Birds":
  uses entity Bird
  mode: list
  section main:
    field name
    field kind
    field fit format: yes_no
    field hatched format: year
  ux:
    sort: name asc
    filter: kind, sex, keeper
    search: name, ring
    for guest:
      read_only: true
      hide: keeper
    for vet:
      show: name, last_weight, fit

workspace mews "Mews":
  purpose: "Birds of the day"
  access: persona(falconer, vet)
  unfit "Not to fly":
    source: Bird
    filter: keeper = current_user
    action: bird_list
  flights "Flights":
    source: Flight
    group_by: outcome
    display: bar_chart
  sums:
    aggregate:
      caught: count(Flight where outcome = caught)
      lost: count(Flight where outcome = lost)
      ratio: round(caught * 100 / nullif(caught + lost, 0), 1)
