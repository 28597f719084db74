app wardrobe "Theatre wardrobe"

persona dresser "Dresser"
persona designer "Costume designer"
persona actor "Actor"

entity Production:
  id: uuid pk
  title: str(100) required
  opens: date required
  closes: date
  budget: money(CHF)
  poster: file(5MB)
  costumes: has_many Costume
  temporal:
    start: opens
    end: closes
  invariant: closes = null or closes >= opens
    message: "It closes after it opens"
  permit:
    list: authenticated
    read: authenticated
    create: role(designer)
    update: role(designer)

entity Costume "Costume":
  id: uuid pk
  production: belongs_to Production required
  label: str(80) required
  worn_by: ref User
  size: str(8)
  colour: str(7)
  measurements: json = {}
  purchase: decimal(9,2)
  status: enum[sketch, sewing, fitting, ready, archived] = sketch
  soft_delete
  transitions:
    sketch -> sewing: role(designer)
    sewing -> fitting: requires worn_by, size
    fitting -> sewing "Alter again"
    fitting -> ready "Approve": role(designer)
    ready -> archived: auto after 6 months or manual
    final: archived
  examples:
    - label: "Red coat", size: "M"
    - {label: "Crown", purchase: 80}
  permit:
    list: role(dresser, designer) or worn_by = current_user
    read: role(dresser, designer) or worn_by = current_user
    create: role(designer)
    update: role(designer)
    transition: role(dresser, designer)
    delete: role(designer)
    restore: role(designer)
  scope:
    list: all
      for: dresser, designer
    list: worn_by = current_user
      for: actor

surface costume_edit "Costume":
  uses entity Costume
  mode: edit
  section main "The costume":
    field label
    field worn_by widget=picker
    field size
      help: "European size"
    field colour widget=color
    field purchase when: status != sketch
    field measurements format: code

surface costume_list:
  uses entity Costume
  mode: list
  priority: high
  ux:
    show: label, production.title, status
    sort: label
    filter: status, production
    search: label

surface production_view "Production":
  uses entity Production
  mode: view
  section main:
    note: "Ask the designer about the budget."
    field title
    field opens
    field poster
  related costumes "Costumes":
    show: costumes
    display: grid
    columns: label, status
    limit: 24
  action sew "New costume":
    on click -> surface costume_list

story WR-7 "A coat is fitted":
  "Before the opening night"
  actor: dresser
  trigger: status_changed
  scope: [Costume]
  status: accepted
  given:
    - the costume is "sewing"
  when:
    - the actor tries it on
  then:
    - the state becomes "fitting"
  unless:
    - the size is unknown:
      then: the dresser measures again

experience fitting_day "A day of fittings":
  access: persona(dresser)
  start at step choose
  context:
    costume: ref Costume
  step choose "Choose":
    surface costume_list
    on continue -> step alter
  step alter "Alter":
    surface costume_edit
    saves_to: context.costume
    when: context.costume = null
    on back -> step choose
