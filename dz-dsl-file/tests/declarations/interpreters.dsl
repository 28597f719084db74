app court_interpreters "Court interpreters":
  default_locale: fr
  currency: CHF
  court: "Canton"

persona dispatcher "Dispatcher":
  description: "Finds an interpreter for each hearing"
  goals: ["no hearing without an interpreter"]
persona interpreter "Interpreter":
  proficiency: intermediate
persona clerk

entity Language:
  id: str(3) pk
  name: str(40) required unique
  rare: bool
  permit:
    list: anonymous
    read: anonymous

entity Interpreter "Interpreter":
  id: uuid pk
  account: ref User required unique
  languages: has_many Language via Skill
  skills: has_many Skill
  hourly: decimal(6,2) = 85
  sworn_on: date
  is_sworn: computed sworn_on is not null
  permit:
    list: role(dispatcher, clerk)
    read: role(dispatcher) or account = current_user
    create: role(dispatcher)
    update: role(dispatcher) or account = current_user

entity Skill:
  id: uuid pk
  interpreter: ref Interpreter required cascade
  language: ref Language required
  level: enum[b2, c1, c2, native] = c1
  permit:
    list: authenticated
    read: authenticated
    create: role(dispatcher)
    delete: role(dispatcher)
  unique interpreter, language

entity Assignment "Assignment":
  id: uuid pk
  docket: str(30) required
  language: ref Language required
  interpreter: ref Interpreter
  starts: datetime required
  hours: decimal(4,2)
  travel_km: int = 0
  fee: computed round(coalesce(hours, 0) * interpreter.hourly + travel_km * 0.7, 2)
  stage: enum[asked, offered, accepted, done, paid, refused] = asked
  remarks: text
  transitions:
    asked -> offered "Offer": role(dispatcher) requires interpreter
    offered -> accepted "Accept": role(interpreter)
      guard: interpreter.account = current_user
    offered -> asked: auto after 24h
    offered -> refused: role(interpreter)
    accepted -> done: role(clerk) requires hours
      guard: starts < now
      message: "The hearing has not begun"
    done -> paid: role(dispatcher)
    final: paid
    failed: refused
  permit:
    list: role(dispatcher, clerk) or interpreter.account = current_user
    read: role(dispatcher, clerk) or interpreter.account = current_user
    create: role(clerk, dispatcher)
    update: role(dispatcher) or role(clerk) and stage = asked
    transition: role(dispatcher, clerk) or interpreter.account = current_user
  index stage, starts
  invariant: hours = null or hours <= 12 and hours > 0
    message: "At most twelve hours"
    code: HOURS

surface assignment_list "Assignments":
  uses entity Assignment
  mode: list
  section main:
    field docket
    field language.name "Language"
    field starts format: long
    field stage
    field fee
  ux:
    sort: starts asc
    filter: stage, language, starts
    search: docket
    for interpreter:
      scope: interpreter.account = current_user
      hide: docket
      read_only: false
    for dispatcher, clerk:
      scope: all
      show_aggregate: fee

surface ask "Ask for an interpreter":
  uses entity Assignment
  mode: create
  access: persona(clerk, dispatcher)
  section hearing "Hearing":
    field docket
    field language
    field starts widget=datetime
    field remarks widget=textarea

workspace dispatch "Dispatch":
  purpose: "Who goes where"
  access: persona(dispatcher)
  asked "Nobody yet":
    source: Assignment
    filter: stage = asked and starts > now
    sort: starts asc
    display: timeline
    action: assignment_list
  grid "Levels":
    source: Assignment
    display: heatmap
    group_by: [language, bucket(starts, month)]
  kpis:
    aggregate:
      waiting: count(Assignment where stage = asked)
      busy: count(Assignment where stage in [offered, accepted] and starts <= now + 7d)
      mood: if waiting > 10: "late" else: "fine"

scenario monday "A busy Monday":
  description: "Three hearings, one interpreter"
  for persona dispatcher:
    start_route: "/app/dispatch"
  demo:
    Language:
      - @rm id: "roh", name: "Romansh", rare: true
    User:
      - @lia email: "lia@example.org", name: "Lia", roles: [interpreter]
    Interpreter:
      - @i account: @lia, hourly: 95.50
    Assignment:
      - docket: "A-1", language: @rm, starts: now + 2 days
      - docket: "A-2", language: @rm, starts: now, stage: offered, interpreter: @i
