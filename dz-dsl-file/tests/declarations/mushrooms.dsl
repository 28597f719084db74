app fungi "Mushroom records":
  registration: true
  default_locale: cs
persona finder "Finder"
persona mycologist "Mycologist"
entity Taxon "Taxon":
  plural: taxa
  id: slug pk
  latin: str(120) required unique searchable
  edible: enum[edible, inedible, poisonous, deadly] required
  parent: ref Taxon
  children: has_many Taxon via parent
  finds: has_many Find
  found: computed count(finds where status = confirmed)
  permit:
    list: anonymous
    read: anonymous
    create: role(mycologist)
    update: role(mycologist)
entity Find "Find":
  id: uuid pk
  taxon: ref Taxon
  guess: str(120)
  finder: ref User required = current_user
  found_on: date = today
  lat: float required
  lon: float required
  altitude: int
  photo: file(10MB)
  habitat: enum[spruce, beech, oak, meadow] optional
  status: enum[reported, disputed, confirmed, dismissed] = reported
  transitions:
    reported -> confirmed "Confirm": role(mycologist) requires taxon
      guard: finder != current_user
      message: "Somebody else confirms your find"
    reported -> disputed: role(mycologist)
    disputed -> confirmed: role(mycologist)
    reported, disputed -> dismissed: role(mycologist)
    final: confirmed
    failed: dismissed
  invariant: lat >= -90 and lat <= 90 and lon >= -180 and lon <= 180
    message: "Not on this planet"
    code: COORDINATES
  invariant: taxon != null or guess != null
    message: "Name it or guess"
    code: NAMELESS
  permit:
    list: authenticated
    read: authenticated
    create: role(finder, mycologist)
    update: finder = current_user and status = reported or role(mycologist)
    delete: finder = current_user and days_since(found_on) < 3
    transition: role(mycologist)
  audit:
    delete
    transition: role(mycologist)
  index taxon, found_on desc
  index found_on where status = confirmed
surface find_new "Report a find":
  uses entity Find
  mode: create
  section where "Where":
    field lat
    field lon
    field altitude
  section what "What":
    note: "A photo helps."
    field guess
    field habitat widget=radio
    field photo
    field found_on
surface find_list "Finds":
  uses entity Find
  mode: list
  section main:
    field taxon.latin "Taxon"
    field guess
    field found_on
    field status
  action report "Report":
    on click -> surface find_new
  ux:
    purpose: "What grows where"
    sort: found_on desc
    filter: status, habitat, taxon, found_on
    search: guess, taxon.latin
    attention critical:
      when: taxon.edible = deadly
      message: "Deadly"
    for finder:
      scope: finder = current_user or status = confirmed
workspace forest "Forest":
  open_finds "To confirm":
    source: Find
    filter: status in [reported, disputed]
    sort: found_on asc
    display: queue
    action: find_list
  seasons:
    source: Find
    display: heatmap
    group_by: [habitat, bucket(found_on, month)]
  tree:
    source: Taxon
    display: tree
