app court "District Court"

persona judge "Judge"
persona clerk "Clerk"
persona counsel "Counsel"

entity User "Person":
  id: uuid pk
  name: str(80)
  chamber: ref Chamber
  clearance: int
  permit:
    list: role(clerk, judge)
    read: role(clerk, judge) or id = current_user or chamber = current_user.chamber
    update: role(clerk)
  forbid:
    read: clearance > current_user.clearance

entity Chamber "Chamber":
  id: int pk
  presiding: ref User
  civil: bool = true
  permit:
    list: authenticated
    read: authenticated
    update: role(judge) and presiding = current_user

entity CourtCase "Case":
  id: uuid pk
  file_number: str(12) required unique
  subject: text required
  chamber: ref Chamber required
  judge: ref User
  value_in_dispute: money
  sealed: bool = false
  filed_on: date = today
  decided: date
  state: enum[filed, hearing, decided, closed] = filed
  parties: has_many Party
  hearings: has_many Hearing
  documents: has_many Document
  soft_delete
  transitions:
    filed -> hearing: role(clerk) requires judge
    hearing -> decided: role(judge) requires decided
      guard: judge = current_user and decided >= filed_on
    decided -> closed: role(clerk)
    decided -> hearing: role(judge)
  invariant: decided = null or decided >= filed_on
  permit:
    list: role(clerk) or judge = current_user or (role(judge) and chamber = current_user.chamber)
    read: role(clerk) or judge = current_user or any(parties where counsel = current_user) or (role(judge) and chamber.presiding = current_user)
    create: role(clerk)
    update: (role(clerk) and state != closed) or (judge = current_user and state in [hearing, "decided"])
    delete: role(clerk) and state = filed
    restore: role(judge) and chamber = current_user.chamber
  forbid:
    list: sealed and not role(judge)
    read: sealed and not role(judge)
    update: sealed and judge != current_user
  scope:
    list: state != closed
      for: judge
    list: all
      for: clerk, counsel

entity Party "Party":
  id: uuid pk
  of_case: belongs_to CourtCase required cascade
  name: str(120) required
  side: enum[plaintiff, defendant, witness] = plaintiff
  counsel: ref User
  address: text sensitive
  permit:
    list: role(clerk) or counsel = current_user
    read: role(clerk) or counsel = current_user or of_case.judge = current_user
    create: role(clerk)
    update: role(clerk) or (counsel = current_user and of_case.state = filed)
    delete: role(clerk) and of_case.state != closed

entity Hearing "Hearing":
  id: uuid pk
  of_case: belongs_to CourtCase required
  starts_at: datetime required
  room: str(4)
  minutes: text
  public: bool = true
  permit:
    list: (anonymous and public) or role(clerk, judge) or of_case.judge = current_user
    read: (anonymous and public and starts_at > now) or role(clerk, judge) or of_case.judge = current_user
    create: role(clerk) and of_case.state in [filed, hearing]
    update: role(clerk) or of_case.judge = current_user
    delete: role(clerk) and minutes = null

entity Document "Document":
  id: uuid pk
  of_case: belongs_to CourtCase required
  by: ref User = current_user
  title: str(60) required
  secret_level: int = 0
  permit:
    list: role(clerk) or by = current_user or (role(judge) and of_case.judge = current_user)
    read: role(clerk) or by = current_user or secret_level <= current_user.clearance
    create: role(clerk, counsel) and by = current_user
    update: by = current_user
    delete: by = current_user and of_case.state != closed

surface case_list "Cases":
  uses entity CourtCase
  mode: list
  section main:
    field file_number
    field judge
    field chamber.presiding.name "Presiding"
  ux:
    sort: filed_on desc
    filter: state, judge, chamber
    search: file_number, subject, judge.name
    for counsel:
      hide: subject, chamber.presiding
    for judge:
      scope: judge = current_user or chamber = current_user.chamber

surface case_view "Case":
  uses entity CourtCase
  mode: view

surface party_edit "Change a party":
  uses entity Party
  mode: edit

surface hearing_list "Hearings":
  uses entity Hearing
  mode: list
  ux:
    sort: starts_at asc
    filter: public, of_case
