app lifts "Lift maintenance":
  theme: 20
persona engineer "Engineer":
  goals: ["no one stuck", "spare parts in time"]
persona caretaker
archetype Located "Located":
  street: str(80) required
  zip: str(8)
  invariant: length(street) > 2
    message: "A street has a name"
    code: STREET
entity Lift "Lift":
  extends: Located
  id: uuid pk
  serial: str(20) required unique
  floors: int required
  last_check: date
  caretaker: ref User
  faults: has_many Fault
  open_faults: computed count(faults where status != fixed)
  overdue: computed last_check = null or last_check < today - 6 months
  access:
    read: role(engineer) or caretaker = current_user
    write: role(engineer)
entity Fault "Fault":
  id: uuid pk
  lift: belongs_to Lift required
  reported: datetime auto_add
  reporter: ref User = current_user
  trapped: bool = false
  cause: str(200)
  minutes: int
  status: enum[open, assigned, fixed, false_alarm] = open
  engineer: ref User
  transitions:
    open -> assigned: role(engineer) requires engineer
    assigned -> fixed "Repaired": role(engineer) and requires cause, minutes
    open, assigned -> false_alarm
    final: fixed
    failed: false_alarm
  permit:
    list: role(engineer) or reporter = current_user
    read: role(engineer) or reporter = current_user
    create: role(caretaker, engineer)
    update: role(engineer)
  permit:
    update: reporter = current_user and status = open
  invariant: minutes = null or minutes >= 0
    message: "Not below zero"
    code: MINUTES
  index status, reported desc
surface fault_list "Faults":
  uses entity Fault
  mode: list
  section main:
    field lift.street
    field reported format: relative
    field status
  ux:
    sort: reported desc
    filter: status, trapped, lift
    search: cause, lift.street
    attention critical:
      when: trapped and status = open
      message: "Somebody is inside"
    attention info:
      when: minutes > 240
      message: "Took long"
surface fault_edit:
  uses entity Fault
  mode: edit
  section main:
    field engineer
    field cause when: status != open
    field minutes when: status != open
workspace control "Control room":
  access: persona(engineer)
  stuck:
    source: Fault
    filter: trapped = true and status in [open, assigned]
    sort: reported asc
    display: list
    action: fault_edit
  history:
    source: Fault
    display: area_chart
    group_by: bucket(reported, week)
  all_lifts:
    source: Lift
    display: table
    limit: 100
    action: fault_list
