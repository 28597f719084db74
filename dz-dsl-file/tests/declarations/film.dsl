# Scheduling of a film production: scenes, shooting days, cast, call sheets.
app film "Film production":
  timezone: "Europe/Budapest"
  theme: 300
  registration: false

persona producer "Producer":
  default_workspace: slate
persona assistant "Assistant director":
  proficiency: expert
  default_workspace: slate
persona actor "Actor":
  default_route: "/app/my_calls"
persona driver "Driver"

enum DayOrNight:
  day
  night
  dawn "Dawn or dusk"

entity Crew "Crew member":
  archetype: user
  id: uuid pk
  name: str(80) required searchable
  job: str(60)
  mobile: str(30) sensitive
  allergies: text sensitive
  permit:
    list: role(producer, assistant, driver)
    read: role(producer, assistant, driver) or id = current_user
    create: role(producer)
    update: role(producer) or id = current_user
entity Unit "Unit":
  id: uuid pk
  name: str(40) required unique
  leader: ref Crew
  permit:
    list: authenticated
    read: authenticated
    create: role(producer)
entity Location "Location":
  id: uuid pk
  name: str(80) required unique searchable
  address: text
  owner_mail: email
  fee: money
  permit_file: file(5MB)
  usable_from: date
  usable_until: date
  shots: has_many Scene
  permit:
    list: role(producer, assistant, driver)
    read: role(producer, assistant, driver, actor)
    create: role(assistant)
    update: role(assistant)
    delete: role(producer)
entity Character "Character":
  id: uuid pk
  name: str(60) required unique
  played_by: ref Crew
  scenes: has_many Scene via Appearance
  scene_count: computed count(scenes)
  permit:
    list: authenticated
    read: authenticated
    create: role(assistant)
    update: role(assistant)
entity Scene "Scene":
  id: uuid pk
  number: str(8) required unique
  slug_line: str(140) required searchable
  eighths: int = 8
  light: DayOrNight = day
  interior: bool = true
  location: ref Location
  script: text
  storyboard: file
  day: ref ShootingDay nullify
  position: int optional
  unit: ref Unit
  characters: has_many Character via Appearance
  takes: has_many Take
  status: enum[unplanned, planned, shot, "picked up", cut] = unplanned
  pages: computed eighths / 8
  good_takes: computed count(takes where good)
  best: computed max(takes.number where good)
  display_field: number
  unique day, position
  permit:
    list: role(producer, assistant) or any(characters where played_by = current_user)
    read: role(producer, assistant) or any(characters where played_by = current_user)
    create: role(assistant)
    update: role(assistant)
    transition: role(assistant, producer)
  transitions:
    unplanned -> planned "Plan": requires day, location
      guard: location.usable_from = null or location.usable_from <= day.day
      message: "The location is not ours on that day"
    planned -> unplanned "Take off the day"
    planned -> shot "In the can"
      guard: good_takes > 0
      message: "There is no good take"
    shot -> "picked up": role(assistant) and requires storyboard
    shot -> planned "Reshoot"
    unplanned, planned -> cut "Cut": role(producer)
      message: "Only a producer cuts a scene"
    final: shot, "picked up"
    failed: cut
  invariant: eighths > 0 and eighths <= 64
    message: "At most eight pages"
  invariant: day = null or day.eighths <= 48
    message: "A day has at most six pages"
    code: FULL_DAY
entity Appearance "Appearance":
  id: uuid pk
  scene: ref Scene required cascade
  character: ref Character required cascade
  lines: int = 0
  unique scene, character
  permit:
    list: authenticated
    read: authenticated
    create: role(assistant)
    update: role(assistant)
    delete: role(assistant)
entity ShootingDay "Shooting day":
  id: uuid pk
  day: date required unique
  call_time: datetime
  unit: ref Unit required
  wrapped: bool = false
  weather: json = {}
  scenes: has_many Scene
  calls: has_many Call
  eighths: computed coalesce(sum(scenes.eighths), 0)
  nights: computed count(scenes where light = night)
  weekend: computed weekday(day) >= 6
  title: computed if weekend: "Weekend" else: "Weekday"
  plural: shooting_days
  display_field: day
  permit:
    list: authenticated
    read: authenticated
    create: role(assistant)
    update: role(assistant) and not wrapped
    delete: role(assistant) and not any(scenes)
entity Take "Take":
  id: uuid pk
  scene: ref Scene required cascade
  number: int required
  good: bool = false
  seconds: float
  note: str(200)
  shot_at: datetime auto_add
  unique scene, number
  permit:
    list: role(producer, assistant)
    read: role(producer, assistant)
    create: role(assistant)
entity Call "Call":
  id: uuid pk
  day: ref ShootingDay required cascade
  person: ref Crew required
  at: datetime required
  pick_up: str(120)
  confirmed: bool = false
  wrapped_at: datetime
  unique day, person
  permit:
    list: role(producer, assistant, driver) or person = current_user
    read: role(producer, assistant, driver) or person = current_user
    create: role(assistant)
    update: role(assistant) or (person = current_user and not confirmed)
    delete: role(assistant)
  invariant: wrapped_at = null or wrapped_at >= at
    message: "Wrapped after the call"

surface scene_list "Scenes":
  uses entity Scene
  mode: list
  priority: critical
  section main:
    field number
    field slug_line "Slug line"
    field light
    field day.day "Day" format: short
    field location.name "Location"
    field good_takes
    field status
  ux:
    purpose: "What is still to shoot"
    sort: number asc
    filter: status, light, day, location, interior
    search: slug_line, number, location.name
    attention notice:
      when: status = planned and day.day < today
      message: "Missed"
      action: scene_edit
surface scene_view "Scene":
  uses entity Scene
  mode: view
  section main:
    field number
    field script
    field pages format: compact
  section takes "Takes":
    uses entity Take
    field number
    field good
    field note
  related people "People":
    show: characters
  action edit: on click -> surface scene_edit
surface scene_new "New scene":
  uses entity Scene
  mode: create
  section main "Scene":
    field number
    field slug_line
    field eighths widget=range
    field light widget=radio
    field interior widget=switch
    field script widget=markdown
  section who "Characters":
    uses entity Appearance
    field character
    field lines
surface scene_edit "Plan a scene":
  uses entity Scene
  mode: edit
  section main:
    field day
    field location
    field unit
    field position
    field storyboard when: status in [planned, shot]
    field number read_only: true
  ux:
    for producer:
      read_only: true
surface my_calls "My calls":
  uses entity Call
  mode: list
  section main:
    field day.day "Day" format: long
    field at format: time
    field pick_up
    field confirmed
  ux:
    sort: at asc
    filter: confirmed, at
    for actor:
      scope: person = current_user and day.day >= today
      empty: "No call."
      action_primary: call_confirm
    for driver:
      scope: pick_up != null
      show: day.day, at, pick_up
surface call_confirm "Confirm":
  uses entity Call
  mode: edit
  section main:
    field confirmed widget=checkbox
    field at read_only
surface day_view "Shooting day":
  uses entity ShootingDay
  mode: view
  related all "Everything":
    show: scenes, calls
    display: table
surface day_list "Shooting days":
  uses entity ShootingDay
  mode: list
  ux:
    sort: day asc
    filter: unit, wrapped, weekend
surface character_list "Characters":
  uses entity Character
  mode: list
  ux:
    sort: name asc
    search: name, played_by.name

workspace slate "Slate":
  board:
    source: Scene
    display: kanban
    action: scene_view
  days:
    source: ShootingDay
    display: calendar
    date_field: day
    action: day_view
    title: unit.name
  rate:
    source: Take
    display: bar_chart
    group_by: scene
    value: seconds
  lights:
    source: Scene
    display: pivot
    group_by: [light, status]
    value: pages
  done:
    source: Scene
    display: progress
    group_by: status
  shots:
    source: Take
    display: line_chart
    group_by: bucket(shot_at, day)
  totals:
    display: summary
    aggregate:
      left: sum(Scene.eighths where status in [unplanned, planned])
      pages: round(left / 8, 1)
      first: min(ShootingDay.day where not wrapped)

process wrap "Wrap a day":
  implements: [FP-1]
  trigger: entity ShootingDay updated
  overlap: skip
  steps:
    - step is_wrapped:
        condition: trigger.entity.wrapped
        on_true: mark
        on_false: complete
    - step mark:
        effects:
          - update Call:
              where: day = trigger.entity and wrapped_at = null
              set:
                wrapped_at -> now
          - update Scene:
              where: day = trigger.entity and status = planned
              day: null
              status: unplanned
          - emit wrapped
process sheet "Call sheet":
  trigger: cron "0 18 * * sun-thu"
  steps:
    - step quiet:
        wait: 1 min
process chain "After the call sheet":
  trigger: process sheet completed
  steps:
    - step s:
        subprocess: remind
        inputs: "tomorrow" -> when_text
process remind "Remind":
  trigger: manual role(assistant, producer)
  input:
    when_text: str(40) required
    limit: int = 5
  output:
    said: str(40) = input.when_text
  steps:
    - step one:
        wait: 5 seconds

story FP-1 "A day is wrapped":
  actor: assistant
  trigger: form_submitted
  scope: [ShootingDay, Call, Scene]
  status: accepted
  given:
    - a scene has the status "planned"
  when:
    - the assistant wraps the day
  then:
    - scenes that were not shot have the status "unplanned"
