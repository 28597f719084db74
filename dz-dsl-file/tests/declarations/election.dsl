# Election observation: stations, observers, forms, incidents.
app election "Election observation":
  default_locale: en
  timezone: UTC
  theme: 0

persona observer "Observer":
  description: "Visits polling stations"
  goals:
    - report within the hour
  proficiency: novice
  default_workspace: field
persona coordinator "Coordinator"
persona analyst "Analyst"

enum Grade ordered "Grade":
  "very bad" "Very bad"
  bad "Bad"
  good "Good"
  "very good"
enum Phase "Phase":
  opening "Opening of the station"
  voting
  counting

entity User "Observer":
  archetype: user
  id: uuid pk
  name: str(80) required
  role: enum[observer, coordinator, analyst] = observer
  district: ref District
  languages: json = []
  permit:
    list: role(coordinator)
    read: role(coordinator) or id = current_user
    update: role(coordinator)

entity District "District":
  id: str(8) pk
  name: str(80) required
  above: ref District restrict
  stations: has_many Station
  registered: computed sum(stations.voters)
  worst: computed min(stations.grade)
  permit:
    list: anonymous
    read: anonymous
    create: role(coordinator)
    update: role(coordinator)

entity Station "Polling station":
  id: uuid pk
  code: slug required unique
  name: str(120) required searchable
  district: ref District required
  voters: int = 0
  grade: Grade
  lat: float
  lon: float
  visits: has_many Visit
  incidents: has_many Incident
  open_incidents: computed count(incidents where state != closed)
  visited: computed any(visits)
  turnout: computed max(visits.voted) * 100 / nullif(voters, 0)
  site: url
  graph_node:
    edges: Road
  permit:
    list: authenticated
    read: authenticated
    create: role(coordinator)
    update: role(coordinator)

entity Road "Road":
  id: uuid pk
  one: ref Station required
  other: ref Station required
  km: decimal(5, 1) = 1
  graph_edge:
    source: one
    target: other
    weight: km
    directed: false
  unique one, other
  invariant: km > 0 and one != other
    message: "A road connects two stations"
  permit:
    list: authenticated
    read: authenticated
    create: role(coordinator)
    delete: role(coordinator)

entity Visit "Visit":
  id: uuid pk
  station: ref Station required
  observer: ref User required = current_user
  came: datetime = now
  left: datetime
  phase: Phase = voting
  voted: int
  answers: json = {}
  grade: Grade = good
  remark: text searchable
  length: int optional
  list: str(20)
  match: bool
  state: enum[open, sent, checked] = open
  permit:
    list: role(coordinator, analyst) or observer = current_user
    read: role(coordinator, analyst) or observer = current_user
    create: role(observer) and station.district = current_user.district
    update: observer = current_user and state = open or role(coordinator)
    delete: observer = current_user and state = open
    transition: observer = current_user or role(coordinator)
  audit:
    update
    delete: role(coordinator)
  transitions:
    open -> sent "Send": requires left, voted and manual or auto after 36h
      guard: left > came and left <= now
    sent -> open "Return": role(coordinator)
    sent -> checked "Check": role(coordinator)
    final: checked
  invariant: left = null or left - came <= 12h
    message: "A visit takes at most twelve hours"
  invariant: voted = null or voted <= station.voters
    message: "More votes than voters"
    code: TOO_MANY_VOTES
  unique station, observer where state = open

entity Incident "Incident":
  id: int pk
  station: ref Station
  title: str(140) required searchable
  story: text
  reporter: email sensitive
  severity: Grade
  photo: file(8MB)
  happened_at: datetime auto_add
  state: enum[reported, verified, closed, rejected] = reported
  soft_delete
  permit:
    list: role(coordinator, analyst)
    read: role(coordinator, analyst)
    # dz: allow(anonymous-write) because citizens report incidents without an account
    create: anonymous
    update: role(coordinator)
    delete: role(coordinator)
    restore: role(coordinator)
  transitions:
    reported -> verified: role(coordinator) and requires severity, station
    reported -> rejected
    verified -> closed: role(coordinator)
    final: closed
    failed: rejected

surface incident_new "Report an incident":
  uses entity Incident
  mode: create
  access: public
  section main "What happened":
    field title
    field story widget=textarea
    field reporter
    field photo
surface incident_list "Incidents":
  uses entity Incident
  mode: list
  ux:
    sort: severity asc, happened_at desc
    filter: state, severity, station
    search: title
surface incident_view "Incident":
  uses entity Incident
  mode: view
surface visit_new "New visit":
  uses entity Visit
  mode: create
  section main:
    field station
    field phase widget=radio
    field voted widget=number when: phase != opening
    field remark
    field answers
  ux:
    for observer:
      defaults:
        phase: voting
        grade: good
surface visit_list "Visits":
  uses entity Visit
  mode: list
  ux:
    sort: came desc
    filter: state, grade, phase, came
surface visit_edit "Visit":
  uses entity Visit
  mode: edit
surface district_list "Districts":
  uses entity District
  mode: list
  access: public
  ux:
    sort: id asc
    show: id, name, registered, worst
surface station_list "Stations":
  uses entity Station
  mode: list
  ux:
    search: name, code
    filter: district, grade, visited
surface station_view "Station":
  uses entity Station
  mode: view
  related all "Reports":
    show: Visit, Incident
    display: list

workspace field "In the field":
  today "My visits":
    source: Visit
    filter: observer = current_user and date(came) = today
    display: list
    action: visit_edit
  map_of "Roads":
    source: Station
    display: graph
  edges "Road list":
    source: Road
    display: graph
  share "Visited":
    source: Visit
    display: progress
  districts:
    source: District
    display: tree
  votes:
    source: Visit
    display: bar_chart
    group_by: station.district
    value: voted

process alarm "Alarm":
  trigger:
    when: entity Incident state * -> verified
  overlap: allow
  steps:
    - step bad_enough:
        condition: trigger.entity.severity <= bad
        on_true: tell
        on_false: complete
    - step tell:
        human_task:
          surface: incident_view
          assignee_role: coordinator
          timeout: 4 hours
          outcomes:
            - seen:
                goto: complete
        on_failure: louder
    - step louder:
        subprocess: escalate
process escalate "Escalate":
  trigger: manual role(coordinator)
  emits: escalated
  steps:
    - step hold:
        wait: 30 minutes
process after "After an escalation":
  trigger: signal escalated
  steps:
    - step done:
        wait: signal all_clear
        timeout: 1d
schedule close "Close the day":
  cron: "@daily"
  timezone: "Africa/Nairobi"
  process: escalate
  overlap: queue

story EO-1 "A citizen reports an incident":
  persona: coordinator
  trigger: external_event
  entities: [Incident]
  status: draft
  given: a citizen saw something
  when: the form is sent
  then:
    - the state becomes "reported"

demo:
  District:
    - @n id: "N", name: "North"
    - @n1 id: "N-1", name: "North one", above: "N"
  Station:
    - @s1 code: "n-1-school", name: "School", district: @n1, voters: 900
    - @s2 code: "n-1-hall", name: "Town hall", district: @n1, voters: 1200, grade: "very good"
  Road:
    - one: @s1, other: @s2, km: 2.5
  User:
    - @obi email: "obi@votes.example", name: "Obi", password: "count every vote", district: @n1
