app depot "Parcel depot":
  timezone: "Europe/Zurich"

persona clerk "Clerk"
persona driver "Driver"

entity User "User":
  archetype: user
  ident: uuid pk
  home: ref Depot
  permit:
    list: role(clerk)
    read: role(clerk) or ident = current_user
    update: role(clerk)

entity Depot "Depot":
  code: str(8) pk
  name: str(40) required searchable
  parent: ref Depot
  parcels: has_many Parcel restrict
  vans: has_many Van via Tour
  load: computed count(parcels)
  permit:
    list: authenticated
    read: authenticated
    create: role(clerk)
    update: role(clerk)
    delete: role(clerk)

entity Parcel "Parcel":
  no: int pk
  depot: ref Depot required
  carrier: ref User = current_user
  weight: decimal(24, 6) required
  insured: money(CHF)
  fee: money
  state: enum[new, "on the way", delivered, lost] = new
  receipt: file(2KB)
  scans: has_many Scan cascade
  transitions:
    new -> "on the way": role(driver, clerk)
    "on the way" -> delivered: role(driver) requires insured
    "on the way" -> lost
    failed: lost
  invariant: depot.load <= 60
    message: "The depot is full"
    code: DEPOT_FULL
  permit:
    list: role(clerk) or depot = current_user.home
    read: role(clerk) or depot = current_user.home
    create: role(clerk) or depot = current_user.home
    update: role(clerk) or depot = current_user.home
    delete: role(clerk)
  audit:
    update: depot.name = "North" or carrier = current_user
    list: weight > 5

entity Scan "Scan":
  id: uuid pk
  parcel: ref Parcel required cascade
  place: ref Depot nullify
  at: datetime = now
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    delete: role(clerk)

entity Claim "Claim":
  intent: "What a customer says about a damaged parcel"
  id: uuid pk
  parcel: ref Parcel required cascade
  photo: file(4KB) required
  sign: file(1KB) sensitive
  letter: file
  settled: bool = false
  number: str(20)
  date: date
  soft_delete
  invariant: letter != null or not settled
    message: "What is settled has a letter"
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: role(clerk) or letter = null
    delete: role(clerk)
    restore: role(clerk)
  audit:
    read: photo != null

entity Event "Event":
  code: str(12) pk
  plan: file(1KB)
  permit:
    list: authenticated
    read: authenticated
    create: role(clerk)
    update: role(clerk)
    delete: role(clerk)

entity Van "Van":
  plate: slug pk
  seats: int = 2
  permit:
    list: authenticated
    read: authenticated
    create: role(clerk)
    update: role(clerk)
    delete: role(clerk)

entity Tour "Tour":
  id: int pk
  depot: ref Depot required
  van: ref Van required
  unique depot, van
  permit:
    list: authenticated
    read: authenticated
    create: role(clerk)
    delete: role(clerk)

entity Hub "Hub":
  id: uuid pk
  name: str(40) required
  graph_node:
    edges: Road
    display: name
  permit:
    list: authenticated
    read: role(clerk) or name != "Closed"
    create: role(clerk)
    update: role(clerk)
    delete: role(clerk)

entity Road "Road":
  id: uuid pk
  start: ref Hub required cascade
  end: ref Hub required cascade
  kind: enum[street, rail] = street
  length: decimal(8, 2)
  graph_edge:
    source: start
    target: end
    type: kind
    weight: length
  permit:
    list: authenticated
    read: authenticated
    create: role(clerk)
    delete: role(clerk)

surface parcel_list "Parcels":
  uses entity Parcel
  mode: list
  section main:
    field no
    field depot.name
    field weight
  ux:
    sort: weight desc

surface depot_list "Depots":
  uses entity Depot
  mode: list
  ux:
    search: name, code

demo:
  Depot:
    - @n code: "N1", name: "North"
    - @s code: "S 1/x", name: "South", parent: @n
  User:
    - @kim email: "kim@depot.example", name: "Kim", password: "stamps and brown paper", roles: [clerk, admin], home: @n
    - @dan email: "dan@depot.example", name: "Dan", password: "vans at six o clock", roles: [driver], home: @s
  Parcel:
    - depot: @n, carrier: @kim, weight: 1.5, insured: 20, fee: 3.5, fee_currency: "EUR"
    - depot: @s, carrier: @dan, weight: 123456789012345678.000001, state: "on the way", insured: 1, fee: 900, fee_currency: "JPY"
    - depot: @s, weight: 7, carrier: @dan
  Van:
    - @v plate: "zh-1"
  Tour:
    - depot: @n, van: @v
  Hub:
    - @h1 name: "Harbour"
    - @h2 name: "Hill"
    - @h3 name: "Mill"
    - @h4 name: "Closed"
    - @h5 name: "Field"
    - name: "Island"
  Road:
    - start: @h1, end: @h2, length: 3.5
    - start: @h2, end: @h3, kind: rail, length: 2
    - start: @h3, end: @h1
    - start: @h3, end: @h4, length: 1
    - start: @h4, end: @h5, kind: rail
    - start: @h5, end: @h5, length: 0.25
    - start: @h1, end: @h2, kind: rail, length: 9
