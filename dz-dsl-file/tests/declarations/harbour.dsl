# Berths of a container port.
app port "Container port":
  timezone: "Europe/Amsterdam"
  theme: teal

persona harbour "Harbour master"
persona pilot "Pilot"
persona agent "Shipping agent"
persona crane "Crane driver"

entity User "User":
  archetype: user
  id: uuid pk
  name: str(80) required
  company: ref Line
  permit:
    list: role(harbour)
    read: role(harbour) or id = current_user

entity Line "Shipping line":
  id: uuid pk
  name: str(80) required unique
  scac: str(4) required unique
  parent: ref Line
  vessels: has_many Vessel
  invariant: length(scac) = 4 and scac = upper(scac)
    message: "Four capital letters"
  permit:
    list: authenticated
    read: authenticated
    create: role(harbour)
    update: role(harbour)

entity Vessel "Vessel":
  id: uuid pk
  imo: int required unique
  name: str(60) required searchable
  line: ref Line required
  length_m: decimal(6, 2) required
  draught_m: decimal(4, 2) required
  teu: int = 0
  flag: str(2) = "NL"
  picture: file(3MB)
  calls: has_many Call
  last_call: computed max(calls.arrives where state = sailed)
  permit:
    list: role(harbour, pilot, crane) or line = current_user.company
    read: role(harbour, pilot, crane) or line = current_user.company
    create: role(harbour) or (role(agent) and line = current_user.company)
    update: role(harbour)

entity Quay "Quay":
  id: slug pk
  name: str(60) required
  depth_m: decimal(4, 2) required
  metres: int required
  closed: bool = false
  within: ref Quay
  permit:
    list: authenticated
    read: authenticated
    create: role(harbour)
    update: role(harbour)

entity Call "Port call":
  id: uuid pk
  number: int
  vessel: ref Vessel required
  quay: ref Quay
  arrives: datetime required
  departs: datetime required
  bollard_from: int
  bollard_to: int
  pilot: ref User
  dangerous: bool = false
  moves: int = 0
  fee: decimal(12, 2)
  state: enum[announced, accepted, berthed, sailed, "turned away"] = announced
  lifts: has_many Lift
  done: computed sum(lifts.boxes)
  percent: computed done * 100 / nullif(moves, 0)
  late: computed state = announced and arrives < now
  hours_alongside: computed hours_since(arrives)
  month_no: computed month(arrives)
  label: computed concat(vessel.name, " at ", coalesce(quay.name, "sea"))
  display_field: label
  permit:
    list: role(harbour, pilot, crane) or vessel.line = current_user.company
    read: role(harbour, pilot, crane) or vessel.line = current_user.company
    create: role(harbour) or (role(agent) and vessel.line = current_user.company)
    update: role(harbour) or (role(agent) and vessel.line = current_user.company and state = announced)
    transition: role(harbour, pilot, agent)
  forbid:
    update: departs < now - 30d
    transition: state = announced and not role(harbour) and dangerous
  transitions:
    announced -> accepted "Accept": role(harbour) and requires quay, bollard_from, bollard_to
      guard: quay.depth_m >= vessel.draught_m and not quay.closed and quay.metres >= vessel.length_m
      message: "This quay does not fit the vessel"
    accepted -> berthed "Berth": role(harbour, pilot), requires pilot
    berthed -> sailed "Sail": role(harbour, pilot)
      guard: done >= moves
    accepted -> "turned away" "Turn away": role(harbour)
    announced -> "turned away" "Turn away": role(harbour) or manual or auto after 2w
    final: sailed
    failed: "turned away"
  invariant: departs > arrives and departs <= arrives + 10d
    message: "At most ten days"
  invariant: bollard_from = null or bollard_to = null or bollard_to > bollard_from
    message: "Bollards are counted upwards"
  unique vessel where state in [announced, accepted, berthed]
  unique quay, bollard_from where state = berthed
  index quay, arrives desc where state != sailed
  index vessel.name

entity Lift "Crane lifts":
  id: uuid pk
  call: ref Call required cascade
  crane_no: int = 1
  boxes: int required
  started: datetime = now
  ended: datetime optional
  driver: ref User = current_user
  minutes: computed minutes_since(started)
  invariant: boxes > 0 and crane_no in [1, 2, 3, 4]
    message: "A lift has boxes, and there are four cranes"
  invariant: call.done <= call.moves
    message: "More boxes than were announced"
  permit:
    list: role(harbour) or driver = current_user
    read: role(harbour) or driver = current_user
    create: role(crane) and call.state = berthed
    update: driver = current_user

surface call_list "Port calls":
  uses entity Call
  mode: list
  section main:
    field vessel.name "Vessel"
    field vessel.line.name "Line"
    field arrives format: relative
    field departs format: time
    field percent format: percent
    field state
  ux:
    sort: arrives asc, vessel.name desc
    filter: state, quay, vessel, dangerous, arrives
    search: vessel.name, vessel.line.name
    attention critical:
      when: dangerous and state = berthed
      message: "Dangerous goods alongside"
    attention warning:
      when: late
      message: "Late"
    for agent:
      hide: percent
surface call_view "Port call":
  uses entity Call
  mode: view
  related lifts "Lifts":
    show: lifts
surface call_new "Announce a call":
  uses entity Call
  mode: create
  section main:
    field vessel widget=picker
    field arrives
    field departs widget=datetime
    field dangerous widget=switch
    field moves
surface call_berth "Assign a berth":
  uses entity Call
  mode: edit
  access: persona(harbour)
  section main:
    field quay widget=radio
    field bollard_from
    field bollard_to
    field pilot
    field vessel read_only
surface lift_new "Lift":
  uses entity Lift
  mode: create
surface vessel_list "Vessels":
  uses entity Vessel
  mode: list
  ux:
    sort: name asc
    search: name
surface vessel_view "Vessel":
  uses entity Vessel
  mode: view
surface quay_view "Quay":
  uses entity Quay
  mode: view

workspace tower "Tower":
  purpose: "Everything alongside and at sea"
  engine_hint: wall
  access: persona(harbour, pilot)
  a "At sea":
    source: Call
    filter: state = announced and arrives <= now + 3d
    display: queue
    sort: arrives asc
    action: call_berth
    empty: "Nothing at sea."
  b "Berths":
    source: Call
    display: kanban
  c "Plan":
    source: Call
    display: calendar
    date_field: arrives
  d "Quays":
    source: Quay
    display: tree
  e "Lines":
    source: Line
    display: tree
  f "By week":
    source: Call
    display: line_chart
    group_by: bucket(arrives, week)
    value: moves
  g "Heat":
    source: Call
    display: heatmap
    group_by: [quay, bucket(arrives, day)]
  h "States":
    source: Call
    display: pie_chart
    group_by: state
  i "Fleet":
    source: Vessel
    display: grid
    limit: 12
    action: vessel_view
  j "Progress":
    source: Call
    filter: state = berthed
    display: progress
    value: percent
  k "Fees":
    source: Call
    display: bar_chart
    group_by: vessel.line
    value: fee
  l "Latest":
    source: Call
    display: detail
    sort: arrives desc
  m "Figures":
    display: summary
    aggregate:
      alongside: count(Call where state = berthed)
      boxes: sum(Lift.boxes where call.state = berthed)
      longest: max(Vessel.length_m)
      danger: if any(Call where dangerous and state = berthed): "yes" else: "no"
      next: min(Call.arrives where state = accepted)
      mean_fee: round(avg(Call.fee), 2)
  n "Trend":
    source: Call
    display: metrics
    group_by: bucket(arrives, month)
    aggregate:
      calls: count(*)
      all_moves: sum(Call.moves)
  o "Fees by quarter":
    source: Call
    display: area_chart
    group_by: bucket(arrives, year)
    value: fee
  p "Cross":
    source: Call
    display: pivot
    group_by: [vessel.line, state]
    value: moves
  q "Feed":
    source: Lift
    display: activity_feed
    date_field: started
  r "Timeline":
    source: Call, Lift
    display: timeline
  ux:
    for harbour:
      action_primary: call_new
      show_aggregate: m.alongside, m.boxes
    for pilot:
      hide: k, o
      read_only: true

schedule turn "Turn away late calls":
  interval: 90min
  steps:
    - step off:
        effects:
          - update Call:
              where: state = announced and arrives < now - 7d
              state: "turned away"
