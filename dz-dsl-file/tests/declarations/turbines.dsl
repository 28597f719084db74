# Maintenance of wind farms: turbines, cables, work orders, technicians.
app wind "Wind farm maintenance":
  timezone: "Europe/Copenhagen"
  theme: 190
  currency: DKK

persona planner "Planner"
persona technician "Technician"
persona owner "Owner of turbines"

enum Severity ordered:
  low
  medium
  high
  critical "Stop the turbine"

entity User "Employee":
  id: uuid pk
  name: str(80) required
  hourly_rate: money sensitive
  height_permit_until: date
  skills: has_many Skill via Certificate
  permit:
    list: role(planner)
    read: role(planner) or id = current_user
    update: role(planner)

entity Skill "Skill":
  id: uuid pk
  name: str(40) required unique
  people: has_many User via Certificate
  permit:
    list: authenticated
    read: authenticated
    create: role(planner)

entity Certificate "Certificate":
  id: uuid pk
  holder: ref User required cascade
  skill: ref Skill required restrict
  valid_from: date = today
  valid_to: date
  temporal:
    start: valid_from
    end: valid_to
  unique holder, skill where valid_to = null
  invariant: valid_to = null or valid_to > valid_from
    message: "A certificate ends after it begins"
  permit:
    list: role(planner) or holder = current_user
    read: role(planner) or holder = current_user
    create: role(planner)
    update: role(planner)

entity Turbine "Turbine":
  id: uuid pk
  name: str(40) required unique searchable
  site: str(60) required
  latitude: float
  longitude: float
  rated_kw: decimal(8, 1) = 0
  commissioned: date
  manual: url
  zone: timezone = "Europe/Copenhagen"
  running: bool = true
  config: json = {}
  orders: has_many WorkOrder
  readings: has_many Reading
  last_wind: computed max(readings.wind_ms)
  open_orders: computed count(orders where state not in [done, dropped])
  worst: computed if any(orders where severity >= high and state != done): "bad" elif open_orders > 0: "fair" else: "good"
  age_years: computed year(today) - year(commissioned)
  graph_node:
    edges: Cable
    display: name
  invariant: all(orders where severity <= critical)
    message: "Always true, but stated"
  permit:
    list: role(planner, technician, owner)
    read: role(planner, technician, owner)
    create: role(planner)
    update: role(planner)

entity Cable "Cable":
  id: uuid pk
  from_turbine: ref Turbine required
  to_turbine: ref Turbine required
  kind: enum[array, export] = array
  metres: int = 0
  graph_edge:
    source: from_turbine
    target: to_turbine
    type: kind
    weight: metres
    directed: true
    # dz: allow(acyclic-not-enforced) because only dz writes cables
    acyclic: true
  permit:
    list: role(planner, technician)
    read: role(planner, technician)
    create: role(planner)
    update: role(planner)
    delete: role(planner)

entity Reading "Reading":
  id: int pk
  turbine: ref Turbine required cascade
  taken_at: datetime required indexed
  wind_ms: float required
  power_kw: decimal(8, 1)
  permit:
    list: role(planner, owner)
    read: role(planner, owner)
    create: role(technician)
  no_index turbine

entity WorkOrder "Work order":
  id: uuid pk
  title: str(100) required searchable
  turbine: ref Turbine required
  severity: Severity = medium
  assignee: ref User
  due: date = today + 2 weeks
  wind_limit: float = 12
  cost: money
  report: text
  created_at: datetime auto_add
  state: enum[planned, ready, climbing, done, dropped] = planned
  waiting_hours: computed hours_since(created_at)
  parts: has_many PartUse
  total: computed coalesce(cost, 0) + coalesce(sum(parts.amount), 0)
  permit:
    list: role(planner) or assignee = current_user or (role(technician) and assignee = null)
    read: role(planner, technician)
    create: role(planner)
    update: role(planner) or assignee = current_user
    delete: role(planner) and state in [planned, dropped]
  transitions:
    planned -> ready "Release": role(planner) and requires assignee
    ready -> climbing "Climb": role(technician)
      guard: assignee = current_user and turbine.last_wind < wind_limit and assignee.height_permit_until >= today
      message: "Too much wind, or no permit for heights"
    climbing -> done "Finish": requires report
    planned -> dropped: auto after 1 year
    * -> dropped "Drop": role(planner)
    final: done
    failed: dropped
  index severity desc, due where state in [planned, ready]

entity PartUse "Part used":
  id: uuid pk
  work_order: ref WorkOrder required cascade
  part: str(60) required
  quantity: int = 1
  amount: money required
  invariant: quantity > 0 and amount >= 0
    message: "A part is counted and has a price"
  permit:
    list: role(planner, technician)
    read: role(planner, technician)
    create: role(planner, technician)
    update: role(planner, technician)
    delete: role(planner, technician)

surface turbine_list "Turbines":
  uses entity Turbine
  mode: list
  section main:
    field name
    field site
    field rated_kw format: compact
    field open_orders
    field worst
    field running format: yes_no
  ux:
    sort: name asc
    filter: site, running, commissioned
    search: name, site
    attention critical:
      when: not running
      message: "Stopped"
surface turbine_view "Turbine":
  uses entity Turbine
  mode: view
  section main:
    field name
    field manual format: link
    field config format: code
    field last_wind format: integer
  section orders "Open orders":
    uses entity WorkOrder
    filter: turbine = this and state != done
    field title
    field severity
    field due
surface order_list "Work orders":
  uses entity WorkOrder
  mode: list
  ux:
    sort: severity desc, due asc
    filter: state, severity, assignee, turbine
    search: title, turbine.name
    for technician:
      scope: assignee = current_user and state in [ready, climbing]
      show_aggregate: total
surface order_view "Work order":
  uses entity WorkOrder
  mode: view
surface order_new "New work order":
  uses entity WorkOrder
  mode: create
  section main:
    field title
    field turbine
    field severity widget=select
    field wind_limit widget=range
    field due widget=date
    field cost when: severity >= high
  section parts "Parts":
    uses entity PartUse
    field part
    field quantity widget=number
    field amount

service forecast "Weather forecast":
  kind: integration
  spec: url "https://weather.example.com/openapi.json"
  auth_profile: api_key_header header="X-Key"
  owner: "Met office"
  input:
    latitude: float required
    longitude: float required
    hours: int = 24
  output:
    wind: list[float] required
    gust: float required
    calm: bool required
service rank "Rank of an order":
  kind: validation
  input:
    order: ref WorkOrder required
  output:
    points: int required
  guarantees:
    - "Points are between 0 and 100"
  stub: python

process dispatch "Dispatch a work order":
  implements: [ST-201]
  trigger: entity WorkOrder state planned -> ready
  timeout: 10d
  overlap: cancel_previous
  emits:
    on_start: dispatch_begun
    on_complete: dispatch_done
    on_failure: dispatch_failed
  steps:
    - parallel checks:
        on_any_failure: wait_all
        - step weather:
            service: forecast
            inputs:
              trigger.entity.turbine.latitude -> latitude
              trigger.entity.turbine.longitude -> longitude
            retry:
              max_attempts: 4
              backoff: exponential
              interval: 30s
        - step points:
            service: rank
            inputs: trigger.entity -> order
            output: ranking
    - step calm:
        condition: weather.calm and ranking.points > 20
        on_true: ask
        on_false: pause
    - step pause:
        wait: 6 hours
        goto: checks
    - step ask "Confirm the climb":
        human_task:
          surface: order_view
          assignee_role: technician
          timeout: 3 days
          outcomes:
            - accepted "I climb":
                goto: complete
            - refused "Not now":
                goto: drop
                confirm: "Really refuse?"
    - step drop:
        effects:
          - update trigger.entity:
              state: dropped

schedule certificates "Expired certificates":
  cron: "15 5 * * mon-fri"
  catch_up: true
  overlap: skip
  timeout: 20min
  steps:
    - step stop:
        effects:
          - update Turbine:
              where: running and open_orders > 5
              set:
                running -> false

story ST-201 "A technician climbs":
  actor: technician
  trigger: user_click
  scope: [WorkOrder]
  status: accepted
  given: the order's state is "ready"
  when: the wind is weak
  then: the state becomes "climbing"

demo:
  User:
    - @kim email: "kim@wind.example", name: "Kim", password: "climb the tower 9", roles: [technician], height_permit_until: today + 1y
    - @pia email: "pia@wind.example", name: "Pia", password: "plan the tower 99", roles: [planner], hourly_rate: 410
  Turbine:
    - @a1 name: "A1", site: "North", rated_kw: 4200.5, commissioned: "2019-05-01"
    - @a2 name: "A2", site: "North", rated_kw: 4200.5
  Cable:
    - from_turbine: @a1, to_turbine: @a2, metres: 800
  WorkOrder:
    - title: "Blade inspection", turbine: @a1, severity: high, cost: 900.50
    - {title: "Oil", turbine: "A2", state: ready, assignee: @kim}
