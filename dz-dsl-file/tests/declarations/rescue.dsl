app cave_rescue "Cave rescue"

persona coordinator "Coordinator":
  default_route: "/app/board"
persona diver
persona medic

entity Team "Team":
  id: uuid pk
  name: str(60) required
  region: str(60)
  members: has_many Rescuer
  permit:
    list: role(coordinator)
    read: role(coordinator)
    create: role(coordinator)

entity Rescuer:
  archetype: user
  id: uuid pk
  email: email required unique
  name: str(80) required
  team: ref Team
  skills: json = []
  on_call: bool = false

entity Mission "Mission":
  id: uuid pk
  code_name: str(40) required unique
  cave: str(80) required
  alarm_at: datetime auto_add
  leader: ref Rescuer
  team: ref Team
  severity: Severity = minor
  trapped: int = 1
  rescued: int = 0
  log: text
  elapsed: computed hours_since(alarm_at)
  status: enum[alarm, search, found, evacuation, closed, aborted] = alarm
  transitions:
    alarm -> search: role(coordinator) requires leader, team
    search -> found
    found -> evacuation: role(medic)
    evacuation -> closed: role(coordinator)
      guard: rescued = trapped
      message: "Somebody is still inside"
    alarm -> aborted: role(coordinator)
    search -> aborted: auto after 2w or manual
    final: closed
    failed: aborted
  invariant: rescued <= trapped and rescued >= 0
    message: "No more than were trapped"
    code: RESCUED
  permit:
    list: role(coordinator) or team = current_user.team
    read: role(coordinator) or team = current_user.team
    create: authenticated
    update: role(coordinator) or leader = current_user
    delete: false
    transition: role(coordinator) or team = current_user.team
  forbid:
    update: status in [closed, aborted]
  audit: [create, update, transition]
  index status
  index team, alarm_at desc

enum Severity ordered "Severity":
  minor
  serious "Serious"
  deadly "Deadly"

entity Sighting:
  id: uuid pk
  mission: ref Mission required cascade
  depth: float
  seen_at: datetime = now
  what: str(200) required
  permit:
    list: role(coordinator, diver, medic)
    read: role(coordinator, diver, medic)
    create: role(diver)

surface mission_list "Missions":
  uses entity Mission
  mode: list
  section main:
    field code_name
    field cave
    field severity
    field elapsed "Hours"
  ux:
    sort: severity desc, alarm_at asc
    filter: status, severity
    search: cave, code_name
    attention critical:
      when: severity = deadly and status in [alarm, search]
      message: "Lives at stake"
      action: mission_view
    attention notice:
      when: leader is null
      message: "Nobody leads"

surface mission_view "Mission":
  uses entity Mission
  mode: view
  section main:
    field code_name
    field status
    field leader.name
    field team.name
  section sightings "Sightings":
    uses entity Sighting
    filter: mission = this and depth > 0
    field seen_at format: relative
    field what

workspace board "Board":
  access: authenticated
  open_missions "Open":
    source: Mission
    filter: status not in [closed, aborted]
    sort: severity desc
    display: grid
    action: mission_view
    empty: "All quiet."
  feed "Sightings":
    source: Sighting
    display: activity_feed
    date_field: seen_at

process escalate "Escalate":
  trigger:
    when: entity Mission created
  step hold:
    wait: 15min
  step still:
    condition: trigger.entity.leader = null
    on_true: call
    on_false: complete
  step call "Call the coordinator":
    human_task:
      surface: mission_view
      assignee_role: coordinator
      outcomes:
        - handled:
            goto: complete
