app lab "Test Laboratory"

persona analyst "Analyst"
persona reviewer "Reviewer"

enum Hazard ordered:
  low
  medium
  high

entity User "Person":
  id: uuid pk
  name: str(60)
  group: ref Group
  supervisor: ref User
  permit:
    list: authenticated
    read: authenticated
    update: role(reviewer) and (supervisor = current_user or supervisor.supervisor = current_user)

entity Group "Group":
  id: int pk
  short: str(2) required
  lead: ref User
  permit:
    list: authenticated
    read: authenticated
    update: lead = current_user

entity Sample "Sample":
  id: uuid pk
  barcode: str(4) required unique
  received_at: datetime auto_add
  origin: json
  group: ref Group required
  keeper: ref User
  hazard: Hazard = low
  tests: has_many Test
  state: enum[received, tested, discarded] = received
  transitions:
    received -> tested: role(analyst)
      guard: any(tests where result != null)
    [received, tested] -> discarded: role(reviewer) requires keeper
  permit:
    list: group = current_user.group or role(reviewer)
    read: group = current_user.group or (role(reviewer) and hazard >= medium)
    create: role(analyst) and group = current_user.group
    update: keeper = current_user or group.lead = current_user
    delete: role(reviewer) and state = discarded
  forbid:
    update: hazard = high and not role(reviewer)
    read: state = discarded and keeper != current_user

entity Method "Method":
  id: slug pk
  unit: str(5)
  limit: float
  decimals: int = 2
  accredited: bool = false
  permit:
    list: authenticated
    read: accredited or role(reviewer) or unit = null
    create: role(reviewer)
    update: role(reviewer) and not accredited
    delete: role(reviewer)

entity Test "Test":
  id: uuid pk
  sample: belongs_to Sample required cascade
  method: ref Method required
  by: ref User = current_user
  result: float
  uncertainty: decimal(2,2)
  comment: text
  reviewed_by: ref User
  above: computed result > method.limit
  invariant: reviewed_by = null or reviewed_by != by
    message: "A test is reviewed by another person"
  permit:
    list: role(analyst, reviewer)
    read: sample.group = current_user.group or by.group.lead = current_user
    create: role(analyst) and sample.state != discarded and by = current_user
    update: by = current_user and reviewed_by = null or role(reviewer)
    delete: by = current_user and result = null
    release: role(reviewer) and by != current_user
  scope:
    list: sample.group = current_user.group
      for: analyst
    list: all
      for: reviewer

surface sample_list "Samples":
  uses entity Sample
  mode: list
  ux:
    sort: received_at desc
    filter: state, hazard, group, keeper
    search: barcode, keeper.name

surface sample_view "Sample":
  uses entity Sample
  mode: view

surface test_list "Tests":
  uses entity Test
  mode: list
  section main:
    field sample
    field method
    field result
    field by.group.short "Group"

surface test_create "New test":
  uses entity Test
  mode: create

surface test_edit "Change a test":
  uses entity Test
  mode: edit

workspace bench "Bench":
  waiting "Waiting":
    source: Sample
    filter: state = received and hazard >= medium
    display: queue
    sort: received_at asc
  all_tests "Tests":
    source: Test
    display: table
  states "By state":
    source: Sample
    display: bar_chart
    group_by: state
  samples "Samples":
    source: Sample
    display: grid
