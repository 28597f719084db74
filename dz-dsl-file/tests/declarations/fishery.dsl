# Fisheries quotas: stocks, vessels, quotas, transfers, landings.
app fish "Fisheries quotas":
  timezone: "Atlantic/Reykjavik"
  theme: green
  description: "Quotas and what was landed"

persona ministry "Ministry"
persona skipper "Skipper"
persona inspector "Inspector"

entity User "User":
  archetype: user
  id: uuid pk
  name: str(80) required
  co_op: ref Cooperative
  permit:
    list: role(ministry)
    read: role(ministry) or id = current_user
    update: role(ministry)
entity Cooperative "Co-operative":
  id: uuid pk
  name: str(80) required unique
  quotas: has_many Quota
  permit:
    list: authenticated
    read: authenticated
    create: role(ministry)
entity Species "Species":
  id: str(3) pk
  name: str(60) required
  latin: str(80)
  minimum_cm: int
  plural: species
  stocks: has_many Stock
  permit:
    list: authenticated
    read: authenticated
    create: role(ministry)
entity Stock "Stock":
  id: uuid pk
  species: ref Species required
  area: str(10) required
  season: int required
  total_tonnes: decimal(12, 3) required
  quotas: has_many Quota
  given: computed coalesce(sum(quotas.tonnes), 0)
  rest: computed total_tonnes - given
  name: computed concat(species.name, " ", area)
  used_share: computed round(sum(quotas.landed) * 100 / nullif(total_tonnes, 0), 1)
  unique species, area, season
  invariant: total_tonnes >= 0
    message: "Not below zero"
  permit:
    list: authenticated
    read: authenticated
    create: role(ministry)
    update: role(ministry)
entity Boat "Boat":
  id: uuid pk
  name: str(60) required searchable
  registration: str(12) required unique
  co_op: ref Cooperative required
  skipper: ref User
  tonnage: float
  lost_on: date
  landings: has_many Landing
  permit:
    list: authenticated
    read: role(ministry, inspector) or skipper = current_user or co_op = current_user.co_op
    create: role(ministry)
    update: role(ministry)
entity Quota "Quota":
  id: uuid pk
  stock: ref Stock required restrict
  co_op: ref Cooperative required
  tonnes: decimal(12, 3) required
  landings: has_many Landing
  landed: computed coalesce(sum(landings.kilos), 0) / 1000
  out: computed coalesce(sum(outgoing.tonnes where state = agreed), 0)
  received: computed coalesce(sum(incoming.tonnes where state = agreed), 0)
  outgoing: has_many Transfer via giver
  incoming: has_many Transfer via taker
  left: computed tonnes - out + received - landed
  label: computed concat(stock.species.name, " / ", co_op.name)
  display_field: label
  unique stock, co_op
  invariant: tonnes >= 0
    message: "A quota is not negative"
  invariant: stock.given <= stock.total_tonnes
    message: "The stock is given away"
    code: STOCK_EXCEEDED
  permit:
    list: role(ministry, inspector) or co_op = current_user.co_op
    read: role(ministry, inspector) or co_op = current_user.co_op
    create: role(ministry)
    update: role(ministry)
entity Transfer "Transfer of quota":
  id: uuid pk
  giver: ref Quota required
  taker: ref Quota required
  tonnes: decimal(12, 3) required
  price: money sensitive
  asked_by: ref User = current_user
  state: enum[offered, agreed, refused] = offered
  invariant: giver != taker and tonnes > 0
    message: "From one quota to another"
  invariant: giver.stock = taker.stock
    message: "Both are of one stock"
  invariant: giver.left >= 0
    message: "The giver has too little"
  invariant: price = null or price >= 0
    message: "Not below zero"
  permit:
    list: role(ministry) or giver.co_op = current_user.co_op or taker.co_op = current_user.co_op
    read: role(ministry) or giver.co_op = current_user.co_op or taker.co_op = current_user.co_op
    create: role(skipper) and giver.co_op = current_user.co_op
    update: giver.co_op = current_user.co_op and state = offered
    transition: role(ministry) or taker.co_op = current_user.co_op
  transitions:
    offered -> agreed "Agree":
      guard: giver.left >= tonnes
      message: "The giver has too little"
    offered -> refused "Refuse": auto after 30 days or manual
    final: agreed
    failed: refused
  graph_edge:
    source: giver
    target: taker
    type: state
    weight: tonnes
entity Landing "Landing":
  id: int pk
  boat: ref Boat required
  quota: ref Quota required
  kilos: int required
  price_per_kilo: money
  landed_at: datetime = now
  harbour: str(60) required
  checked: bool = false
  measured_cm: json = []
  invariant: kilos > 0
    message: "A landing has a weight"
  invariant: quota.left >= 0
    message: "The quota is used up"
    code: QUOTA_USED
  permit:
    list: role(ministry, inspector) or boat.skipper = current_user
    read: role(ministry, inspector) or boat.skipper = current_user
    create: role(skipper) and boat.skipper = current_user
    update: role(inspector)
    delete: role(inspector) and not checked

surface stock_list "Stocks":
  uses entity Stock
  mode: list
  ux:
    sort: season desc, area asc
    filter: species, season, rest
    search: area, species.name
surface stock_view "Stock":
  uses entity Stock
  mode: view
  related quotas "Quotas":
    show: quotas
    columns: co_op, tonnes, landed, left
surface quota_list "Quotas":
  uses entity Quota
  mode: list
  ux:
    sort: left asc
    filter: stock, co_op
    attention critical:
      when: left < 0
      message: "Overfished"
    attention warning:
      when: left < tonnes * 0.1
      message: "Less than a tenth"
surface quota_view "Quota":
  uses entity Quota
  mode: view
  related moves "Transfers":
    show: outgoing, incoming, landings
surface transfer_new "Offer a transfer":
  uses entity Transfer
  mode: create
surface transfer_list "Transfers":
  uses entity Transfer
  mode: list
  ux:
    sort: tonnes desc
    filter: state
surface landing_new "Landing":
  uses entity Landing
  mode: create
surface landing_list "Landings":
  uses entity Landing
  mode: list
  ux:
    sort: landed_at desc
    filter: checked, boat, landed_at, kilos
    search: harbour, boat.name
    for inspector:
      show_aggregate: kilos, checked
      action_primary: landing_check
surface landing_check "Check":
  uses entity Landing
  mode: edit
  section main:
    field checked
workspace sea "Sea":
  flow:
    source: Transfer
    display: graph
  species:
    source: Landing
    display: bar_chart
    group_by: quota.stock.species
    value: kilos
  numbers:
    display: summary
    aggregate:
      tonnes: sum(Landing.kilos) / 1000
      boats: count(Boat where lost_on = null)
      last: max(Landing.landed_at)
demo:
  Species:
    - @cod id: "COD", name: "Cod", latin: "Gadus morhua", minimum_cm: 55
  Cooperative:
    - @north name: "Northern"
    - @south name: "Southern"
  User:
    - @sig email: "sig@fish.example", name: "Sigga", password: "codandchips 44", roles: [skipper], co_op: @north
  Stock:
    - @s species: "COD", area: "27.5a", season: 2027, total_tonnes: 1000
  Quota:
    - @qn stock: @s, co_op: @north, tonnes: 600.5
    - @qs stock: @s, co_op: @south, tonnes: 399.5
  Boat:
    - @b name: "Freyja", registration: "IS-1", co_op: @north, skipper: @sig
  Landing:
    - boat: @b, quota: @qn, kilos: 2300, price_per_kilo: 3.10, price_per_kilo_currency: "EUR", harbour: "Akranes"
