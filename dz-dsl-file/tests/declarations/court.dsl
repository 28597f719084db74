# Court hearings: cases, parties, hearings, filings.
app court "District court":
  description: "Cases from their filing to the judgment"
  default_locale: en
  timezone: "Europe/Vienna"
  theme: violet
  registration: false
  docket_office: "Room 114"

persona clerk "Clerk of the court":
  description: "Registers cases and schedules hearings"
  goals:
    - no hearing without a room
    - every party is summoned in time
  proficiency: expert
  default_workspace: docket
persona judge "Judge":
  description: "Hears and decides cases"
  goals: "know today's hearings", "write judgments in time"
  proficiency: intermediate
  default_route: "/app/hearing_list"
persona counsel "Counsel":
  proficiency: novice

enum Gravity ordered "Gravity":
  petty "Petty matter"
  ordinary
  serious "Serious matter"
enum PartyRole:
  claimant, defendant, witness, "expert witness" "Expert witness"

archetype Stamped:
  created_at: datetime auto_add
  updated_at: datetime auto_update
  index created_at desc
archetype Numbered:
  extends: Stamped
  docket_number: str(24) required unique searchable
  invariant: length(trim(docket_number)) >= 5
    message: "A docket number has at least five characters"
    code: DOCKET_NUMBER

entity User "Person of the court":
  archetype: user
  id: uuid pk
  name: str(80) required searchable
  chamber: str(20)
  permit:
    list: role(clerk, judge)
    read: role(clerk, judge) or id = current_user

entity CourtCase "Case":
  extends: Numbered
  id: uuid pk
  intent: "A dispute that the court decides"
  domain: litigation
  patterns: lifecycle, assignment
  plural: cases
  was: Matter
  display_field: docket_number
  subject: str(160) required searchable
  gravity: Gravity = ordinary
  judge: ref User
  filed_on: date = today
  decided_on: date
  judgment: file(15MB)
  sealed: bool = false
  state: enum[filed, admitted, heard, decided, dismissed, "struck out"] = filed
  notes: text sensitive
  parties: has_many Party
  hearings: has_many Hearing
  filings: has_many Filing
  open_days: computed days_since(filed_on)
  hearing_count: computed count(hearings where outcome != cancelled)
  next_hearing: computed min(hearings.starts_at where outcome = planned)
  permit:
    list: role(clerk) or (role(judge) and judge = current_user) or any(parties where counsel = current_user)
    read: role(clerk) or (role(judge) and (judge = current_user or not sealed)) or any(parties where counsel = current_user)
    create: role(clerk)
    update: role(clerk) or (role(judge) and judge = current_user)
    delete: role(clerk) and state = filed
    restore: role(clerk)
    transition: role(clerk, judge)
  forbid:
    update: state in [decided, dismissed, "struck out"] and not role(clerk)
    delete: any(hearings)
  audit:
    read: role(counsel)
    update
    delete
  soft_delete
  transitions:
    filed -> admitted "Admit": role(judge), requires judge
      guard: any(parties where part = claimant) and any(parties where part = defendant)
      message: "A case needs a claimant and a defendant"
    admitted -> heard "Close the hearings": role(judge)
      guard: all(hearings where outcome != planned) and count(hearings) > 0
    heard -> decided "Decide": role(judge) and requires judgment, decided_on
    filed, admitted -> dismissed "Dismiss": role(judge)
    filed -> "struck out" "Strike out": auto after 6 months or manual or role(clerk)
    dismissed -> filed "Reopen": role(clerk)
    final: decided
    failed: dismissed, "struck out"
  invariant: decided_on = null or decided_on >= filed_on
    message: "A case is decided after it was filed"
  index gravity, filed_on desc where state in [filed, admitted]

entity Party "Party":
  id: uuid pk
  court_case: belongs_to CourtCase required cascade
  full_name: str(120) required searchable
  part: PartyRole = claimant
  counsel: ref User nullify
  contact: email
  unique court_case, full_name
  unique court_case where part = defendant
  permit:
    list: role(clerk, judge) or counsel = current_user
    read: role(clerk, judge) or counsel = current_user
    create: role(clerk)
    update: role(clerk)
    delete: role(clerk) and court_case.state = filed
  examples:
    - full_name: "Ada Moser", part: claimant
    - {full_name: "Bau AG", part: defendant}

entity Courtroom "Courtroom":
  id: uuid pk
  code: slug required unique
  seats: int = 20
  invariant: seats > 0
    message: "A room has seats"
  access:
    read: authenticated
    write: role(clerk)

entity Hearing "Hearing":
  id: uuid pk
  court_case: ref CourtCase required restrict
  room: ref Courtroom required
  starts_at: datetime required
  minutes: int = 60
  outcome: enum[planned, held, cancelled] = planned
  audience: int = 0
  protocol: file
  ends_by: computed starts_at + 4h
  unique room, starts_at where outcome = planned
  invariant: minutes > 0 and minutes <= 480
    message: "A hearing takes between a minute and eight hours"
    code: HEARING_LENGTH
  invariant: audience <= room.seats
    message: "The room has too few seats"
    code: ROOM_TOO_SMALL
  permit:
    list: role(clerk, judge, counsel)
    read: role(clerk, judge, counsel)
    create: role(clerk)
    update: role(clerk) or court_case.judge = current_user
  scope:
    list: all
      for: clerk, judge
    read: all
      for: *
  transitions:
    planned -> held: role(judge) and requires protocol
      guard: starts_at <= now
      message: "The hearing has not begun"
    planned -> cancelled: role(clerk, judge)
    final: held
    failed: cancelled

entity Filing "Filing":
  id: uuid pk
  court_case: ref CourtCase required
  title: str(120) required searchable
  author: ref User = current_user
  document: file(25MB) required
  received_at: datetime auto_add
  permit:
    list: role(clerk, judge) or author = current_user
    read: role(clerk, judge) or author = current_user
    create: role(clerk, counsel)
    certify: role(clerk)

surface case_list "Cases":
  uses entity CourtCase
  mode: list
  priority: critical
  section main:
    field docket_number
    field subject
    field gravity
    field state
    field judge.name "Judge"
    field next_hearing format: relative
  action open: on click -> surface case_view
  ux:
    purpose: "All cases of the court"
    sort: filed_on desc
    filter: state, gravity, judge, filed_on
    search: docket_number, subject, judge.name
    empty: "No case."
    attention critical:
      when: open_days > 365 and state in [filed, admitted]
      message: "Open for more than a year"
      action: case_edit
    attention notice:
      when: judge = null
      message: "No judge yet"
    for judge:
      scope: judge = current_user
      show: docket_number, subject, state
      action_primary: case_view
    for counsel:
      hide: gravity
      read_only: true
surface case_view "Case":
  uses entity CourtCase
  mode: view
  section main "The case":
    field docket_number format: code
    field subject
    field state format: badge
    field filed_on format: long
    field judgment when: state = decided
  related people "Parties and hearings":
    show: parties, hearings, Filing
    display: table
    limit: 25
surface case_edit "Change a case":
  uses entity CourtCase
  mode: edit
surface case_new "New case":
  uses entity CourtCase
  mode: create
  section main "The case":
    field docket_number help: "As on the cover sheet"
    field subject widget=textarea
    field gravity widget=radio
    field judge widget=picker
  section people "Parties":
    uses entity Party
    field full_name
    field part
    note: "At least a claimant and a defendant"
  action save: on submit -> surface case_view
surface hearing_list "Hearings":
  uses entity Hearing
  mode: list
  access: persona(clerk, judge)
  ux:
    sort: starts_at asc
    filter: outcome, room
surface filing_new "File a document":
  uses entity Filing
  mode: create

workspace docket "Docket":
  purpose: "What the registry does today"
  stage: overview
  access: persona(clerk)
  today "Hearings":
    source: Hearing
    filter: outcome = planned and starts_at >= now
    display: calendar
    date_field: starts_at
    title: court_case.docket_number
    action: hearing_list
  board "Cases":
    source: CourtCase
    display: kanban
    action: case_view
  ux:
    purpose: "The docket"
    for clerk:
      focus: board

story ST-101 "A case is admitted":
  "The judge admits a complete case."
  actor: judge
  trigger: status_changed
  scope: [CourtCase, Party]
  status: accepted
  given:
    - the case's state is "filed"
  when:
    - the judge admits it
  then:
    - the state becomes "admitted"
  unless:
    - a defendant is missing:
      then: the clerk asks the claimant
