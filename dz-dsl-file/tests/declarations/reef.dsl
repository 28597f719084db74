app reef "Coral nursery":
  timezone: "Pacific/Palau"

entity Species "Coral species":
  plural: coral_species
  id: uuid pk
  name: str(80) required unique
  growth_cm_per_year: decimal(5,2) = 1.5
  permit:
    list: authenticated
    read: authenticated
    create: role(biologist)

entity Frame "Nursery frame":
  id: uuid pk
  tag: str(12) required unique
  depth: decimal(4,1) required
  lat: float
  lon: float
  capacity: int = 40
  fragments: has_many Fragment restrict
  alive: computed count(fragments where state = growing)
  free: computed capacity - alive
  full: computed free <= 0
  last_check: computed max(checks.on)
  checks: has_many Check
  permit:
    list: role(biologist, volunteer)
    read: role(biologist, volunteer)
    create: role(biologist)
    update: role(biologist)

entity Fragment:
  id: uuid pk
  frame: belongs_to Frame required
  species: ref Species required
  length_cm: decimal(5,1) = 3
  fixed_on: date = today
  state: enum[growing, outplanted, bleached, dead] = growing
  donor: ref Fragment nullify
  clones: has_many Fragment via donor
  age: computed days_since(fixed_on)
  transitions:
    growing -> outplanted "Plant out": role(biologist)
      guard: length_cm >= 8 and not frame.full
    growing -> bleached
    bleached -> growing "Recovered"
    growing, bleached -> dead
    final: outplanted
    failed: dead
  permit:
    list: role(biologist, volunteer)
    read: role(biologist, volunteer)
    create: role(biologist, volunteer) and frame.full = false
    update: role(biologist)
    transition: role(biologist, volunteer)
  invariant: length_cm > 0 and length_cm < 200
    message: "A length in centimetres"
    code: LENGTH

entity Check "Inspection dive":
  id: uuid pk
  frame: ref Frame required
  on: date = today
  diver: ref User = current_user required
  water: decimal(4,1)
  photos: file(50MB)
  algae: int
  permit:
    list: role(biologist) or diver = current_user
    read: role(biologist) or diver = current_user
    create: role(biologist, volunteer)
    update: diver = current_user and days_since(on) <= 7
  forbid:
    create: current_user.is_active = false
  unique frame, on, diver

surface frame_view "Frame":
  uses entity Frame
  mode: view
  section facts "Facts":
    field tag
    field depth
    field free "Free places"
    field last_check
  section fragments "Fragments":
    uses entity Fragment
    filter: frame = this and state != dead
    field species.name
    field length_cm format: integer
    field age
  related checks "Dives":
    show: checks
    display: table
    columns: on, water, algae

surface frame_list:
  uses entity Frame
  mode: list
  ux:
    purpose: "Frames and their free places"
    sort: tag asc
    search: tag
    filter: depth
    attention warning:
      when: full
      message: "Full"
      action: frame_view

surface check_new "Log a dive":
  uses entity Check
  mode: create
  section main:
    field frame
    field water
    field algae widget=range
    field photos
  action done: on submit -> surface frame_list

workspace lagoon "Lagoon":
  frames:
    source: Frame
    display: table
    action: frame_view
  growth:
    source: Fragment
    display: area_chart
    group_by: bucket(fixed_on, month)
    value: length_cm
  progress "Planting":
    source: Fragment
    display: progress
