app vineyard:
  currency: EUR
  timezone: "Europe/Rome"

persona vintner
persona picker
persona buyer "Buyer"

archetype Measured "Measured":
  measured_at: datetime auto_add
  brix: decimal(4,1)
  ph: decimal(3,2)
  invariant: brix = null or brix < 40
    message: "Too sweet to be true"
    code: BRIX
  index measured_at desc

entity Parcel "Parcel of vines":
  intent: "One field with one grape"
  domain: growing
  patterns: place, season
  id: uuid pk
  name: str(50) required
  grape: enum[nebbiolo, barbera, dolcetto, arneis] required
  hectares: decimal(5,2) required
  planted: int required
  slope: enum[north, east, south, west]
  vines_per_ha: int = 4500
  vines: computed round(hectares * vines_per_ha)
  samples: has_many Sample
  latest_brix: computed max(samples.brix)
  ripe: computed coalesce(latest_brix, 0) >= 22.5
  access:
    read: role(vintner, picker)
    write: role(vintner)

entity Sample "Sample":
  extends: Measured
  id: uuid pk
  parcel: belongs_to Parcel required cascade
  taken_by: ref User = current_user
  taste: str(200)
  permit:
    list: role(vintner) or taken_by = current_user
    read: role(vintner) or taken_by = current_user
    create: role(vintner, picker)
    delete: taken_by = current_user and days_since(measured_at) < 1

entity Barrel "Barrel":
  id: str(12) pk
  parcel: ref Parcel required
  vintage: int required
  litres: decimal(6,1) = 225
  price: money(EUR) required
  filled: date required
  months_in_wood: computed days_since(filled) / 30
  state: enum[fermenting, maturing, blended, bottled, spoiled] = fermenting
  buyer: ref User
  transitions:
    fermenting -> maturing "Rack"
    maturing -> blended
    blended -> bottled: role(vintner) requires buyer
    maturing -> bottled: role(vintner)
      guard: days_since(filled) > 360
    fermenting, maturing, blended -> spoiled "Spoil": role(vintner)
    final: bottled
    failed: spoiled
  permit:
    list: role(vintner) or buyer = current_user
    read: role(vintner) or buyer = current_user
    create: role(vintner)
    update: role(vintner)
  unique parcel, vintage, filled

surface barrel_list "Barrels":
  uses entity Barrel
  mode: list
  section main:
    field id "Barrel"
    field parcel.name
    field vintage
    field state format: badge
    field price
  ux:
    sort: vintage desc, filled asc
    filter: state, vintage, parcel
    search: id, parcel.name
    for buyer:
      hide: litres
      purpose: "Your barrels"
      show_aggregate: litres
    for vintner:
      action_primary: barrel_new

surface barrel_new "Fill a barrel":
  uses entity Barrel
  mode: create
  section main:
    field id
    field parcel
    field vintage
    field litres
    field price
    field filled
  ux:
    for vintner:
      defaults:
        vintage: 2026
        filled: today

workspace cellar "Cellar":
  purpose: "What matures"
  ux:
    purpose: "Barrels by state"
    for vintner:
      focus: board
  board "Board":
    source: Barrel
    display: kanban
    group_by: state
    title: parcel.name
    action: barrel_list
  flow "Flow":
    source: Barrel
    display: funnel
  both "Fields and samples":
    source: [Parcel, Sample]
    limit: 10
  earnings:
    source: Barrel
    display: pie_chart
    group_by: parcel
    value: litres
    aggregate:
      litres: sum(Barrel.litres)
