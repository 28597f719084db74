app kennel "Sled dogs":
  timezone: "Europe/Oslo"

persona musher "Musher"
persona handler "Handler"

archetype Named:
  name: str(40) required searchable
  index name

archetype Dated:
  created_at: datetime auto_add
  updated_at: datetime auto_update

entity Dog "Dog":
  extends: Named, Dated
  id: uuid pk
  sire: ref Dog
  dam: ref Dog
  pups_as_sire: has_many Dog via sire
  position: enum[lead, swing, team, wheel] = team
  kg: decimal(4,1)
  born: date
  chip: str(15) unique?
  retired: bool = false
  runs: has_many Start
  km: computed sum(runs.km)
  permit:
    list: role(musher, handler)
    read: role(musher, handler)
    create: role(musher)
    update: role(musher) or role(handler) and retired = false

entity Race:
  extends: Named
  id: uuid pk
  starts: date required
  ends: date
  km: int required
  site: url
  temporal:
    start: starts
    end: ends
  starters: has_many Start
  has_lead: computed any(starters where dog.position = lead)
  permit:
    list: authenticated
    read: authenticated
    create: role(musher)
    update: role(musher)
  invariant: ends is null or ends >= starts
    message: "Ends after it starts"
    code: RACE_DATES

entity Start:
  id: uuid pk
  race: belongs_to Race required cascade
  dog: belongs_to Dog required restrict
  km: int = 0
  result: enum[entered, finished, dropped, scratched] = entered
  reason: str(200)
  transitions:
    entered -> finished: role(musher)
      guard: km >= race.km
    entered -> dropped "Drop": role(handler) requires reason
    entered -> scratched: role(musher), requires reason
    final: finished
    failed: dropped, scratched
  permit:
    list: role(musher, handler)
    read: role(musher, handler)
    create: role(musher)
    update: role(musher, handler)
  unique race, dog

surface dog_list "Dogs":
  uses entity Dog
  mode: list
  section main:
    field name
    field position
    field kg
    field km format: compact
    field sire.name "Sire"
  ux:
    sort: name asc
    filter: position, retired
    search: name, chip
    attention notice:
      when: chip = null
      message: "No chip"

surface race_view "Race":
  uses entity Race
  mode: view
  section main:
    field name
    field site format: link
  section team "Team":
    uses entity Start
    filter: race = this
    field dog.name
    field result
    field km

workspace trail "Trail":
  next_races:
    source: Race
    filter: starts >= today
    sort: starts asc
    display: list
    limit: 5
    action: race_view
  pedigree "Pedigree":
    source: Dog
    display: tree
    group_by: sire
  table:
    source: Start
    display: table
    filter: result = entered
    action: race_view

llm_model tiny:
  provider: local
  model_id: "phi-3"
  base_url: "http://127.0.0.1:8000/v1"

llm_intent describe "Describe a dog":
  model: tiny
  prompt: "Describe {{ input.dog.name }} in one sentence"
  input:
    dog: ref Dog required
  retry:
    max_attempts: 2
    backoff: fixed
    interval: 10s

process portrait "Portrait":
  trigger: manual role(musher)
  input:
    dog: ref Dog required
  steps:
    - step write:
        llm_intent: describe
        inputs: input.dog -> dog
        output: prose
    - step check:
        condition: contains(prose.text, "dog")
        on_true: complete
        on_false: fail
