app organ_builders "Organ builders":
  timezone: "Europe/Amsterdam"
  currency: EUR
persona builder "Builder":
  goals:
    - keep every pipe accounted for
persona parish "Parish"
enum Pitch ordered:
  sixteen "16'"
  eight "8'"
  four "4'"
entity Organ "Organ":
  id: uuid pk
  church: str(120) required searchable
  town: str(80)
  year: int
  contact: ref User
  ranks: has_many Rank cascade
  pipes: computed sum(ranks.pipe_count)
  status: enum[playable, dismantled, restored, scrapped] = playable
  transitions:
    playable -> dismantled "Dismantle": role(builder)
    dismantled -> restored "Reassemble": role(builder)
      guard: all(ranks where cleaned)
      message: "Clean every rank first"
    dismantled -> scrapped: role(builder)
    final: restored
    failed: scrapped
  permit:
    list: role(builder) or contact = current_user
    read: role(builder) or contact = current_user
    create: role(builder)
    update: role(builder)
  index town
entity Rank "Rank of pipes":
  id: uuid pk
  organ: belongs_to Organ required
  name: str(40) required
  pitch: Pitch = eight
  pipe_count: int = 56
  cleaned: bool = false
  metal: enum[tin, lead, wood] = tin
  invariant: pipe_count > 0 and pipe_count <= 61
    message: "A rank has 1 to 61 pipes"
    code: PIPES
  permit:
    list: role(builder)
    read: role(builder)
    create: role(builder)
    update: role(builder)
  unique organ, name
surface organ_list "Organs":
  uses entity Organ
  mode: list
  section main:
    field church
    field town
    field pipes format: integer
  ux:
    sort: church asc
    filter: status, town
    search: church, town
    attention notice:
      when: status = dismantled
      message: "In the workshop"
surface organ_view:
  uses entity Organ
  mode: view
  section main:
    field church
    field status
  section ranks "Ranks":
    uses entity Rank
    filter: organ = this and pitch >= eight
    field name
    field pitch
workspace shop "Workshop":
  purpose: "What lies on the benches"
  benches:
    source: Organ
    filter: status = dismantled
    sort: year asc
    action: organ_view
    empty: "The benches are free."
  by_metal:
    source: Rank
    display: pie_chart
    group_by: metal
    value: pipe_count
